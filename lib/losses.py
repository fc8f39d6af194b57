"""The loss zoo: what one prediction costs, and how the cost changes with the prediction.

Every loss is a function ``loss(y, prediction)`` that returns two arrays: the loss of each sample,
and its slope, the derivative with respect to the prediction, in the shape of the prediction.
At a kink the slope is one of the subgradients, and the docstring says which.

=========================  ==========================  =======================================
loss                       prediction                  is −log p(y | x) up to constants of
=========================  ==========================  =======================================
squared                    the value ŷ                 a normal law, σ² = 1/2
gaussian                   mean and log variance       a normal law whose variance is learnt
absolute                   the value ŷ                 a Laplace law of scale 1
quantile(τ)                the τ-quantile              an asymmetric Laplace law
huber(δ)                   the value ŷ                 a normal centre with Laplace tails
poisson                    the log rate z              a Poisson law of rate eᶻ
binary_cross_entropy       the log odds z              a Bernoulli law of probability σ(z)
cross_entropy              the K scores z              a categorical law softmax(z)
zero_one, hinge,           a score f, its sign the     none: margin losses, functions of y f
logistic, exponential      predicted label             with y = ±1 (logistic is Bernoulli again)
=========================  ==========================  =======================================
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import gammaln

from lib.linear.robust_losses import (
    absolute_loss,
    absolute_slope,
    huber_loss,
    huber_slope,
)
from lib.logistic.functions import log_sigmoid, log_softmax, sigmoid
from lib.validation import as_array, as_labels, as_matrix, as_vector, between, positive

# A loss of (y, prediction): the loss of each sample, and the slope by the prediction.
Loss = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def _same_shape(y: object, prediction: object) -> tuple[np.ndarray, np.ndarray]:
    """Return targets and predictions as finite arrays of one shape."""
    y, prediction = as_array(y, "y"), as_array(prediction, "prediction")
    if y.shape != prediction.shape:
        raise ValueError(
            f"prediction: expected the shape of y, {y.shape}, got {prediction.shape}"
        )
    return y, prediction


def _with_values(y: object, prediction: object, allowed: tuple[float, float]):
    """Return targets that take two values only, and predictions of the same shape."""
    y, prediction = _same_shape(y, prediction)
    odd = y[(y != allowed[0]) & (y != allowed[1])]
    if odd.size:
        raise ValueError(
            f"y: expected labels {allowed[0]:g} or {allowed[1]:g}, got {odd.flat[0]:g}"
        )
    return y, prediction


def squared(y: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (y − ŷ)² and its slope −2 (y − ŷ)."""
    y, prediction = _same_shape(y, prediction)
    residual = y - prediction
    return residual**2, -2.0 * residual


def gaussian(y: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return −log N(y; m, eˢ) for rows (m, s) of `prediction` (n, 2), and its slopes (n, 2).

    With the variance learnt as well, constants matter: −log p = ½ (s + (y − m)² e⁻ˢ + log 2π).
    It is negative where the density exceeds one.
    """
    y = as_vector(y, "y")
    prediction = as_matrix(prediction, "prediction", rows=len(y), columns=2)
    mean, log_variance = prediction.T
    if np.abs(log_variance).max() > 700:  # e⁷⁰⁹ is the largest a double can hold
        raise ValueError("prediction: expected log variances between -700 and 700")
    standardised = (y - mean) * np.exp(-log_variance / 2)
    loss = 0.5 * (log_variance + standardised**2 + np.log(2 * np.pi))
    by_mean = -standardised * np.exp(-log_variance / 2)
    return loss, np.column_stack([by_mean, 0.5 * (1.0 - standardised**2)])


def absolute(y: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return |y − ŷ| and its slope −sign(y − ŷ); 0 at the kink."""
    y, prediction = _same_shape(y, prediction)
    return absolute_loss(y - prediction), -absolute_slope(y - prediction)


def quantile(tau: float = 0.5) -> Loss:
    """Return the pinball loss: τ r for a residual r = y − q ≥ 0 and (τ − 1) r for r < 0.

    Its expected value is least at the τ-quantile of y. At r = 0 the slope is −τ.
    """
    tau = between(tau, "tau", 0.0, 1.0, inclusive=False)

    def pinball(y: np.ndarray, prediction: np.ndarray):
        y, prediction = _same_shape(y, prediction)
        residual = y - prediction
        weight = np.where(residual >= 0, tau, tau - 1.0)
        return weight * residual, -weight

    return pinball


def huber(delta: float = 1.0) -> Loss:
    """Return the Huber loss: r²/2 for |r| ≤ δ, continued by straight lines of slope ±δ."""
    delta = positive(delta, "delta")

    def rounded(y: np.ndarray, prediction: np.ndarray):
        y, prediction = _same_shape(y, prediction)
        residual = y - prediction
        return huber_loss(residual, delta), -huber_slope(residual, delta)

    return rounded


def poisson(y: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return −log Poi(y; eᶻ) = eᶻ − y z + log y! for counts y and log rates z; slope eᶻ − y."""
    y, z = _same_shape(y, prediction)
    odd = y[(y < 0) | (y != np.floor(y))]
    if odd.size:
        raise ValueError(f"y: expected counts 0, 1, 2, …, got {odd.flat[0]:g}")
    if z.max() > 700:
        raise ValueError(
            f"prediction: expected log rates of at most 700, got {z.max():g}"
        )
    rate = np.exp(z)
    return rate - y * z + gammaln(y + 1.0), rate - y


def binary_cross_entropy(
    y: np.ndarray, prediction: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return −log Ber(y; σ(z)) for y in {0, 1} and log odds z, and its slope σ(z) − y.

    Works entry by entry, so an (n, L) table of labels gives the multi-label loss of each.
    """
    y, z = _with_values(y, prediction, (0.0, 1.0))
    return -log_sigmoid(np.where(y == 1.0, z, -z)), sigmoid(z) - y


def cross_entropy(
    y: np.ndarray, prediction: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return −log softmax(z)_y for labels y (n,) and scores z (n, K); slopes softmax(z) − e_y."""
    z = as_matrix(prediction, "prediction")
    labels = as_labels(y, "y", classes=z.shape[1], length=len(z))
    log_p = log_softmax(z)  # (n, K)
    rows = np.arange(len(z))
    slope = np.exp(log_p)
    slope[rows, labels] -= 1.0
    return -log_p[rows, labels], slope


def zero_one(y: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return 1 where the sign of the score is not y = ±1 (a score of 0 is wrong); slope 0."""
    y, score = _with_values(y, prediction, (-1.0, 1.0))
    return (y * score <= 0).astype(float), np.zeros_like(score)


def hinge(y: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return max(0, 1 − y f) for y = ±1; slope −y where y f < 1 and 0 elsewhere (also at 1)."""
    y, score = _with_values(y, prediction, (-1.0, 1.0))
    margin = y * score
    return np.maximum(0.0, 1.0 - margin), np.where(margin < 1.0, -y, 0.0)


def logistic(y: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return log(1 + e^{−y f}) for y = ±1 and its slope −y σ(−y f)."""
    y, score = _with_values(y, prediction, (-1.0, 1.0))
    return -log_sigmoid(y * score), -y * sigmoid(-y * score)


def exponential(y: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return e^{−y f} for y = ±1, the loss behind AdaBoost, and its slope −y e^{−y f}."""
    y, score = _with_values(y, prediction, (-1.0, 1.0))
    margin = y * score
    if margin.min() < -700:
        raise ValueError(
            f"prediction: expected margins of at least -700, got {margin.min():g}"
        )
    loss = np.exp(-margin)
    return loss, -y * loss
