"""Surprise and what follows from it: entropy, divergence, mutual information, codes."""

from lib.information.coding import huffman_code, mean_length
from lib.information.estimates import (
    contingency,
    entropy_from_counts,
    independent_bias,
    mutual_information_from_counts,
)
from lib.information.measures import (
    binary_entropy,
    cross_entropy,
    entropy,
    kl_divergence,
    surprise,
    to_bits,
)
from lib.information.mutual import (
    conditional_entropy,
    gaussian_mutual_information,
    independent,
    mutual_information,
)
from lib.information.neighbours import neighbour_information

__all__ = [
    "binary_entropy",
    "conditional_entropy",
    "contingency",
    "cross_entropy",
    "entropy",
    "entropy_from_counts",
    "gaussian_mutual_information",
    "huffman_code",
    "independent",
    "independent_bias",
    "kl_divergence",
    "mean_length",
    "mutual_information",
    "mutual_information_from_counts",
    "neighbour_information",
    "surprise",
    "to_bits",
]
