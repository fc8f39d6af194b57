"""A multi-layer perceptron in plain NumPy: parameters, and a forward pass that remembers.

Samples are rows. Layer l computes Z = A @ W.T + b and A = φ(Z), with W of shape (out, in), as
torch.nn.Linear does. The biases are added to every row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lib.backprop.activations import Activation, activation
from lib.validation import whole


@dataclass(frozen=True)
class Trace:
    """What a forward pass leaves behind for the backward pass.

    `pre_activations[l]` is Z of layer l + 1; `activations[l]` is A of layer l, so that
    `activations[0]` is the input X and `activations[-1]` the output. All have n rows.
    """

    pre_activations: tuple[np.ndarray, ...]
    activations: tuple[np.ndarray, ...]

    @property
    def output(self) -> np.ndarray:
        """The activations of the last layer, of shape (n, K)."""
        return self.activations[-1]


@dataclass(frozen=True)
class Network:
    """Weights W⁽ˡ⁾ (d_l, d_{l−1}), biases b⁽ˡ⁾ (d_l,) and activations of layers 1, …, L."""

    weights: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]
    activations: tuple[Activation, ...]

    def __post_init__(self) -> None:
        weights = tuple(_floats(W, f"weights[{i}]") for i, W in enumerate(self.weights))
        biases = tuple(_floats(b, f"biases[{i}]") for i, b in enumerate(self.biases))
        chosen = tuple(activation(a) for a in self.activations)
        _require_fit(weights, biases, chosen)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "biases", biases)
        object.__setattr__(self, "activations", chosen)

    @property
    def depth(self) -> int:
        """L, the number of layers with weights."""
        return len(self.weights)

    @property
    def widths(self) -> tuple[int, ...]:
        """(d_0, d_1, …, d_L): inputs, hidden units, outputs."""
        return (self.weights[0].shape[1], *(W.shape[0] for W in self.weights))

    @property
    def dtype(self) -> np.dtype:
        """float32 or float64, the precision of all parameters."""
        return self.weights[0].dtype

    def forward(self, X: np.ndarray) -> Trace:
        """Return all Z and A for the rows of X (n, d_0)."""
        A = as_rows(X, "X", self.widths[0], self.dtype)
        Zs, As = [], [A]
        for W, b, phi in zip(self.weights, self.biases, self.activations, strict=True):
            Z = A @ W.T + b  # (n, out) = (n, in) @ (in, out) + (out,)
            A = phi.value(Z)
            Zs.append(Z)
            As.append(A)
        return Trace(tuple(Zs), tuple(As))

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Return the outputs (n, K) for the rows of X (n, d_0)."""
        return self.forward(X).output

    def parameters(self) -> tuple[np.ndarray, ...]:
        """Return W⁽¹⁾, b⁽¹⁾, W⁽²⁾, b⁽²⁾, …"""
        return tuple(
            p for pair in zip(self.weights, self.biases, strict=True) for p in pair
        )

    def vector(self) -> np.ndarray:
        """Return all parameters as one vector θ (p,), in the order of `parameters`."""
        return np.concatenate([p.ravel() for p in self.parameters()])

    def at(self, theta: np.ndarray) -> Network:
        """Return the network with the parameters θ (p,) in place of its own."""
        theta = np.asarray(theta)
        size = sum(p.size for p in self.parameters())
        if theta.shape != (size,):
            raise ValueError(f"theta: expected shape ({size},), got {theta.shape}")
        parts, start = [], 0
        for p in self.parameters():
            parts.append(theta[start : start + p.size].reshape(p.shape))
            start += p.size
        return replace(self, weights=tuple(parts[::2]), biases=tuple(parts[1::2]))


def start_network(
    widths: Sequence[int],
    rng: np.random.Generator,
    *,
    hidden: str | Activation = "relu",
    output: str | Activation = "identity",
    dtype: type = np.float64,
) -> Network:
    """Return a network with random weights and zero biases, for widths (d_0, d_1, …, d_L).

    Entries of W⁽ˡ⁾ are normal with variance 2/d_{l−1} in ReLU layers and 1/d_{l−1} in others. That
    keeps the size of the signals about the same from layer to layer.
    """
    sizes = [whole(w, "widths", at_least=1) for w in widths]
    if len(sizes) < 2:
        raise ValueError(f"widths: expected at least inputs and outputs, got {sizes}")
    hidden, output = activation(hidden), activation(output)
    chosen = (hidden,) * (len(sizes) - 2) + (output,)
    weights, biases = [], []
    for fan_in, fan_out, phi in zip(sizes[:-1], sizes[1:], chosen, strict=True):
        scale = np.sqrt((2.0 if phi.name == "relu" else 1.0) / fan_in)
        weights.append((scale * rng.normal(size=(fan_out, fan_in))).astype(dtype))
        biases.append(np.zeros(fan_out, dtype=dtype))
    return Network(tuple(weights), tuple(biases), chosen)


def as_rows(X: object, name: str, columns: int, dtype: np.dtype) -> np.ndarray:
    """Return X as a finite (n, columns) array of the network's precision."""
    X = np.asanyarray(X)
    if X.ndim != 2 or X.shape[1] != columns or X.shape[0] == 0:
        raise ValueError(f"{name}: expected shape (n, {columns}), got {X.shape}")
    return _finite(X, name).astype(dtype, copy=False)


def _floats(value: object, name: str) -> np.ndarray:
    array = np.asanyarray(value)
    if array.dtype not in (np.float32, np.float64):
        array = _finite(array, name).astype(np.float64)
    return _finite(array, name)


def _finite(array: np.ndarray, name: str) -> np.ndarray:
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name}: expected real numbers, got type {array.dtype}")
    # A sum is finite unless an entry is not (or the sum overflows): one cheap pass.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not np.isfinite(array.sum())
    if suspicious and not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, got NaN or infinite ones")
    return array


def _require_fit(weights: tuple, biases: tuple, chosen: tuple) -> None:
    """Raise a ValueError unless the shapes form a chain and the precisions agree."""
    if not len(weights) == len(biases) == len(chosen) > 0:
        raise ValueError(
            "network: expected as many weights, biases and activations, at least one, "
            f"got {len(weights)}, {len(biases)}, {len(chosen)}"
        )
    for i, (W, b) in enumerate(zip(weights, biases, strict=True)):
        if W.ndim != 2 or 0 in W.shape:
            raise ValueError(
                f"weights[{i}]: expected shape (out, in), got shape {W.shape}"
            )
        if i and W.shape[1] != weights[i - 1].shape[0]:
            raise ValueError(
                f"weights[{i}]: expected {weights[i - 1].shape[0]} columns, "
                f"one for each unit below, got {W.shape[1]}"
            )
        if b.shape != (W.shape[0],):
            raise ValueError(
                f"biases[{i}]: expected shape ({W.shape[0]},), got {b.shape}"
            )
    kinds = {p.dtype for p in (*weights, *biases)}
    if len(kinds) > 1:
        raise ValueError(
            f"network: expected one precision, got {sorted(map(str, kinds))}"
        )
