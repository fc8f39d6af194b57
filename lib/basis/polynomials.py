"""Polynomials as columns: one space of functions, three bases of very different manners.

Monomials are easy to read and nearly parallel when there are many of them. Legendre and
Chebyshev polynomials span exactly the same space and stay apart.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from lib.validation import as_matrix, as_vector, finite, whole


def monomials(x: object, degree: int) -> np.ndarray:
    """Return the columns 1, x, x², …, x^degree for x (n,), shape (n, degree + 1)."""
    x, degree = as_vector(x, "x"), whole(degree, "degree")
    with np.errstate(over="ignore"):
        columns = x[:, None] ** np.arange(degree + 1)
    if not np.isfinite(columns).all():
        raise ValueError(
            f"x: expected powers up to {degree} within the range of a float, "
            f"got |x| up to {np.abs(x).max():g}"
        )
    return columns


def to_unit(x: object, low: float, high: float) -> np.ndarray:
    """Return u = (2x − low − high) / (high − low), (n,): [low, high] becomes [−1, 1]."""
    x, low, high = as_vector(x, "x"), finite(low, "low"), finite(high, "high")
    if not low < high:
        raise ValueError(f"low: expected a number below high = {high:g}, got {low:g}")
    return (x - low) / (high - low) * 2.0 - 1.0


def legendre(
    x: object, degree: int, low: float = -1.0, high: float = 1.0
) -> np.ndarray:
    """Return √(2k+1) Pₖ(u) for k = 0, …, degree, shape (n, degree + 1).

    u is x moved from [low, high] to [−1, 1]. The factor makes the columns orthonormal on average:
    for uniform x the mean of φⱼφₖ is 1 if j = k and else 0.
    """
    u, degree = to_unit(x, low, high), whole(degree, "degree")
    columns = np.ones((len(u), degree + 1))
    if degree >= 1:
        columns[:, 1] = u
    for k in range(1, degree):  # (k + 1) P_{k+1} = (2k + 1) u P_k − k P_{k−1}
        columns[:, k + 1] = (2 * k + 1) * u * columns[:, k] - k * columns[:, k - 1]
        columns[:, k + 1] /= k + 1
    return columns * np.sqrt(2 * np.arange(degree + 1) + 1)


def chebyshev(
    x: object, degree: int, low: float = -1.0, high: float = 1.0
) -> np.ndarray:
    """Return Tₖ(u) for k = 0, …, degree, shape (n, degree + 1); u is x moved to [−1, 1].

    Inside the interval Tₖ(cos α) = cos kα: no column ever leaves [−1, 1].
    """
    u, degree = to_unit(x, low, high), whole(degree, "degree")
    columns = np.ones((len(u), degree + 1))
    if degree >= 1:
        columns[:, 1] = u
    for k in range(1, degree):  # T_{k+1} = 2u T_k − T_{k−1}
        columns[:, k + 1] = 2.0 * u * columns[:, k] - columns[:, k - 1]
    return columns


def monomial_exponents(features: int, degree: int) -> np.ndarray:
    """Return the exponents of all monomials of total degree ≤ degree, shape (M, features).

    By total degree, the constant first; M = C(features + degree, degree).
    """
    features, degree = whole(features, "features", at_least=1), whole(degree, "degree")
    rows = [
        np.bincount(chosen, minlength=features)
        for total in range(degree + 1)
        for chosen in combinations_with_replacement(range(features), total)
    ]
    return np.array(rows, dtype=np.int64)


def multivariate_monomials(X: object, degree: int) -> np.ndarray:
    """Return every monomial of the features of X (n, d) up to a total degree, (n, M)."""
    X = as_matrix(X, "X")
    exponents = monomial_exponents(X.shape[1], degree)
    columns = np.ones((len(X), len(exponents)))
    with np.errstate(over="ignore", invalid="ignore"):
        for j in range(X.shape[1]):
            columns *= X[:, j, None] ** exponents[:, j]
    if not np.isfinite(columns).all():
        raise ValueError(
            f"X: expected monomials up to degree {degree} within the range of a float, "
            f"got |X| up to {np.abs(X).max():g}"
        )
    return columns
