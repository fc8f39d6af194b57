"""Bayesian linear regression: posterior, predictive, evidence and relevance."""

from lib.bayes.evidence import EvidenceFit, log_evidence, maximise_evidence
from lib.bayes.posterior import Posterior, posterior, prior
from lib.bayes.relevance import RelevanceFit, fit_relevance

__all__ = [
    "EvidenceFit",
    "Posterior",
    "RelevanceFit",
    "fit_relevance",
    "log_evidence",
    "maximise_evidence",
    "posterior",
    "prior",
]
