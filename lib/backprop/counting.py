"""Counting multiplications: an array that keeps a tally while the code under study runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lib.backprop.network import Network


@dataclass
class Tally:
    """Multiplications in matrix products, and those entry by entry."""

    matrix: int = 0
    entrywise: int = 0


class Counted(np.ndarray):
    """An array whose products are counted; whatever is computed from it is counted too."""

    tally: Tally

    def __array_finalize__(self, parent: object) -> None:
        self.tally = getattr(parent, "tally", None)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        tally = next(x.tally for x in inputs if isinstance(x, Counted))
        plain = [x.view(np.ndarray) if isinstance(x, Counted) else x for x in inputs]
        result = getattr(ufunc, method)(*plain, **kwargs)
        if tally is not None and ufunc is np.matmul:
            # Every entry of the product is a sum of as many products as A has columns.
            tally.matrix += np.size(result) * np.shape(plain[0])[-1]
        elif tally is not None and ufunc is np.multiply:
            tally.entrywise += np.size(result)
        return counted(result, tally) if isinstance(result, np.ndarray) else result


def counted(array: np.ndarray, tally: Tally) -> Counted:
    """Return the array with a tally attached; the numbers are shared, not copied."""
    view = np.asarray(array).view(Counted)
    view.tally = tally
    return view


def counted_network(network: Network) -> tuple[Network, Tally]:
    """Return the network with counted weights, and the tally that its use will fill."""
    tally = Tally()
    weights = tuple(counted(W, tally) for W in network.weights)
    return replace(network, weights=weights), tally


def predicted_products(widths: tuple[int, ...], n: int) -> tuple[int, int]:
    """Return the multiplications in the matrix products of a forward and of a backward pass.

    Forward: n d_l d_{l−1} for each layer. Backward: as many for ∂𝓛/∂W⁽ˡ⁾, and once more for the
    errors that layer l sends down, except from the first layer, below which there are only data.
    """
    sizes = [a * b for a, b in zip(widths[1:], widths[:-1], strict=True)]
    return n * sum(sizes), n * (2 * sum(sizes) - sizes[0])
