"""Minibatches: checked tensors, and a shuffled order that a seed fixes."""

from collections.abc import Iterator

import numpy as np
import torch

from lib.validation import whole

Arrays = torch.Tensor | np.ndarray
Data = Arrays | tuple[Arrays, ...] | list[Arrays]


def as_tensors(data: Data, name: str) -> tuple[torch.Tensor, ...]:
    """Return the arrays of ``data`` as tensors of equal length: inputs first, the target last.

    A single array is input and target in one, as an autoencoder wants it.
    """
    parts = data if isinstance(data, tuple | list) else (data, data)
    if len(parts) < 2:
        raise ValueError(
            f"{name}: expected inputs and a target, or one array that is both, "
            f"got a {type(data).__name__} of {len(parts)}"
        )
    tensors = tuple(_tensor(part, f"{name}[{i}]") for i, part in enumerate(parts))
    lengths = [len(tensor) for tensor in tensors]
    if len(set(lengths)) > 1:
        raise ValueError(
            f"{name}: expected arrays of equal length, got lengths {lengths}"
        )
    if lengths[0] == 0:
        raise ValueError(f"{name}: expected at least one sample, got none")
    return tensors


def _tensor(part: Arrays, name: str) -> torch.Tensor:
    if isinstance(part, np.ndarray):
        part = torch.tensor(
            part
        )  # a copy: arrays may be read-only, which torch cannot express
    if not isinstance(part, torch.Tensor):
        raise ValueError(
            f"{name}: expected a tensor or an array, got {type(part).__name__}"
        )
    if part.ndim == 0:
        raise ValueError(
            f"{name}: expected at least one dimension, got a single number"
        )
    if part.is_floating_point() and part.isnan().any():
        raise ValueError(f"{name}: expected numbers, got {int(part.isnan().sum())} NaN")
    return part.detach()


class ShuffledBatches:
    """A new random order of n samples for every epoch, cut into batches of indices.

    The order has a generator of its own: models of any kind, trained with one seed, see the same
    batches, whatever random numbers they draw themselves.
    """

    def __init__(
        self, n: int, batch_size: int | None, drop_last: bool, seed: int
    ) -> None:
        size = n if batch_size is None else whole(batch_size, "batch_size", at_least=1)
        if drop_last and size > n:
            raise ValueError(
                f"batch_size: expected at most {n} when drop_last is set, got {size}"
            )
        self.n, self.size, self.drop_last = n, size, drop_last
        self.generator = torch.Generator().manual_seed(whole(seed, "seed"))

    def __len__(self) -> int:
        """The number of batches in an epoch."""
        return self.n // self.size if self.drop_last else -(-self.n // self.size)

    def epoch(self) -> Iterator[torch.Tensor]:
        """Draw the next order and yield the indices of each batch, (≤ batch_size,)."""
        order = torch.randperm(self.n, generator=self.generator)
        for k in range(len(self)):
            yield order[k * self.size : (k + 1) * self.size]
