"""Principal component analysis: the directions of largest variance, which are also the ones that
lose least when the data are projected on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.validation import as_matrix, one_of, whole


@dataclass(frozen=True)
class PCA:
    """A fitted analysis: mean (d,), components (k, d) in rows, variances (k,), total variance.

    `variances` are those of the data along each component, with divisor n − 1; `total` is their
    sum over all d directions.
    """

    mean: np.ndarray
    components: np.ndarray
    variances: np.ndarray
    total: float

    @property
    def explained(self) -> np.ndarray:
        """Each component's share of the total variance, (k,); zeros for constant data."""
        return self.variances / self.total if self.total > 0 else self.variances * 0.0

    def transform(self, X: object) -> np.ndarray:
        """Return the coordinates of each row of X (n, d) along the components, (n, k)."""
        X = as_matrix(X, "X", columns=len(self.mean))
        return (X - self.mean) @ self.components.T

    def inverse(self, Z: object) -> np.ndarray:
        """Return the points (n, d) that have coordinates Z (n, k)."""
        Z = as_matrix(Z, "Z", columns=len(self.components))
        return Z @ self.components + self.mean

    def whiten(self, X: object) -> np.ndarray:
        """Return coordinates scaled to unit variance, (n, k); needs every variance > 0."""
        if self.variances.min() <= 1e-12 * self.variances.max():
            raise ValueError(
                "variances: expected all > 0 to whiten, got a component without variance; "
                "keep fewer components"
            )
        return self.transform(X) / np.sqrt(self.variances)


def pca(X: object, k: int | None = None, *, method: str = "auto") -> PCA:
    """Fit the first k components (all by default) to X (n, d), n ≥ 2.

    `method` is "svd" (of the centred data: accurate), "eigh" (of the covariance matrix: fast for
    n much larger than d, but squares the condition number) or "auto".
    """
    X = as_matrix(X, "X", min_rows=2)
    n, d = X.shape
    one_of(method, "method", ("auto", "svd", "eigh"))
    k = min(n, d) if k is None else whole(k, "k", at_least=1, at_most=min(n, d))
    if method == "auto":
        method = "eigh" if n >= 10 * d and d <= 1000 else "svd"
    mean = X.mean(axis=0)
    centred = X - mean
    if method == "eigh":
        values, vectors = np.linalg.eigh(centred.T @ centred / (n - 1))
        values, components = np.maximum(values[::-1], 0.0), vectors[:, ::-1].T
    else:
        _, singular, components = np.linalg.svd(centred, full_matrices=False)
        values = singular**2 / (n - 1)
    # A component and its negative are equally good: make its largest entry positive.
    largest = np.abs(components).argmax(axis=1)
    signs = np.where(components[np.arange(len(components)), largest] < 0, -1.0, 1.0)
    components = components * signs[:, None]
    return PCA(mean, components[:k].copy(), values[:k].copy(), float(values.sum()))
