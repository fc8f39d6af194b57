"""Trees and forests beside scikit-learn, grown to the last sample."""

from collections.abc import Iterator

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.timing import Race
from lib.trees import ClassificationForest, ClassificationTree, RegressionTree


def races() -> Iterator[Race]:
    """Yield classification trees of growing size, a regression tree and a forest."""
    for n in (1250, 2500, 5000):
        X, y = make_classification(n, 20, n_informative=8, flip_y=0.1, random_state=0)
        yield Race(
            f"classification tree, {n} × 20",
            {
                "lib": lambda X=X, y=y: ClassificationTree().fit(X, y),
                "scikit-learn": lambda X=X, y=y: DecisionTreeClassifier().fit(X, y),
            },
        )
    target = X[:, 0] ** 2 + X[:, 1]
    yield Race(
        "regression tree, 5000 × 20",
        {
            "lib": lambda: RegressionTree().fit(X, target),
            "scikit-learn": lambda: DecisionTreeRegressor().fit(X, target),
        },
    )
    yield Race(
        "forest of 50 trees, 5000 × 20",
        {
            "lib": lambda: ClassificationForest(50, rng=np.random.default_rng(0)).fit(
                X, y
            ),
            "scikit-learn": lambda: RandomForestClassifier(50, oob_score=True).fit(
                X, y
            ),
        },
    )
