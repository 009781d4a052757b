"""The values of an engine that a progress bar or a log shows: metrics, outputs and attributes of the state."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Number
from typing import Any

from dark.errors import ValueTypeError


@dataclass(frozen=True)
class SelectedValues:
    """A selection of an engine's values; `metric_names` is a list or "all"."""

    metric_names: Any = None
    output_transform: Any = None
    state_attributes: Any = None

    def __post_init__(self):
        names, transform = self.metric_names, self.output_transform
        if not (names is None or isinstance(names, list) or names == "all"):
            raise ValueTypeError(
                f"metric_names should be either a list or equal 'all', got {names!r} instead.",
                "names of metrics.",
                f"[{names!r}]",
            )
        if transform is not None and not callable(transform):
            raise ValueTypeError(
                f"output_transform should be a function, got {transform!r} instead.",
                "a function of the output.",
                'lambda output: {"loss": output}',
            )

    def of(self, engine):
        """Return the values by name; a metric without a result gives a warning."""
        state, found = engine.state, {}
        for name in state.metrics if self.metric_names == "all" else self.metric_names or []:
            if name in state.metrics:
                found[name] = state.metrics[name]
            else:
                warnings.warn(
                    f"Provided metric name '{name}' is missing in engine's state metrics: {list(state.metrics)}",
                    UserWarning,
                    stacklevel=2,
                )
        if self.output_transform is not None:
            output = self.output_transform(state.output)
            found.update(output if isinstance(output, dict) else {"output": output})
        found.update({name: getattr(state, name, None) for name in self.state_attributes or []})
        return found


def flat(values, who, separator="_", kinds=(Number, str)):
    """Return the numbers and strings in nested values, their names joined; values of other `kinds` give a warning.

    Values are numbers, strings, nodes, 1-d arrays, and tuples, lists and mappings of them; `who` appears in the
    warning.

    >>> flat({"loss": 0.5, "scores": [1, 2]}, "ProgressBar")
    {'loss': 0.5, 'scores_0': 1, 'scores_1': 2}
    """
    return {
        name: value for key, item in values.items() for name, value in _items(str(key), item, who, separator, kinds)
    }


def _items(name, value, who, separator, kinds):
    value = getattr(value, "value", value)
    dimensions = getattr(value, "ndim", None)
    if dimensions in (0, 1):
        value = value.tolist()
    if isinstance(value, kinds):
        yield name, value
    elif isinstance(value, (Mapping, tuple, list)):
        pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, item in pairs:
            yield from _items(f"{name}{separator}{key}", item, who, separator, kinds)
    else:
        what = f"an array of {dimensions} dimensions" if dimensions else type(value).__name__
        strings = ", strings" if str in kinds else ""
        warnings.warn(
            f"{who} cannot show {name}, which is {what}. Expected: numbers{strings}, 1-d arrays, and tuples, lists and "
            "mappings of them.",
            UserWarning,
            stacklevel=2,
        )
