"""Check and convert the values that a note records: scalars, arrays, settings, results."""

import math
import os
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from dark.checks import brief, describe, integer, is_bool, is_integer, one_of, without_grad
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.storage import safetensors_format

WHO = "take_down_scalars_and_tensors"
BETTER = {"higher": "higher", "max": "higher", "lower": "lower", "min": "lower", None: None}
EXACT = 2**53  # a float holds all integers up to it
RESERVED = "__metadata__"  # in the safetensors format
KNOWN = frozenset(map(np.dtype, safetensors_format.TYPES.values()))  # in native byte order, for speed


def checked_step(step: Any) -> int | float:
    """Return a step: an integer, or a finite float for a part of an epoch."""
    if is_integer(step):
        return integer(step, WHO, "step")
    if not isinstance(step, Real) or is_bool(step):
        wanted = "an integer, or a float for a part of an epoch."
        raise ValueTypeError(f"{WHO}: step must be a number, got {describe(step)}.", wanted, "step=iteration")
    if not math.isfinite(step):
        raise UsageError(f"{WHO}: step must be finite, got {step}.", "a finite number.", "step=iteration")
    return float(step)


def checked_scalars(scalars: Any) -> dict[str, int | float]:
    """Return scalars by name as Python's numbers; a name may stand for a mapping of names."""
    return _by_name("scalars", [(name, _scalar(name, value)) for name, value in _flat(scalars, "scalars")])


def _scalar(name, value):
    if type(value) is float:
        return value
    if is_bool(value):
        return int(value)
    if isinstance(value, Real):
        return _number(value, f"{WHO}: the scalar {name!r}")
    array = _array(value)
    if array is None or array.dtype.kind not in "biuf":
        message = f"{WHO}: the scalar {name!r} must be a real number, got {describe(value)}."
        raise ValueTypeError(message, "a real number.", "use write_line for text, put_down_configs for settings.")
    if array.size != 1:
        message = f"{WHO}: the scalar {name!r} must be a single number, got shape {array.shape}."
        raise ShapeError(message, "one number.", f"tensors={{{name!r}: …}}")
    return array.item()


def _number(value, what):
    """Return a real number as an int, if a float can hold it exactly, else as a float."""
    if isinstance(value, Integral) and -EXACT <= int(value) <= EXACT:
        return int(value)
    try:
        return float(value)
    except OverflowError:
        message = f"{what} must be a number that a float can hold, got {brief(value)}."
        raise UsageError(message, "a number that a float can hold.", "float(value)") from None


def checked_tensors(tensors: Any) -> dict[str, np.ndarray]:
    """Return arrays by name; the names of nested mappings are joined by slashes."""
    return _by_name("tensors", [(name, _tensor(name, value)) for name, value in _flat(tensors, "tensors")])


def _tensor(name, value):
    array = value if type(value) is np.ndarray else _array(value)
    if array is not None and array.dtype in KNOWN:
        return array
    if array is None or safetensors_format.type_name(array.dtype) is None:
        raise ValueTypeError(
            f"{WHO}: the tensor {name!r} must be numeric, got {describe(value) if array is None else brief(array)}.",
            "an array of bools, integers, or floats of 16, 32 or 64 bits.",
            "convert it, for example by astype(np.float32).",
        )
    return array


def _array(value):
    """Return a number, an array, or the value of a node as an array; None for anything else."""
    value = without_grad(getattr(value, "value", value), WHO, "a value")
    if isinstance(value, (str, bytes, Mapping, np.ma.MaskedArray)) or value is None:
        return None
    try:
        return np.asarray(value)
    except (TypeError, ValueError):  # nested sequences of unequal length
        return None


def _flat(values, what, before=""):
    """Yield the names and the values of nested mappings."""
    if values is None:
        return
    if not isinstance(values, Mapping):
        advice = f"{what}={{'name': …}}"
        raise ValueTypeError(f"{WHO}: {what} must be a mapping, got {describe(values)}.", "a mapping of names.", advice)
    for key, value in values.items():
        if not isinstance(key, str) or not key or key == RESERVED:
            wanted = f"a str, not empty and not {RESERVED!r}."
            raise ValueTypeError(f"{WHO}: invalid name {describe(key)} of {what}.", wanted, "str(name)")
        if isinstance(value, Mapping):
            yield from _flat(value, what, f"{before}{key}/")
        else:
            yield before + key, value


def direction_of(better: Any, who: str) -> str | None:
    """Return which values are better, "higher" or "lower", or None if that is not said."""
    return BETTER[one_of(better, who, "better", BETTER)]


def _by_name(what, pairs):
    """Return pairs as a dict, if no name is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"{WHO}: two {what} have the name {twice!r}.", "a name for each.", "rename one of them.")
    return found


def plain(value: Any, who: str, where: str) -> Any:
    """Return settings as plain data: what `dark.save` can store, without arrays."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                message = f"{who}: the keys of {where or 'the settings'} must be strings, got {describe(key)}."
                raise ValueTypeError(message, "a str.", "str")
        return {key: plain(item, who, f"{where}.{key}" if where else key) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [plain(item, who, f"{where}[{k}]") for k, item in enumerate(value)]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufU":
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or type(value) in (bool, int, float, str):
        return value
    wanted = "numbers, strings, bools, None, and lists, tuples and mappings of them."
    advice = f"str({where or 'value'}), or its settings, for example vars(…)."
    raise ValueTypeError(f"{who}: {where or 'the argument'} must be plain data, got {describe(value)}.", wanted, advice)


def checked_criterion(name: Any, value: Any) -> int | float:
    """Return the value of a criterion as a number, which may be NaN or infinite."""
    if not isinstance(name, str) or not name:
        message = f"put_down_criterion: name must be a str that is not empty, got {describe(name)}."
        raise ValueTypeError(message, "a str, not empty.", '"accuracy"')
    found = value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value
    if not isinstance(found, Real) or is_bool(found):
        message = f"put_down_criterion: {name} must be a real number, got {describe(value)}."
        advice = "write_line, for text; put_down_configs, for settings; tensors, for arrays."
        raise ValueTypeError(message, "a real number.", advice)
    return _number(found, f"put_down_criterion: {name}")
