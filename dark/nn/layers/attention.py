"""`MultiheadAttention`: scaled dot-product attention in several heads, with projections before and after, and masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.checks import describe, integer, number
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.nn import init
from dark.nn.casting import float_dtype
from dark.nn.layers.dropout import dropout_mask
from dark.nn.layers.linear import Linear
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.nodes.changes import repeated
from dark.nodes.values import shape_of
from dark.operations import expand_dims, linear, matmul, mean, reshape, squeeze, swapaxes, transpose
from dark.operations.layers.attention import Attention, as_mask, attention_weights
from dark.typing import Array, ArrayLike, DType, Seed


class MultiheadAttention(Module):
    """Multi-head scaled dot-product attention.

    Reference: A. Vaswani et al., "Attention is all you need", arXiv 1706.03762, 2017.

    Parameters
    ----------
    embed_dim : int
        The number of features of a query and of the result.
    num_heads : int
        The number of heads that share these features; it must divide `embed_dim`.
    dropout : float from 0 to 1, default 0
        In training, the probability that an attention weight is zeroed.
    bias : bool, default True
        Whether the projections have biases.
    kdim, vdim : int, optional
        The number of features of a key and of a value; `embed_dim` by default.
    batch_first : bool, default False
        Whether the batch is axis 0 of the inputs, not axis 1.
    dtype, seed
        As for `Linear`; the generator then serves dropout.

    Attributes
    ----------
    in_proj_weight : Parameter, shape (3 * embed_dim, embed_dim), or None
        Projects queries, keys and values. Initialized by `dark.nn.init.xavier_uniform_`.
    q_proj_weight, k_proj_weight, v_proj_weight : Parameter, shape (embed_dim, ...), or None
        Used instead if `kdim` or `vdim` differs from `embed_dim`.
    in_proj_bias : Parameter, shape (3 * embed_dim,), or None
        Initialized to 0, like the bias of `out_proj`.
    out_proj : Linear
        Projects the concatenated heads.
    generator : numpy.random.Generator
        Used by dropout; only present if `dropout` is not 0.

    Examples
    --------
    >>> layer, x = MultiheadAttention(4, 2, batch_first=True, seed=0), np.ones((3, 5, 4))
    >>> y, weights = layer(x, x, x, is_causal=True)
    >>> y.shape, weights.value[0, 1]
    ((3, 5, 4), array([0.5, 0.5, 0. , 0. , 0. ]))
    """

    in_proj_weight: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None

    def __init__(
        self, embed_dim: int, num_heads: int, *, dropout: float = 0.0, bias: bool = True, kdim: int | None = None,
        vdim: int | None = None, batch_first: bool = False, dtype: DType = float, seed: Seed = None,
    ) -> None:  # fmt: skip
        super().__init__()
        who = "MultiheadAttention"
        self.embed_dim = e = integer(embed_dim, who, "embed_dim", 1)
        self.num_heads = integer(num_heads, who, "num_heads", 1)
        self.kdim = e if kdim is None else integer(kdim, who, "kdim", 0)
        self.vdim = e if vdim is None else integer(vdim, who, "vdim", 0)
        self.dropout, self.batch_first = number(dropout, who, "dropout", least=0, most=1), bool(batch_first)
        if e % self.num_heads:
            raise UsageError(
                f"{who}: embed_dim must be divisible by num_heads, got {e} and {num_heads}.",
                "embed_dim divisible by num_heads.",
                "num_heads=1",
            )
        dtype, rng = float_dtype(dtype, who), init.generator(seed)
        is_joint = self.kdim == self.vdim == e
        shapes = {"in_proj": (3 * e, e), "q_proj": (e, e), "k_proj": (e, self.kdim), "v_proj": (e, self.vdim)}
        for name, shape in shapes.items():
            is_used = (name == "in_proj") == is_joint
            weight = init.xavier_uniform_(init.empty(shape, dtype), seed=rng) if is_used else None
            setattr(self, f"{name}_weight", weight)
        self.in_proj_bias = Parameter(np.zeros(3 * e, dtype)) if bias else None
        self.out_proj = Linear(e, e, bias, dtype=dtype, seed=rng)
        if self.out_proj.bias is not None:
            init.zeros_(self.out_proj.bias)
        if self.dropout:
            self.generator = rng

    def forward(
        self, query: ArrayLike, key: ArrayLike, value: ArrayLike, *, key_padding_mask: Array | None = None,
        need_weights: bool = True, attn_mask: Array | None = None, average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Node, Node | None]:  # fmt: skip
        """Return the attention output and the attention weights.

        A query for which every key is masked gets zeros as output and as weights; PyTorch returns NaN if
        `need_weights`.

        Parameters
        ----------
        query : Node or array, shape (l, n, embed_dim), or (l, embed_dim) without batch
            l queries for each of n examples; (n, l, embed_dim) if `batch_first`.
        key, value : Node or array, shapes (s, n, kdim) and (s, n, vdim)
            Likewise.
        key_padding_mask : array, shape (n, s), or (s,) without batch, optional
            True where a key is ignored; or floats, which are added to the scores.
        need_weights : bool, default True
            Whether the attention weights are returned; False is faster.
        attn_mask : array, shape (l, s) or (n * num_heads, l, s), optional
            True where a query must not attend to a key; or floats, which are added to the scores.
        average_attn_weights : bool, default True
            Whether the weights are averaged over the heads.
        is_causal : bool, default False
            Whether a query attends only to keys up to its own position.

        Returns
        -------
        Node, shape of `query`
        Node or None, shape (n, l, s), or (n, num_heads, l, s) for each head
            The attention weights after dropout.
        """
        is_batch = self._check_shapes(query, key, value)
        if not is_batch and key_padding_mask is not None:
            key_padding_mask = np.asarray(key_padding_mask)[None]
        q, k, v = self._heads(query, key, value)  # (n, heads, l or s, embed_dim / heads)
        shape = (*q.shape[:3], k.shape[2])
        mask = combine_masks(key_padding_mask, attn_mask, is_causal, shape)
        drop = None
        if self.dropout and self.training:
            drop = repeated(dropout_mask, shape, self.dropout, self.generator, q.dtype)
        if not need_weights:
            return self._output(Attention.apply(q, k, v, mask=mask, factors=drop), is_batch), None
        weights = attention_weights(q, k, mask) if drop is None else attention_weights(q, k, mask) * drop
        y = self._output(matmul(weights, v), is_batch)
        weights = mean(weights, 1) if average_attn_weights else weights
        return y, weights if is_batch else squeeze(weights, 0)

    def _heads(self, query, key, value):
        """Project queries, keys and values, and split them into heads: (n, heads, l or s, embed_dim / heads) each."""
        joint, n = self.in_proj_weight, self.embed_dim
        bias: Any = self.in_proj_bias
        bias = np.zeros(3 * n, self.out_proj.weight.dtype) if bias is None else bias
        thirds = [slice(k * n, (k + 1) * n) for k in range(3)]
        if joint is not None and query is key is value:  # one matrix product for all three
            y = linear(self._batch_first(query), joint, bias)
            y = reshape(y, (*y.shape[:2], 3, self.num_heads, n // self.num_heads))
            return transpose(y, (2, 0, 3, 1, 4))
        weights: tuple[Any, ...] = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        heads = []
        for x, weight, third in zip((query, key, value), weights, thirds):
            y = linear(self._batch_first(x), weight if joint is None else joint[third], bias[third])
            y = reshape(y, (*y.shape[:2], self.num_heads, n // self.num_heads))
            heads.append(swapaxes(y, 1, 2))
        return heads

    def _batch_first(self, x):
        """Move the batch to axis 0, or add one: shape (n, l or s, features)."""
        if len(shape_of(x)) == 2:
            return expand_dims(x, 0)
        return x if self.batch_first else swapaxes(x, 0, 1)

    def _output(self, y, is_batch):
        """Concatenate and project the heads, with the axes in the order of the query."""
        y = swapaxes(y, 1, 2)  # (n, l, heads, embed_dim / heads)
        y = self.out_proj(reshape(y, (*y.shape[:2], self.embed_dim)))
        if not is_batch:
            return squeeze(y, 0)
        return y if self.batch_first else swapaxes(y, 0, 1)

    def _check_shapes(self, query, key, value):
        """Raise unless the shapes match; return whether there is a batch axis."""
        shapes = q, k, v = [shape_of(x) for x in (query, key, value)]
        features = (self.embed_dim, self.kdim, self.vdim)
        batch = 0 if self.batch_first else 1
        fits = len(q) in (2, 3) and len(q) == len(k) == len(v) and k[:-1] == v[:-1]
        if not fits or tuple(s[-1] for s in shapes) != features or (len(q) == 3 and q[batch] != k[batch]):
            axes = "(n, {}, {})" if self.batch_first else "({}, n, {})"
            expected = ", ".join(axes.format(length, n) for length, n in zip("lss", features))
            raise ShapeError(
                f"MultiheadAttention: the shapes of query, key and value do not match: {q}, {k} and {v}.",
                f"{expected}; or each without n.",
                f"the order of axes for batch_first={self.batch_first}.",
            )
        return len(q) == 3


WHO = "MultiheadAttention"


def combine_masks(padding, attention, is_causal, shape):
    """Combine PyTorch's masks, in which True hides a key, into one in which True shows it, or into added floats.

    >>> combine_masks(np.array([[False, True]]), None, False, (1, 1, 2, 2))
    array([[[[ True, False]]]])
    """
    n, heads, queries, keys = shape
    masks = []
    if padding is not None:
        masks.append(_check_mask(padding, "key_padding_mask", [(n, keys)])[:, None, None])
    if attention is not None:
        attention = _check_mask(attention, "attn_mask", [(queries, keys), (n * heads, queries, keys)])
        masks.append(attention if attention.ndim == 2 else attention.reshape(shape))
    if all(m.dtype.kind == "b" for m in masks):
        mask = ~np.logical_or(masks[0], masks[-1]) if masks else None
    else:
        mask = sum(np.where(m, -np.inf, 0.0) if m.dtype.kind == "b" else m for m in masks)
    return as_mask(mask, is_causal, (queries, keys))


def _check_mask(mask, name, shapes):
    """Return a bool or float mask of one of the shapes."""
    if not isinstance(mask, np.ndarray) or mask.dtype.kind not in "bf":
        raise ValueTypeError(
            f"{WHO}: {name} must be a bool or float array, got {describe(mask)}.",
            "a bool array, True where a key is hidden; or a float array, which is added to the scores.",
            "mask.astype(bool).",
        )
    if mask.shape not in shapes:
        raise ShapeError(
            f"{WHO}: {name} must have the shape {' or '.join(map(str, shapes))}, got {mask.shape}.",
            f"{' or '.join(map(str, shapes))}.",
            "print(query.shape, key.shape).",
        )
    return mask
