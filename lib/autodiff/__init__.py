"""Reverse-mode automatic differentiation of NumPy arrays, small enough to read in one sitting.

x = tensor([1.0, 2.0], requires_grad=True)
(x * x).sum().backward()
x.grad                                # tensor([2., 4.])
"""

from lib.autodiff.elementwise import (
    absolute,
    cos,
    exp,
    log,
    maximum,
    minimum,
    relu,
    sigmoid,
    sin,
    sqrt,
    tanh,
    where,
)
from lib.autodiff.reductions import log_softmax, logsumexp, maximum_over, mean, softmax
from lib.autodiff.reductions import sum_over as sum_of
from lib.autodiff.reverse import backward, grad
from lib.autodiff.shapes import broadcast_to, concatenate, reshape, take, transpose
from lib.autodiff.tensor import Tensor, no_grad, tensor

__all__ = [
    "Tensor",
    "absolute",
    "backward",
    "broadcast_to",
    "concatenate",
    "cos",
    "exp",
    "grad",
    "log",
    "log_softmax",
    "logsumexp",
    "maximum",
    "maximum_over",
    "mean",
    "minimum",
    "no_grad",
    "relu",
    "reshape",
    "sigmoid",
    "sin",
    "softmax",
    "sqrt",
    "sum_of",
    "take",
    "tanh",
    "tensor",
    "transpose",
    "where",
]
