"""Least squares in exact arithmetic: the referee for methods that round.

Every float is a fraction with a power of two below, so a system of floats has an exact rational
solution. It is slow (fractions grow) and needs no argument about accuracy.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from lib.validation import as_design


def exact_least_squares(X: np.ndarray, y: np.ndarray) -> list[Fraction]:
    """Return the solution of Xᵀ X θ = Xᵀ y as d fractions, for X (n, d) of full column rank."""
    X, y = as_design(X, y)
    rows = [[Fraction(float(value)) for value in row] for row in X]
    targets = [Fraction(float(value)) for value in y]
    columns = list(zip(*rows, strict=True))
    system = [
        [
            sum(a * b for a, b in zip(left, right, strict=True))
            for right in (*columns, targets)
        ]
        for left in columns
    ]
    return _eliminate(system)


def _eliminate(system: list[list[Fraction]]) -> list[Fraction]:
    """Gauss-Jordan elimination on a d × (d + 1) system of fractions."""
    size = len(system)
    for j in range(size):
        pivot_row = next((i for i in range(j, size) if system[i][j] != 0), None)
        if pivot_row is None:
            raise ValueError(
                f"X: expected linearly independent columns, got column {j} as a combination "
                "of the ones before it"
            )
        system[j], system[pivot_row] = system[pivot_row], system[j]
        pivot = system[j][j]
        system[j] = [value / pivot for value in system[j]]
        for i in range(size):
            factor = system[i][j]
            if i != j and factor != 0:
                system[i] = [
                    a - factor * b for a, b in zip(system[i], system[j], strict=True)
                ]
    return [row[-1] for row in system]


def correct_digits(approximate: np.ndarray, exact: list[Fraction]) -> float:
    """Return -log10 of the largest error relative to the largest entry; at most 16."""
    if len(approximate) != len(exact):
        raise ValueError(f"expected {len(exact)} numbers, got {len(approximate)}")
    largest = max(abs(value) for value in exact) or Fraction(1)
    worst = max(
        abs(Fraction(float(a)) - e) for a, e in zip(approximate, exact, strict=True)
    )
    return min(16.0, -float(np.log10(max(float(worst / largest), 1e-16))))
