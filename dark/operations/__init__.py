"""The operations, one family a file; a new one is a class and a function in its family."""

from dark.nodes import Operation
from dark.operations import numpy_alternatives as _numpy_alternatives  # advice for errors
from dark.operations.elementwise.arithmetic import add, div, mul, neg, pow, sub  # listed first
from dark.operations.elementwise.activation_functions import elu, gelu, leaky_relu, relu, silu
from dark.operations.layers.linear import linear
from dark.operations.elementwise.inverse_trigonometric import arccos, arcsin, arctan, arctan2, hypot
from dark.operations.layers.attention import attention
from dark.operations.layers.avg_pool import avg_pool2d
from dark.operations.arrays.axes import flip, moveaxis, swapaxes, transpose
from dark.operations.layers.batch_norm import batch_norm
from dark.operations.elementwise.selection import clip, maximum, minimum, where
from dark.operations.layers.convolution_functions import conv2d, conv2d_weight, conv_transpose2d
from dark.operations.linalg.cholesky import cholesky
from dark.operations.linalg.determinants import det, logabsdet, slogdet
from dark.operations.elementwise.powers import abs, cbrt, reciprocal, sqrt, square
from dark.operations.elementwise.exponentials import exp, exp2, expm1, log, log1p, log2, log10
from dark.operations.arrays.minmax import logsumexp, max, min
from dark.operations.layers.gru import gru
from dark.operations.elementwise.hyperbolic import arccosh, arcsinh, arctanh, cosh, sinh, tanh
from dark.operations.arrays.indexing import gather, getitem, scatter_add, take
from dark.operations.linalg.inverses import inv, solve
from dark.operations.arrays.concatenation import concatenate, split, stack
from dark.operations.layers.layer_norm import layer_norm
from dark.operations.linalg.matmul import dot, matmul, outer
from dark.operations.elementwise.logistic import logaddexp, sigmoid, softplus
from dark.operations.layers.lstm import lstm
from dark.operations.linalg.norms import norm, vector_norm
from dark.operations.layers.max_pool import max_pool2d
from dark.operations.arrays.cumulative import cumsum, prod
from dark.operations.layers.rnn import rnn
from dark.operations.arrays.reductions import mean, std, sum, var
from dark.operations.arrays.padding import pad, repeat, tile
from dark.operations.layers.interpolation import interpolate
from dark.operations.arrays.shapes import broadcast_to, expand_dims, reshape, squeeze
from dark.operations.elementwise.erf_sinc import erf, sinc
from dark.operations.layers.softmax import log_softmax, softmax
from dark.operations.linalg.einsum import einsum, tensordot
from dark.operations.elementwise.trigonometric import cos, deg2rad, rad2deg, sin, tan


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
