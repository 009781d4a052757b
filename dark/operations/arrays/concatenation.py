"""Concatenation, stacking and splitting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from dark.checks import describe, integer
from dark.errors import ShapeError, ValueTypeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.operations.arrays.indexing import getitem
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import as_integers, input_shape, normalize_axis
from dark.spellings import FIRST, axis_of
from dark.spellings.traps import other_meaning
from dark.typing import ArrayLike


def index_along(axis, index):
    """Return the index that selects an entry or a slice along one axis."""
    return (slice(None),) * axis + (index,)


class Concatenate(Operation, trusted=True, elementwise=False):
    """Concatenation of any number of inputs along an existing axis."""

    _f = staticmethod(lambda *x, axis: np.concatenate(x, axis))

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Return for each input that requires a gradient its slice of `dldy`."""
        axis = node.settings["axis"] % np.ndim(y)
        lengths = [np.shape(v)[axis] for v in x]
        return [
            dldy[index_along(axis, slice(end - length, end))] if n.requires_grad else None
            for n, length, end in zip(node.inputs, lengths, accumulate(lengths))
        ]

    expects, advice = "shapes that are equal except along the axis", "print the shapes; stack adds a new axis."
    samples = (
        (((2, 3), (4, 3)), {"axis": 0}), (((2, 3), (2, 1), (2, 2)), {"axis": -1}), (((3,),), {"axis": 0}),
        (((2, 3), (0, 3)), {"axis": 0}), (((2, 1, 2), (2, 3, 2)), {"axis": 1}),
    )  # fmt: skip


class Stack(Operation, trusted=True, elementwise=False):
    """Stacking of any number of inputs along a new axis."""

    _f = staticmethod(lambda *x, axis: np.stack(x, axis))

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Return for each input that requires a gradient its slice of `dldy`."""
        axis = node.settings["axis"] % np.ndim(y)
        return [dldy[index_along(axis, k)] if n.requires_grad else None for k, n in enumerate(node.inputs)]

    expects, advice = "equal shapes", "print the shapes; concatenate joins along an existing axis."
    samples = (
        (((2, 3), (2, 3)), {"axis": 0}), (((2, 3), (2, 3), (2, 3)), {"axis": -1}), (((2, 3), (2, 3)), {"axis": 1}),
        (((), ()), {"axis": 0}), (((3,),), {"axis": 0}), (((0,), (0,)), {"axis": 0}),
    )  # fmt: skip


def as_list(nodes, who):
    """Return a non-empty list of inputs."""
    if not hasattr(nodes, "__iter__") or getattr(nodes, "ndim", 1) == 0:
        raise ValueTypeError(
            f"{who}: {describe(nodes)} is not a sequence.", "nodes and arrays in a list.", f"{who}([a, b])"
        )
    nodes = list(nodes)
    if not nodes:
        raise ShapeError(f"{who}: the sequence must not be empty.", "at least one node or array.", f"{who}([a, b])")
    return nodes


@implements(np.concatenate)
def concatenate(nodes: Sequence[ArrayLike], axis: int | None = FIRST, **pytorch: Any) -> Node:
    """Concatenate arrays along an existing axis.

    Parameters
    ----------
    nodes : sequence of Node or array
        Shapes that are equal except along `axis`.
    axis : int or None, default 0
        None flattens the arrays first.
    **pytorch
        `dim`, PyTorch's name of the axis.

    Examples
    --------
    >>> concatenate([np.zeros((2, 3)), np.ones((1, 3))]).shape
    (3, 3)
    """
    if pytorch:
        axis, _ = axis_of("concatenate", pytorch, axis)
    nodes = as_list(nodes, "concatenate")
    if axis is None:
        nodes, axis = [reshape(n, -1) for n in nodes], 0
    return Concatenate.apply(*nodes, axis=normalize_axis(axis, input_shape(nodes[0], "concatenate"), "concatenate"))


cat = concatenate  # PyTorch's name


@implements(np.stack)
def stack(nodes: Sequence[ArrayLike], axis: int = FIRST, **pytorch: Any) -> Node:
    """Stack arrays of equal shape along a new axis, at the position `axis` of the result.

    >>> stack([1.0, 2.0]).value
    array([1., 2.])
    """
    if pytorch:
        axis, _ = axis_of("stack", pytorch, axis)
    nodes = as_list(nodes, "stack")
    return Stack.apply(*nodes, axis=normalize_axis(axis, input_shape(nodes[0], "stack"), "stack", new=1))


@implements(np.split)
def split(x: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0, **pytorch: Any) -> list[Node]:
    """Split an array along an axis, into a number of equal parts or before each of a list of indices.

    >>> [part.value.tolist() for part in split(np.arange(4.0), 2)]
    [[0.0, 1.0], [2.0, 3.0]]
    >>> [part.value.tolist() for part in split(np.arange(4.0), [1])]
    [[0.0], [1.0, 2.0, 3.0]]
    """
    if pytorch:
        raise other_meaning(
            "split", pytorch, "the number of parts, or the indices to cut at; PyTorch takes the size of a part.",
            "dark.split(x, x.shape[1] // size, axis=1)",
        )  # fmt: skip
    shape = input_shape(x, "split")
    axis = normalize_axis(axis, shape, "split")
    if hasattr(indices_or_sections, "__iter__") and getattr(indices_or_sections, "ndim", True):
        cuts = as_integers(indices_or_sections, "split", "indices_or_sections")
    else:
        cuts = _equal_sections(shape, integer(indices_or_sections, "split", "indices_or_sections"), axis)
    return [getitem(x, index_along(axis, slice(start, stop))) for start, stop in zip((0, *cuts), (*cuts, None))]


def _equal_sections(shape, parts, axis):
    length = shape[axis]
    if parts < 1 or length % parts:
        raise ShapeError(
            f"split: cannot split shape {shape} into {parts} equal parts along axis {axis}.",
            f"a divisor of {length}.",
            "pass a list of indices to split at.",
        )
    return tuple(k * (length // parts) for k in range(1, parts))
