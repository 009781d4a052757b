"""From what an engine puts out to what a metric takes, and from a metric's result to what stands in the state."""

from collections.abc import Mapping
from numbers import Number

import numpy as np

from dark.errors import NotComputableError, ShapeError, UsageError, ValueTypeError

RESULT_MODES = ("flatten", "named", "both")


def identity(output):
    """Return the output as it is; every metric's `output_transform` unless told otherwise."""
    return output


def check_arguments(output_transform, device, metrics_result_mode):
    """Refuse arguments that no metric can work with.

    Raises
    ------
    ValueTypeError
        If `output_transform` cannot be called.
    UsageError
        If the others are none of their values.
    """
    if not callable(output_transform):
        raise ValueTypeError(
            f"Argument output_transform should be callable, got {output_transform!r}.",
            "a function of the output.",
            "lambda output: …",
        )
    if metrics_result_mode not in RESULT_MODES:
        raise UsageError(
            f"Argument metrics_result_mode should be one of {RESULT_MODES}, got {metrics_result_mode!r}.",
            "where a result that is a mapping goes.",
            'metrics_result_mode="both".',
        )
    if str(device) != "cpu":
        raise UsageError(
            f"Argument device should be 'cpu', got {str(device)!r}.", "the memory of the CPU.", "leave it."
        )


def as_array(x):
    """Return the array in a node, an array, a number, or a tensor of another framework; arrays are not copied.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> as_array(SimpleNamespace(value=np.arange(2))), as_array(1.5)
    (array([0, 1]), array(1.5))
    """
    if type(x) is np.ndarray:
        return x
    if hasattr(x, "detach"):  # a tensor that has a gradient gives its numbers only when asked so
        x = x.detach()
    return np.asarray(getattr(x, "value", x))


def is_number_or_array(x):
    """Say whether something is a number, an array, a tensor, or a node that holds one of these."""
    return isinstance(getattr(x, "value", x), (Number, np.ndarray)) or hasattr(x, "__array__")


def as_plain(result):
    """Return what stands in `state.metrics`: a Python number where there is one number, else as it is."""
    result = getattr(result, "value", result)
    return result.item() if getattr(result, "ndim", None) == 0 else result


def nothing_seen(name):
    """Return the error of a metric that was asked too early."""
    return NotComputableError(
        f"{name} must have at least one example before it can be computed.",
        "one call of update, or one iteration.",
        "look at whether there was data, and at what output_transform picks.",
    )


def pair(metric, output):
    """Return predictions and targets as arrays; further items, such as a loss takes, are for others.

    Raises
    ------
    ValueTypeError
        If the output is no pair.
    """
    if not (isinstance(output, (tuple, list)) and len(output) >= 2):
        raise wrong_output(metric, output, "a pair (y_pred, y)")
    return as_array(output[0]), as_array(output[1])


def wrong_output(metric, output, expected):
    """Return the error of a metric that was given what it cannot take."""
    kind = f"{len(output)} items" if isinstance(output, (tuple, list)) else f"a {type(output).__name__}"
    return ValueTypeError(
        f"{type(metric).__name__}: cannot take an output of {kind}.",
        f"{expected}.",
        "output_transform=lambda output: …, which picks that from what the process function returns.",
    )


def differences(metric, output):
    """Return predictions minus targets, in float64 and of the predictions' shape (batch, …).

    Raises
    ------
    ShapeError
        If the two differ in rows or size.
    """
    y_pred, y = pair(metric, output)
    if not y.ndim or y_pred.shape[:1] != y.shape[:1] or y_pred.size != y.size:
        raise ShapeError(
            f"{type(metric).__name__}: y_pred {y_pred.shape} and y {y.shape} have no difference, row by row.",
            "two arrays (batch, …) of the same shape.",
            "y_pred[None], y[None], for a single example.",
        )
    return np.subtract(y_pred, y.reshape(y_pred.shape), dtype=np.float64)


def from_mapping(metric, output):
    """Return the items of a mapping that a metric wants, as a tuple.

    Raises
    ------
    ValueTypeError
        If the metric takes no mapping.
    UsageError
        If a key is missing.
    """
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
    """Say whether an output consists of lists of numbers and arrays, one item an example."""
    return (
        isinstance(output, (tuple, list))
        and len(output) > 0
        and all(isinstance(items, (tuple, list)) and all(map(is_number_or_array, items)) for items in output)
    )


def unroll(metric, output):
    """Return the examples of an output in lists, each as a batch of one.

    Raises
    ------
    UsageError
        If there are not two lists of the same length.
    """
    lengths = [len(items) for items in output]
    if len(output) != 2 or lengths[0] != lengths[1]:
        raise UsageError(
            f"{type(metric).__name__}: Output should have 2 items of the same length, got {len(output)} "
            f"of lengths {lengths}.",
            "a list of predictions and a list of targets.",
            "skip_unrolling=True, where lists are what update takes.",
        )
    return [(as_array(y_pred)[None], as_array(y)[None]) for y_pred, y in zip(*output)]


def put(metrics, name, result, mode):
    """Put a result into `state.metrics`; a mapping under its own keys, under the name, or both.

    Raises
    ------
    UsageError
        If a mapping that goes under its name has a key of that name.
    """
    if not isinstance(result, Mapping):
        metrics[name] = as_plain(result)
        return
    if mode != "flatten" and name in result:
        raise UsageError(
            f"Argument name '{name}' is conflicting with mapping keys: {list(result)}.",
            "a name that is no key of the result.",
            'another name, or metrics_result_mode="flatten".',
        )
    if mode != "named":
        metrics.update({key: as_plain(value) for key, value in result.items()})
    if mode != "flatten":
        metrics[name] = result
