"""New arrays in the shape and dtype of a node: NumPy's functions, applied to its value.

The result is an array that can be written to, not a node: it is constant, and no gradient flows through it. Inside an
operation of nodes it counts as any other array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from dark.errors import DarkError, ValueTypeError
from dark.nodes import value_of
from dark.nodes.protocols import implements
from dark.operations.axis_checks import as_integers
from dark.spellings import keywords_checked

if TYPE_CHECKING:
    from dark.typing import Array, ArrayLike, DType, Shape

    Order = Literal["K", "A", "C", "F"]  # of the elements in memory


def _new_array(function, x, *arguments, shape):
    """Call a function of NumPy with the value of a node; explain arguments that it does not accept."""
    who = function.__name__
    shape = None if shape is None else as_integers(shape, who, "shape")
    try:
        return function(value_of(x), *arguments, shape)
    except DarkError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueTypeError(
            f"{who}: {error}.", f"the arguments of np.{who}.", "print the arguments and their shapes."
        ) from None


@implements(np.zeros_like)
@keywords_checked
def zeros_like(
    x: ArrayLike, dtype: DType = None, order: Order = "K", subok: bool = True, shape: int | Shape | None = None
) -> Array:
    """Return an array of zeros in the shape and dtype of `x`.

    Parameters
    ----------
    dtype, order, subok, shape
        As in NumPy; by default the dtype and the shape of `x`.

    Examples
    --------
    >>> import dark
    >>> zeros_like(dark.Parameter(np.ones(2)))
    array([0., 0.])
    """
    return _new_array(np.zeros_like, x, dtype, order, subok, shape=shape)


@implements(np.ones_like)
@keywords_checked
def ones_like(
    x: ArrayLike, dtype: DType = None, order: Order = "K", subok: bool = True, shape: int | Shape | None = None
) -> Array:
    """Return an array of ones in the shape and dtype of `x`; see `zeros_like`.

    >>> ones_like(np.zeros(2), shape=3)
    array([1., 1., 1.])
    """
    return _new_array(np.ones_like, x, dtype, order, subok, shape=shape)


@implements(np.empty_like)
@keywords_checked
def empty_like(
    x: ArrayLike, dtype: DType = None, order: Order = "K", subok: bool = True, shape: int | Shape | None = None
) -> Array:
    """Return an uninitialized array in the shape and dtype of `x`; see `zeros_like`.

    >>> empty_like(np.ones((2, 3))).shape
    (2, 3)
    """
    return _new_array(np.empty_like, x, dtype, order, subok, shape=shape)


@implements(np.full_like)
@keywords_checked
def full_like(
    x: ArrayLike,
    fill_value: float | Array,
    dtype: DType = None,
    order: Order = "K",
    subok: bool = True,
    shape: int | Shape | None = None,
) -> Array:
    """Return an array in the shape and dtype of `x`, filled with a value; see `zeros_like`.

    The value is a number or an array that broadcasts; of a node, ``fill_value * ones_like(x)`` is a node.

    >>> full_like(np.ones(2), 7.0)
    array([7., 7.])
    """
    return _new_array(np.full_like, x, fill_value, dtype, order, subok, shape=shape)
