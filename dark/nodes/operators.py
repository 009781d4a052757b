"""Arithmetic operators on nodes, each of which applies an operation; the attributes of NumPy arrays."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from dark.checks import describe
from dark.errors import OperationError, ShapeError, ValueTypeError
from dark.nodes import comparisons, node_checks
from dark.nodes.array_methods import ArrayMethods, ElementCount
from dark.nodes.grad_mode import mode
from dark.nodes.node_checks import check_convertible, check_not_assigned
from dark.nodes.protocols import SIGNS, call_function, call_ufunc, unsupported
from dark.nodes.values import value_of
from dark.spellings import MissingField, describe_missing, present_names
from dark.spellings.traps import check_rows
from dark.typing import ArrayLike, Shape

if TYPE_CHECKING:
    from dark.nodes.node import Node


class Operators(ArrayMethods):
    """The operators of `Node`, its only subclass: a separate class, so that `Node` contains the graph alone."""

    __slots__ = ()
    __pandas_priority__ = 5000  # more than a DataFrame's: pandas leaves its operators to nodes
    if not TYPE_CHECKING:
        __dir__ = present_names

    @property
    def shape(self) -> Shape:
        """The shape of the value; () for a number."""
        return getattr(self._value, "shape", ())

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> ElementCount:
        """The number of elements, an int; ``x.size()`` is the shape, as in PyTorch."""
        return ElementCount(self._value)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype of the value."""
        return getattr(self._value, "dtype", np.dtype(float))

    def __add__(self, other: ArrayLike) -> Node:
        return SIGNS["+"](self, other)

    def __radd__(self, other: ArrayLike) -> Node:
        return SIGNS["+"](other, self)

    def __sub__(self, other: ArrayLike) -> Node:
        return SIGNS["-"](self, other)

    def __rsub__(self, other: ArrayLike) -> Node:
        return SIGNS["-"](other, self)

    def __mul__(self, other: ArrayLike) -> Node:
        return SIGNS["*"](self, other)

    def __rmul__(self, other: ArrayLike) -> Node:
        return SIGNS["*"](other, self)

    def __truediv__(self, other: ArrayLike) -> Node:
        return SIGNS["/"](self, other)

    def __rtruediv__(self, other: ArrayLike) -> Node:
        return SIGNS["/"](other, self)

    def __pow__(self, other: ArrayLike) -> Node:
        return SIGNS["**"](self, other)

    def __rpow__(self, other: ArrayLike) -> Node:
        return SIGNS["**"](other, self)

    def __mod__(self, other: ArrayLike) -> Node:
        return SIGNS["%"](self, other)

    def __rmod__(self, other: ArrayLike) -> Node:
        return SIGNS["%"](other, self)

    def __neg__(self) -> Node:
        return SIGNS["neg"](self)

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Node:
        return SIGNS["abs"](self)

    def __matmul__(self, other: ArrayLike) -> Node:
        return SIGNS["@"](self, other)

    def __rmatmul__(self, other: ArrayLike) -> Node:
        return SIGNS["@"](other, self)

    def __getitem__(self, index: Any) -> Node:
        return SIGNS["[]"](self, index)

    def __len__(self) -> int:
        if not self.ndim:
            raise ValueTypeError("len: a scalar has no length.", "a node with at least one axis.", "x.item().")
        return len(self._value)

    def __iter__(self) -> Iterator[Node]:
        check_rows(sys._getframe(1), len(self))
        return (self[k] for k in range(len(self)))

    # Comparisons compare values and record nothing: they have no gradient. With `==`, two nodes are compared
    # as objects, so that nodes can be dictionary keys, members of sets, and found in lists.
    __lt__, __le__, __gt__, __ge__ = (
        comparisons.less, comparisons.less_equal, comparisons.greater, comparisons.greater_equal,
    )  # fmt: skip
    __eq__, __ne__, __contains__ = comparisons.equal, comparisons.not_equal, comparisons.contains
    __hash__ = object.__hash__

    # Functions without a derivative, and those of integers.
    __floordiv__ = __rfloordiv__ = unsupported("floor_divide")
    __divmod__ = __rdivmod__ = unsupported("divmod")
    __round__ = unsupported("round")
    __and__ = __rand__ = unsupported("bitwise_and")
    __or__ = __ror__ = unsupported("bitwise_or")
    __xor__ = __rxor__ = unsupported("bitwise_xor")
    __lshift__ = __rlshift__ = unsupported("left_shift")
    __rshift__ = __rrshift__ = unsupported("right_shift")
    __invert__ = unsupported("invert")

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise OperationError(
            "x[index] = value: the elements of a node cannot be set; other nodes may have been computed from them.",
            "a new node, or a new value for a Parameter.",
            "np.where to replace elements; array = p.value.copy(), array[0] = 1, p.value = array for a Parameter.",
        )

    def __bool__(self) -> bool:
        value = value_of(self)
        if type(value) is np.ndarray and value.size != 1:
            raise ShapeError(
                f"bool: the value must have one element, got {describe(value)}.",
                "one element, which is true or false.",
                "np.any(x.value) or np.all(x.value).",
            )
        return bool(value)

    def item(self) -> float:
        """Return the value of a node with one element as a Python float, which has no gradient."""
        if mode.is_differentiating:
            check_convertible(self)
        value = value_of(self)
        if type(value) is float:
            return value
        if type(value) is np.ndarray and value.size != 1:
            raise ShapeError(
                f"item: the value must have one element, got {describe(value)}.",
                "one element.",
                "select one, as x[0, 0].",
            )
        found: float = value.item()
        return found

    def __float__(self) -> float:
        check_not_assigned(self)
        return float(self.item())

    def __int__(self) -> int:
        check_not_assigned(self)
        return int(self.item())

    __trunc__ = __int__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **settings: Any) -> Any:
        return call_ufunc(ufunc, method, inputs, settings)

    def __array_function__(self, function: Any, types: Any, arguments: Any, settings: Any) -> Any:
        return call_function(function, arguments, settings)

    __array__, numpy, tolist = node_checks.to_array, node_checks.numpy, node_checks.tolist
    __dlpack__, __dlpack_device__ = node_checks.dlpack, node_checks.dlpack_device


describe_missing(Operators, "Node", MissingField)
