"""The state of a module as a plain dict of arrays, and putting such a dict into a module: all of it, or nothing."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError, near_misses
from dark.nn.traversal import join
from dark.nodes import Node
from dark.nodes.values import describe


class LoadReport(NamedTuple):
    """What `Module.load_state_dict` could not use.

    Attributes
    ----------
    missing_keys : list of str
        What the module has and the mapping has not.
    unexpected_keys : list of str
        What the mapping has and the module has not.

    Examples
    --------
    >>> LoadReport([], [])
    <all keys match>
    """

    missing_keys: list
    unexpected_keys: list

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<all keys match>"
        return f"LoadReport(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


@dataclass
class Buffer:
    """The place of a buffer, which is read and filled as a `Parameter` is: by its `value`."""

    module: Any
    name: str

    @property
    def value(self):
        """The array that stands there."""
        return getattr(self.module, self.name)

    @value.setter
    def value(self, array):
        setattr(self.module, self.name, array)


def identity(place):
    """Return what two names of one place have in common."""
    return (id(place.module), place.name) if isinstance(place, Buffer) else id(place)


def places(module, saved_only=True):
    """Return what makes the state of a module, under every name that leads to it.

    Returns
    -------
    dict of str to Parameter or Buffer
    """
    found: dict = {}
    for path, part in module.named_modules(remove_duplicate=False):
        found.update({join(path, name): p for name, p in part._parameters_here().items()})
        for name in part._buffers_here():
            if part._buffers[name] or not saved_only:
                found[join(path, name)] = Buffer(part, name)
    return found


def snapshot(module):
    """Copy the numbers of all parameters and saved buffers; a number becomes an array of no dimension."""
    return {name: np.array(place.value) for name, place in places(module).items()}


def cast(module, dtype):
    """Give everything that holds floats another type of float; gradients are taken away.

    Raises
    ------
    ValueTypeError
        If the type is none of floats.
    """
    try:
        dtype = np.dtype(dtype)
    except TypeError:  # the name of a device, for one
        raise ValueTypeError(
            f"to: {describe(dtype)} is no type of numbers.", "a type of floats, such as np.float64.", "module.double()"
        ) from None
    if dtype.kind != "f":
        raise ValueTypeError(
            f"to: {dtype} takes no gradient.", "a type of floats, such as np.float64.", "module.double()"
        )
    for place in {identity(p): p for p in places(module, saved_only=False).values()}.values():
        if np.asarray(place.value).dtype.kind == "f":
            place.value = np.asarray(place.value).astype(dtype)
    module.zero_grad()
    return module


def load(module, mapping, strict=True):
    """Put the numbers of a mapping into a module, after all of them have been checked.

    Returns
    -------
    LoadReport

    Raises
    ------
    ShapeError
        If an array has another shape than its place; all of them are named.
    UsageError
        If `strict` and a name is missing or unexpected; or one place has two names and gets two values.
    ValueTypeError
        If `mapping` is no mapping, or holds something that fits no place.
    """
    who, here = f"{type(module).__name__}.load_state_dict", places(module)
    arrays = _arrays(here, mapping, who)
    report = LoadReport([k for k in here if k not in arrays], [str(k) for k in mapping if k not in here])
    if strict and (report.missing_keys or report.unexpected_keys):
        raise _unmatched(report, here, who)
    _refuse_two_values(here, arrays, who)
    for name, array in arrays.items():
        here[name].value = array
    return report


def _arrays(here, mapping, who):
    """Make of a mapping the arrays that fit, each in the type that stands in its place."""
    if not hasattr(mapping, "keys"):
        raise ValueTypeError(
            f"{who}: {describe(mapping)} is no state.",
            "a mapping of names to arrays.",
            "module.state_dict() makes one.",
        )
    arrays = {name: _as_array(mapping[name], f"{who}: {name}") for name in here if name in mapping}
    shapes = {name: np.shape(here[name].value) for name in arrays}
    wrong = [f"    {k}: {a.shape} is given, {shapes[k]} stands here" for k, a in arrays.items() if a.shape != shapes[k]]
    if wrong:
        raise ShapeError(
            "\n".join([f"{who}: {len(wrong)} of {len(here)} shapes do not fit.", *wrong]),
            "for each name an array of the shape that stands in the module.",
            "build the module with the sizes it was saved with.",
        )
    return {name: _cast(a, here[name].value, f"{who}: {name}") for name, a in arrays.items()}


def _as_array(value, who):
    """Make an array of what a mapping holds for a name."""
    try:
        array = np.asarray(value.value if isinstance(value, Node) else _detached(value))
    except (TypeError, ValueError, RuntimeError) as error:
        raise _no_array(value, who, str(error)) from None
    if array.dtype.kind not in "fiub":
        raise _no_array(value, who, f"it holds {array.dtype}")
    return array


def _detached(value):
    """Take a tensor of PyTorch's out of its graph; anything else stays."""
    return value.detach() if hasattr(value, "detach") else value


def _no_array(value, who, why):
    return ValueTypeError(
        f"{who}: cannot read {' '.join(describe(value).split())} as an array: {why.rstrip('.')}.",
        "an array of numbers.",
        "tensor.detach().cpu().float().numpy(), if it is a tensor of PyTorch's.",
    )


def _cast(array, value, who):
    """Give an array the type that stands in its place, if no fractions are lost by it."""
    dtype = np.asarray(value).dtype
    if not np.can_cast(array.dtype, dtype, "same_kind"):
        raise ValueTypeError(
            f"{who}: {array.dtype} cannot stand where {dtype} is.",
            f"numbers that can become {dtype}.",
            f"array.astype({str(dtype)!r}), if that is meant.",
        )
    return array.astype(dtype)


def _unmatched(report, here, who):
    """Make the error for names that are on one side only."""
    lines = [f"    missing: {name}" for name in report.missing_keys]
    lines += [f"    unexpected: {name}" for name in report.unexpected_keys]
    strange = report.unexpected_keys[:1]
    near = f" {strange[0]} may mean {near_misses(strange[0], here)}." if strange and here else ""
    return UsageError(
        "\n".join([f"{who}: the names do not match.", *lines]),
        f"the {len(here)} names of its state_dict.",
        f"strict=False takes what fits and reports the rest.{near}",
    )


def _refuse_two_values(here, arrays, who):
    """Refuse two different values for one parameter that is shared under two names."""
    first: dict = {}
    for name in arrays:
        twin = first.setdefault(identity(here[name]), name)
        if twin is not name and not np.array_equal(arrays[name], arrays[twin], equal_nan=True):
            raise UsageError(
                f"{who}: {twin} and {name} are one and the same, and are to get two values.",
                "equal arrays under both names.",
                "build the module without sharing, or leave one of them out with strict=False.",
            )
