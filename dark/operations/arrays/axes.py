"""The same numbers in another order: axes exchanged, moved, turned round."""

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.axis_checks import normalize_axes, normalize_axis


class Transpose(Operation, trusted=True, elementwise=False):
    """The axes in another order; in reverse if none is given."""

    expects = "each axis once"
    advice = "count the axes from 0 to x.ndim - 1."
    samples = (
        (((2, 3),), {"axes": None}), (((2, 3, 4),), {"axes": (1, 2, 0)}), (((2, 3, 4),), {"axes": (-1, 0, 1)}),
        (((3,),), {"axes": None}), (((0, 2),), {"axes": (1, 0)}),
    )  # fmt: skip

    @staticmethod
    def _f(x, axes):
        return np.transpose(x, axes)

    def _vjp(dldy, y, x, axes):
        return np.transpose(dldy, None if axes is None else tuple(np.argsort(np.mod(axes, len(axes)))))

    _df = (_vjp,)


class SwapAxes(Operation, trusted=True, elementwise=False):
    """Two axes exchanged."""

    expects = "two axes that the array has"
    advice = "count the axes from 0 to x.ndim - 1."
    samples = (
        (((2, 3),), {"axis1": 0, "axis2": 1}), (((2, 3, 4),), {"axis1": -1, "axis2": 0}),
        (((2, 3),), {"axis1": 1, "axis2": 1}), (((2, 0, 3),), {"axis1": 1, "axis2": 2}),
    )  # fmt: skip

    @staticmethod
    def _f(x, axis1, axis2):
        return np.swapaxes(x, axis1, axis2)

    _df = (lambda dldy, y, x, axis1, axis2: np.swapaxes(dldy, axis1, axis2),)


class MoveAxis(Operation, trusted=True, elementwise=False):
    """Axes at other places, the rest in their order."""

    expects = "as many places to move from as to move to, each once"
    advice = "count the axes from 0 to x.ndim - 1."
    samples = (
        (((2, 3, 4),), {"source": 0, "destination": -1}), (((2, 3, 4),), {"source": (0, 1), "destination": (-1, 0)}),
        (((2, 0, 3),), {"source": -1, "destination": 0}),
    )  # fmt: skip

    @staticmethod
    def _f(x, source, destination):
        return np.moveaxis(x, source, destination)

    _df = (lambda dldy, y, x, source, destination: np.moveaxis(dldy, destination, source),)


class Flip(Operation, trusted=True, elementwise=False):
    """The numbers along axes in reverse; along all of them if none is given."""

    expects = "axes that the array has, each once"
    advice = "count the axes from 0 to x.ndim - 1."
    samples = (
        (((2, 3),), {"axis": None}), (((2, 3),), {"axis": 0}), (((2, 3),), {"axis": -1}),
        (((2, 3, 2),), {"axis": (0, -1)}), (((4,),), {"axis": 0}), (((0, 2),), {"axis": 0}),
    )  # fmt: skip

    @staticmethod
    def _f(x, axis):
        return np.flip(x, axis)

    _df = (lambda dldy, y, x, axis: np.flip(dldy, axis),)


@implements(np.transpose)
def transpose(x, axes=None):
    """Put the axes in another order.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axes : tuple of int, optional
        The old number of each new axis; all in reverse if not given.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If not every axis is named once.

    Examples
    --------
    >>> import numpy as np
    >>> transpose(np.ones((2, 3, 4)), (1, 2, 0)).shape
    (3, 4, 2)
    """
    if axes is not None:
        axes, shape = normalize_axes(axes, shape_of(x), "transpose"), shape_of(x)
        if len(axes) != len(shape):
            raise ShapeError(f"transpose: axes {axes} for shape {shape}.", Transpose.expects, Transpose.advice)
    return Transpose.apply(x, axes=axes)


@implements(np.swapaxes)
def swapaxes(x, axis1, axis2):
    """Exchange two axes.

    Parameters
    ----------
    x : Node or array
        At least one axis.
    axis1, axis2 : int
        Which two.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> swapaxes(np.ones((2, 3, 4)), 0, -1).shape
    (4, 3, 2)
    """
    axis1, axis2 = (normalize_axis(k, shape_of(x), "swapaxes") for k in (axis1, axis2))
    return SwapAxes.apply(x, axis1=axis1, axis2=axis2)


@implements(np.moveaxis)
def moveaxis(x, source, destination):
    """Move axes to other places; the others keep their order.

    Parameters
    ----------
    x : Node or array
        At least one axis.
    source : int or tuple of int
        Which axes.
    destination : int or tuple of int
        Where each of them stands in the result.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If there is no such axis, or the two are not equally many.

    Examples
    --------
    >>> import numpy as np
    >>> moveaxis(np.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    source, destination = (normalize_axes(axes, shape_of(x), "moveaxis") for axes in (source, destination))
    if len(source) != len(destination):
        raise ShapeError(
            f"moveaxis: axes {source} of shape {shape_of(x)} to places {destination}.",
            MoveAxis.expects,
            "give one place for each axis.",
        )
    return MoveAxis.apply(x, source=source, destination=destination)


@implements(np.flip)
def flip(x, axis=None):
    """Turn the numbers along axes round.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axis : int or tuple of int, optional
        Along which axes; all if not given.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> flip(np.array([1.0, 2.0, 3.0])).value
    array([3., 2., 1.])
    """
    return Flip.apply(x, axis=None if axis is None else normalize_axes(axis, shape_of(x), "flip"))
