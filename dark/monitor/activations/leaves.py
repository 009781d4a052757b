"""The arrays in the output of a module, each with a name for its place."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from dark.nodes import Node, value_of


def leaves(output: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the nodes and arrays of an output with their places: "" for a single one, else "[0]", "[1][key]", …."""
    if isinstance(output, (Node, np.ndarray)):
        yield place, output
    elif isinstance(output, Mapping):
        for key, item in output.items():
            yield from leaves(item, f"{place}[{key}]")
    elif isinstance(output, (list, tuple)):
        for k, item in enumerate(output):
            yield from leaves(item, f"{place}[{k}]")


def array_of(leaf: Any) -> np.ndarray | None:
    """Return a leaf as an array; None if it does not hold real numbers."""
    value = value_of(leaf)
    array = value if type(value) is np.ndarray else np.asarray(value)
    return array if array.dtype.kind in "biuf" else None


def axis_of_examples(shape: tuple[int, ...], axis: int, count: int | None) -> int:
    """Return the axis of an output that counts examples.

    It is `axis` or 0, whichever is as long as there are examples (`count`, if it is known). If both are, 0 for an
    output with two axes, as (batch, features). If `axis` is 0, it may be 1: for final states of recurrent layers, of
    shape (layers, batch, features).

    Examples
    --------
    >>> axis_of_examples((5, 2, 3), 1, 2), axis_of_examples((2, 3), 1, 2), axis_of_examples((4,), 1, 2)
    (1, 0, 0)
    >>> axis_of_examples((2, 3), 0, 2), axis_of_examples((1, 2, 3), 0, 2)
    (0, 1)
    """
    if axis == 0:
        return 1 if len(shape) == 3 and shape[0] != count and shape[1] == count else 0
    order = (0, axis) if len(shape) < 3 else (axis, 0)
    order = [k for k in order if k < len(shape)]
    return next((k for k in order if shape[k] == count), order[0] if count is None else 0)


def number_of_examples(arguments: Iterable[Any], axis: int) -> int | None:
    """Return the length of the first argument that has an axis of examples along it; None if none has."""
    shapes = (np.shape(value_of(value)) for value in arguments if isinstance(value, (Node, np.ndarray)))
    return next((shape[axis] for shape in shapes if len(shape) > axis), None)


def examples_first(array: np.ndarray, axis: int, count: int | None) -> np.ndarray:
    """Return an array with the axis of examples first, see `axis_of_examples`; a number as an example of its own."""
    if not array.ndim:
        return array[None]
    found = axis_of_examples(array.shape, axis, count)
    return array if found == 0 else np.moveaxis(array, found, 0)
