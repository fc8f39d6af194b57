"""The tables that ship with scikit-learn, in the course's form."""

import numpy as np

from lib.data.kinds import Tabular


def _classes(name: str, bunch, target: str) -> Tabular:
    return Tabular(
        name,
        X=np.array(bunch.data, dtype=np.float64),
        y=np.array(bunch.target, dtype=np.int64),
        feature_names=tuple(str(feature) for feature in bunch.feature_names),
        target=target,
        target_names=tuple(str(value) for value in bunch.target_names),
    )


def iris() -> Tabular:
    """Return Fisher's irises: 150 flowers, 4 lengths in cm, 3 species."""
    from sklearn.datasets import load_iris

    return _classes("iris", load_iris(), "species")


def wine() -> Tabular:
    """Return 178 Italian wines: 13 chemical measurements, 3 cultivars."""
    from sklearn.datasets import load_wine

    return _classes("wine", load_wine(), "cultivar")


def breast_cancer() -> Tabular:
    """Return 569 tumours: 30 measurements of cell nuclei; class 0 malignant, 1 benign."""
    from sklearn.datasets import load_breast_cancer

    return _classes("breast_cancer", load_breast_cancer(), "diagnosis")


def diabetes(*, scaled: bool = True) -> Tabular:
    """Return 442 diabetes patients: 10 measurements, y the progression after a year (25 to 346).

    With ``scaled`` every column of X has mean 0 and sum of squares 1, as in the paper on least
    angle regression; without, the columns have their own units (age in years, …).
    """
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(scaled=scaled)
    return Tabular(
        "diabetes",
        X=np.array(bunch.data, dtype=np.float64),
        y=np.array(bunch.target, dtype=np.float64),
        feature_names=tuple(bunch.feature_names),
        target="disease progression",
    )
