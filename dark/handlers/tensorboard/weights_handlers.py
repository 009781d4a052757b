"""Log the weights of a model, or their gradients: each as one number, or as a histogram."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dark.errors import ValueTypeError
from dark.handlers.tensorboard.scalar_handlers import LogHandler, prefix

if TYPE_CHECKING:
    from dark.engine import Engine

    Whitelist = Sequence[str] | Callable[[str, Any], bool] | None


def norm(array):
    """Return the square root of the sum of squares of all elements."""
    return float((array * array).sum() ** 0.5)


class ModelHandler(LogHandler):
    """The base class of handlers that log the weights of a model or their gradients."""

    _what = "weights"

    def __init__(self, model: Any, tag: str | None, whitelist: Whitelist) -> None:
        self.model, self.tag = model, tag
        self.weights = _selected(model, whitelist)

    def _arrays(self):
        """Return the weights, or the gradients that exist, with the names of their parameters."""
        read = _gradient if self._what == "grads" else _value
        found = [(name.replace(".", "/"), read(parameter)) for name, parameter in self.weights]
        return [(name, array) for name, array in found if array is not None]


class WeightsHistHandler(ModelHandler):
    """Log the weights of a model as histograms, ``tag/weights/layer/weight``.

    The model has `named_parameters`, as in `dark.nn` and PyTorch. `whitelist` has the beginnings of the
    names of the parameters to log, or is a function that returns whether to log one from its name and the parameter.
    """

    def __init__(self, model: Any, tag: str | None = None, whitelist: Whitelist = None) -> None:
        super().__init__(model, tag, whitelist)

    def __call__(self, engine: Engine, logger: Any, event_name: Any) -> None:
        """Write the histograms."""
        writer, step = self._writer_of(logger), engine.state.get_event_attrib_value(event_name)
        for name, array in self._arrays():
            writer.add_histogram(f"{prefix(self.tag)}{self._what}/{name}", array, step)


class GradsHistHandler(WeightsHistHandler):
    """Log the gradients of the weights of a model as histograms, ``tag/grads/layer/weight``; see `WeightsHistHandler`.

    Attach it to an event at which they are still there: before the optimizer sets them to zero for the next step.
    Parameters without a gradient are left out.
    """

    _what = "grads"


class WeightsScalarHandler(ModelHandler):
    """Log a number for each of the weights of a model, by default its norm: ``tag/weights_norm/layer/weight``.

    `reduction` is a function of an array that returns a number; its name is part of the tag. See `WeightsHistHandler`.
    """

    def __init__(
        self, model: Any, reduction: Callable[[Any], Any] = norm, tag: str | None = None, whitelist: Whitelist = None
    ) -> None:
        if not callable(reduction):
            raise ValueTypeError(
                f"Argument reduction should be callable, but given {reduction!r}.", "a function of an array.", "np.max"
            )
        super().__init__(model, tag, whitelist)
        self.reduction = reduction
        for tried in (reduction(_value(parameter)) for _, parameter in self.weights[:1]):
            if getattr(tried, "ndim", 0) or not hasattr(tried, "__float__"):
                raise ValueTypeError(
                    f"Output of the reduction function should be a scalar, but got {tried!r}.",
                    "a number for an array of any shape.",
                    "lambda x: np.abs(x).max()",
                )

    def __call__(self, engine: Engine, logger: Any, event_name: Any) -> None:
        """Write the numbers."""
        writer, step = self._writer_of(logger), engine.state.get_event_attrib_value(event_name)
        kind = f"{prefix(self.tag)}{self._what}_{getattr(self.reduction, '__name__', 'reduction')}"
        for name, array in self._arrays():
            writer.add_scalar(f"{kind}/{name}", self.reduction(array), step)


class GradsScalarHandler(WeightsScalarHandler):
    """Log a number for the gradient of each of the weights, by default its norm: ``tag/grads_norm/layer/weight``.

    See `WeightsScalarHandler` and `GradsHistHandler`.
    """

    _what = "grads"


def _value(parameter):
    return parameter.value if hasattr(parameter, "value") else parameter.data


def _gradient(parameter):
    return getattr(parameter.grad, "value", parameter.grad)


def _selected(model, whitelist):
    """Return the pairs of names and parameters of a model that a whitelist allows."""
    if not callable(getattr(model, "named_parameters", None)):
        raise ValueTypeError(
            f"Argument model should be of type nn.Module, but given {type(model).__name__}.",
            "a model with named_parameters.",
            "WeightsScalarHandler(network)",
        )
    pairs = list(model.named_parameters())
    if whitelist is None:
        return pairs
    if callable(whitelist):
        return [pair for pair in pairs if whitelist(*pair)]
    if isinstance(whitelist, str) or not all(isinstance(name, str) for name in whitelist):
        raise ValueTypeError(
            f"Argument whitelist should be a list of names or a function, but given {whitelist!r}.",
            "the beginnings of names of parameters.",
            f"whitelist={[name for name, _ in pairs][:1]}",
        )
    return [(name, parameter) for name, parameter in pairs if name.startswith(tuple(whitelist))]
