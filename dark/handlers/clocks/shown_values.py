"""The values that a progress bar shows: metrics, outputs and attributes of the state as numbers and strings."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Number
from typing import Any


@dataclass(frozen=True)
class Shown:
    """The values that a bar shows.

    Attributes
    ----------
    event, closing_event : event
        The events that advance and close the bar.
    metric_names : list of str, or "all"
    output_transform : callable or None
    state_attributes : list of str
    """

    event: Any
    closing_event: Any
    metric_names: Any
    output_transform: Any
    state_attributes: Any

    def values(self, engine):
        """Return the numbers and strings to show, by name."""
        state, found = engine.state, {}
        names = state.metrics if self.metric_names == "all" else self.metric_names
        for name in names:
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
        found.update({name: getattr(state, name, None) for name in self.state_attributes})
        return dict(_flat("", found))


def _flat(name, value):
    """Yield the numbers and strings in a value, with their names joined."""
    value = getattr(value, "value", value)
    dimensions = getattr(value, "ndim", None)
    if dimensions in (0, 1):
        value = value.tolist()
    if isinstance(value, (Number, str)):
        yield name, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(f"{name}_{key}" if name else str(key), item)
    elif isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            yield from _flat(f"{name}_{index}", item)
    else:
        what = f"an array of {dimensions} dimensions" if dimensions else type(value).__name__
        warnings.warn(
            f"ProgressBar cannot show {name}, which is {what}. Expected: numbers, strings, 1-d arrays, and tuples, "
            "lists and mappings of them.",
            UserWarning,
            stacklevel=2,
        )
