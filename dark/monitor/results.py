"""Numbers that a run reports by itself: the output of its engine, its loss and its metrics."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dark.engine import Engine
from dark.nodes import Node, value_of


def numbers_in(found: Any) -> dict[str, float]:
    """Return the entries of a mapping that are numbers."""
    if not isinstance(found, Mapping):
        return {}
    return {name: float(value_of(value)) for name, value in found.items() if isinstance(name, str) and is_number(value)}


def is_number(value: Any) -> bool:
    """Return whether a value is a real number, or an array without axes or a node with one, and not a bool."""
    value = value_of(value)
    if type(value) is float:
        return True
    return (
        isinstance(value, (int, float, np.ndarray, np.generic))
        and np.asarray(value).dtype.kind in "iuf"
        and (np.ndim(value) == 0)
    )


def called(source: Any) -> Any:
    """Return the result of a function without arguments, and anything else as it is."""
    return source() if callable(source) and not isinstance(source, Node) else source


def of_loss(loss: Any) -> dict[str, float]:
    """Return a loss as "loss", if it is a number."""
    return {"loss": float(value_of(loss))} if is_number(loss) else {}


def of_engines(engine: Engine | None, trainer: Any, evaluators: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers in the output of an engine, and the metrics of all engines, by name.

    A number as the output of the engine is the "loss"; a trainer may have results on validation data in `validation`.
    """
    found: dict[str, float] = {}
    if engine is not None:
        output = engine.state.output if engine.state.iteration else None  # else of an earlier run
        found = of_loss(output) or numbers_in(output)
        found |= _metrics(engine.state.metrics, "train")
    found |= _metrics(getattr(trainer, "validation", None), "validation")
    for name, evaluator in evaluators.items():
        found |= _metrics(evaluator.state.metrics, name)
    return found


def _metrics(found, name):
    if not found:
        return {}
    return {f"{metric}/{name}": value for metric, value in numbers_in(found).items()}
