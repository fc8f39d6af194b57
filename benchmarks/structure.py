"""PCA, k-means and Gaussian mixtures beside scikit-learn, from the same starting points."""

import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from benchmarks.timing import Race
from lib.cluster import fit_mixture, kmeans
from lib.pca import pca

SWEEPS = 20


def _library_mixture(X: np.ndarray) -> GaussianMixture:
    with warnings.catch_warnings():  # a fixed number of sweeps is meant
        warnings.simplefilter("ignore", ConvergenceWarning)
        return GaussianMixture(5, tol=0.0, max_iter=SWEEPS, random_state=0).fit(X)


def races() -> Iterator[Race]:
    """Yield each method on tall data, PCA also on wide data."""
    rng = np.random.default_rng(0)
    for n in (5000, 20_000):
        X, _ = make_blobs(n, 20, centers=12, cluster_std=6.0, random_state=0)
        start = X[:10]
        yield Race(
            f"k-means, {n} × 20, 10 centres",
            {
                "lib": lambda X=X, start=start: kmeans(X, 10, rng=rng, start=start),
                "scikit-learn": lambda X=X, start=start: KMeans(
                    10, init=start, n_init=1, tol=0.0
                ).fit(X),
            },
        )
        yield Race(
            f"mixture of 5, {n} × 20, {SWEEPS} sweeps",
            {
                "lib": lambda X=X: fit_mixture(
                    X, 5, rng=rng, tol=0.0, max_sweeps=SWEEPS
                ),
                "scikit-learn": lambda X=X: _library_mixture(X),
            },
        )
    for n, d in ((20_000, 50), (500, 400)):
        X = rng.normal(size=(n, d))
        yield Race(
            f"PCA, {n} × {d}",
            {"lib": lambda X=X: pca(X), "scikit-learn": lambda X=X: PCA().fit(X)},
        )
