"""Backpropagation in plain NumPy: networks, the four equations, checks, training, and its cost."""

from lib.backprop.activations import ACTIVATIONS, Activation, activation
from lib.backprop.by_sample import mean_over_samples, one_sample, one_sample_by_index
from lib.backprop.four_equations import (
    Gradients,
    backward,
    errors,
    loss_and_gradients,
)
from lib.backprop.gradient_check import directional_check, gradient_check, mean_loss
from lib.backprop.losses import binary_cross_entropy, cross_entropy, half_squared
from lib.backprop.network import Network, Trace, start_network
from lib.backprop.training import History, accuracy, train

__all__ = [
    "ACTIVATIONS",
    "Activation",
    "Gradients",
    "History",
    "Network",
    "Trace",
    "accuracy",
    "activation",
    "backward",
    "binary_cross_entropy",
    "cross_entropy",
    "directional_check",
    "errors",
    "gradient_check",
    "half_squared",
    "loss_and_gradients",
    "mean_loss",
    "mean_over_samples",
    "one_sample",
    "one_sample_by_index",
    "start_network",
    "train",
]
