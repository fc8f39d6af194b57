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


def squared_error_gradient(X: np.ndarray, y: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Return the gradient of the mean squared error, (2/n) Xᵀ(Xθ - y), shape (d,)."""
    X, y = as_design(X, y)
    residual = y - X @ as_vector(theta, "theta", length=X.shape[1])
    return -2.0 / len(y) * (X.T @ residual)


def least_squares(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the θ (d,) of least ‖y - Xθ‖, for X (n, d) and y (n,).

    When several θ do equally well, the shortest of them. The numerical rank is judged after the
    columns have been brought to one size, so it does not depend on units.
    """
    X, y = as_design(X, y)
    X, exponents = equilibrate(X)
    y, y_exponent = equilibrate(y[:, None])
    k = min(X.shape)
    triangle = np.linalg.qr(np.column_stack([X, y]), mode="r")
    R, c = triangle[:k, :-1], triangle[:k, -1]
    U, s, Vt = np.linalg.svd(R)
    rank = int(np.sum(s > rank_threshold(X.shape) * s[0]))
    scaled = Vt[:rank].T @ ((U[:, :rank].T @ c) / s[:rank])
    # θ = scaled / size of its column; a common factor is taken out first, against overflow.
    smallest = exponents.min()
    theta = np.ldexp(scaled, smallest - exponents)
    if rank < X.shape[1]:
        directions = np.ldexp(Vt[rank:].T, (smallest - exponents)[:, None])  # X moves nothing here
        basis = np.linalg.qr(directions)[0]
        theta = theta - basis @ (basis.T @ theta)
    with np.errstate(over="ignore"):
        theta = np.ldexp(theta, y_exponent[0] - smallest)
    if not np.isfinite(theta).all():
        raise ValueError("X, y: expected weights within the range of a float, got larger ones")
    return theta


def equilibrate(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Divide every column of X (n, d) by a power of two (exact) so that its largest is near 1.

    Returns the scaled matrix and the exponents (d,): ``X == ldexp(scaled, exponents)``.
    """
    X = as_matrix(X, "X")
    largest = np.abs(X).max(axis=0)
    exponents = np.frexp(largest)[1].astype(np.int64)
    if (largest > 0).any():
        exponents[largest == 0] = exponents[largest > 0].min()
    return np.ldexp(X, -exponents), exponents
