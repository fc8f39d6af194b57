"""Automatic differentiation of NumPy arrays, small enough to read in one sitting.

x = tensor([1.0, 2.0], requires_grad=True)
(x * x).sum().backward()
x.grad                                # tensor([2., 4.])

Read `tensor` (what is recorded), `elementwise`, `shapes`, `products`, `reductions`, `windows` (the
operations), `reverse` and `forward` (the two modes), then `derivatives` and `checkpointing`.
Apart from these, `scalar` is reverse mode on single numbers, and `schedules` chooses checkpoints.
"""

from lib.autodiff.checkpointing import checkpoint, stored
from lib.autodiff.derivatives import gradient, hessian, hvp, jacobian, vjp
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
from lib.autodiff.forward import jvp
from lib.autodiff.products import matmul
from lib.autodiff.reductions import log_softmax, logsumexp, maximum_over, mean, softmax
from lib.autodiff.reverse import backward, grad, history
from lib.autodiff.shapes import (
    broadcast_to,
    concatenate,
    reshape,
    stack,
    sum_over,
    take,
    transpose,
)
from lib.autodiff.tensor import Tensor, no_grad, tally, tensor
from lib.autodiff.windows import pad, windows

__all__ = [
    "Tensor",
    "absolute",
    "backward",
    "broadcast_to",
    "checkpoint",
    "concatenate",
    "cos",
    "exp",
    "grad",
    "gradient",
    "hessian",
    "history",
    "hvp",
    "jacobian",
    "jvp",
    "log",
    "log_softmax",
    "logsumexp",
    "matmul",
    "maximum",
    "maximum_over",
    "mean",
    "minimum",
    "no_grad",
    "pad",
    "relu",
    "reshape",
    "sigmoid",
    "sin",
    "softmax",
    "sqrt",
    "stack",
    "stored",
    "sum_over",
    "take",
    "tally",
    "tanh",
    "tensor",
    "transpose",
    "vjp",
    "where",
    "windows",
]
