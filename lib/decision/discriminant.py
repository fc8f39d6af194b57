"""Linear and quadratic discriminant analysis: Bayes' rule with Gaussian classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from lib.logistic.functions import softmax
from lib.validation import as_labels, as_matrix, nonnegative


@dataclass(frozen=True)
class GaussianClassifier:
    """Class priors (K,), means (K, d), covariances (K, d, d); `shared` when all are the same."""

    priors: np.ndarray
    means: np.ndarray
    covariances: np.ndarray
    shared: bool

    def discriminants(self, X: object) -> np.ndarray:
        """Return log πₖ + log N(x; μₖ, Σₖ) up to a term common to all classes, (n, K)."""
        X = as_matrix(X, "X", columns=self.means.shape[1])
        scores = np.empty((len(X), len(self.priors)))
        for k, (prior, mean, covariance) in enumerate(
            zip(self.priors, self.means, self.covariances, strict=True)
        ):
            root = np.linalg.cholesky(covariance)
            z = solve_triangular(root, (X - mean).T, lower=True)  # (d, n)
            scores[:, k] = (
                np.log(prior) - 0.5 * (z * z).sum(axis=0) - np.log(np.diag(root)).sum()
            )
        return scores

    def probabilities(self, X: object) -> np.ndarray:
        """Return the posterior class probabilities, (n, K)."""
        return softmax(self.discriminants(X))

    def predict(self, X: object) -> np.ndarray:
        """Return the most probable class of each row, (n,)."""
        return self.discriminants(X).argmax(axis=1)

    def linear_form(self) -> tuple[np.ndarray, np.ndarray]:
        """Return W (K, d) and b (K,) with discriminants Wx + b, for a shared covariance.

        The quadratic term xᵀΣ⁻¹x is common to all classes and drops out.
        """
        if not self.shared:
            raise ValueError(
                "linear_form: expected a shared covariance, got one for each class"
            )
        W = np.linalg.solve(self.covariances[0], self.means.T).T
        return W, np.log(self.priors) - 0.5 * (W * self.means).sum(axis=1)


def _groups(X: object, y: object) -> tuple[np.ndarray, np.ndarray, int]:
    X = as_matrix(X, "X")
    y = as_labels(y, "y", length=len(X))
    count = np.bincount(y)
    if len(count) < 2:
        raise ValueError("y: expected at least two classes, got one")
    if (count == 0).any():
        raise ValueError(
            f"y: expected samples of every class, got none of {count.argmin()}"
        )
    return X, y, len(count)


def _require_definite(covariance: np.ndarray, what: str) -> None:
    values = np.linalg.eigvalsh(covariance)
    if values[0] <= 1e-12 * max(values[-1], 1e-300):
        raise ValueError(
            f"X: expected {what} of full rank, got a singular one (constant or collinear "
            "features, or too few samples); pass floor > 0 or drop features"
        )


def fit_lda(X: object, y: object, *, floor: float = 0.0) -> GaussianClassifier:
    """Fit classes with one shared covariance to X (n, d), labels y (n,).

    The shared covariance is the pooled scatter about the class means divided by n (its maximum
    likelihood estimate), plus `floor` on the diagonal.
    """
    X, y, K = _groups(X, y)
    means = np.array([X[y == k].mean(axis=0) for k in range(K)])
    gap = X - means[y]
    covariance = gap.T @ gap / len(X) + nonnegative(floor, "floor") * np.eye(X.shape[1])
    _require_definite(covariance, "a pooled covariance")
    priors = np.bincount(y) / len(y)
    return GaussianClassifier(
        priors, means, np.repeat(covariance[None], K, axis=0), shared=True
    )


def fit_qda(X: object, y: object, *, floor: float = 0.0) -> GaussianClassifier:
    """Fit classes with a covariance each (divisor nₖ, as in `fit_lda`) to X (n, d), y (n,)."""
    X, y, K = _groups(X, y)
    floor = nonnegative(floor, "floor") * np.eye(X.shape[1])
    means, covariances = [], []
    for k in range(K):
        group = X[y == k]
        if len(group) < 2:
            raise ValueError(f"y: expected at least two samples of class {k}, got one")
        means.append(group.mean(axis=0))
        gap = group - means[-1]
        covariances.append(gap.T @ gap / len(group) + floor)
        _require_definite(covariances[-1], f"a covariance of class {k}")
    priors = np.bincount(y) / len(y)
    return GaussianClassifier(
        priors, np.array(means), np.array(covariances), shared=False
    )
