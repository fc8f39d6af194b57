"""The environment of executions: pinned where that is safe, never beyond the processor."""

import os
import subprocess
import sys

import numpy as np
import pytest

from lib.course import kernel_pins

NEW = {"sse4_1", "avx", "avx2", "fma", "avx512f"}
HASWELL = {"sse4_1", "avx", "avx2", "fma"}
SANDYBRIDGE = {"sse4_1", "avx"}
NEHALEM = {"sse4_1"}


def numbers_in(environment):
    """Return the bits of some results that depend on the kernels, from a process of its own."""
    code = (
        "import hashlib, numpy as np, torch\n"
        "rng = np.random.default_rng(0)\n"
        "A = rng.normal(size=(257, 263)); B = A.astype(np.float32)\n"
        "parts = [A @ A.T, B @ B.T, np.exp(A), np.linalg.svd(A)[1]]\n"
        "T = torch.from_numpy(B)\n"
        "parts += [(T @ T.T).numpy(), T.exp().numpy(), T.softmax(1).numpy()]\n"
        "print([hashlib.sha256(part.tobytes()).hexdigest() for part in parts])\n"
        "print(torch.get_num_threads(), torch.backends.cpu.get_cpu_capability())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_processor_with_avx2_is_held_at_avx2():
    for flags in (NEW, HASWELL):
        pins = kernel_pins.kernel_pins("x86_64", flags)
        assert pins["OPENBLAS_CORETYPE"] == "Haswell"
        assert pins["ATEN_CPU_CAPABILITY"] == "avx2"


@pytest.mark.parametrize(
    ("machine", "flags"),
    [
        ("x86_64", SANDYBRIDGE),
        ("x86_64", set()),
        ("arm64", set()),
        ("riscv64", {"avx2", "fma"}),
    ],
)
def test_no_pin_where_it_could_ask_too_much(machine, flags):
    assert kernel_pins.kernel_pins(machine, flags) == {}


def test_other_kernels_stay_within_the_processor():
    def names(machine, flags):
        return set(kernel_pins.other_kernels(machine, flags))

    always = {"no pin, one thread", "no pin, two threads"}
    assert names("x86_64", NEW) == {"SSE kernels", "AVX kernels"} | always
    assert names("x86_64", NEHALEM) == {"SSE kernels"} | always
    assert names("x86_64", set()) == always
    assert names("arm64", set()) == {"generic ARM kernels"} | always


def test_numpy_knows_every_feature_that_is_switched_off():
    """NumPy renames its groups of features; a name it does not know is ignored in silence."""
    from numpy._core._multiarray_umath import __cpu_dispatch__

    if not kernel_pins.kernel_pins():
        pytest.skip("no kernels are pinned on this processor")
    for pins in [kernel_pins.kernel_pins(), *kernel_pins.other_kernels().values()]:
        for feature in pins.get("NPY_DISABLE_CPU_FEATURES", "").split():
            assert feature in __cpu_dispatch__
    beyond = set(__cpu_dispatch__) - {"X86_V3"}
    assert set(kernel_pins.kernel_pins()["NPY_DISABLE_CPU_FEATURES"].split()) == beyond


def test_the_pins_are_one_thread_and_replace_what_the_user_chose():
    mine = {"OMP_NUM_THREADS": "8", "OPENBLAS_CORETYPE": "Zen", "HOME": "/somewhere"}
    environment = kernel_pins.pinned(mine)
    assert environment["OMP_NUM_THREADS"] == environment["MKL_NUM_THREADS"] == "1"
    assert environment.get("OPENBLAS_CORETYPE") != "Zen"
    assert environment["HOME"] == "/somewhere"
    assert mine["OMP_NUM_THREADS"] == "8"
    assert "OPENBLAS_CORETYPE" not in kernel_pins.unpinned(mine)


def test_a_notebook_has_a_scratch_folder_and_static_output(tmp_path):
    environment = kernel_pins.for_notebook(
        tmp_path, base={"COURSE_PROGRESS": "mine.json"}
    )
    assert environment["COURSE_STATIC"] == "1"
    assert environment["PYTHONHASHSEED"] == "0"
    assert environment["COURSE_PROGRESS"] == str(tmp_path / "progress.json")
    assert environment["OMP_NUM_THREADS"] == "1"
    two = kernel_pins.for_notebook(tmp_path, base={}, kernels={"OMP_NUM_THREADS": "2"})
    assert two["OMP_NUM_THREADS"] == "2"
    assert "OPENBLAS_CORETYPE" not in two


def test_every_choice_runs_here_and_the_choice_matters():
    """No choice crashes or warns; the pinned one gives the same bits twice, others do not."""
    pinned = numbers_in(kernel_pins.pinned())
    assert pinned == numbers_in(
        kernel_pins.pinned(os.environ | {"OMP_NUM_THREADS": "2"})
    )
    others = {
        name: numbers_in(kernel_pins.unpinned() | choice)
        for name, choice in kernel_pins.other_kernels().items()
    }
    if kernel_pins.kernel_pins():
        assert pinned.endswith("1 AVX2\n")
        assert others["SSE kernels"].splitlines()[0] != pinned.splitlines()[0]


def test_tests_themselves_run_on_one_thread():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    np.ones((2, 2)) @ np.ones((2, 2))
    assert {pool["num_threads"] for pool in threadpoolctl.threadpool_info()} == {1}
