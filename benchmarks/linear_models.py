"""Linear models: how least squares grows with n, and robust fits beside scikit-learn's."""

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import HuberRegressor, LinearRegression, QuantileRegressor

from benchmarks.timing import Race
from lib.linear import absolute_regression, huber_regression, least_squares


def races() -> Iterator[Race]:
    """Yield least squares at growing n and p, then a Huber and an absolute fit."""
    rng = np.random.default_rng(0)
    for n, p in ((2_000, 20), (20_000, 20), (200_000, 20), (2_000, 300)):
        X, y = rng.normal(size=(n, p)), rng.normal(size=n)
        model = LinearRegression(fit_intercept=False)
        yield Race(
            f"least squares, {n} × {p}",
            {
                "lib": lambda X=X, y=y: least_squares(X, y),
                "numpy": lambda X=X, y=y: np.linalg.lstsq(X, y, rcond=None)[0],
                "scikit-learn": lambda X=X, y=y, model=model: model.fit(X, y).coef_,
            },
        )
    X = rng.normal(size=(2_000, 10))
    y = X @ rng.normal(size=10) + rng.standard_t(2, size=2_000)
    huber = HuberRegressor(alpha=0.0, fit_intercept=False, tol=1e-8, max_iter=1000)
    yield Race(  # scikit-learn estimates the scale of the noise as well
        "Huber fit, 2000 × 10",
        {
            "lib": lambda: huber_regression(X, y, 1.35),
            "scikit-learn": lambda: huber.fit(X, y).coef_,
        },
    )
    median = QuantileRegressor(quantile=0.5, alpha=0.0, fit_intercept=False)
    yield Race(
        "absolute fit, 2000 × 10",
        {
            "lib": lambda: absolute_regression(X, y).theta,
            "scikit-learn": lambda: median.fit(X, y).coef_,
        },
    )
