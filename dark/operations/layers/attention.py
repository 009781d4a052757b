"""Scaled dot-product attention."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dark.checks import describe
from dark.errors import ShapeError, ValueTypeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.arrays.axes import swapaxes
from dark.operations.higher_order import composed_gradients
from dark.operations.layers.activations import softmax
from dark.operations.linalg.matmul import matmul
from dark.operations.numeric import at_least_float32
from dark.spellings import keywords_checked
from dark.typing import Array, ArrayLike

NO_SHIFT_BELOW = 40.0  # smaller scores are not shifted: their exponentials and sums are in the range of float32

PART_BYTES = 1 << 18  # of scores at a time in the backward pass, so that they stay in the cache


class Attention(Operation, trusted=True, saves=True, elementwise=False):
    """Scaled dot-product attention: ``softmax(q @ k.T / sqrt(d) + mask) @ v``, batched.

    `factors` multiply the attention weights, as dropout does. The exponentials and their sums are saved for the
    backward pass.
    """

    @staticmethod
    def _plain(q, k, v, mask=None, factors=None):
        """Compute the layer in plain operations; `_f` is faster, this has higher derivatives."""
        p = attention_weights(q, k, mask)
        y = matmul(p if factors is None else p * factors.astype(p.dtype), v)
        return y if q.dtype.char != "e" else y.astype(np.result_type(q.dtype, np.result_type(k.dtype, v.dtype)))

    @staticmethod
    def _f(q, k, v, mask=None, factors=None):
        shapes = shape_of(q), shape_of(k), shape_of(v)
        if min(map(len, shapes)) < 2 or shapes[0][-1] != shapes[1][-1] or shapes[1][-2] != shapes[2][-2]:
            raise ShapeError(
                "attention: shapes {}, {} and {} do not match.".format(*shapes), Attention.expects, Attention.advice
            )
        e = exp_scores(np.matmul(scaled(at_least_float32(q)), k.mT), mask)  # (..., l, s)
        sums = np.matmul(e, np.ones(e.shape[-1], e.dtype))[..., None]  # (..., l, 1)
        sums[sums == 0.0] = 1.0
        y = np.matmul(e if factors is None else e * factors.astype(e.dtype), v) / sums
        return y if q.dtype.char != "e" else y.astype(np.result_type(q, k, v), copy=False), (e, sums)

    @classmethod
    def _gradients(op, node, dldy, y, x):
        if isinstance(y, Node):
            return composed_gradients(Attention._plain, node, dldy)
        needs_grad, factors = [n.requires_grad for n in node.inputs], (node.settings or {}).get("factors")
        arrays = [dldy, y, *x, *node.saved, *([] if factors is None else [factors])]
        count, e = len(y) if y.ndim > 2 else 0, node.saved[0]
        at_once = max(1, PART_BYTES * count // (e.nbytes or 1))
        if at_once >= count or any(len(a) != count or a.ndim != y.ndim for a in arrays):
            return Attention._of_part(needs_grad, *arrays)
        found: Any = None
        for part in [slice(start, start + at_once) for start in range(0, count, at_once)]:
            sent = Attention._of_part(needs_grad, *[a[part] for a in arrays])
            found = found or [None if g is None else np.empty((count, *g.shape[1:]), g.dtype) for g in sent]
            for whole, g in zip(found, sent):
                if g is not None:
                    whole[part] = g
        return found

    @staticmethod
    def _of_part(needs_grad, dldy, y, q, k, v, e, sums, factors=None):
        """Return the gradients of q, k and v for some batches of heads."""
        g = dldy / sums  # (..., l, e)
        dlds: Any = None
        if needs_grad[0] or needs_grad[1]:
            dlds = np.matmul(g, v.mT)  # (..., l, s)
            if factors is not None:
                dlds *= factors
            # the same as g @ y, without the rounding of y
            dlds -= np.vecdot(g, y)[..., None] if y.dtype.char != "e" else np.vecdot(dlds, e)[..., None] / sums
            dlds *= e
        return [
            scaled(np.matmul(dlds, k), q) if needs_grad[0] else None,
            np.matmul(dlds.mT, scaled(q)) if needs_grad[1] else None,
            np.matmul((e if factors is None else e * factors.astype(e.dtype)).mT, g) if needs_grad[2] else None,
        ]

    expects = "q (..., l, d), k (..., s, d), v (..., s, e), and a mask that broadcasts to (..., l, s)"
    advice = "print the shapes; the order is heads, positions, features."
    samples: tuple = (
        (((2, 3), (4, 3), (4, 2)), {}),
        (((2, 2, 3), (2, 4, 3), (2, 4, 2)), {"mask": np.array([[0.0, -1.0, -np.inf, 0.5], [-np.inf] * 4])}),
        (((2, 3), (3, 3), (3, 2)), {"mask": np.array([[True, False, False], [True, True, False]])}),
        (((2, 2, 3), (4, 3), (4, 2)), {"factors": np.array([2.0, 0.0, 1.0, 0.5])}),
        (((2, 3), (2, 2, 3), (2, 1)), {}), (((0, 2, 3), (0, 2, 3), (0, 2, 3)), {}), (((2, 3), (0, 3), (0, 2)), {}),
    )  # fmt: skip


def scaled(x, q=None):
    """Divide by the square root of the number of features of `q`, or of `x` itself; keep the dtype."""
    return x * (1.0 / math.sqrt(max(1, (x if q is None else q).shape[-1])))


def exp_scores(scores, mask):
    """Compute the exponentials of scores (..., l, s) in place; shifted by the row maximum unless all are small."""
    shape = () if mask is None else mask.shape
    if len(shape) > scores.ndim or any(n not in (1, m) for n, m in zip(shape[::-1], scores.shape[::-1])):
        raise ShapeError(
            f"attention: the mask must broadcast to scores of shape {scores.shape}, got shape {shape}.",
            "a mask that broadcasts to the scores: (..., l, s).",
            "mask[:, None] broadcasts to all heads; mask[:, None, None], one entry per key, to all queries, too.",
        )
    is_bool = mask is not None and mask.dtype.kind == "b"
    if mask is not None and not is_bool:
        scores += mask
    is_small = scores.size and np.minimum.reduce(scores, axis=None) >= -NO_SHIFT_BELOW
    if is_small and np.maximum.reduce(scores, axis=None) <= NO_SHIFT_BELOW:
        e = np.exp(scores, out=scores)
        return np.multiply(e, mask, out=e) if is_bool else e
    if is_bool:
        scores = np.where(mask, scores, -np.inf)
    largest = np.max(scores, axis=-1, keepdims=True, initial=-np.inf)
    scores -= np.where(np.isfinite(largest), largest, 0.0)
    return np.exp(scores, out=scores)


def attention_weights(q, k, mask=None):
    """Compute the attention weights as nodes: shape (..., l, s); all 0 for a query whose keys are all masked."""
    scores = matmul(scaled(at_least_float32(q)), swapaxes(k, -1, -2))
    if mask is None:
        return softmax(scores)
    if mask.dtype.kind == "b":
        mask = np.where(mask, 0.0, -np.inf)
    is_open = np.max(mask, axis=-1, keepdims=True, initial=-np.inf) > -np.inf
    return softmax(scores + np.where(is_open, mask, 0.0).astype(scores.dtype)) * is_open.astype(scores.dtype)


def as_mask(mask, causal, shape):
    """Combine a mask and causal masking to one mask, or None; `shape` is (l, s)."""
    if mask is not None and (not isinstance(mask, np.ndarray) or mask.dtype.kind not in "bf"):
        raise ValueTypeError(
            f"attention: mask must be an array of bools or floats, got {describe(mask)}.",
            "an array of bools, True where a query attends; or of floats, which are added to the scores.",
            "mask.astype(bool); mask.value for a node: a mask is not differentiable.",
        )
    if not causal:
        return mask
    earlier = np.tri(*shape, dtype=np.bool_)
    if mask is None:
        return earlier
    return mask & earlier if mask.dtype.kind == "b" else np.where(earlier, mask, mask.dtype.type(-np.inf))


@keywords_checked
def attention(q: ArrayLike, k: ArrayLike, v: ArrayLike, mask: Array | None = None, causal: bool = False) -> Node:
    """Compute scaled dot-product attention: ``softmax(q @ k.T / sqrt(d) + mask) @ v``.

    The result has shape (..., l, e).

    As in PyTorch's `scaled_dot_product_attention`, True means to attend; in `dark.nn.MultiheadAttention` it means
    to mask. A query whose keys are all masked gets zeros.

    Reference: A. Vaswani et al., "Attention is all you need", arXiv 1706.03762, 2017.

    Parameters
    ----------
    q : Node or array, shape (..., l, d)
        Queries, with any batch dimensions, such as examples and heads.
    k : Node or array, shape (..., s, d)
        Keys.
    v : Node or array, shape (..., s, e)
        Values.
    mask : array, shape (..., l, s), optional
        Bool: True where a query attends to a key. Or floats, which are added to the scores; -inf masks a key.
    causal : bool, default False
        Whether a query attends only to keys up to its own position.

    Examples
    --------
    >>> q, k, v = np.array([[9.0, 0.0]]), np.array([[9.0, 0.0], [-9.0, 0.0]]), np.array([[1.0], [2.0]])
    >>> attention(q, k, v).value, attention(0 * q, k, v).value
    (array([[1.]]), array([[1.5]]))
    >>> attention(np.zeros((2, 2)), k, v, causal=True).value
    array([[1. ],
           [1.5]])
    """
    mask = as_mask(mask, causal, (shape_of(q)[-2:-1] or (0,)) + (shape_of(k)[-2:-1] or (0,)))
    return Attention.apply(q, k, v, mask=mask)
