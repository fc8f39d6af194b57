"""Cholesky when it can be trusted: fast, with a plain "no" when too many digits are lost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpocon

# A system of condition 1/r loses about log10(1/r) of 16 digits; half of them may go.
_WORST_RECIPROCAL = float(np.sqrt(np.finfo(float).eps))


def trusted_solver(A: np.ndarray) -> Callable[[np.ndarray], np.ndarray] | None:
    """Return a function that solves Az = b for the symmetric A (d, d) by Cholesky, or None.

    None when A is not finite, not positive definite, or so ill conditioned that more than half
    of the digits would be lost; the caller then takes a slower way. A is first brought to a unit
    diagonal, since a mere difference in units costs Cholesky nothing; the condition of that is
    estimated from the factor in O(d²).
    """
    diagonal = A.diagonal()
    # Out of this range squares have lost digits to underflow, or their products overflow.
    if not (np.isfinite(A).all() and ((diagonal > 1e-280) & (diagonal < 1e280)).all()):
        return None
    unit = 1.0 / np.sqrt(diagonal)
    scaled = unit[:, None] * A * unit
    largest_sum = float(np.abs(scaled).sum(axis=0).max())
    if not np.isfinite(largest_sum):
        return None
    try:
        factor = cho_factor(scaled, lower=True, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:
        return None
    reciprocal, _ = dpocon(factor[0], largest_sum, uplo="L")
    if reciprocal < _WORST_RECIPROCAL:
        return None
    return lambda b: (unit * cho_solve(factor, (unit * b.T).T).T).T
