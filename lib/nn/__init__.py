"""Layers of neural networks, written from tensor operations: ``from lib.nn import Linear``.

Each layer is a ``torch.nn.Module``: the module keeps the parameters, the mathematics is ours. A
layer that has a counterpart of the same name in ``torch.nn`` takes its arguments and parameter
shapes, starts from the same draws and equals it in value and gradient (tests say so). So a network
is put together with ``torch.nn.Sequential`` and trained with any optimiser.
"""

from lib.nn.convolution import Conv2d, ConvTranspose2d
from lib.nn.elementwise import Dropout, ReLU
from lib.nn.linear import Linear
from lib.nn.pooling import (
    AvgPool2d,
    Flatten,
    GlobalAvgPool2d,
    MaxPool2d,
    UpsampleNearest2d,
)

__all__ = [
    "AvgPool2d",
    "Conv2d",
    "ConvTranspose2d",
    "Dropout",
    "Flatten",
    "GlobalAvgPool2d",
    "Linear",
    "MaxPool2d",
    "ReLU",
    "UpsampleNearest2d",
]
