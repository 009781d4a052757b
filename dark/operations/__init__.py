"""Operations: functions of nodes, each with its gradient rule in the same file; this file is the list of them.

Five subpackages, to be read in this order; each imports only from those before it:

- `elementwise`: arithmetic, exponentials, activation functions, selection;
- `arrays`: shapes, axes, indexing, reductions;
- `linalg`: matrix products, inverses, determinants, norms;
- `layers`: fused operations of networks, such as normalization, recurrence and attention;
- `images`: convolution, pooling and interpolation.

Below them are `numeric` (functions for floats, arrays and nodes alike) and `axis_checks`; `higher_order` serves the
fused operations. A new operation is one file, with a class and a function, and one line here: its import. `__all__`,
`dark.NAME` and the gradient tests follow from it.
"""

import importlib
import inspect
import pkgutil
from typing import TYPE_CHECKING

from dark.nodes import Operation as _Operation
from dark.operations import numpy_alternatives as _numpy_alternatives  # advice for errors
from dark.operations.arrays import casting as _casting  # the method `astype`
from dark.operations.elementwise.activation_functions import elu as elu, leaky_relu as leaky_relu
from dark.operations.elementwise.activation_functions import relu as relu, silu as silu
from dark.operations.elementwise.arithmetic import add as add, div as div, mul as mul, neg as neg, pow as pow
from dark.operations.elementwise.arithmetic import sub as sub
from dark.operations.elementwise.smooth_functions import erf as erf, sinc as sinc
from dark.operations.elementwise.exponentials import exp as exp, exp2 as exp2, expm1 as expm1, log as log
from dark.operations.elementwise.exponentials import log10 as log10, log1p as log1p, log2 as log2
from dark.operations.elementwise.exponentials import arccosh as arccosh, arcsinh as arcsinh, arctanh as arctanh
from dark.operations.elementwise.exponentials import cosh as cosh, sinh as sinh, tanh as tanh
from dark.operations.elementwise.trigonometric import arccos as arccos, arcsin as arcsin, arctan as arctan
from dark.operations.elementwise.trigonometric import arctan2 as arctan2, hypot as hypot
from dark.operations.elementwise.activation_functions import (
    logaddexp as logaddexp,
    sigmoid as sigmoid,
    softplus as softplus,
)
from dark.operations.elementwise.powers import abs as abs, cbrt as cbrt, reciprocal as reciprocal, sqrt as sqrt
from dark.operations.elementwise.powers import square as square
from dark.operations.elementwise.remainders import fmod as fmod, remainder as remainder
from dark.operations.elementwise.selection import clip as clip, maximum as maximum, minimum as minimum, where as where
from dark.operations.elementwise.selection import nan_to_num as nan_to_num
from dark.operations.elementwise.smooth_functions import gelu as gelu, mish as mish
from dark.operations.elementwise.trigonometric import cos as cos, deg2rad as deg2rad, rad2deg as rad2deg, sin as sin
from dark.operations.elementwise.trigonometric import tan as tan
from dark.operations.arrays.axes import flip as flip, moveaxis as moveaxis, swapaxes as swapaxes, transpose as transpose
from dark.operations.arrays.concatenation import cat as cat, concatenate as concatenate, split as split
from dark.operations.arrays.concatenation import stack as stack
from dark.operations.arrays.cumulative import cumprod as cumprod, cumsum as cumsum, prod as prod
from dark.operations.arrays.diagonals import diag as diag, diagonal as diagonal, trace as trace, tril as tril
from dark.operations.arrays.diagonals import triu as triu
from dark.operations.arrays.indexing import gather as gather, getitem as getitem, scatter_add as scatter_add
from dark.operations.arrays.indexing import take as take
from dark.operations.arrays.casting import empty_like as empty_like, full_like as full_like, ones_like as ones_like
from dark.operations.arrays.casting import zeros_like as zeros_like
from dark.operations.arrays.minmax import logsumexp as logsumexp, max as max, min as min
from dark.operations.arrays.padding import pad as pad, repeat as repeat, tile as tile
from dark.operations.arrays.reductions import mean as mean, sum as sum
from dark.operations.arrays.variance import std as std, var as var
from dark.operations.arrays.cumulative import diff as diff, roll as roll
from dark.operations.arrays.minmax import sort as sort
from dark.operations.arrays.stacking import atleast_1d as atleast_1d, atleast_2d as atleast_2d
from dark.operations.arrays.stacking import atleast_3d as atleast_3d, column_stack as column_stack, dstack as dstack
from dark.operations.arrays.stacking import hstack as hstack, vstack as vstack
from dark.operations.arrays.shapes import broadcast_to as broadcast_to, expand_dims as expand_dims, reshape as reshape
from dark.operations.arrays.shapes import flatten as flatten, ravel as ravel, squeeze as squeeze
from dark.operations.linalg.factorizations import cholesky as cholesky
from dark.operations.linalg.inverses import det as det, logabsdet as logabsdet, slogdet as slogdet
from dark.operations.linalg.eigenvalues import eigh as eigh, eigvalsh as eigvalsh
from dark.operations.linalg.einsum import einsum as einsum, tensordot as tensordot
from dark.operations.linalg.inverses import inv as inv, solve as solve
from dark.operations.linalg.matmul import dot as dot, matmul as matmul, outer as outer
from dark.operations.linalg.norms import matrix_norm as matrix_norm, norm as norm, vector_norm as vector_norm
from dark.operations.linalg.products import inner as inner, kron as kron
from dark.operations.linalg.factorizations import qr as qr
from dark.operations.linalg.eigenvalues import svd as svd, svdvals as svdvals
from dark.operations.layers.attention import attention as attention
from dark.operations.layers.batch_norm import batch_norm as batch_norm
from dark.operations.layers.activations import glu as glu
from dark.operations.layers.batch_norm import group_norm as group_norm
from dark.operations.layers.gru import gru as gru
from dark.operations.layers.layer_norm import layer_norm as layer_norm
from dark.operations.layers.linear import linear as linear
from dark.operations.layers.lstm import lstm as lstm
from dark.operations.layers.activations import prelu as prelu
from dark.operations.layers.layer_norm import rms_norm as rms_norm
from dark.operations.layers.rnn import rnn as rnn
from dark.operations.layers.activations import log_softmax as log_softmax, softmax as softmax
from dark.operations.images.avg_pool import avg_pool1d as avg_pool1d, avg_pool2d as avg_pool2d
from dark.operations.images.convolution1d import conv1d as conv1d, conv_transpose1d as conv_transpose1d
from dark.operations.images.convolution_functions import conv2d as conv2d, conv2d_weight as conv2d_weight
from dark.operations.images.convolution_functions import conv_transpose2d as conv_transpose2d
from dark.operations.images.interpolation import interpolate as interpolate
from dark.operations.images.max_pool import max_pool1d as max_pool1d, max_pool2d as max_pool2d

_MODULES = [importlib.import_module(found.name) for found in pkgutil.walk_packages(__path__, f"{__name__}.")]


def all_operations() -> list[type[_Operation]]:
    """Return the public classes of operations in this package, so that tests and drawings can list them.

    >>> {"Add", "MatMul", "Conv2d"} <= {op.__name__ for op in all_operations()}
    True
    """
    return [
        member
        for module in _MODULES
        for name, member in vars(module).items()
        if not name.startswith("_")
        and isinstance(member, type)
        and issubclass(member, _Operation)
        and member.__module__ == module.__name__
    ]


if not TYPE_CHECKING:  # every function above; type checkers read the imports themselves
    __all__ = sorted(name for name, member in globals().items() if inspect.isfunction(member))
