"""From probabilities to decisions: discriminants, costs, ROC curves, calibration, coverage."""

from lib.decision.calibration import (
    calibration_bins,
    expected_calibration_error,
    fit_temperature,
)
from lib.decision.conformal import conformal_quantile, prediction_sets
from lib.decision.costs import bayes_decisions, expected_costs
from lib.decision.discriminant import GaussianClassifier, fit_lda, fit_qda
from lib.decision.roc import RocCurve, auc_by_ranks, roc_curve
from lib.decision.scaling import Scaling, mahalanobis, standardise, whiten

__all__ = [
    "GaussianClassifier",
    "RocCurve",
    "Scaling",
    "auc_by_ranks",
    "bayes_decisions",
    "calibration_bins",
    "conformal_quantile",
    "expected_calibration_error",
    "expected_costs",
    "fit_lda",
    "fit_qda",
    "fit_temperature",
    "mahalanobis",
    "prediction_sets",
    "roc_curve",
    "standardise",
    "whiten",
]
