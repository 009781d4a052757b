"""Arrays put together, and taken apart again."""

from itertools import accumulate

import numpy as np

from dark.checks import describe, integer
from dark.errors import ShapeError, ValueTypeError
from dark.nodes import Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.arrays.indexing import getitem
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import as_integers, normalize_axis


def along(axis, place):
    """Make the index that chooses a place, or a slice, along one axis."""
    return (slice(None),) * axis + (place,)


class Concatenate(Operation, trusted=True, elementwise=False):
    """Arrays one after another along an axis they have; any number of inputs."""

    expects = "shapes that are equal but for the axis along which they are joined"
    advice = "print the shapes; stack joins along a new axis."
    samples = (
        (((2, 3), (4, 3)), {"axis": 0}), (((2, 3), (2, 1), (2, 2)), {"axis": -1}), (((3,),), {"axis": 0}),
        (((2, 3), (0, 3)), {"axis": 0}), (((2, 1, 2), (2, 3, 2)), {"axis": 1}),
    )  # fmt: skip

    @staticmethod
    def _f(*x, axis):
        return np.concatenate(x, axis)

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Send each input its own part; one that takes no gradient has no part cut out."""
        axis = node.settings["axis"] % np.ndim(y)
        lengths = [np.shape(v)[axis] for v in x]
        return [
            dldy[along(axis, slice(end - length, end))] if n.requires_grad else None
            for n, length, end in zip(node.inputs, lengths, accumulate(lengths))
        ]


class Stack(Operation, trusted=True, elementwise=False):
    """Arrays of one shape side by side along a new axis; any number of inputs."""

    expects = "shapes that are all equal"
    advice = "print the shapes; concatenate joins along an axis that is there."
    samples = (
        (((2, 3), (2, 3)), {"axis": 0}), (((2, 3), (2, 3), (2, 3)), {"axis": -1}), (((2, 3), (2, 3)), {"axis": 1}),
        (((), ()), {"axis": 0}), (((3,),), {"axis": 0}), (((0,), (0,)), {"axis": 0}),
    )  # fmt: skip

    @staticmethod
    def _f(*x, axis):
        return np.stack(x, axis)

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Send each input its own part; one that takes no gradient has no part cut out."""
        axis = node.settings["axis"] % np.ndim(y)
        return [dldy[along(axis, k)] if n.requires_grad else None for k, n in enumerate(node.inputs)]


def _listed(nodes, who):
    """Make sure of a list with something in it."""
    if not hasattr(nodes, "__iter__"):
        raise ValueTypeError(f"{who}: {describe(nodes)} is no list.", "a list of nodes and arrays.", f"{who}([a, b])")
    nodes = list(nodes)
    if not nodes:
        raise ShapeError(f"{who}: an empty list.", "at least one node or array.", f"{who}([a, b])")
    return nodes


@implements(np.concatenate)
def concatenate(nodes, axis=0):
    """Join arrays along an axis that they have.

    Parameters
    ----------
    nodes : list of Node or array
        Shapes that are equal but for `axis`; nodes and arrays may be mixed.
    axis : int or None, default 0
        Along which axis; None joins all numbers in one row.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If the shapes do not fit, there is no such axis, or the list is empty.

    Notes
    -----
    Each input receives its own part of the gradient.

    Examples
    --------
    >>> import numpy as np
    >>> concatenate([np.zeros((2, 3)), np.ones((1, 3))]).shape
    (3, 3)
    """
    nodes = _listed(nodes, "concatenate")
    if axis is None:
        nodes, axis = [reshape(n, -1) for n in nodes], 0
    return Concatenate.apply(*nodes, axis=normalize_axis(axis, shape_of(nodes[0]), "concatenate"))


@implements(np.stack)
def stack(nodes, axis=0):
    """Join arrays of one shape along a new axis.

    Parameters
    ----------
    nodes : list of Node, float or array
        All of one shape; nodes, numbers and arrays may be mixed.
    axis : int, default 0
        Where the new axis stands in the result.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If the shapes differ, the result has no such axis, or the list is empty.

    Examples
    --------
    >>> stack([1.0, 2.0]).value
    array([1., 2.])
    """
    nodes = _listed(nodes, "stack")
    return Stack.apply(*nodes, axis=normalize_axis(axis, shape_of(nodes[0]), "stack", new=1))


@implements(np.split)
def split(x, indices_or_sections, axis=0):
    """Take an array apart along an axis.

    Parameters
    ----------
    x : Node or array
        At least one axis.
    indices_or_sections : int or sequence of int
        How many equal parts; or the places before which to cut.
    axis : int, default 0
        Along which axis.

    Returns
    -------
    list of Node

    Raises
    ------
    ShapeError
        If the parts do not divide the length, or there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> [part.value.tolist() for part in split(np.arange(4.0), 2)]
    [[0.0, 1.0], [2.0, 3.0]]
    >>> [part.value.tolist() for part in split(np.arange(4.0), [1])]
    [[0.0], [1.0, 2.0, 3.0]]
    """
    shape = shape_of(x)
    axis = normalize_axis(axis, shape, "split")
    if np.ndim(indices_or_sections):
        cuts = as_integers(indices_or_sections, "split", "indices_or_sections")
    else:
        cuts = _equal_cuts(shape, integer(indices_or_sections, "split", "indices_or_sections"), axis)
    return [getitem(x, along(axis, slice(start, stop))) for start, stop in zip((0, *cuts), (*cuts, None))]


def _equal_cuts(shape, parts, axis):
    length = shape[axis]
    if parts < 1 or length % parts:
        raise ShapeError(
            f"split: shape {shape} does not divide into {parts} equal parts along axis {axis}.",
            f"a number of parts that divides {length}.",
            "give the places to cut at in a list.",
        )
    return tuple(k * (length // parts) for k in range(1, parts))
