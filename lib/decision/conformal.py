"""Split conformal prediction: sets that contain the truth with a guaranteed probability.

The only assumption is that calibration samples and the new one are exchangeable. The model may
be as bad as it likes: a bad one gets large sets, not wrong ones.
"""

from __future__ import annotations

import math

import numpy as np

from lib.validation import as_matrix, as_vector, between


def conformal_quantile(scores: object, miss: float) -> float:
    """Return the ⌈(n + 1)(1 − miss)⌉-th smallest of the calibration scores (n,).

    Infinity when that rank exceeds n: too few samples to promise so much.
    """
    scores = np.sort(as_vector(scores, "scores"))
    miss = between(miss, "miss", 0.0, 1.0, inclusive=False)
    rank = math.ceil(
        (len(scores) + 1) * (1.0 - miss) - 1e-9
    )  # 0.1 is not exact in binary
    return float(scores[rank - 1]) if rank <= len(scores) else math.inf


def prediction_sets(P: object, quantile: float) -> np.ndarray:
    """Return which classes belong to each set, (n, K) of booleans.

    The score of class k is 1 − P(k | x), so the set holds every class of probability at least
    1 − quantile.
    """
    return 1.0 - as_matrix(P, "P") <= quantile
