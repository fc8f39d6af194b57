"""Optimal checkpoints for a chain: which states to keep when only a few fit into memory.

A chain x → F₁ → F₂ → … → Fₙ is reversed from its end. To reverse a step its input must be at
hand: it was kept, or it is computed again from the nearest state before it that was. `slots`
counts the states that may be kept at a time, the start of the chain included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import comb, inf

from lib.autodiff.derivatives import track
from lib.autodiff.reverse import grad
from lib.autodiff.tensor import Tensor, as_tensor, enable_grad, no_grad
from lib.validation import whole


def _checked(n: int, slots: int) -> tuple[int, int]:
    return whole(n, "n", at_least=1), whole(slots, "slots", at_least=1)


@cache
def _best(n: int, slots: int) -> tuple[float, int]:
    """Return (fewest advances, how far to go before keeping a state)."""
    if n == 1:
        return 0, 0
    if slots == 1:  # start over for every step
        return n * (n - 1) // 2, 0
    best = (inf, 0)
    # Advance k steps and keep that state; reverse the right part, then the left.
    for k in range(1, n):
        best = min(best, (k + _best(n - k, slots - 1)[0] + _best(k, slots)[0], k))
    return best


def fewest_advances(n: int, slots: int) -> int:
    """Return how many steps must be computed beside the n that are recorded and reversed."""
    n, slots = _checked(n, slots)
    return int(_best(n, slots)[0])


def longest_chain(slots: int, repeats: int) -> int:
    """Return the longest chain that needs no step to be advanced more than `repeats` times."""
    whole(slots, "slots", at_least=1)
    whole(repeats, "repeats", at_least=0)
    return comb(slots + repeats, slots)


def closed_form(n: int, slots: int) -> int:
    """Return `fewest_advances` without a table: r n − C(slots + r, r − 1)."""
    n, slots = _checked(n, slots)
    r = 0
    while longest_chain(slots, r) < n:
        r += 1
    return r * n - comb(slots + r, r - 1) if r else 0


def chain_gradient(
    steps: Sequence[Callable[[Tensor], Tensor]],
    x: object,
    seed: object | None,
    *,
    slots: int,
) -> Tensor:
    """Return the gradient by x of (steps in turn) with an optimal choice of what to keep.

    At no time are more than `slots` states kept, and the inside of one step recorded.
    """

    def reverse(first: int, last: int, state: Tensor, free: int, g: object) -> object:
        """Pull g, a gradient after step last − 1, back to `state`, before step `first`."""
        if last - first == 1:
            leaf = track(state)
            with enable_grad():
                y = steps[first](leaf)
            return grad(y, [leaf], g)[0]
        stop = _best(last - first, free)[1]
        if stop == 0:
            for end in range(last, first, -1):
                g = reverse(end - 1, end, advance(state, first, end - 1), 1, g)
            return g
        g = reverse(
            first + stop, last, advance(state, first, first + stop), free - 1, g
        )
        return reverse(first, first + stop, state, free, g)

    def advance(state: Tensor, first: int, last: int) -> Tensor:
        with no_grad():
            for step in steps[first:last]:
                state = step(state)
        return state

    n, slots = _checked(len(steps), slots)
    return reverse(0, n, as_tensor(x).detach(), slots, seed)
