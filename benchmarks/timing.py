"""Time several ways to do one thing side by side, and compare them as ratios.

Absolute times say more about a computer than about code, so every time is set against that of the
first runner, measured in the same minutes: rounds are interleaved, and each runner keeps its best
round, which is the one that other programs disturbed least.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

SHORTEST_ROUND = 0.005  # seconds; quicker calls are repeated within a round
ROUNDS = 7


@dataclass(frozen=True)
class Race:
    """One task and the ways to do it, by name; the first of them is lib's."""

    task: str
    runners: Mapping[str, Callable[[], object]]

    def __post_init__(self) -> None:
        if len(self.runners) < 2:
            raise ValueError(f"expected at least two runners, got {list(self.runners)}")


def measure(
    race: Race,
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return the seconds of one call of each runner, the best of ``rounds``."""
    repeats = {name: _repeats(call, clock) for name, call in race.runners.items()}
    best = dict.fromkeys(race.runners, float("inf"))
    for _ in range(rounds):
        for name, call in race.runners.items():
            begun = clock()
            for _ in range(repeats[name]):
                call()
            best[name] = min(best[name], (clock() - begun) / repeats[name])
    return best


def _repeats(call: Callable[[], object], clock: Callable[[], float]) -> int:
    """Return how many calls fill a round; the first, which may load code, does not count."""
    call()
    begun = clock()
    call()
    once = max(clock() - begun, 1e-9)
    return max(1, round(SHORTEST_ROUND / once))


def table(race: Race, seconds: Mapping[str, float]) -> str:
    """Return the result as lines: name, time, and how many times lib's time that is."""
    first = next(iter(seconds.values()))
    width = max(map(len, seconds))
    lines = [
        f"  {name:<{width}}  {_readable(value):>9}  {value / first:8.2f} ×"
        for name, value in seconds.items()
    ]
    return "\n".join([race.task, *lines])


def _readable(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
