"""DeZero, the framework of the book "Deep Learning from Scratch 3"."""

from types import SimpleNamespace

import numpy as np

np.int = int  # DeZero 0.0.13 asks for this name, which NumPy dropped, in a default that nothing here uses

import dezero.functions as F  # noqa: E402
from dezero import Parameter, Variable, optimizers  # noqa: E402

from benchmarks.rivals.tape import Tape  # noqa: E402


def clear(parameters):
    for p in parameters:
        p.cleargrad()


def adam(parameters, lr, betas):
    return optimizers.Adam(lr, *betas).setup(SimpleNamespace(params=lambda: parameters)).update


peer = Tape(
    parameter=Parameter,
    constant=Variable,
    gradient=lambda p: p.grad.data,
    clear=clear,
    adam=adam,
    linear=F.linear,
    convolve=lambda x, w, b: F.conv2d(x, w, b, pad=1),
    pool=lambda x: F.pooling(x, 2, stride=2),
    cross_entropy=F.softmax_cross_entropy,
    bce=lambda x, is_real: F.sigmoid_cross_entropy(x, np.full(x.shape, is_real, x.dtype)),
    relu=F.relu,
    tanh=F.tanh,
    exp=F.exp,
    sigmoid=F.sigmoid,
    leaky_relu=F.leaky_relu,
    mean=lambda x: F.sum(x) * x.dtype.type(1 / x.size),
    NA={"A6": "no batched matmul"},
)
