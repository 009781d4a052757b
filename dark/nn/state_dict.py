"""`state_dict` and `load_state_dict` of a module: a dict of arrays, loaded completely or not at all."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dark.checks import describe
from dark.errors import ShapeError, UsageError, ValueTypeError, near_misses
from dark.generators import RANDOM_STATES
from dark.nn.traversal import join
from dark.nodes import Node, value_of


class LoadReport(NamedTuple):
    """The names that `Module.load_state_dict` could not match.

    Those that are missing in the mapping, and those in the mapping that the module does not have.

    >>> LoadReport([], [])
    <all keys match>
    """

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<all keys match>"
        return f"LoadReport(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


@dataclass
class Buffer:
    """A reference to a buffer of a module, with a `value` to get and set as a `Parameter` has."""

    module: Any
    name: str

    @property
    def value(self):
        """The array."""
        return getattr(self.module, self.name)

    @value.setter
    def value(self, array):
        setattr(self.module, self.name, array)


def value_in(entry):
    """Return the array of a parameter or a buffer, not to be changed."""
    return value_of(entry) if isinstance(entry, Node) else entry.value


def identity(entry):
    """Return a key that is equal for two references to one parameter or buffer."""
    return (id(entry.module), entry.name) if isinstance(entry, Buffer) else id(entry)


def entries(module, saved_only=True):
    """Return the parameters and buffers of a module under every name that leads to them."""
    found: dict = {}
    for path, part in module.named_modules(remove_duplicate=False):
        found.update({join(path, name): p for name, p in part.named_parameters(recurse=False, remove_duplicate=False)})
        for name, _ in part.named_buffers(recurse=False, remove_duplicate=False):
            if part.is_persistent(name) or not saved_only:
                found[join(path, name)] = Buffer(part, name)
    return found


def snapshot(module):
    """Return copies of all parameters and persistent buffers; a single number becomes a 0-d array."""
    return {name: np.array(value_in(entry)) for name, entry in entries(module).items()}


def load(module, mapping, strict=True):
    """Copy a mapping into a module after checking all of it."""
    who, here = f"{type(module).__name__}.load_state_dict", entries(module)
    arrays = _matching_arrays(here, mapping, who)
    unexpected = [str(k) for k in mapping if k not in here and k != RANDOM_STATES]  # of a module saved alone
    report = LoadReport([k for k in here if k not in arrays], unexpected)
    if strict and (report.missing_keys or report.unexpected_keys):
        raise _mismatch(report, here, who)
    _check_shared(here, arrays, who)
    for name, array in arrays.items():
        here[name].value = array
    return report


def _matching_arrays(here, mapping, who):
    """Return the values whose names match as arrays of the right shape and dtype."""
    if not hasattr(mapping, "keys"):
        raise ValueTypeError(
            f"{who}: {describe(mapping)} is not a state_dict.",
            "a mapping of names to arrays.",
            "the result of module.state_dict().",
        )
    arrays = {name: _as_array(mapping[name], f"{who}: {name}") for name in here if name in mapping}
    shapes = {name: np.shape(value_in(here[name])) for name in arrays}
    wrong = [f"    {k}: got {a.shape}, expected {shapes[k]}" for k, a in arrays.items() if a.shape != shapes[k]]
    if wrong:
        raise ShapeError(
            "\n".join([f"{who}: {len(wrong)} of {len(here)} shapes do not match.", *wrong]),
            "arrays of the same shapes as in the module.",
            "build the module with the sizes it had when it was saved.",
        )
    return {name: _cast(a, value_in(here[name]), f"{who}: {name}") for name, a in arrays.items()}


def _as_array(value, who):
    """Convert an array, a node or a tensor of PyTorch to an array."""
    try:
        array = np.asarray(value_of(value) if isinstance(value, Node) else _detach(value))
    except (TypeError, ValueError, RuntimeError) as error:
        raise _not_an_array(value, who, str(error)) from None
    if array.dtype.kind not in "fiub":
        raise _not_an_array(value, who, f"its dtype is {array.dtype}")
    return array


def _detach(value):
    """Detach a PyTorch tensor from its graph; return anything else unchanged."""
    return value.detach() if hasattr(value, "detach") else value


def _not_an_array(value, who, why):
    return ValueTypeError(
        f"{who}: cannot convert {' '.join(describe(value).split())} to an array: {why.rstrip('.')}.",
        "an array of numbers.",
        "tensor.detach().cpu().float().numpy(), if it is a PyTorch tensor.",
    )


def _cast(array, value, who):
    """Convert an array to the dtype of a value; from float to integer is an error."""
    dtype = np.asarray(value).dtype
    if not np.can_cast(array.dtype, dtype, "same_kind"):
        raise ValueTypeError(
            f"{who}: cannot cast {array.dtype} to {dtype}.",
            f"a dtype that can be cast to {dtype}.",
            f"array.astype({str(dtype)!r}), if that is intended.",
        )
    return array.astype(dtype)


def _mismatch(report, here, who):
    """Return the error for missing and unexpected names."""
    lines = [f"    missing: {name}" for name in report.missing_keys]
    lines += [f"    unexpected: {name}" for name in report.unexpected_keys]
    unexpected = report.unexpected_keys[:1]
    near = f" {unexpected[0]} may mean {near_misses(unexpected[0], here)}." if unexpected and here else ""
    return UsageError(
        "\n".join([f"{who}: the names do not match.", *lines]),
        f"the {len(here)} names of its state_dict.",
        f"strict=False, which loads what matches and reports the rest.{near}",
    )


def _check_shared(here, arrays, who):
    """Raise if a parameter with two names would get two different values."""
    first: dict = {}
    for name in arrays:
        other = first.setdefault(identity(here[name]), name)
        if other is not name and not np.array_equal(arrays[name], arrays[other], equal_nan=True):
            raise UsageError(
                f"{who}: {other} and {name} are the same parameter, but have different values.",
                "equal arrays for both names.",
                "build the module without sharing, or omit one of the names with strict=False.",
            )
