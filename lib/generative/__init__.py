"""Generative models: ``from lib.generative import VAE, negative_elbo``. All on PyTorch, except the
closed forms of probabilistic PCA, which are NumPy.
"""

from lib.generative.autoencoder import Autoencoder, perceptron
from lib.generative.elbo import (
    Bound,
    Pass,
    aggregate_log_density,
    bernoulli_log_likelihood,
    bound,
    gaussian_likelihood,
    gaussian_log_likelihood,
    negative_elbo,
)
from lib.generative.importance import (
    effective_draws,
    importance_bound,
    log_weights,
    nested_bounds,
    prior_log_weights,
)
from lib.generative.linear_vae import LinearVAE, fit_linear_vae
from lib.generative.ppca import PPCA, log_second_moment, ppca
from lib.generative.score_function import (
    reparameterised_gradients,
    score_function_gradients,
)
from lib.generative.vae import VAE

__all__ = [
    "PPCA",
    "VAE",
    "Autoencoder",
    "Bound",
    "LinearVAE",
    "Pass",
    "aggregate_log_density",
    "bernoulli_log_likelihood",
    "bound",
    "effective_draws",
    "fit_linear_vae",
    "gaussian_likelihood",
    "gaussian_log_likelihood",
    "importance_bound",
    "log_second_moment",
    "log_weights",
    "negative_elbo",
    "nested_bounds",
    "perceptron",
    "ppca",
    "prior_log_weights",
    "reparameterised_gradients",
    "score_function_gradients",
]
