"""Least squares on tall random designs, beside NumPy, scikit-learn and loops over samples."""

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import LinearRegression

from benchmarks.timing import Race
from lib.linear.least_squares import least_squares


def by_loops(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the weights from normal equations that are summed sample by sample."""
    d = X.shape[1]
    gram, moment = np.zeros((d, d)), np.zeros(d)
    for row, target in zip(X.tolist(), y.tolist(), strict=True):
        for i in range(d):
            moment[i] += row[i] * target
            for j in range(d):
                gram[i, j] += row[i] * row[j]
    return np.linalg.solve(gram, moment)


def races() -> Iterator[Race]:
    """Yield a small and a large design; loops take part in the small one."""
    rng = np.random.default_rng(0)
    for n, d in ((500, 8), (20_000, 50)):
        X, y = rng.normal(size=(n, d)), rng.normal(size=n)
        model = LinearRegression(fit_intercept=False)
        runners = {
            "lib": lambda X=X, y=y: least_squares(X, y),
            "numpy": lambda X=X, y=y: np.linalg.lstsq(X, y, rcond=None)[0],
            "scikit-learn": lambda X=X, y=y, model=model: model.fit(X, y).coef_,
        }
        if n <= 500:
            runners["loops"] = lambda X=X, y=y: by_loops(X, y)
        yield Race(f"least squares, {n} × {d}", runners)
