"""The description of a run for the page, and how the run has changed since."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Described:
    """The state of a run when it was last described.

    `version` and `generation` count how often the run has grown, and how often it has changed otherwise: a run that is
    resumed replaces records. `ends` has for each series its number of records, and the step of the last one.
    """

    header: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    generation: int = 0
    ends: dict[str, tuple[int, float]] = field(default_factory=dict)

    def again(self, run: Any) -> "Described":
        """Return the description of the run now."""
        series = {f"{kind} {name}": one for kind in ("scalar", "tensor") for name, one in run_series(run, kind).items()}
        ends = {key: (len(one), float(one.steps[-1])) for key, one in series.items() if len(one)}
        is_appended = all(
            key in series and len(series[key]) >= count and float(series[key].steps[count - 1]) == step
            for key, (count, step) in self.ends.items()
        )
        generation = self.generation + (not is_appended)
        header = {
            "scalars": [{"name": name, "count": len(one)} for name, one in run.scalar_dict.items()],
            "tensors": [
                {"name": name, "count": len(one), "shape": list(one.shape), "kind": "I" * one.kind}
                for name, one in run.tensor_dict.items()
                if len(one)
            ],
            "configs": plain(dict(run.configs)),
            "criteria": plain(dict(run.criteria)),
            "content": [str(line) for line in run.content],
            "damage": [str(line) for line in run.damage],
            "generation": generation,
        }
        return Described(header, self.version + 1, generation, ends)


def run_series(run: Any, kind: str) -> Mapping[str, Any]:
    """Return the series of scalars or of tensors of a run."""
    return run.scalar_dict if kind == "scalar" else run.tensor_dict


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: numbers of NumPy as Python's, NaN as a string, anything else as its repr."""
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
