"""The functions of PyTorch's `nn.functional`, under its names: operations, losses, and the functions of some layers.

``import dark.nn.functional as F`` serves a script that was written for PyTorch. Each function is that of
`dark.operations` or `dark.losses`; those defined here have PyTorch's arguments where these differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import dark.operations as operations
from dark import losses
from dark.checks import boolean, describe, integers, number, one_of
from dark.errors import ShapeError, UsageError, module_getattr
from dark.nn import init
from dark.nn.layers.dropout import dropout_mask
from dark.nodes import Node
from dark.nodes.changes import repeated
from dark.nodes.values import as_array, shape_of
from dark.spellings import keywords_checked
from dark.typing import Array, ArrayLike, Seed, Shape

__all__ = [
    "avg_pool1d", "avg_pool2d", "binary_cross_entropy", "binary_cross_entropy_with_logits", "conv1d", "conv2d",
    "conv_transpose1d", "conv_transpose2d", "cosine_embedding_loss", "cross_entropy", "dropout", "elu",
    "embedding", "gelu", "glu", "group_norm", "hinge_embedding_loss", "huber_loss", "interpolate", "kl_div",
    "l1_loss", "layer_norm", "leaky_relu", "linear", "log_softmax", "logsigmoid", "max_pool1d", "max_pool2d",
    "mish", "mse_loss", "multi_margin_loss", "nll_loss", "pad", "prelu", "relu", "rms_norm",
    "scaled_dot_product_attention", "sigmoid", "silu", "smooth_l1_loss", "softmax", "softmin", "softplus",
    "tanh", "triplet_margin_loss",
]  # fmt: skip


sigmoid, tanh = keywords_checked(operations.sigmoid), keywords_checked(operations.tanh)
glu, prelu = keywords_checked(operations.glu), keywords_checked(operations.prelu)
gelu, linear = keywords_checked(operations.gelu), keywords_checked(operations.linear)
softmax, log_softmax = keywords_checked(operations.softmax), keywords_checked(operations.log_softmax)
conv1d, conv2d = keywords_checked(operations.conv1d), keywords_checked(operations.conv2d)
conv_transpose1d = keywords_checked(operations.conv_transpose1d)
conv_transpose2d = keywords_checked(operations.conv_transpose2d)
avg_pool1d, avg_pool2d = keywords_checked(operations.avg_pool1d), keywords_checked(operations.avg_pool2d)
max_pool1d, max_pool2d = keywords_checked(operations.max_pool1d), keywords_checked(operations.max_pool2d)
interpolate, group_norm = keywords_checked(operations.interpolate), keywords_checked(operations.group_norm)
cross_entropy, nll_loss = keywords_checked(losses.cross_entropy), keywords_checked(losses.nll)
mse_loss, l1_loss = keywords_checked(losses.mse), keywords_checked(losses.l1)
smooth_l1_loss, huber_loss = keywords_checked(losses.smooth_l1), keywords_checked(losses.huber)
binary_cross_entropy = keywords_checked(losses.binary_cross_entropy)
binary_cross_entropy_with_logits = keywords_checked(losses.binary_cross_entropy_with_logits)
kl_div, multi_margin_loss = keywords_checked(losses.kl_div), keywords_checked(losses.multi_margin)
hinge_embedding_loss = keywords_checked(losses.hinge_embedding)
cosine_embedding_loss = keywords_checked(losses.cosine_embedding)
triplet_margin_loss = keywords_checked(losses.triplet_margin)


@keywords_checked
def relu(input: ArrayLike, inplace: bool = False) -> Node:
    """Apply `dark.relu`; the result is a new node, also with `inplace`."""
    boolean(inplace, "relu", "inplace")
    return operations.relu(input)


@keywords_checked
def silu(input: ArrayLike, inplace: bool = False) -> Node:
    """Apply `dark.silu`; the result is a new node, also with `inplace`."""
    boolean(inplace, "silu", "inplace")
    return operations.silu(input)


@keywords_checked
def mish(input: ArrayLike, inplace: bool = False) -> Node:
    """Apply `dark.mish`; the result is a new node, also with `inplace`."""
    boolean(inplace, "mish", "inplace")
    return operations.mish(input)


@keywords_checked
def elu(input: ArrayLike, alpha: float = 1.0, inplace: bool = False) -> Node:
    """Apply `dark.elu`; the result is a new node, also with `inplace`."""
    boolean(inplace, "elu", "inplace")
    return operations.elu(input, alpha)


@keywords_checked
def leaky_relu(input: ArrayLike, negative_slope: float = 0.01, inplace: bool = False) -> Node:
    """Apply `dark.leaky_relu`; the result is a new node, also with `inplace`."""
    boolean(inplace, "leaky_relu", "inplace")
    return operations.leaky_relu(input, negative_slope)


@keywords_checked
def logsigmoid(input: ArrayLike) -> Node:
    """Compute the logarithm of the logistic function.

    >>> round(logsigmoid(0.0).item(), 4)
    -0.6931
    """
    return operations.neg(operations.softplus(operations.neg(input)))


@keywords_checked
def softplus(input: ArrayLike, beta: float = 1.0) -> Node:
    """Compute ``log(1 + exp(beta * x)) / beta``; see `dark.softplus`.

    >>> round(softplus(0.0, beta=2.0).item(), 4)
    0.3466
    """
    beta = number(beta, "softplus", "beta", above=0)
    return operations.div(operations.softplus(operations.mul(beta, input)), beta)


@keywords_checked
def softmin(input: ArrayLike, dim: int = -1) -> Node:
    """Apply `dark.softmax` to the negative input."""
    return operations.softmax(operations.neg(input), dim)


@keywords_checked
def dropout(
    input: ArrayLike, p: float = 0.5, training: bool = True, inplace: bool = False, *, seed: Seed = None
) -> Any:
    """Zero each element with probability `p`, and scale the rest, unless `training` is False; see `dark.nn.Dropout`.

    >>> dropout(np.ones(4), 0.5, seed=0).value, dropout(np.ones(2), training=False)
    (array([2., 2., 2., 0.]), array([1., 1.]))
    """
    p = number(p, "dropout", "p", least=0, most=1)
    boolean(inplace, "dropout", "inplace")
    if not boolean(training, "dropout", "training") or p == 0:
        return input
    shape = shape_of(input)
    mask = repeated(dropout_mask, shape, p, init.generator(seed), getattr(input, "dtype", np.dtype(float)))
    return operations.mul(input, mask if shape else float(mask))


@keywords_checked
def embedding(input: Array, weight: ArrayLike) -> Node:
    """Look up rows of a matrix of shape (num_embeddings, embedding_dim) by integers, of any shape.

    >>> embedding([1, 0], np.eye(2)).value
    array([[0., 1.],
           [1., 0.]])
    """
    return operations.take(weight, as_array(input, "embedding", "input"), 0)


@keywords_checked
def layer_norm(
    input: ArrayLike, normalized_shape: int | Shape, weight: ArrayLike | None = None, bias: ArrayLike | None = None,
    eps: float = 1e-5,
) -> Node:  # fmt: skip
    """Apply `dark.layer_norm` over the last axes, of shape `normalized_shape`.

    >>> layer_norm(np.array([[1.0, 3.0]]), (2,), eps=0).value
    array([[-1.,  1.]])
    """
    shape = _normalized("layer_norm", input, normalized_shape)
    weight, bias = np.ones(shape) if weight is None else weight, np.zeros(shape) if bias is None else bias
    return operations.layer_norm(input, weight, bias, eps)


@keywords_checked
def rms_norm(
    input: ArrayLike, normalized_shape: int | Shape, weight: ArrayLike | None = None, eps: float | None = None
) -> Node:
    """Apply `dark.rms_norm` over the last axes, of shape `normalized_shape`."""
    shape = _normalized("rms_norm", input, normalized_shape)
    return operations.rms_norm(input, np.ones(shape) if weight is None else weight, eps)


def _normalized(who, x, normalized_shape):
    shape = integers(normalized_shape, who, "normalized_shape", 0)
    if shape_of(x)[-len(shape) :] != shape:
        raise ShapeError(
            f"{who}: normalized_shape {shape} must equal the last axes of the input, of shape {shape_of(x)}.",
            "the lengths of the last axes.",
            f"{shape_of(x)[-len(shape) :]}",
        )
    return shape


@keywords_checked
def pad(input: ArrayLike, pad: Shape, mode: str = "constant", value: float | None = None) -> Node:
    """Pad with a constant, as PyTorch does: pairs of widths from the last axis to the first; see `dark.pad`.

    >>> pad(np.ones((1, 2)), (1, 0)).value
    array([[0., 1., 1.]])
    """
    one_of(mode, "pad", "mode", ("constant",))
    widths, ndim = integers(pad, "pad", "pad"), len(shape_of(input))
    if len(widths) % 2 or len(widths) > 2 * ndim:
        raise UsageError(
            f"pad: expected pairs of widths for at most {ndim} axes, got {describe(pad)}.",
            "two widths for each axis, from the last one.",
            "pad(x, (1, 1))",
        )
    pairs = [(widths[k], widths[k + 1]) for k in range(0, len(widths), 2)]
    return operations.pad(input, [(0, 0)] * (ndim - len(pairs)) + pairs[::-1], constant_values=value or 0.0)


@keywords_checked
def scaled_dot_product_attention(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, attn_mask: Array | None = None, dropout_p: float = 0.0,
    is_causal: bool = False,
) -> Node:  # fmt: skip
    """Apply `dark.attention`; `dropout_p` must be 0."""
    if number(dropout_p, "scaled_dot_product_attention", "dropout_p", least=0, most=1):
        raise UsageError(
            f"scaled_dot_product_attention: dropout_p must be 0, got {dropout_p}.",
            "0: the attention weights are not returned.",
            "nn.MultiheadAttention(4, 2, dropout=0.1).",
        )
    return operations.attention(query, key, value, attn_mask, is_causal)


if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
