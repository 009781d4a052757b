"""`Recurrent`: the weights of recurrent layers one above another, and the walk through layers and directions."""

import math
import warnings

import numpy as np

from dark.errors import ShapeError
from dark.nn import init
from dark.nn.dropout import factors
from dark.nn.float_dtype import float_type, share, size
from dark.nn.module import Module
from dark.nodes.values import shape_of
from dark.operations import concatenate, expand_dims, mul, squeeze, stack, swapaxes


class Recurrent(Module):
    """What the three kinds share: the weights of all layers, and the walk through layers and directions.

    A subclass says how many `gates` there are, and how one layer is read: `_read`.
    """

    gates = 1

    def __init__(
        self, input_size, hidden_size, num_layers=1, *, bias=True, batch_first=False, dropout=0.0,
        bidirectional=False, dtype=float, seed=None,
    ):  # fmt: skip
        super().__init__()
        who = type(self).__name__
        self.input_size, self.hidden_size = size(input_size, who, "input_size"), size(hidden_size, who, "hidden_size")
        self.num_layers = size(num_layers, who, "num_layers", 1)
        self.bias, self.batch_first, self.bidirectional = bool(bias), bool(batch_first), bool(bidirectional)
        self.dropout, rng = share(dropout, who, "dropout"), init.generator(seed)
        if self.dropout:
            self.generator = rng
            _warn_of_nowhere(self, who)
        self._fill(float_type(dtype, who), rng)

    def _fill(self, dtype, rng):
        """Draw the weights evenly between ±1 / sqrt(hidden_size)."""
        wide, bound = self.gates * self.hidden_size, 1 / math.sqrt(max(1, self.hidden_size))
        for layer in range(self.num_layers):
            enters = self.hidden_size * len(self._ways()) if layer else self.input_size
            shapes = {"weight_ih": (wide, enters), "weight_hh": (wide, self.hidden_size)}
            shapes |= {"bias_ih": (wide,), "bias_hh": (wide,)} if self.bias else {}
            for way in self._ways():
                for name, shape in shapes.items():
                    setattr(self, f"{name}_l{layer}{way}", init.uniform_(init.empty(shape, dtype), -bound, bound, rng))

    def _ways(self):
        """Return what the names of the weights end with, for each direction."""
        return ("", "_reverse") if self.bidirectional else ("",)

    def _weights(self, layer, way):
        """Return weights and biases as `dark.rnn` and its kind take them."""
        wi, wh = getattr(self, f"weight_ih_l{layer}{way}"), getattr(self, f"weight_hh_l{layer}{way}")
        if not self.bias:
            none = np.zeros(len(wi), wi.dtype)
            return wi.T, none, wh.T, none
        return wi.T, getattr(self, f"bias_ih_l{layer}{way}"), wh.T, getattr(self, f"bias_hh_l{layer}{way}")

    def _walk(self, x, first):
        """Read a sequence; return what leaves the last layer, and for each kind of state the last of all layers."""
        self._refuse_misfits(x, first)
        is_batch = len(shape_of(x)) == 3
        x = self._turned(x) if is_batch else expand_dims(x, 1)  # (t, b, i)
        first = [s if is_batch else expand_dims(s, 1) for s in first]  # (layers, b, n)
        last, places = [], iter(range(len(self._ways()) * self.num_layers))
        for layer in range(self.num_layers):
            if layer and self.dropout and self.training:
                x = mul(x, factors(x.shape, self.dropout, self.generator, x.dtype))
            read = []
            for way, k in zip(self._ways(), places):
                y, *final = self._read(x, self._weights(layer, way), [s[k] for s in first], bool(way))
                read.append(y)
                last.append(final)
            x = concatenate(read, 2) if len(read) > 1 else read[0]
        final = [stack(states) for states in zip(*last)]  # (layers, b, n) each
        return (self._turned(x), final) if is_batch else (squeeze(x, 1), [squeeze(s, 1) for s in final])

    def _turned(self, x):
        """Exchange the axes of examples and steps, where the examples are to be first."""
        return swapaxes(x, 0, 1) if self.batch_first else x

    def _refuse_misfits(self, x, first):
        """Refuse a sequence or a first state of another shape."""
        who, shape = type(self).__name__, shape_of(x)
        order = "(batch, steps, {0}) or (steps, {0})" if self.batch_first else "(steps, batch, {0}) or (steps, {0})"
        if len(shape) not in (2, 3) or shape[-1] != self.input_size:
            raise ShapeError(
                f"{who}: a sequence of shape {shape}.", order.format(self.input_size) + ".", "x[:, None] adds an axis."
            )
        batch = (shape[0 if self.batch_first else 1],) if len(shape) == 3 else ()
        right = (len(self._ways()) * self.num_layers, *batch, self.hidden_size)
        for s in first:
            if shape_of(s) != right:
                raise ShapeError(
                    f"{who}: a first state of shape {shape_of(s)}, for a sequence of shape {shape}.",
                    f"{right}: one for each layer, and direction.",
                    "leave it out for zeros; batch_first does not concern it.",
                )

    def extra_repr(self):
        """Return the sizes, and what is not as usual."""
        usual = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}
        unusual = [f", {name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        return f"{self.input_size}, {self.hidden_size}{''.join(unusual)}"


def _warn_of_nowhere(layer, who):
    if layer.num_layers == 1:
        warnings.warn(
            f"{who}: dropout={layer.dropout} stands between layers, and there is one.\n"
            "  Expected: num_layers=2 or more, or no dropout.\n"
            "  Try: nn.Dropout behind the layer.",
            stacklevel=4,
        )
