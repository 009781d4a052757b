"""A differentiable change of dtype; and new arrays in the shape and dtype of a node.

The new arrays can be written to and are not nodes: they are constant, and no gradient flows through them. Inside an
operation of nodes they count as any other array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from dark.checks import describe
from dark.errors import DarkError, ValueTypeError
from dark.nodes import Operation, value_of
from dark.nodes.protocols import FUNCTIONS, implements
from dark.operations.axis_checks import as_integers
from dark.spellings import keywords_checked

if TYPE_CHECKING:
    from dark.typing import Array, ArrayLike, DType, Shape

    Order = Literal["K", "A", "C", "F"]  # of the elements in memory


class _Cast(Operation, trusted=True, elementwise=False):
    """The value in another dtype; the gradient is cast back."""

    function_name = "cast"

    _f = staticmethod(lambda x, dtype: np.asarray(x).astype(dtype))
    _df = (lambda dldy, y, x, dtype: dldy,)  # `cast_gradient` gives it the dtype of the input


@implements(np.ndarray.astype)
def astype(x, dtype):
    """Cast to another floating-point dtype; the gradient is cast back.

    >>> import dark
    >>> dark.Parameter(np.ones(2)).astype(np.float32).dtype
    dtype('float32')
    """
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        raise ValueTypeError(
            f"astype: {describe(dtype)} is not a dtype of NumPy.",
            "a floating-point dtype, such as np.float16, np.float32 or np.float64.",
            "x.astype(np.float32), which has the range of bfloat16 and more digits.",
        ) from None
    if dtype.kind != "f":
        raise ValueTypeError(
            f"astype: {dtype} is not a floating-point dtype.",
            "a floating-point dtype.",
            "x.value.astype(...), which returns an array.",
        )
    return _Cast.apply(x, dtype=dtype)


if hasattr(np, "astype"):  # NumPy 2.1
    FUNCTIONS[np.astype] = astype


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
    """Return an array of zeros in the shape and dtype of `x`; the other parameters are NumPy's.

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
