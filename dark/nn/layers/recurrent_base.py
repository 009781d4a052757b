"""`Recurrent`: the base class of recurrent layers: weights, stacked layers and both directions."""

from __future__ import annotations

import math
import warnings

import numpy as np

from dark.checks import integer, number
from dark.errors import ShapeError
from dark.nn import init
from dark.nn.casting import float_dtype
from dark.nn.layers.dropout import dropout_mask
from dark.nn.module import Module
from dark.nodes.changes import repeated
from dark.nodes.values import shape_of
from dark.operations import concatenate, expand_dims, mul, squeeze, stack, swapaxes
from dark.typing import DType, Seed


class Recurrent(Module):
    """Base class of `RNN`, `GRU` and `LSTM`: the weights of all layers, and the loop over layers and directions.

    A subclass sets the number of `gates`, and defines `_run_layer`, which runs one layer in one direction.
    """

    gates = 1

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, *, bias: bool = True, batch_first: bool = False,
        dropout: float = 0.0, bidirectional: bool = False, dtype: DType = float, seed: Seed = None,
    ) -> None:  # fmt: skip
        super().__init__()
        who = type(self).__name__
        self.input_size = integer(input_size, who, "input_size", 0)
        self.hidden_size = integer(hidden_size, who, "hidden_size", 0)
        self.num_layers = integer(num_layers, who, "num_layers", 1)
        self.bias, self.batch_first, self.bidirectional = bool(bias), bool(batch_first), bool(bidirectional)
        self.dropout, rng = number(dropout, who, "dropout", least=0, most=1), init.generator(seed)
        if self.dropout:
            self.generator = rng
            _warn_of_single_layer(self, who)
        self._initialize(float_dtype(dtype, who), rng)

    def _initialize(self, dtype, rng):
        """Create the weights, uniform in ±1 / sqrt(hidden_size)."""
        rows, bound = self.gates * self.hidden_size, 1 / math.sqrt(max(1, self.hidden_size))
        for layer in range(self.num_layers):
            columns = self.hidden_size * len(self._directions()) if layer else self.input_size
            shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, columns), "weight_hh": (rows, self.hidden_size)}
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)} if self.bias else {}
            for suffix in self._directions():
                for name, shape in shapes.items():
                    weight = init.uniform_(init.empty(shape, dtype), -bound, bound, rng)
                    setattr(self, f"{name}_l{layer}{suffix}", weight)

    def _directions(self):
        """Return the suffix of parameter names for each direction."""
        return ("", "_reverse") if self.bidirectional else ("",)

    def _weights(self, layer, suffix):
        """Return weights and biases in the order of the arguments of `dark.rnn`, `dark.gru` and `dark.lstm`."""
        wi, wh = getattr(self, f"weight_ih_l{layer}{suffix}"), getattr(self, f"weight_hh_l{layer}{suffix}")
        if not self.bias:
            zeros = np.zeros(len(wi), wi.dtype)
            return wi.T, zeros, wh.T, zeros
        return wi.T, getattr(self, f"bias_ih_l{layer}{suffix}"), wh.T, getattr(self, f"bias_hh_l{layer}{suffix}")

    def _run(self, x, initial):
        """Run all layers; return the outputs of the last layer, and for each kind of state the final ones."""
        self._check_shapes(x, initial)
        is_batch = len(shape_of(x)) == 3
        x = self._swap_batch(x) if is_batch else expand_dims(x, 1)  # (t, b, i)
        initial = [s if is_batch else expand_dims(s, 1) for s in initial]  # (layers, b, n)
        final, indices = [], iter(range(len(self._directions()) * self.num_layers))
        for layer in range(self.num_layers):
            if layer and self.dropout and self.training:
                x = mul(x, repeated(dropout_mask, x.shape, self.dropout, self.generator, x.dtype))
            outputs = []
            for suffix, k in zip(self._directions(), indices):
                y, *states = self._run_layer(x, self._weights(layer, suffix), [s[k] for s in initial], bool(suffix))
                outputs.append(y)
                final.append(states)
            x = concatenate(outputs, 2) if len(outputs) > 1 else outputs[0]
        final = [stack(states) for states in zip(*final)]  # (layers, b, n) each
        return (self._swap_batch(x), final) if is_batch else (squeeze(x, 1), [squeeze(s, 1) for s in final])

    def _run_layer(self, x, weights, initial, reverse):
        """Run one direction of a layer; return the outputs, and the final state of each kind."""
        raise NotImplementedError

    def _swap_batch(self, x):
        """Swap the axes of batch and time, if `batch_first`."""
        return swapaxes(x, 0, 1) if self.batch_first else x

    def _check_shapes(self, x, initial):
        """Raise unless a sequence and its initial states have the right shapes."""
        who, shape = type(self).__name__, shape_of(x)
        order = "(batch, steps, {0}) or (steps, {0})" if self.batch_first else "(steps, batch, {0}) or (steps, {0})"
        if len(shape) not in (2, 3) or shape[-1] != self.input_size:
            raise ShapeError(
                f"{who}: the input must be a sequence of {self.input_size} features, got shape {shape}.",
                order.format(self.input_size) + ".",
                "x[:, None] adds an axis.",
            )
        batch = (shape[0 if self.batch_first else 1],) if len(shape) == 3 else ()
        right = (len(self._directions()) * self.num_layers, *batch, self.hidden_size)
        for s in initial:
            if shape_of(s) != right:
                raise ShapeError(
                    f"{who}: an initial state of shape {shape_of(s)} does not match a sequence of shape {shape}.",
                    f"{right}: one for each layer and direction.",
                    "omit it for zeros; batch_first does not apply to it.",
                )

    def extra_repr(self) -> str:
        """Return the sizes, and the settings that differ from their defaults, as text."""
        defaults = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}
        changed = [
            f", {name}={getattr(self, name)}" for name, value in defaults.items() if getattr(self, name) != value
        ]
        return f"{self.input_size}, {self.hidden_size}{''.join(changed)}"


def _warn_of_single_layer(layer, who):
    if layer.num_layers == 1:
        warnings.warn(
            f"{who}: dropout={layer.dropout} has no effect with num_layers=1: it applies between layers.\n"
            "  Expected: num_layers=2 or more, or dropout=0.\n"
            "  Try: nn.Dropout after the layer.",
            stacklevel=4,
        )
