"""Ordinary least squares for everyday use: any shape, any rank, any scale.

Three solvers that teach are next door (``normal_equations``, ``orthogonal``,
``singular_values``). This one joins their strengths: columns are brought to a common size first,
so units never decide what counts as collinear; Q is never formed; a design without full rank gets
the shortest of its solutions.
"""

from __future__ import annotations

import numpy as np

from lib.linear.singular_values import rank_threshold
from lib.validation import as_design, as_matrix, as_vector


def squared_error(X: np.ndarray, y: np.ndarray, theta: np.ndarray) -> float:
    """Return the mean squared error ‖y - Xθ‖² / n, for X (n, d), y (n,), θ (d,)."""
    X, y = as_design(X, y)
    residual = y - X @ as_vector(theta, "theta", length=X.shape[1])
    return float(residual @ residual) / len(y)


def squared_error_gradient(
    X: np.ndarray, y: np.ndarray, theta: np.ndarray
) -> np.ndarray:
    """Return the gradient of the mean squared error, (2/n) Xᵀ(Xθ - y), shape (d,)."""
    X, y = as_design(X, y)
    residual = y - X @ as_vector(theta, "theta", length=X.shape[1])
    return -2.0 / len(y) * (X.T @ residual)


def least_squares(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the θ (d,) of least ‖y - Xθ‖, for X (n, d) and y (n,).

    When several θ do equally well, the shortest of them; where columns differ so much in size
    that a float cannot hold the shortest, the one that is shortest in units of the columns. The
    numerical rank is judged after the columns have been brought to one size, so it does not
    depend on units.
    """
    X, y = as_design(X, y)
    exponents, (y_exponent,) = column_exponents(X), column_exponents(y[:, None])
    k = min(X.shape)
    triangle = _triangle(X, exponents, y, y_exponent)
    R, c = triangle[:k, :-1], triangle[:k, -1]
    U, s, Vt = np.linalg.svd(R)
    rank = int(np.sum(s > rank_threshold(X.shape) * s[0]))
    scaled = Vt[:rank].T @ ((U[:, :rank].T @ c) / s[:rank])
    # θ = scaled / size of its column; a common factor is taken out first, against overflow.
    smallest = exponents.min()
    theta = np.ldexp(scaled, smallest - exponents)
    if rank < X.shape[1]:
        theta = _shortest(theta, R, Vt[rank:], exponents - smallest)
    with np.errstate(over="ignore"):
        theta = np.ldexp(theta, y_exponent - smallest)
    if not np.isfinite(theta).all():
        raise ValueError(
            "X, y: expected weights within the range of a float, got larger ones"
        )
    return theta


def _shortest(
    theta: np.ndarray, R: np.ndarray, null: np.ndarray, exponents: np.ndarray
) -> np.ndarray:
    """Return theta (d,) less its part along directions that change no prediction.

    `null` (m, d) and R belong to columns divided by 2^exponents. Rounding in large weights can
    move predictions after all when the exponents are far apart; then theta stays as it is.
    """
    directions = np.ldexp(null.T, -exponents[:, None])
    basis = np.linalg.qr(directions)[0]
    shorter = theta - basis @ (basis.T @ theta)
    with np.errstate(over="ignore", invalid="ignore"):
        before, after = R @ np.ldexp(theta, exponents), R @ np.ldexp(shorter, exponents)
        moved = np.linalg.norm(after - before)
    return shorter if moved <= 1e-8 * np.linalg.norm(before) else theta


def _triangle(
    X: np.ndarray, exponents: np.ndarray, y: np.ndarray, y_exponent: int
) -> np.ndarray:
    """Return R of the QR factorisation of [X, y], columns brought to one size, at most (d+1, d+1).

    Row blocks are reduced one by one and their triangles stacked: as accurate, kinder to the
    cache, and the scaled copy is never larger than a block.
    """
    scale, y_scale = _powers(exponents), float(_powers(y_exponent))
    block = max(1024, 4 * (X.shape[1] + 1))
    triangles = [
        np.linalg.qr(
            np.column_stack([X[i : i + block] * scale, y[i : i + block] * y_scale]),
            mode="r",
        )
        for i in range(0, len(X), block)
    ]
    return (
        triangles[0]
        if len(triangles) == 1
        else np.linalg.qr(np.vstack(triangles), mode="r")
    )


def column_exponents(X: np.ndarray) -> np.ndarray:
    """Return e (d,) with the largest |entry| of column j in [2^(e_j - 1), 2^e_j).

    A column of zeros gets the smallest of the others. Kept within ±1000, so that the powers of
    two are floats; a column beyond that is subnormal or near overflow, and still fits.
    """
    largest = np.maximum(X.max(axis=0), -X.min(axis=0))
    exponents = np.frexp(largest)[1].astype(np.int64)
    if (largest > 0).any():
        exponents[largest == 0] = exponents[largest > 0].min()
    return np.clip(exponents, -1000, 1000)


def equilibrate(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Divide every column of X (n, d) by a power of two (exact) so that its largest is near 1.

    Returns the scaled matrix and the exponents (d,): ``X == ldexp(scaled, exponents)``.
    """
    X = as_matrix(X, "X")
    exponents = column_exponents(X)
    return X * _powers(exponents), exponents


def _powers(exponents: np.ndarray | int) -> np.ndarray:
    """Return 2^-e: multiplying by a power of two rounds nothing."""
    return np.ldexp(1.0, -exponents)
