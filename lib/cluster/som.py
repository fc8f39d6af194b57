"""The self-organising map: prototypes on a grid, where neighbours learn together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.cluster.kmeans import nearest
from lib.validation import as_matrix, positive, whole


@dataclass(frozen=True)
class SelfOrganisingMap:
    """A trained map: prototypes (rows·columns, d) and their grid positions (rows·columns, 2)."""

    prototypes: np.ndarray
    positions: np.ndarray
    rows: int
    columns: int

    def winners(self, X: object) -> np.ndarray:
        """Return the index of the nearest prototype of each row of X (n, d), (n,)."""
        X = as_matrix(X, "X", columns=self.prototypes.shape[1])
        return nearest(X, self.prototypes)[0]

    def quantisation_error(self, X: object) -> float:
        """Return the mean distance from a sample to its winner."""
        X = as_matrix(X, "X", columns=self.prototypes.shape[1])
        return float(
            np.linalg.norm(X - self.prototypes[self.winners(X)], axis=1).mean()
        )

    def topographic_error(self, X: object) -> float:
        """Return the share of samples whose two nearest prototypes are not grid neighbours."""
        X = as_matrix(X, "X", columns=self.prototypes.shape[1])
        P = self.prototypes
        partial = X @ (-2.0 * P.T) + (P * P).sum(axis=1)
        two = np.argpartition(partial, 1, axis=1)[:, :2]
        gap = np.abs(self.positions[two[:, 0]] - self.positions[two[:, 1]]).max(axis=1)
        return float((gap > 1).mean())

    def distances(self) -> np.ndarray:
        """Return each prototype's mean distance to its grid neighbours, (rows, columns)."""
        P = self.prototypes.reshape(self.rows, self.columns, -1)
        total, count = np.zeros((2, self.rows, self.columns))
        for axis in (0, 1):
            gap = np.linalg.norm(np.diff(P, axis=axis), axis=-1)
            first = (
                (slice(None, -1), slice(None))
                if axis == 0
                else (slice(None), slice(None, -1))
            )
            second = (
                (slice(1, None), slice(None))
                if axis == 0
                else (slice(None), slice(1, None))
            )
            for side in (first, second):
                total[side] += gap
                count[side] += 1
        return total / np.maximum(count, 1)


def neighbourhood(positions: np.ndarray, width: float) -> np.ndarray:
    """Return exp(−‖rᵢ − rⱼ‖² / (2 width²)) for all pairs of grid positions, (m, m)."""
    gaps = ((positions[:, None, :] - positions[None, :, :]) ** 2).sum(axis=-1)
    return np.exp(-gaps / (2.0 * width**2))


def fit_map(
    X: object,
    rows: int,
    columns: int,
    *,
    epochs: int = 40,
    widths: tuple[float, float] | None = None,
    rng: np.random.Generator,
) -> SelfOrganisingMap:
    """Train a rows × columns map on X (n, d) with the batch rule.

    In each epoch every prototype becomes the mean of all samples, weighted by the neighbourhood
    of their winners: wⱼ = Σᵢ h(j, c(i)) xᵢ / Σᵢ h(j, c(i)). The width of h shrinks geometrically
    from the first to the second of `widths` (default: half the map, then one half).
    """
    X = as_matrix(X, "X")
    rows, columns = (
        whole(rows, "rows", at_least=1),
        whole(columns, "columns", at_least=1),
    )
    epochs = whole(epochs, "epochs", at_least=1)
    first, last = widths or (max(rows, columns) / 2.0, 0.5)
    positive(first, "widths[0]"), positive(last, "widths[1]")
    positions = np.indices((rows, columns)).reshape(2, -1).T.astype(float)  # (m, 2)
    W = X[rng.integers(len(X), size=len(positions))].copy()
    for width in np.geomspace(first, last, epochs):
        winner = nearest(X, W)[0]
        h = neighbourhood(positions, width)  # (m, m)
        count = np.bincount(winner, minlength=len(W))
        member = np.zeros((len(X), len(W)))
        member[np.arange(len(X)), winner] = 1.0
        mass = h @ count
        sums = h @ (member.T @ X)
        alive = mass > 1e-300
        W[alive] = sums[alive] / mass[alive, None]
    return SelfOrganisingMap(W, positions, rows, columns)
