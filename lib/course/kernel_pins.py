"""The environment in which chapters are executed and tests run.

Two computers add the same numbers in different orders: BLAS, oneDNN, ATen and NumPy each pick the
widest vector instructions they find, and threads split sums. Last bits then differ, and training
amplifies them. So every execution and every test runs on one thread and with instruction sets that
any computer with AVX2 has, whatever else it can do. Where a pin could ask for instructions that
the processor lacks (which crashes), nothing is pinned.

Only the standard library is imported here: the pins must be set before NumPy is loaded.
"""

import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)

# NumPy's own loops: the names of the groups that the pinned NumPy dispatches beyond AVX2.
_BEYOND_AVX2 = "X86_V4 AVX512_ICL AVX512_SPR"

# COMPATIBLE is the one mode for which MKL promises the same bits on Intel and other processors.
_AVX2 = {
    "OPENBLAS_CORETYPE": "Haswell",
    "ATEN_CPU_CAPABILITY": "avx2",
    "DNNL_MAX_CPU_ISA": "AVX2",
    "MKL_CBWR": "COMPATIBLE",
    "NPY_DISABLE_CPU_FEATURES": _BEYOND_AVX2,
}
_AVX = {
    "OPENBLAS_CORETYPE": "Sandybridge",
    "ATEN_CPU_CAPABILITY": "default",
    "DNNL_MAX_CPU_ISA": "AVX",
    "MKL_CBWR": "AVX",
    "NPY_DISABLE_CPU_FEATURES": f"X86_V3 {_BEYOND_AVX2}",
}
_SSE = {
    "OPENBLAS_CORETYPE": "Prescott",
    "ATEN_CPU_CAPABILITY": "default",
    "DNNL_MAX_CPU_ISA": "SSE41",
    "MKL_CBWR": "COMPATIBLE",
    "NPY_DISABLE_CPU_FEATURES": f"X86_V3 {_BEYOND_AVX2}",
}
_ARM = {"OPENBLAS_CORETYPE": "ARMV8", "ATEN_CPU_CAPABILITY": "default"}

_KERNEL_VARIABLES = tuple(_AVX2)


def _linux_flags() -> frozenset[str]:
    try:
        lines = (
            Path("/proc/cpuinfo")
            .read_text(encoding="utf-8", errors="replace")
            .splitlines()
        )
    except OSError:
        return frozenset()
    flags = (
        line.partition(":")[2]
        for line in lines
        if line.startswith(("flags", "Features"))
    )
    return frozenset(next(flags, "").lower().split())


def _macos_flags() -> frozenset[str]:
    command = ["sysctl", "-n", "machdep.cpu.features", "machdep.cpu.leaf7_features"]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False
        ).stdout
    except OSError:
        return frozenset()
    # Written as AVX1.0, SSE4.1 where Linux has avx, sse4_1.
    return frozenset(answer.lower().replace("avx1.0", "avx").replace(".", "_").split())


@cache
def processor() -> tuple[str, frozenset[str]]:
    """Return the architecture (``x86_64``, ``arm64``, …) and the instruction sets it names."""
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)
    readers = {"Linux": _linux_flags, "Darwin": _macos_flags}
    read = readers.get(platform.system(), frozenset)
    return machine, frozenset(read())


def kernel_pins(
    machine: str | None = None, flags: Iterable[str] | None = None
) -> dict[str, str]:
    """Return the variables that choose numerical kernels; empty where none is safe to name."""
    machine, flags = _described(machine, flags)
    return dict(_AVX2) if machine == "x86_64" and {"avx2", "fma"} <= flags else {}


def other_kernels(
    machine: str | None = None, flags: Iterable[str] | None = None
) -> dict[str, dict[str, str]]:
    """Return the other choices of kernels and threads that this processor can run, by name.

    ``make portability`` executes every chapter under each of them.
    """
    machine, flags = _described(machine, flags)
    found: dict[str, dict[str, str]] = {}
    if machine == "x86_64" and "sse4_1" in flags:
        found["SSE kernels"] = _SSE | _threads(1)
    if machine == "x86_64" and "avx" in flags:
        found["AVX kernels"] = _AVX | _threads(1)
    if machine == "arm64":
        found["generic ARM kernels"] = _ARM | _threads(1)
    found["no pin, one thread"] = _threads(1)
    found["no pin, two threads"] = _threads(2)
    return found


def pinned(base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return ``base`` (this process's environment) with threads and kernels pinned."""
    return unpinned(base) | _threads(1) | kernel_pins()


def unpinned(base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return ``base`` (this process's environment) without any choice of kernels or threads."""
    base = os.environ if base is None else base
    chosen = {*_THREAD_VARIABLES, *_KERNEL_VARIABLES}
    return {name: value for name, value in base.items() if name not in chosen}


def for_notebook(
    scratch: Path,
    base: Mapping[str, str] | None = None,
    kernels: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the environment of the process that executes a chapter.

    ``scratch`` is an empty folder of its own: the reader's progress file and IPython profile are
    neither read nor written. ``kernels`` replaces the pins (see ``other_kernels``).
    """
    environment = pinned(base) if kernels is None else unpinned(base) | dict(kernels)
    return (
        environment
        | {
            "COURSE_STATIC": "1",  # explore() and friends save what a page without a kernel shows
            "COURSE_PROGRESS": str(scratch / "progress.json"),
            "IPYTHONDIR": str(scratch / "ipython"),
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "PYTHONHASHSEED": "0",
            "TZ": "UTC",
        }
    )


def _threads(count: int) -> dict[str, str]:
    return {name: str(count) for name in _THREAD_VARIABLES} | {"MKL_DYNAMIC": "FALSE"}


def _described(
    machine: str | None, flags: Iterable[str] | None
) -> tuple[str, frozenset[str]]:
    own_machine, own_flags = processor()
    return machine or own_machine, own_flags if flags is None else frozenset(flags)
