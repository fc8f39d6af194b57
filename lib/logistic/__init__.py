"""Logistic and softmax regression: the functions, the losses, the fits, what they tell."""

from lib.logistic.binary import LogisticModel, fit_logistic
from lib.logistic.descent import LogisticDescent, curvature_bound, descend_logistic
from lib.logistic.functions import (
    log_sigmoid,
    log_softmax,
    logit,
    logsumexp,
    sigmoid,
    softmax,
)
from lib.logistic.inference import (
    LogisticInference,
    likelihood_ratio_test,
    logistic_inference,
)
from lib.logistic.losses import (
    logistic_hessian,
    logistic_loss,
    squared_sigmoid_loss,
)
from lib.logistic.multinomial import (
    SoftmaxModel,
    fit_softmax,
    softmax_hessian,
    softmax_loss,
)
from lib.logistic.separation import Separation, separation

__all__ = [
    "LogisticDescent",
    "LogisticInference",
    "LogisticModel",
    "Separation",
    "SoftmaxModel",
    "curvature_bound",
    "descend_logistic",
    "fit_logistic",
    "fit_softmax",
    "likelihood_ratio_test",
    "log_sigmoid",
    "log_softmax",
    "logistic_hessian",
    "logistic_inference",
    "logistic_loss",
    "logit",
    "logsumexp",
    "separation",
    "sigmoid",
    "softmax",
    "softmax_hessian",
    "softmax_loss",
    "squared_sigmoid_loss",
]
