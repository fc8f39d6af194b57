"""Logistic and softmax regression: the functions, the losses and the fits."""

from lib.logistic.binary import LogisticModel, fit_logistic, logistic_loss
from lib.logistic.functions import (
    log_sigmoid,
    log_softmax,
    logit,
    logsumexp,
    sigmoid,
    softmax,
)
from lib.logistic.multinomial import SoftmaxModel, fit_softmax, softmax_loss

__all__ = [
    "LogisticModel",
    "SoftmaxModel",
    "fit_logistic",
    "fit_softmax",
    "log_sigmoid",
    "log_softmax",
    "logistic_loss",
    "logit",
    "logsumexp",
    "sigmoid",
    "softmax",
    "softmax_loss",
]
