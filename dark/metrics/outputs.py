"""From an engine's output to the argument of `update`, and from a metric's result to `state.metrics`; the options."""

from collections.abc import Callable, Mapping
from numbers import Number
from typing import Any, TypeAlias, TypedDict

import numpy as np

from dark.checks import describe
from dark.compat.arguments import check_device
from dark.errors import NotComputableError, ShapeError, UsageError, ValueTypeError

Transform: TypeAlias = Callable[[Any], Any]
RESULT_MODES = ("flatten", "named", "both")


class MetricOptions(TypedDict, total=False):
    """Keyword options of every metric, with Ignite's names, documented in `Metric`; no metric declares them itself."""

    device: str | None
    skip_unrolling: bool
    metrics_result_mode: str


def check_options(output_transform, device, metrics_result_mode):
    """Check the options of a metric."""
    if not callable(output_transform):
        problem = f"Argument output_transform should be callable, got {output_transform!r}."
        raise ValueTypeError(problem, "a function of the output.", "lambda output: …")
    if metrics_result_mode not in RESULT_MODES:
        problem = f"Argument metrics_result_mode should be one of {RESULT_MODES}, got {metrics_result_mode!r}."
        raise UsageError(problem, "the keys under which a mapping is stored.", 'metrics_result_mode="both".')
    check_device("Metric", device)


def identity(output):
    """Return the output unchanged; the default `output_transform`."""
    return output


def as_array(x):
    """Return a node, array, number, or tensor of another framework as an array; arrays are not copied."""
    if type(x) is np.ndarray:
        return x
    if hasattr(x, "detach"):  # a tensor that requires grad cannot be converted directly
        x = x.detach()
    x = getattr(x, "value", x)
    try:
        return np.asarray(x)
    except ValueError:
        problem = f"cannot make an array of {describe(x)}."
        raise ValueTypeError(problem, "numbers, or rows of equal lengths.", "np.array(…), to see the reason.") from None


def is_numeric(x):
    """Return whether an object is a number, an array, a tensor, or a node that holds one of these."""
    return isinstance(getattr(x, "value", x), (Number, np.ndarray)) or hasattr(x, "__array__")


def as_plain(result):
    """Return a result as stored in `state.metrics`: a 0-d array as a Python number, anything else unchanged."""
    result = getattr(result, "value", result)
    return result.item() if getattr(result, "ndim", None) == 0 else result


def no_examples(name):
    """Return the error of a metric that is computed before any update."""
    return NotComputableError(
        f"{name} must have at least one example before it can be computed.",
        "at least one call of update, or one iteration.",
        "check that the data is not empty, and what output_transform returns.",
    )


def prediction_and_target(metric, output):
    """Return y_pred and y of a pair as arrays; further items, such as a loss accepts, are ignored."""
    if not (isinstance(output, (tuple, list)) and len(output) >= 2):
        raise wrong_output(metric, output, "a pair (y_pred, y)")
    return as_array(output[0]), as_array(output[1])


def check_numbers(metric, *arrays):
    """Raise if an array holds something else than numbers."""
    for array in arrays:
        if array.dtype.kind not in "fiub":
            problem = f"{type(metric).__name__}: cannot update with an array of {array.dtype}."
            raise ValueTypeError(problem, "arrays of numbers.", "array.astype(float), if it holds numbers.")


def wrong_output(metric, output, expected):
    """Return the error of a metric that cannot be updated with an output."""
    kind = f"{len(output)} items" if isinstance(output, (tuple, list)) else type(output).__name__
    return ValueTypeError(
        f"{type(metric).__name__}: cannot update with an output of {kind}.",
        f"{expected}.",
        "output_transform=lambda output: …, to extract it from the process function's result.",
    )


def differences(metric, output):
    """Return y_pred - y in float64, of the shape (batch, …) of y_pred; batch size and total size must be equal."""
    y_pred, y = prediction_and_target(metric, output)
    check_numbers(metric, y_pred, y)
    if not y.ndim or y_pred.shape[:1] != y.shape[:1] or y_pred.size != y.size:
        raise ShapeError(
            f"{type(metric).__name__}: cannot subtract y of shape {y.shape} from y_pred of shape {y_pred.shape}.",
            "two arrays (batch, …) of the same shape.",
            "y_pred[None], y[None] for a single example.",
        )
    return np.subtract(y_pred, y.reshape(y_pred.shape), dtype=np.float64)


def image_pair(metric, output):
    """Return y_pred and y in float64; they have one shape (batch, …) and one dtype."""
    y_pred, y = prediction_and_target(metric, output)
    name = type(metric).__name__
    if y_pred.dtype != y.dtype or y.dtype.kind not in "fiub":
        raise ValueTypeError(
            f"{name}: Expected y_pred and y to have the same data type. Got y_pred: {y_pred.dtype} and y: {y.dtype}.",
            "two arrays of real numbers with one dtype, which data_range describes.",
            "astype(float) for both, in output_transform, if their values have the same range.",
        )
    if y_pred.shape != y.shape or not y.ndim:
        raise ShapeError(
            f"{name}: Expected y_pred and y to have the same shape. Got y_pred: {y_pred.shape} and y: {y.shape}.",
            "two arrays (batch, …) of the same shape.",
            "print both shapes; y_pred[None], y[None] for a single example.",
        )
    return y_pred.astype(np.float64), y.astype(np.float64)


def from_mapping(metric, output):
    """Return the items of a mapping that a metric requires, as a tuple."""
    name, keys = type(metric).__name__, metric.required_output_keys
    if keys is None:
        raise ValueTypeError(
            f"Transformed engine output for {name} metric should be a tuple/list, but given {type(output).__name__}.",
            "a number, an array, or a tuple of them.",
            "output_transform=lambda output: output[…].",
        )
    if not all(key in output for key in keys):
        raise UsageError(
            f"{name}: When transformed engine's output is a mapping, it should contain {keys} keys, "
            f"but given {list(output)}.",
            f"the keys {keys}.",
            'output_transform=lambda output: (output["…"], output["…"]).',
        )
    return tuple(output[key] for key in keys)


def is_list_output(output):
    """Return whether an output consists of lists of numbers and arrays, one item per example."""
    return (
        isinstance(output, (tuple, list))
        and len(output) > 0
        and all(isinstance(items, (tuple, list)) and all(map(is_numeric, items)) for items in output)
    )


def unroll(metric, output):
    """Return the examples of an output made of two lists of equal length, each as a batch of one."""
    lengths = [len(items) for items in output]
    if len(output) != 2 or lengths[0] != lengths[1]:
        raise UsageError(
            f"{type(metric).__name__}: Output should have 2 items of the same length, got {len(output)} "
            f"of lengths {lengths}.",
            "a list of predictions and a list of targets.",
            "skip_unrolling=True, if update accepts lists.",
        )
    return [(as_array(y_pred)[None], as_array(y)[None]) for y_pred, y in zip(*output)]


def store_result(metrics, name, result, mode):
    """Store a result in `state.metrics`; a mapping under its own keys, under the name (not one of them), or both."""
    if not isinstance(result, Mapping):
        metrics[name] = as_plain(result)
        return
    if mode != "flatten" and name in result:
        raise UsageError(
            f"Argument name '{name}' is conflicting with mapping keys: {list(result)}.",
            "a name that is not a key of the result.",
            'another name, or metrics_result_mode="flatten".',
        )
    if mode != "named":
        metrics.update({key: as_plain(value) for key, value in result.items()})
    if mode != "flatten":
        metrics[name] = result
