"""`MultiheadAttention`: attention in several narrow heads side by side, with weights before and behind."""

import numpy as np

from dark.errors import ShapeError, UsageError
from dark.nn import init
from dark.nn.attention_masks import joined
from dark.nn.dropout import factors
from dark.nn.float_dtype import float_type, share, size
from dark.nn.linear import Linear
from dark.nn.module import Module
from dark.nodes import Parameter
from dark.nodes.values import shape_of
from dark.operations import expand_dims, linear, matmul, mean, reshape, squeeze, swapaxes, transpose
from dark.operations.layers.attention import Attention, shares


class MultiheadAttention(Module):
    """Give each query a mean of values, weighed by how well their keys fit it, in several heads at once.

    Parameters
    ----------
    embed_dim : int
        How many numbers a query has, and a result.
    num_heads : int
        Into how many heads these are cut; it divides `embed_dim`.
    dropout : float from 0 to 1, default 0
        The chance by which, in training, a query leaves a key out.
    bias : bool, default True
        Whether there are biases.
    kdim, vdim : int, optional
        How many numbers a key and a value have; as many as a query, if not given.
    batch_first : bool, default False
        Whether the examples are the first axis, not the places.
    dtype : type of float, default float64
        See `Linear`.
    seed : int or numpy.random.Generator, optional
        From where the weights are drawn, and then what dropout leaves out; see `dark.nn.init`.

    Attributes
    ----------
    in_proj_weight : Parameter, shape (3 * embed_dim, embed_dim), or None
        Makes queries, keys and values. Drawn by Xavier's rule.
    q_proj_weight, k_proj_weight, v_proj_weight : Parameter, shape (embed_dim, ...), or None
        In its place, if keys or values have another length.
    in_proj_bias : Parameter, shape (3 * embed_dim,), or None
        Zeros at first, as is the bias of `out_proj`.
    out_proj : Linear
        Puts the heads together.
    generator : numpy.random.Generator
        Of the dropout, if there is any.

    Raises
    ------
    ShapeError
        In the call, if shapes do not fit.
    UsageError, ValueTypeError
        If a setting makes no sense.

    References
    ----------
    A. Vaswani et al., "Attention is all you need", arXiv 1706.03762, 2017.

    Examples
    --------
    >>> layer, x = MultiheadAttention(4, 2, batch_first=True, seed=0), np.ones((3, 5, 4))
    >>> y, weights = layer(x, x, x, is_causal=True)
    >>> y.shape, weights.value[0, 1]
    ((3, 5, 4), array([0.5, 0.5, 0. , 0. , 0. ]))
    """

    def __init__(
        self, embed_dim, num_heads, *, dropout=0.0, bias=True, kdim=None, vdim=None, batch_first=False,
        dtype=float, seed=None,
    ):  # fmt: skip
        super().__init__()
        who, e = "MultiheadAttention", size(embed_dim, "MultiheadAttention", "embed_dim", 1)
        self.embed_dim, self.num_heads = e, size(num_heads, who, "num_heads", 1)
        self.kdim, self.vdim = [e if n is None else size(n, who, "kdim, or vdim,") for n in (kdim, vdim)]
        self.dropout, self.batch_first = share(dropout, who, "dropout"), bool(batch_first)
        if e % self.num_heads:
            raise UsageError(f"{who}: {e} numbers in {num_heads} heads.", "heads of one size.", "print the divisors.")
        dtype, rng = float_type(dtype, who), init.generator(seed)
        shapes = {"in_proj": (3 * e, e), "q_proj": (e, e), "k_proj": (e, self.kdim), "v_proj": (e, self.vdim)}
        for name, shape in shapes.items():
            is_one = (name == "in_proj") == (self.kdim == self.vdim == e)
            weight = init.xavier_uniform_(init.empty(shape, dtype), seed=rng) if is_one else None
            setattr(self, f"{name}_weight", weight)
        self.in_proj_bias = Parameter(np.zeros(3 * e, dtype)) if bias else None
        self.out_proj = Linear(e, e, bias, dtype=dtype, seed=rng)
        if bias:
            init.zeros_(self.out_proj.bias)
        if self.dropout:
            self.generator = rng

    def forward(
        self, query, key, value, *, key_padding_mask=None, need_weights=True, attn_mask=None,
        average_attn_weights=True, is_causal=False,
    ):  # fmt: skip
        """Attend; return the result, and where each query looked.

        Parameters
        ----------
        query : Node or array, shape (l, n, embed_dim), or (l, embed_dim) for one example
            A row for each of l places of n examples; (n, l, embed_dim) if `batch_first`.
        key, value : Node or array, shapes (s, n, kdim) and (s, n, vdim)
            Likewise.
        key_padding_mask : array, shape (n, s), or (s,) for one example, optional
            True where a key is to be left out; or floats, added to the scores.
        need_weights : bool, default True
            Whether the weights are returned, which takes longer.
        attn_mask : array, shape (l, s) or (n * num_heads, l, s), optional
            True where a query may not look; or floats, added to the scores.
        average_attn_weights : bool, default True
            Whether the weights of the heads are averaged.
        is_causal : bool, default False
            Whether a query sees only keys up to its own place.

        Returns
        -------
        Node, shape of `query`
        Node or None, shape (n, l, s), or (n, num_heads, l, s) of each head
            The weights, as dropout left them.

        Notes
        -----
        A query that may look nowhere gets zeros, and looks nowhere; PyTorch answers NaN if `need_weights`.
        """
        is_batch = self._refuse_misfits(query, key, value)
        if not is_batch and key_padding_mask is not None:
            key_padding_mask = np.asarray(key_padding_mask)[None]
        q, k, v = self._heads(query, key, value)  # (n, heads, places, embed_dim / heads)
        shape = (*q.shape[:3], k.shape[2])
        mask = joined(key_padding_mask, attn_mask, is_causal, shape)
        kept = factors(shape, self.dropout, self.generator, q.dtype) if self.dropout and self.training else None
        if not need_weights:
            return self._together(Attention.apply(q, k, v, mask=mask, factors=kept), is_batch), None
        weights = shares(q, k, mask) if kept is None else shares(q, k, mask) * kept
        y = self._together(matmul(weights, v), is_batch)
        weights = mean(weights, 1) if average_attn_weights else weights
        return y, weights if is_batch else squeeze(weights, 0)

    def _heads(self, query, key, value):
        """Multiply by the weights, and cut into heads: shape (n, heads, places, embed_dim / heads) each."""
        whole, bias, n = self.in_proj_weight, self.in_proj_bias, self.embed_dim
        bias = np.zeros(3 * n, self.out_proj.weight.dtype) if bias is None else bias
        parts = [slice(k * n, (k + 1) * n) for k in range(3)]
        if whole is not None and query is key is value:  # one product for all three
            y = linear(self._examples_first(query), whole, bias)
            y = reshape(y, (*y.shape[:2], 3, self.num_heads, n // self.num_heads))
            return transpose(y, (2, 0, 3, 1, 4))
        weights = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        heads = []
        for x, weight, part in zip((query, key, value), weights, parts):
            y = linear(self._examples_first(x), weight if whole is None else whole[part], bias[part])
            y = reshape(y, (*y.shape[:2], self.num_heads, n // self.num_heads))
            heads.append(swapaxes(y, 1, 2))
        return heads

    def _examples_first(self, x):
        """Put the examples before the places: shape (n, places, features)."""
        if len(shape_of(x)) == 2:
            return expand_dims(x, 0)
        return x if self.batch_first else swapaxes(x, 0, 1)

    def _together(self, y, is_batch):
        """Put the heads together, with the axes of the query."""
        y = swapaxes(y, 1, 2)  # (n, l, heads, embed_dim / heads)
        y = self.out_proj(reshape(y, (*y.shape[:2], self.embed_dim)))
        if not is_batch:
            return squeeze(y, 0)
        return y if self.batch_first else swapaxes(y, 0, 1)

    def _refuse_misfits(self, query, key, value):
        """Refuse shapes that do not fit each other; say whether there is an axis of examples."""
        shapes = q, k, v = [shape_of(x) for x in (query, key, value)]
        wide = (self.embed_dim, self.kdim, self.vdim)
        batch = 0 if self.batch_first else 1
        fits = len(q) in (2, 3) and len(q) == len(k) == len(v) and k[:-1] == v[:-1]
        if not fits or tuple(s[-1] for s in shapes) != wide or (len(q) == 3 and q[batch] != k[batch]):
            axes = "(n, {}, {})" if self.batch_first else "({}, n, {})"
            expected = ", ".join(axes.format(places, n) for places, n in zip("lss", wide))
            raise ShapeError(
                f"MultiheadAttention: query, key and value of shapes {q}, {k} and {v}.",
                f"{expected}; or each without n.",
                f"batch_first is {self.batch_first}.",
            )
        return len(q) == 3
