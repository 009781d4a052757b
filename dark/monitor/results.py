"""Values to be recorded, as arrays; and the numbers that a run reports itself: output, loss and metrics."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dark.checks import describe, without_grad
from dark.engine import Engine
from dark.errors import ShapeError, ValueTypeError
from dark.monitor.foreign.tensors import number_of
from dark.nodes import Node, value_of

KINDS = "biuf"  # of dtypes: bools, integers and floats


def recorded(value: Any, who: str) -> np.ndarray:
    """Return a copy of a number, an array or the value of a node as an array of bools, integers or floats."""
    if type(value) is np.ndarray and value.dtype.kind in KINDS:
        return value.copy()
    value = without_grad(value_of(value), who, "value")
    try:
        array = np.array(value)
    except (TypeError, ValueError):  # nested sequences of unequal length
        array = np.array(None)
    if array.dtype.kind not in KINDS:
        wanted = "a real number, an array of such numbers, or a node."
        advice = "record the parts of a list or a dictionary one by one, each in a statistic of its own."
        raise ValueTypeError(f"{who}: {describe(value)} cannot be recorded.", wanted, advice)
    return array


def rows_of(array: np.ndarray, who: str, is_batch: bool, shape: tuple[int, ...] | None) -> np.ndarray:
    """Return a recorded value as an array whose first axis counts examples.

    `is_batch` says that it has that axis already; `shape` is the shape of the examples before.
    """
    if is_batch and not array.ndim:
        wanted = "an array whose first axis counts examples."
        raise ShapeError(f"{who}: {array} is one number, not a batch.", wanted, "reduce_1st_dim=False, for numbers.")
    rows = array if is_batch else array[None]
    if shape is not None and rows.shape[1:] != shape:
        what = "examples of shape" if is_batch else "shape"
        wanted = f"{what} {shape} in each record."
        advice = "a statistic for each shape." if is_batch else "reduce_1st_dim=True, for batches of different sizes."
        raise ShapeError(f"{who}: {what} must not change, got {rows.shape[1:]} after {shape}.", wanted, advice)
    return rows


def numbers_in(found: Any) -> dict[str, float]:
    """Return the entries of a mapping that are numbers."""
    if not isinstance(found, Mapping):
        return {}
    named = {name: number_of(value_of(value)) for name, value in found.items() if isinstance(name, str)}
    return {name: float(value) for name, value in named.items() if is_number(value)}


def is_number(value: Any) -> bool:
    """Return whether a value is a real number, or an array without axes or a node with one, and not a bool."""
    value = number_of(value_of(value))
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
    return {"loss": float(number_of(value_of(loss)))} if is_number(loss) else {}


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
