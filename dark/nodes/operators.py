"""Arithmetic operators on nodes, each of which applies an operation; the attributes of NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.checks import describe
from dark.errors import OperationError, ShapeError
from dark.nodes.array_methods import ArrayMethods, N
from dark.nodes.grad_mode import mode
from dark.nodes.protocols import SIGNS, call_function, call_ufunc
from dark.nodes.values import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dark.typing import Array, ArrayLike, Shape


class Operators(ArrayMethods[N]):
    """The operators of `Node`, its only subclass: a separate class, so that `Node` contains the graph alone.

    ``==`` remains identity, so that nodes can be dictionary keys and members of sets.
    """

    __slots__ = ()
    if TYPE_CHECKING:
        _value: Any

    @property
    def shape(self) -> Shape:
        """The shape of the value; () for a number."""
        return getattr(self._value, "shape", ())

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return getattr(self._value, "size", 1)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype of the value."""
        return getattr(self._value, "dtype", np.dtype(float))

    def __add__(self, other: ArrayLike) -> N:
        return SIGNS["+"](self, other)

    def __radd__(self, other: ArrayLike) -> N:
        return SIGNS["+"](other, self)

    def __sub__(self, other: ArrayLike) -> N:
        return SIGNS["-"](self, other)

    def __rsub__(self, other: ArrayLike) -> N:
        return SIGNS["-"](other, self)

    def __mul__(self, other: ArrayLike) -> N:
        return SIGNS["*"](self, other)

    def __rmul__(self, other: ArrayLike) -> N:
        return SIGNS["*"](other, self)

    def __truediv__(self, other: ArrayLike) -> N:
        return SIGNS["/"](self, other)

    def __rtruediv__(self, other: ArrayLike) -> N:
        return SIGNS["/"](other, self)

    def __pow__(self, other: ArrayLike) -> N:
        return SIGNS["**"](self, other)

    def __rpow__(self, other: ArrayLike) -> N:
        return SIGNS["**"](other, self)

    def __mod__(self, other: ArrayLike) -> N:
        return SIGNS["%"](self, other)

    def __rmod__(self, other: ArrayLike) -> N:
        return SIGNS["%"](other, self)

    def __neg__(self) -> N:
        return SIGNS["neg"](self)

    def __pos__(self) -> N:
        return self  # type: ignore[return-value]

    def __abs__(self) -> N:
        return SIGNS["abs"](self)

    def __matmul__(self, other: ArrayLike) -> N:
        return SIGNS["@"](self, other)

    def __rmatmul__(self, other: ArrayLike) -> N:
        return SIGNS["@"](other, self)

    def __getitem__(self, index: Any) -> N:
        return SIGNS["[]"](self, index)

    def __len__(self) -> int:
        if not self.ndim:
            raise ShapeError("len: the node is a scalar.", "an array.", "x.size is the number of elements.")
        return len(self._value)

    def __iter__(self) -> Iterator[N]:
        return (self[k] for k in range(len(self)))

    # Comparisons compare values and record nothing: they have no gradient.
    def __lt__(self, other: ArrayLike) -> Any:
        return self._value < value_of(other)

    def __le__(self, other: ArrayLike) -> Any:
        return self._value <= value_of(other)

    def __gt__(self, other: ArrayLike) -> Any:
        return self._value > value_of(other)

    def __ge__(self, other: ArrayLike) -> Any:
        return self._value >= value_of(other)

    def __bool__(self) -> bool:
        return bool(self._value)

    def item(self) -> float:
        """Return the value of a node with one element as a Python float.

        Raises
        ------
        ShapeError
            If it has several elements.
        """
        if mode.create_graph:
            raise OperationError(
                f"{self}: a derivative that is to be differentiated again converted a node to a Python number.",
                "arithmetic operators and NumPy functions in _df, which work on nodes.",
                "np.cos(x) instead of math.cos(x), and no float(x).",
            )
        value = self._value
        if type(value) is float:
            return value
        if type(value) is np.ndarray and value.size != 1:
            raise ShapeError(f"item: the value is {describe(value)}.", "one element.", "select one, as x[0, 0].")
        return value.item()

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **settings: Any) -> Any:
        return call_ufunc(ufunc, method, inputs, settings)

    def __array_function__(self, function: Any, types: Any, arguments: Any, settings: Any) -> Any:
        return call_function(function, arguments, settings)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        raise OperationError(
            "numpy: cannot convert a node to an array: it would be detached from the graph.",
            "the value of the node.",
            "x.value; or dark.stack([...]) to join nodes.",
        )
