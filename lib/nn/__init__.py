"""Layers of neural networks, written from tensor operations: ``from lib.nn import Linear``.

Each layer is a ``torch.nn.Module``: the module keeps the parameters, the mathematics is ours.
Every layer has the name, the arguments and the parameter shapes of its counterpart in
``torch.nn`` and equals it in value and gradient (tests say so), so a network is put together
with ``torch.nn.Sequential`` and trained with any optimiser.
"""

from lib.nn.linear import Linear

__all__ = ["Linear"]
