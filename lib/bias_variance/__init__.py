"""Bias and variance: the decomposition, measured over many data sets and computed exactly."""

from lib.bias_variance.beyond import (
    EntropyParts,
    MajorityParts,
    cross_entropy_decomposition,
    geometric_mean,
    majority_decomposition,
)
from lib.bias_variance.datasets import ManyFits, draw_datasets, fit_many
from lib.bias_variance.interpolation import (
    gaussian_features_risk,
    measured_features_risk,
)
from lib.bias_variance.squared import (
    Decomposition,
    decompose,
    exact_decomposition,
    smoother_matrix,
)

__all__ = [
    "Decomposition",
    "EntropyParts",
    "MajorityParts",
    "ManyFits",
    "cross_entropy_decomposition",
    "decompose",
    "draw_datasets",
    "exact_decomposition",
    "fit_many",
    "gaussian_features_risk",
    "geometric_mean",
    "majority_decomposition",
    "measured_features_risk",
    "smoother_matrix",
]
