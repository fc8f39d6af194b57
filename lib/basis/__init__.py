"""Basis functions: a raw input becomes the columns φ₁(x), …, φ_M(x) of a design matrix.

Every function takes inputs and returns Φ of shape (n, M), Φᵢⱼ = φⱼ(xᵢ). What shapes the functions
(interval, period, centres, knots) is an argument and never learned from x, so that training and
test inputs meet the same functions.
"""

from lib.basis.bsplines import bsplines, clamped_knots
from lib.basis.polynomials import (
    chebyshev,
    legendre,
    monomial_exponents,
    monomials,
    multivariate_monomials,
)
from lib.basis.random_features import RandomReLUs
from lib.basis.translates import gaussians, relus, sigmoids, translates
from lib.basis.waves import fourier

__all__ = [
    "RandomReLUs",
    "bsplines",
    "chebyshev",
    "clamped_knots",
    "fourier",
    "gaussians",
    "legendre",
    "monomial_exponents",
    "monomials",
    "multivariate_monomials",
    "relus",
    "sigmoids",
    "translates",
]
