"""`TransformerEncoderLayer` and `TransformerEncoder`: self-attention and a feedforward network, in layers."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import dark.operations as operations
from dark.checks import callable_with, describe, integer, number, one_of
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.generators import named_generators
from dark.nn import init
from dark.nn.containers import ModuleList
from dark.nn.layers.attention import MultiheadAttention
from dark.nn.layers.dropout import Dropout
from dark.nn.layers.linear import Linear
from dark.nn.module import Module
from dark.nn.normalization.layer_norm import LayerNorm
from dark.nodes import Node
from dark.nodes.values import shape_of
from dark.typing import Array, ArrayLike, DType, Seed

MASKS = ("src_mask", "src_key_padding_mask", "is_causal")
ACTIVATIONS = {"relu": operations.relu, "gelu": operations.gelu}


class TransformerEncoderLayer(Module):
    """One layer of a transformer encoder: self-attention, then a feedforward network, each added to its input.

    Reference: A. Vaswani et al., "Attention is all you need", arXiv 1706.03762, 2017.

    Parameters
    ----------
    d_model : int
        The number of features of each position.
    nhead : int
        The number of heads of the attention; it must divide `d_model`.
    dim_feedforward : int, default 2048
        The number of features between the two linear layers of the feedforward network.
    dropout : float from 0 to 1, default 0.1
        In training, the probability that an attention weight, a feature of the feedforward network, or a feature of
        what is added is zeroed.
    activation : {"relu", "gelu"} or callable, default "relu"
        The activation function between the two linear layers.
    layer_norm_eps : float, default 1e-5
        Added to the variance by the layer norms.
    batch_first : bool, default False
        Whether the batch is axis 0 of the input, not axis 1.
    norm_first : bool, default False
        Whether the layer norms come before attention and feedforward network, not after their results are added.
    bias : bool, default True
        Whether the linear layers, the attention and the layer norms have biases.
    dtype, seed
        As for `Linear`; the generator then serves dropout.

    Attributes
    ----------
    self_attn : MultiheadAttention
    linear1, linear2 : Linear
        The feedforward network.
    norm1, norm2 : LayerNorm
        Of the attention, and of the feedforward network.
    dropout, dropout1, dropout2 : Dropout
        Between the linear layers, and of what attention and feedforward network add.

    Examples
    --------
    >>> layer = TransformerEncoderLayer(8, nhead=2, dim_feedforward=16, batch_first=True, seed=0)
    >>> layer(np.ones((3, 5, 8))).shape
    (3, 5, 8)
    """

    activation: Callable[..., Any]

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: str | Callable[..., Any] = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, *, dtype: DType = float, seed: Seed = None,
    ) -> None:  # fmt: skip
        super().__init__()
        who, rng = "TransformerEncoderLayer", init.generator(seed)
        d_model, nhead = integer(d_model, who, "d_model", 1), integer(nhead, who, "nhead", 1)
        if d_model % nhead:
            raise UsageError(
                f"{who}: d_model must be divisible by nhead, got {d_model} and {nhead}.",
                "d_model divisible by nhead.",
                "nhead=1",
            )
        wide, p = integer(dim_feedforward, who, "dim_feedforward", 1), number(dropout, who, "dropout", least=0, most=1)
        eps = number(layer_norm_eps, who, "layer_norm_eps", least=0)
        self.batch_first, self.norm_first = bool(batch_first), bool(norm_first)
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=p, bias=bias, batch_first=self.batch_first, dtype=dtype, seed=rng
        )
        self.linear1 = Linear(d_model, wide, bias, dtype=dtype, seed=rng)
        self.dropout = Dropout(p, seed=rng)
        self.linear2 = Linear(wide, d_model, bias, dtype=dtype, seed=rng)
        self.norm1, self.norm2 = [LayerNorm(d_model, eps, bias=bias, dtype=dtype) for _ in range(2)]
        self.dropout1, self.dropout2 = Dropout(p, seed=rng), Dropout(p, seed=rng)
        self.activation = activation_function(activation, who)

    def forward(
        self, src: ArrayLike, src_mask: Array | None = None, src_key_padding_mask: Array | None = None,
        is_causal: bool = False,
    ) -> Node:  # fmt: skip
        """Apply the layer.

        Parameters
        ----------
        src : Node or array, shape (l, n, d_model), or (l, d_model) without batch
            l positions of each of n examples; (n, l, d_model) if `batch_first`.
        src_mask : array, shape (l, l) or (n * nhead, l, l), optional
            True where a position must not attend to another one; or floats, which are added to the scores.
        src_key_padding_mask : array, shape (n, l), or (l,) without batch, optional
            True at positions to ignore; or floats, which are added to the scores.
        is_causal : bool, default False
            Whether a position attends only to those up to its own.
        """
        x: Any = src
        masks = {"attn_mask": src_mask, "key_padding_mask": src_key_padding_mask, "is_causal": is_causal}
        self._check_shape(shape_of(x))
        if self.norm_first:
            x = x + self._attend(self.norm1(x), masks)
            return x + self._feed_forward(self.norm2(x))
        x = self.norm1(x + self._attend(x, masks))
        return self.norm2(x + self._feed_forward(x))

    def _attend(self, x, masks):
        return self.dropout1(self.self_attn(x, x, x, need_weights=False, **masks)[0])

    def _feed_forward(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def _check_shape(self, shape):
        n = self.self_attn.embed_dim
        if len(shape) not in (2, 3) or shape[-1] != n:
            axes = f"(n, l, {n})" if self.batch_first else f"(l, n, {n})"
            raise ShapeError(
                f"TransformerEncoderLayer: the input must have {n} features, got shape {shape}.",
                f"{axes}, or (l, {n}) without n.",
                "an embedding or a linear layer before it that gives d_model features.",
            )


def activation_function(activation, who):
    """Return an activation function by its name; a function is returned as it is."""
    if isinstance(activation, str):
        return ACTIVATIONS[one_of(activation, who, "activation", ACTIVATIONS)]
    return callable_with(activation, who, "activation", ("x",))


class TransformerEncoder(Module):
    """A stack of transformer encoder layers.

    Parameters
    ----------
    encoder_layer : Module
        One layer, with the arguments of `TransformerEncoderLayer.forward`. It is copied; all copies begin with its
        weights, and draw their own dropout masks.
    num_layers : int
        The number of copies.
    norm : Module, optional
        Applied to the result, for example a `LayerNorm`; usual with ``norm_first=True``.

    Attributes
    ----------
    layers : ModuleList
    norm : Module or None

    Examples
    --------
    >>> layer = TransformerEncoderLayer(8, nhead=2, dim_feedforward=16, seed=0)
    >>> encoder = TransformerEncoder(layer, num_layers=2)
    >>> encoder(np.ones((5, 3, 8)), is_causal=True).shape, len(encoder.layers)
    ((5, 3, 8), 2)
    """

    norm: Module | None

    def __init__(self, encoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        check_encoder_modules(encoder_layer, norm)
        self.num_layers = integer(num_layers, "TransformerEncoder", "num_layers", 0)
        self.layers = ModuleList([independent_copy(encoder_layer) for _ in range(self.num_layers)])
        self.norm = norm

    def forward(
        self, src: ArrayLike, mask: Array | None = None, src_key_padding_mask: Array | None = None,
        is_causal: bool | None = None,
    ) -> Node:  # fmt: skip
        """Apply the layers in order, each with the same masks; see `TransformerEncoderLayer.forward`."""
        x: Any = src
        masks = {"src_mask": mask, "src_key_padding_mask": src_key_padding_mask, "is_causal": bool(is_causal)}
        for layer in self.layers:
            x = layer(x, **masks)
        return x if self.norm is None else self.norm(x)


def check_encoder_modules(encoder_layer, norm):
    """Check that both are modules, norm unless it is None, and that the layer takes the masks."""
    for name, value in (("encoder_layer", encoder_layer), ("norm", norm)):
        if not isinstance(value, Module) and not (name == "norm" and value is None):
            raise ValueTypeError(
                f"TransformerEncoder: {name} must be a module, got {describe(value)}.",
                "a module.",
                "LayerNorm(d_model), for norm.",
            )
    try:
        inspect.signature(encoder_layer.forward).bind("src", **dict.fromkeys(MASKS))
    except TypeError as error:
        raise ValueTypeError(
            f"TransformerEncoder: forward of {type(encoder_layer).__name__} cannot be called with the masks: {error}.",
            f"forward(src, {', '.join(MASKS)}).",
            "TransformerEncoderLayer(d_model, nhead), or a module with the same arguments.",
        ) from None


def independent_copy(module):
    """Copy a module; its NumPy generators get their own streams, and shared ones are shared again."""
    found = {id(rng): rng for rng in named_generators(module).values() if isinstance(rng, np.random.Generator)}
    return copy.deepcopy(module, {key: rng.spawn(1)[0] for key, rng in found.items()})
