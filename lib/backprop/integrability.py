"""Is a rule for changing parameters the gradient of any function at all?

A smooth field F on ℝᵖ is a gradient exactly when its Jacobian is symmetric. Two measurements: the
antisymmetric part of the Jacobian, and the work of F around a closed loop, which a gradient must
return to zero.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.differences import jacobian
from lib.validation import as_vector, positive, whole

Field = Callable[[np.ndarray], np.ndarray]


def asymmetry(field: Field, theta: np.ndarray) -> float:
    """Return ‖J − Jᵀ‖ / ‖J + Jᵀ‖ (Frobenius) for the Jacobian J of a field at θ, by differences.

    0 for a gradient, to about nine digits; 1 and more when the turning dominates.
    """
    J = jacobian(field, as_vector(theta, "theta"))
    if J.ndim != 2 or J.shape[0] != J.shape[1]:
        raise ValueError(
            f"field: expected as many components as parameters, got Jacobian {J.shape}"
        )
    twist, stretch = np.linalg.norm(J - J.T), np.linalg.norm(J + J.T)
    if stretch == 0:
        return 0.0 if twist == 0 else float("inf")
    return float(twist / stretch)


def work_around_circle(
    field: Field,
    centre: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    *,
    radius: float = 1.0,
    points: int = 256,
) -> tuple[np.ndarray, np.ndarray]:
    """Return angles (points + 1,) and the work ∫ F·dθ done so far around a circle.

    The circle lies in the plane of the directions `first` and `second` (made orthonormal). The
    last entry is the work of the full turn. For a smooth field equal steps in the angle converge
    faster than any power of their number.
    """
    centre = as_vector(centre, "centre")
    u = as_vector(first, "first", length=len(centre))
    u = u / np.linalg.norm(u)
    v = as_vector(second, "second", length=len(centre))
    v = v - (v @ u) * u
    if np.linalg.norm(v) < 1e-12:
        raise ValueError("second: expected a direction that differs from the first")
    v = v / np.linalg.norm(v)
    radius, points = positive(radius, "radius"), whole(points, "points", at_least=4)
    angles = np.linspace(0.0, 2 * np.pi, points + 1)
    rates = []
    for t in angles:
        place = centre + radius * (np.cos(t) * u + np.sin(t) * v)
        along = radius * (np.cos(t) * v - np.sin(t) * u)
        rates.append(field(place) @ along)
    rates = np.array(rates)
    steps = np.diff(angles) * (rates[1:] + rates[:-1]) / 2
    return angles, np.concatenate([[0.0], np.cumsum(steps)])
