"""The operations, one family a file; a new one is a class and a function in its family."""

from dark.nodes import Operation
from dark.operations.arithmetic import add, div, mul, neg, pow, sub  # the first, as `all_operations` lists them
from dark.operations.activations import elu, gelu, leaky_relu, relu, silu
from dark.operations.affine import affine, linear
from dark.operations.angles import arccos, arcsin, arctan, arctan2, hypot
from dark.operations.attention import attention
from dark.operations.averaging import avg_pool2d
from dark.operations.axes import flip, moveaxis, swapaxes, transpose
from dark.operations.batch_norm import batch_norm
from dark.operations.bessel import bessel_i, i0
from dark.operations.comparing import clip, maximum, minimum, where
from dark.operations.convolving import conv2d, conv2d_weight, conv_transpose2d
from dark.operations.decompositions import cholesky
from dark.operations.determinants import det, logabsdet, slogdet
from dark.operations.elementary import abs, cbrt, reciprocal, sqrt, square
from dark.operations.exponentials import exp, exp2, expm1, log, log1p, log2, log10
from dark.operations.extremes import logsumexp, max, min
from dark.operations.gru import gru
from dark.operations.hyperbolic import arccosh, arcsinh, arctanh, cosh, sinh, tanh
from dark.operations.indexing import gather, getitem, scatter_add, take
from dark.operations.inverses import inv, solve
from dark.operations.joining import concatenate, split, stack
from dark.operations.layer_norm import layer_norm
from dark.operations.linear import dot, matmul, outer
from dark.operations.logistic import logaddexp, sigmoid, softplus
from dark.operations.lstm import lstm
from dark.operations.norms import norm, vector_norm
from dark.operations.pooling import max_pool2d
from dark.operations.products import cumsum, prod
from dark.operations.recurrent import rnn
from dark.operations.reductions import mean, std, sum, var
from dark.operations.repeating import pad, repeat, tile
from dark.operations.resizing import interpolate
from dark.operations.shaping import broadcast_to, expand_dims, reshape, squeeze
from dark.operations.special import erf, sinc
from dark.operations.stable import log_softmax, softmax
from dark.operations.summation import einsum, tensordot
from dark.operations.trigonometric import cos, deg2rad, rad2deg, sin, tan


def all_operations():
    """List the operations of the package, so that tests, documents and drawings can walk them.

    Examples
    --------
    >>> [op.__name__ for op in all_operations()][:3]
    ['Add', 'Sub', 'Mul']
    """
    return [op for op in Operation.__subclasses__() if op.__module__.startswith("dark.operations.")]


__all__ = [
    "abs",
    "add",
    "affine",
    "all_operations",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "attention",
    "avg_pool2d",
    "batch_norm",
    "bessel_i",
    "broadcast_to",
    "cbrt",
    "cholesky",
    "clip",
    "concatenate",
    "conv2d",
    "conv2d_weight",
    "conv_transpose2d",
    "cos",
    "cosh",
    "cumsum",
    "deg2rad",
    "det",
    "div",
    "dot",
    "einsum",
    "elu",
    "erf",
    "exp",
    "exp2",
    "expand_dims",
    "expm1",
    "flip",
    "gather",
    "gelu",
    "getitem",
    "gru",
    "hypot",
    "i0",
    "interpolate",
    "inv",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log",
    "log1p",
    "log2",
    "log10",
    "log_softmax",
    "logabsdet",
    "logaddexp",
    "logsumexp",
    "lstm",
    "matmul",
    "max",
    "max_pool2d",
    "maximum",
    "mean",
    "min",
    "minimum",
    "moveaxis",
    "mul",
    "neg",
    "norm",
    "outer",
    "pad",
    "pow",
    "prod",
    "rad2deg",
    "reciprocal",
    "relu",
    "repeat",
    "reshape",
    "rnn",
    "scatter_add",
    "sigmoid",
    "silu",
    "sin",
    "sinc",
    "sinh",
    "slogdet",
    "softmax",
    "softplus",
    "solve",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "sub",
    "sum",
    "swapaxes",
    "take",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "transpose",
    "var",
    "vector_norm",
    "where",
]  # fmt: skip
