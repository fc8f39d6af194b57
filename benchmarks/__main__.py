"""Run the benchmarks: ``python -m benchmarks [name …]``, all when none is named.

On one thread, so that algorithms are compared and not the number of cores, and with the kernels
that each library chooses for this processor.
"""

import os
import sys
from importlib import import_module
from pathlib import Path

from lib.course import kernel_pins

NOT_A_BENCHMARK = {"__init__", "__main__", "timing"}


def available() -> list[str]:
    """Return the names of all benchmarks."""
    found = {path.stem for path in Path(__file__).parent.glob("*.py")}
    return sorted(found - NOT_A_BENCHMARK)


def main(arguments: list[str]) -> int:
    """Run the benchmarks named, or all; return 2 for a name that is none."""
    from benchmarks.timing import measure, table

    unknown = set(arguments) - set(available())
    if unknown:
        named = ", ".join(sorted(unknown))
        print(f"expected one of {', '.join(available())}; got {named}", file=sys.stderr)
        return 2
    for name in arguments or available():
        for race in import_module(f"benchmarks.{name}").races():
            print(table(race, measure(race)), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    # Before anything imports NumPy.
    os.environ.update(kernel_pins.other_kernels()["no pin, one thread"])
    sys.exit(main(sys.argv[1:]))
