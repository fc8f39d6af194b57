"""Is this gradient right? Compare it with differences of the loss itself.

The loss is evaluated on both sides of a parameter, with nothing but the forward pass. A right
gradient agrees to about ten digits in double precision, a wrong one in none.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.backprop.four_equations import Gradients, loss_and_gradients
from lib.backprop.losses import Loss
from lib.backprop.network import Network
from lib.differences import relative_error
from lib.validation import positive, whole

Rule = Callable[[Network, np.ndarray, np.ndarray, Loss], tuple[float, Gradients]]
"""A rule claims to return the mean loss and its gradients."""

STEP = np.finfo(float).eps ** (1 / 3)


def mean_loss(network: Network, X: np.ndarray, y: np.ndarray, loss: Loss) -> float:
    """Return the mean loss over the rows of X: a forward pass and nothing else."""
    return float(loss(y, network(X))[0].mean())


def gradient_check(
    network: Network,
    X: np.ndarray,
    y: np.ndarray,
    loss: Loss,
    *,
    rule: Rule = loss_and_gradients,
    entries: int = 40,
    step: float = STEP,
    seed: int = 0,
) -> dict[str, float]:
    """Return the relative error of `rule` for each parameter, "W1", "b1", "W2", …

    Of each parameter at most `entries` entries are tried, chosen at random: central differences
    cost two forward passes for every one. Needs double precision; in single precision the
    differences themselves are good for three digits at best.
    """
    if network.dtype != np.float64:
        raise ValueError(
            f"network: expected double precision for differences, got {network.dtype}"
        )
    entries, step = whole(entries, "entries", at_least=1), positive(step, "step")
    rng = np.random.default_rng(seed)
    theta = network.vector()
    claimed = rule(network, X, y, loss)[1].parameters()
    report, start = {}, 0
    for i, (p, g) in enumerate(zip(network.parameters(), claimed, strict=True)):
        if g.shape != p.shape:
            raise ValueError(
                f"rule: expected a gradient of shape {p.shape}, got {g.shape}"
            )
        chosen = rng.permutation(p.size)[:entries]
        slopes = [_slope(network, theta, start + k, step, X, y, loss) for k in chosen]
        name = f"{'Wb'[i % 2]}{i // 2 + 1}"
        report[name] = relative_error(g.ravel()[chosen], np.array(slopes))
        start += p.size
    return report


def _slope(network, theta, index, step, X, y, loss) -> float:
    """Return the central difference of the mean loss along one parameter."""
    up, down = theta.copy(), theta.copy()
    up[index] += step
    down[index] -= step
    rise = mean_loss(network.at(up), X, y, loss) - mean_loss(
        network.at(down), X, y, loss
    )
    return rise / (up[index] - down[index])


def directional_check(
    network: Network,
    X: np.ndarray,
    y: np.ndarray,
    loss: Loss,
    *,
    rule: Rule = loss_and_gradients,
    step: float = STEP,
    seed: int = 0,
) -> float:
    """Return |gᵀv − (𝓛(θ + hv) − 𝓛(θ − hv))/2h| / ‖g‖ for one random direction v.

    Two forward passes test all parameters at once. A wrong gradient escapes only if its error is
    perpendicular to v, which happens with probability zero.
    """
    theta = network.vector()
    v = np.random.default_rng(seed).normal(size=theta.shape)
    g = rule(network, X, y, loss)[1].vector()
    h = positive(step, "step")
    up, down = network.at(theta + h * v), network.at(theta - h * v)
    slope = (mean_loss(up, X, y, loss) - mean_loss(down, X, y, loss)) / (2 * h)
    size = np.linalg.norm(g)
    return float(abs(g @ v - slope) / size) if size else float(abs(slope))
