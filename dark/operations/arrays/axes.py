"""Reordering of axes, and reversal of elements along them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import FUNCTIONS, implements
from dark.operations.axis_checks import ADVICE, input_shape, normalize_axes, normalize_axis
from dark.spellings import axis_of, keyword_error
from dark.spellings.traps import identity_error
from dark.typing import ArrayLike, Axis


class Transpose(Operation, trusted=True, elementwise=False):
    """Permutation of the axes; their reversal if `axes` is None."""

    _f = staticmethod(lambda x, axes: np.transpose(x, axes))

    @staticmethod
    def _vjp(dldy, y, x, axes):
        return np.transpose(dldy, None if axes is None else tuple(np.argsort(np.mod(axes, len(axes)))))

    _df = (_vjp,)

    expects, advice = "a permutation of the axes", ADVICE
    samples = (
        (((2, 3),), {"axes": None}), (((2, 3, 4),), {"axes": (1, 2, 0)}), (((2, 3, 4),), {"axes": (-1, 0, 1)}),
        (((3,),), {"axes": None}), (((0, 2),), {"axes": (1, 0)}),
    )  # fmt: skip


class SwapAxes(Operation, trusted=True, elementwise=False):
    """Exchange of two axes."""

    _f = staticmethod(lambda x, axis1, axis2: np.swapaxes(x, axis1, axis2))
    _df = (lambda dldy, y, x, axis1, axis2: np.swapaxes(dldy, axis1, axis2),)

    expects, advice = "two axes of the array", ADVICE
    samples = (
        (((2, 3),), {"axis1": 0, "axis2": 1}), (((2, 3, 4),), {"axis1": -1, "axis2": 0}),
        (((2, 3),), {"axis1": 1, "axis2": 1}), (((2, 0, 3),), {"axis1": 1, "axis2": 2}),
    )  # fmt: skip


class MoveAxis(Operation, trusted=True, elementwise=False):
    """Axes moved to other positions; the others keep their order."""

    _f = staticmethod(lambda x, source, destination: np.moveaxis(x, source, destination))
    _df = (lambda dldy, y, x, source, destination: np.moveaxis(dldy, destination, source),)

    expects, advice = "one destination for each source", ADVICE
    samples = (
        (((2, 3, 4),), {"source": 0, "destination": -1}), (((2, 3, 4),), {"source": (0, 1), "destination": (-1, 0)}),
        (((2, 0, 3),), {"source": -1, "destination": 0}),
    )  # fmt: skip


class Flip(Operation, trusted=True, elementwise=False):
    """Reversal along axes; along all if `axis` is None."""

    _f = staticmethod(lambda x, axis: np.flip(x, axis))
    _df = (lambda dldy, y, x, axis: np.flip(dldy, axis),)

    expects, advice = "distinct axes of the array", ADVICE
    samples = (
        (((2, 3),), {"axis": None}), (((2, 3),), {"axis": 0}), (((2, 3),), {"axis": -1}),
        (((2, 3, 2),), {"axis": (0, -1)}), (((4,),), {"axis": 0}), (((0, 2),), {"axis": 0}),
    )  # fmt: skip


FUNCTIONS[np.ndarray.T] = lambda x: Transpose.apply(x, axes=None)


@implements(np.transpose)
def transpose(x: ArrayLike, axes: Axis = None, other: int | None = None, **pytorch: Any) -> Node:
    """Permute the axes.

    Parameters
    ----------
    axes : tuple of int, optional
        For each axis of the result, the axis of `x`. By default the order is reversed.
    other : int, optional
        With an int as `axes`: the two axes change places, as in PyTorch. Of a matrix, 0 and 1 are refused in this
        order, in which NumPy's method would leave it as it is.
    **pytorch
        `dim0` and `dim1`, PyTorch's names of two axes that change places.

    Examples
    --------
    >>> transpose(np.ones((2, 3, 4)), (1, 2, 0)).shape
    (3, 4, 2)
    """
    if pytorch or other is not None:
        return _swap(x, axes, other, pytorch)
    if axes is None:
        return Transpose.apply(x, axes=None)
    shape = input_shape(x, "transpose")
    order = normalize_axes(axes, shape, "transpose")
    if len(order) != len(shape):
        raise ShapeError(f"transpose: axes {order} do not match shape {shape}.", Transpose.expects, Transpose.advice)
    return Transpose.apply(x, axes=order)


def _swap(x, axis, other, pytorch):
    """Swap two axes that were given one by one."""
    shape = input_shape(x, "transpose")
    if pytorch:
        if axis is not None or pytorch.keys() != {"dim0", "dim1"}:
            raise keyword_error("transpose", next(iter(pytorch)))
        axis, other = pytorch["dim0"], pytorch["dim1"]
    axes = normalize_axes((axis, other), shape, "transpose")
    if axes == (0, 1) and len(shape) == 2 and not pytorch:
        raise identity_error((axis, other), shape)
    return Transpose.apply(x, axes=(1, 0)) if len(shape) == 2 else SwapAxes.apply(x, axis1=axes[0], axis2=axes[1])


@implements(np.swapaxes)
def swapaxes(x: ArrayLike, axis1: int, axis2: int) -> Node:
    """Swap two axes.

    >>> swapaxes(np.ones((2, 3, 4)), 0, -1).shape
    (4, 3, 2)
    """
    axis1, axis2 = (normalize_axis(k, input_shape(x, "swapaxes"), "swapaxes") for k in (axis1, axis2))
    return SwapAxes.apply(x, axis1=axis1, axis2=axis2)


@implements(np.moveaxis)
def moveaxis(x: ArrayLike, source: Axis, destination: Axis) -> Node:
    """Move axes, one or several, from the positions in `source` to those in `destination`; others keep their order.

    >>> moveaxis(np.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    shape = input_shape(x, "moveaxis")
    sources, destinations = [normalize_axes(axes, shape, "moveaxis") for axes in (source, destination)]
    if len(sources) != len(destinations):
        raise ShapeError(
            f"moveaxis: source and destination must have equal lengths, got {sources} and {destinations}.",
            MoveAxis.expects,
            "moveaxis(x, (0, 1), (-1, -2))",
        )
    return MoveAxis.apply(x, source=sources, destination=destinations)


@implements(np.flip)
def flip(x: ArrayLike, axis: Axis = None, **pytorch: Any) -> Node:
    """Reverse the order of elements along axes, by default along all.

    >>> flip(np.array([1.0, 2.0, 3.0])).value
    array([3., 2., 1.])
    """
    if pytorch:
        axis, _ = axis_of("flip", pytorch, axis)
    return Flip.apply(x, axis=None if axis is None else normalize_axes(axis, input_shape(x, "flip"), "flip"))
