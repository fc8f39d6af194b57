"""Ridge and lasso beside scikit-learn, to the same accuracy."""

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import Lasso, Ridge

from benchmarks.timing import Race
from lib.linear.elastic_net import elastic_net
from lib.linear.ridge import ridge


def races() -> Iterator[Race]:
    """Yield ridge on growing designs, the lasso with growing n and at two strengths."""
    rng = np.random.default_rng(0)
    for n, d in ((1000, 100), (5000, 300), (200, 2000)):
        X, y = rng.normal(size=(n, d)), rng.normal(size=n)
        yield Race(
            f"ridge, {n} × {d}",
            {
                "lib": lambda X=X, y=y: ridge(X, y, 3.0),
                "scikit-learn": lambda X=X, y=y: Ridge(3.0, fit_intercept=False).fit(
                    X, y
                ),
            },
        )
    for n, lams in ((500, (0.05,)), (2000, (0.05, 0.01)), (8000, (0.05,))):
        X = rng.normal(size=(n, 500))
        y = X[:, :40] @ rng.normal(size=40) + rng.normal(size=n)
        for lam in lams:
            reference = Lasso(lam, fit_intercept=False, tol=1e-9, max_iter=100_000)
            yield Race(
                f"lasso, {n} × 500, λ = {lam:g}",
                {
                    "lib": lambda X=X, y=y, lam=lam: elastic_net(X, y, lam),
                    "scikit-learn": lambda X=X, y=y, fit=reference.fit: fit(X, y),
                },
            )
