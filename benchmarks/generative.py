"""Closed forms of generative models: lib beside scikit-learn and torch.distributions."""

from collections.abc import Iterator

import numpy as np
import torch
from sklearn.decomposition import PCA
from torch.distributions import Independent, MultivariateNormal, Normal, kl_divergence

from benchmarks.timing import Race
from lib.generative import ppca
from lib.generative.gaussian import kl_full, kl_standard


def races() -> Iterator[Race]:
    """Yield a fit with its log-likelihood, the divergence of a batch, one of full Gaussians."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 200)) @ rng.normal(size=(200, 200))
    yield Race(
        "probabilistic PCA, 5,000 × 200, fit and score",
        {
            "lib": lambda: ppca(X, 10).log_likelihood(X),
            "scikit-learn": lambda: PCA(10).fit(X).score_samples(X),
        },
    )
    mean, log_variance = torch.randn(2, 1000, 32)
    prior = Independent(Normal(torch.zeros(32), torch.ones(32)), 1)
    yield Race(
        "KL to the prior, 1,000 codes of 32",
        {
            "lib": lambda: kl_standard(mean, log_variance),
            "torch": lambda: kl_divergence(
                Independent(Normal(mean, (log_variance / 2).exp()), 1), prior
            ),
        },
    )
    A = torch.tensor(rng.normal(size=(2, 100, 100)))
    S0, S1 = A @ A.mT + torch.eye(100)
    m0, m1 = torch.tensor(rng.normal(size=(2, 100)))
    yield Race(
        "KL of two Gaussians in 100 dimensions",
        {
            "lib": lambda: kl_full(m0, S0, m1, S1),
            "torch": lambda: kl_divergence(
                MultivariateNormal(m0, S0), MultivariateNormal(m1, S1)
            ),
        },
    )
