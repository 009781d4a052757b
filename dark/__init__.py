"""Build your own PyTorch: a graph of nodes that differentiates itself, and the course in which you write it.

Reading order: `dark.nodes` (the graph and its backward pass), `dark.operations` (a function and its
derivative in one place), `dark.derivatives`, `dark.gradcheck`; networks on them in `dark.nn`, `dark.losses`,
`dark.optim` (with `dark.plateau`), `dark.data`, saved by `dark.storage`; the loop that trains them in `dark.engine`,
`dark.handlers`, `dark.metrics`, `dark.trainers`; `dark.draw` (pictures of all that); then `dark.course`, which teaches
and checks it.
"""

import builtins
import sys
from types import ModuleType

from dark import data, draw, errors, nn
from dark.derivatives import grad, hessian, hvp, jacobian, jvp, value_and_grad
from dark.gradcheck import gradcheck, slope
from dark.nodes import Constant, Node, Operation, Parameter, anomaly, mode, no_grad, topological_order
from dark.operations import (
    abs, add, affine, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, attention, avg_pool2d, batch_norm,
    broadcast_to, cbrt, cholesky, clip, concatenate, conv2d, conv2d_weight, conv_transpose2d, cos, cosh,
    cumsum, deg2rad, det, div, dot, einsum, elu, erf, exp, exp2, expand_dims, expm1, flip, gather, gelu, getitem,
    gru, hypot, interpolate, inv, layer_norm, leaky_relu, linear, log, log1p, log2, log10, log_softmax,
    logabsdet, logaddexp, logsumexp, lstm, matmul, max, max_pool2d, maximum, mean, min, minimum, moveaxis, mul, neg,
    norm, outer, pad, pow, prod, rad2deg, reciprocal, relu, repeat, reshape, rnn, scatter_add, sigmoid, silu, sin,
    sinc, sinh, slogdet, softmax, softplus, solve, split, sqrt, square, squeeze, stack, std, sub, sum, swapaxes,
    take, tan, tanh, tensordot, tile, transpose, var, vector_norm, where,
)  # fmt: skip
from dark.operations.elementwise.activation_functions import Elu, Gelu, LeakyRelu, Relu, Silu
from dark.operations.layers.linear import Affine, Linear
from dark.operations.elementwise.inverse_trigonometric import Arccos, Arcsin, Arctan, Arctan2, Hypot
from dark.operations.elementwise.arithmetic import Add, Div, Mul, Neg, Pow, Sub
from dark.operations.layers.attention import Attention
from dark.operations.layers.avg_pool import AvgPool2d
from dark.operations.arrays.axes import Flip, MoveAxis, SwapAxes, Transpose
from dark.operations.layers.batch_norm import BatchNorm
from dark.operations.elementwise.selection import Clip, Maximum, Minimum, Where
from dark.operations.layers.convolution import Conv2d, Conv2dWeight, ConvTranspose2d
from dark.operations.linalg.cholesky import Cholesky
from dark.operations.linalg.determinants import Det, LogAbsDet
from dark.operations.elementwise.powers import Abs, Cbrt, Reciprocal, Sqrt, Square
from dark.operations.layers.binary_cross_entropy import BCEWithLogits, BinaryCrossEntropy
from dark.operations.layers.cross_entropy import CrossEntropy
from dark.operations.elementwise.exponentials import Exp, Exp2, Expm1, Log, Log1p, Log2, Log10
from dark.operations.arrays.minmax import LogSumExp, Max, Min
from dark.operations.layers.gru import Gru
from dark.operations.layers.huber import Huber
from dark.operations.elementwise.hyperbolic import Arccosh, Arcsinh, Arctanh, Cosh, Sinh, Tanh
from dark.operations.arrays.indexing import GetItem, ScatterAdd
from dark.operations.linalg.inverses import Inv, Solve
from dark.operations.arrays.concatenation import Concatenate, Stack
from dark.operations.layers.layer_norm import LayerNorm
from dark.operations.linalg.matmul import Dot, MatMul, Outer
from dark.operations.elementwise.logistic import LogAddExp, Sigmoid, Softplus
from dark.operations.layers.lstm import Lstm
from dark.operations.linalg.norms import VectorNorm
from dark.operations.layers.max_pool import MaxPool2d
from dark.operations.arrays.cumulative import CumSum, Prod
from dark.operations.layers.rnn import Rnn
from dark.operations.arrays.reductions import Mean, Std, Sum, Var
from dark.operations.arrays.padding import Pad, Repeat, Tile
from dark.operations.layers.interpolation import Interpolate
from dark.operations.arrays.shapes import BroadcastTo, ExpandDims, Reshape, Squeeze
from dark.operations.elementwise.erf_sinc import Erf, Sinc
from dark.operations.layers.softmax import LogSoftmax, Softmax
from dark.operations.linalg.einsum import EinSum, TensorDot
from dark.operations.elementwise.trigonometric import Cos, Deg2rad, Rad2deg, Sin, Tan
from dark.losses import binary_cross_entropy_with_logits as bce_with_logits, cross_entropy
from dark.optim import minimize
from dark.storage import load_file as load, save_file as save

__version__ = "0.1.0"
_TOOLS = {"builtins", "sys", "ModuleType"}
# `from dark import *` leaves Python's own abs, max, min, pow and sum alone.
__all__ = sorted(name for name in globals() if not (name.startswith("_") or name in _TOOLS or hasattr(builtins, name)))


class _Package(ModuleType):
    """Lets the tutorial's `dark.is_training` be read and set: it is the switch that `no_grad` turns."""

    @property
    def is_training(self):
        return mode.recording

    @is_training.setter
    def is_training(self, recording):
        mode.turn(recording=bool(recording))


sys.modules[__name__].__class__ = _Package
