"""Distributions by counting, sums and their limits, and what dependence does to them."""

from lib.probability.continuous import (
    Cauchy,
    Continuous,
    Exponential,
    Normal,
    Pareto,
)
from lib.probability.counting import (
    compositions,
    log_arrangements,
    log_choose,
    log_factorial,
)
from lib.probability.dependence import (
    autocorrelation,
    autoregression,
    autoregression_log_likelihood,
    effective_size,
    pearson,
    variance_of_mean,
)
from lib.probability.discrete import (
    Binomial,
    Discrete,
    Geometric,
    NegativeBinomial,
    Poisson,
    bernoulli,
)
from lib.probability.multinomial import Multinomial, categorical
from lib.probability.sums import (
    berry_esseen_bound,
    characteristic_of_mean,
    distribution_of_sum,
    gap_to_normal,
    means_of,
    moments,
    running_means,
)
from lib.probability.truncated import ZeroTruncatedPoisson, truncated_rate

__all__ = [
    "Binomial",
    "Cauchy",
    "Continuous",
    "Discrete",
    "Exponential",
    "Geometric",
    "Multinomial",
    "NegativeBinomial",
    "Normal",
    "Pareto",
    "Poisson",
    "ZeroTruncatedPoisson",
    "autocorrelation",
    "autoregression",
    "autoregression_log_likelihood",
    "bernoulli",
    "berry_esseen_bound",
    "categorical",
    "characteristic_of_mean",
    "compositions",
    "distribution_of_sum",
    "effective_size",
    "gap_to_normal",
    "log_arrangements",
    "log_choose",
    "log_factorial",
    "means_of",
    "moments",
    "pearson",
    "running_means",
    "truncated_rate",
    "variance_of_mean",
]
