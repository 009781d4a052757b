"""Sorting along an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import boolean, one_of
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import input_shape, normalize_axis
from dark.spellings.traps import check_pair, other_meaning

if TYPE_CHECKING:
    from dark.typing import ArrayLike


class Sort(Operation, trusted=True, elementwise=False):
    """Elements in ascending order along an axis; each gets the gradient of its position in the result."""

    _f = staticmethod(lambda x, axis: np.sort(x, axis))

    @staticmethod
    def _vjp(dldy, y, x, axis):
        order = np.argsort(value_of(x), axis, kind="stable")
        return np.take_along_axis(dldy, np.argsort(order, axis), axis)

    _df = (_vjp,)

    expects, advice = "an axis of the array", "count the axes from 0, or from the right with -1."
    samples = (
        (((4,),), {"axis": 0}), (((2, 3),), {"axis": 1}), (((3, 2, 2),), {"axis": 0}), (((1,),), {"axis": 0}),
        (((0, 2),), {"axis": 0}), (((2, 0),), {"axis": 0}),
    )  # fmt: skip


@implements(np.sort)
def sort(
    x: ArrayLike, axis: int | None = -1, kind: str | None = None, *, stable: bool | None = None, **pytorch: Any
) -> Node:
    """Sort the elements along an axis in ascending order; NaN comes last.

    Each element gets the gradient of its position in the result. Equal elements keep their order: of a tie, the first
    element gets the gradient of the first position.

    Parameters
    ----------
    axis : int or None, default -1
        None flattens `x` first.
    kind, stable
        Accepted as in NumPy; the sort is stable in any case.

    Examples
    --------
    >>> sort(np.array([3.0, 1.0, 2.0])).value
    array([1., 2., 3.])
    """
    if pytorch:
        raise other_meaning(
            "sort", pytorch, "the sorted elements, upward; PyTorch returns a pair of values and indices.",
            "np.sort(x, axis=-1) for the values, np.argsort(x.value, axis=-1) for the indices; np.flip sorts downward.",
        )  # fmt: skip
    one_of(kind, "sort", "kind", (None, "quicksort", "mergesort", "heapsort", "stable"))
    if stable is not None:
        boolean(stable, "sort", "stable")
    x, axis = (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, input_shape(x, "sort"), "sort"))
    y = Sort.apply(x, axis=axis)
    if y.shape[:1] == (2,):
        check_pair("sort", y.shape, is_pytorch=False)
    return y
