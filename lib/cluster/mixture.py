"""Gaussian mixtures, fitted by expectation-maximisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import logsumexp

from lib.cluster.kmeans import kmeans
from lib.validation import as_matrix, nonnegative, one_of, whole


@dataclass(frozen=True)
class GaussianMixture:
    """Shares (k,), means (k, d), covariances (k, d, d), and the log-likelihood per sweep.

    `log_likelihoods` holds the mean over samples of log p(x) under the parameters with which
    each sweep began, and the final value last: it never falls.
    """

    shares: np.ndarray
    means: np.ndarray
    covariances: np.ndarray
    log_likelihoods: np.ndarray

    def log_joint(self, X: object) -> np.ndarray:
        """Return log π_k + log N(x; μ_k, Σ_k) for each row of X (n, d), (n, k)."""
        X = as_matrix(X, "X", columns=self.means.shape[1])
        return log_joint(X, self.shares, self.means, self.covariances)

    def log_density(self, X: object) -> np.ndarray:
        """Return log p(x) for each row, (n,)."""
        return logsumexp(self.log_joint(X), axis=1)

    def responsibilities(self, X: object) -> np.ndarray:
        """Return the posterior probability of each component, (n, k)."""
        joint = self.log_joint(X)
        return np.exp(joint - logsumexp(joint, axis=1, keepdims=True))

    def predict(self, X: object) -> np.ndarray:
        """Return the most probable component of each row, (n,)."""
        return self.log_joint(X).argmax(axis=1)

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw n points (n, d)."""
        n = whole(n, "n", at_least=1)
        component = rng.choice(len(self.shares), size=n, p=self.shares)
        roots = np.linalg.cholesky(self.covariances)
        noise = rng.normal(size=(n, self.means.shape[1]))
        return self.means[component] + np.einsum("nij,nj->ni", roots[component], noise)


def log_joint(
    X: np.ndarray, shares: np.ndarray, means: np.ndarray, covariances: np.ndarray
) -> np.ndarray:
    """Return log π_k + log N(x; μ_k, Σ_k), (n, k).

    With Σ = LLᵀ the quadratic form is ‖L⁻¹(x − μ)‖² and log det Σ = 2 Σ log L_jj: no inverse and
    no determinant, which would lose digits or underflow.
    """
    n, d = X.shape
    out = np.empty((n, len(shares)))
    constant = -0.5 * d * np.log(2.0 * np.pi)
    for k, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        root = np.linalg.cholesky(covariance)
        inverse = solve_triangular(root, np.eye(d), lower=True)
        z = X @ inverse.T - inverse @ mean  # (n, d)
        out[:, k] = (
            constant - 0.5 * np.einsum("ij,ij->i", z, z) - np.log(np.diag(root)).sum()
        )
    with np.errstate(divide="ignore"):  # a share of zero is a log of −inf, rightly
        return out + np.log(shares)


def fit_mixture(
    X: object,
    k: int,
    *,
    covariance: str = "full",
    rng: np.random.Generator,
    max_sweeps: int = 200,
    tol: float = 1e-6,
    floor: float = 1e-6,
    start: np.ndarray | None = None,
) -> GaussianMixture:
    """Fit k components to X (n, d) by EM.

    `covariance` is "full", "diagonal" or "spherical". `start` (n, k) gives responsibilities to
    begin with; by default those of k-means. `floor` is added to every variance so that no
    component collapses on one sample, where the likelihood is unbounded. Stops when the mean
    log-likelihood rises by less than `tol`.
    """
    X = as_matrix(X, "X", min_rows=2)
    k = whole(k, "k", at_least=1, at_most=len(X))
    one_of(covariance, "covariance", ("full", "diagonal", "spherical"))
    floor, tol = nonnegative(floor, "floor"), nonnegative(tol, "tol")
    if start is None:
        start = np.eye(k)[kmeans(X, k, rng=rng).labels]
    r = as_matrix(start, "start", rows=len(X), columns=k)
    if r.min() < 0 or not np.allclose(r.sum(axis=1), 1.0):
        raise ValueError("start: expected responsibilities >= 0 whose rows sum to 1")
    history: list[float] = []
    for _ in range(whole(max_sweeps, "max_sweeps", at_least=1)):
        parameters = maximise(X, r, covariance, floor)
        joint = log_joint(X, *parameters)
        evidence = logsumexp(joint, axis=1)  # (n,)
        history.append(float(evidence.mean()))
        r = np.exp(joint - evidence[:, None])  # E-step
        if len(history) > 1 and history[-1] - history[-2] < tol:
            break
    return GaussianMixture(*parameters, np.array(history))


def maximise(
    X: np.ndarray, r: np.ndarray, covariance: str, floor: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The M-step: return shares (k,), means (k, d), covariances (k, d, d) for r (n, k)."""
    d = X.shape[1]
    mass = (
        r.sum(axis=0) + 10 * np.finfo(float).eps
    )  # a component may have lost every sample
    means = (r.T @ X) / mass[:, None]
    covariances = np.empty((len(mass), d, d))
    for k in range(len(mass)):
        gap = X - means[k]
        full = (r[:, k, None] * gap).T @ gap / mass[k]
        if covariance == "diagonal":
            full = np.diag(np.diag(full))
        elif covariance == "spherical":
            full = np.eye(d) * np.trace(full) / d
        covariances[k] = full + floor * np.eye(d)
    return mass / mass.sum(), means, covariances
