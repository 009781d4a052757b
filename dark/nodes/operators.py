"""Arithmetic operators on nodes, each of which applies an operation; and the attributes and methods of NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from dark.checks import describe
from dark.errors import OperationError, ShapeError
from dark.nodes.grad_mode import mode
from dark.nodes.protocols import FUNCTIONS, SIGNS, call_function, call_ufunc
from dark.nodes.values import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dark.typing import Array, ArrayLike, Axis, DType, Shape


N = TypeVar("N")  # the type of a result: `Node`


class Operators(Generic[N]):
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

    @property
    def T(self) -> N:
        """The node with its axes in reverse order."""
        return FUNCTIONS[np.transpose](self)

    def sum(self, axis: Axis = None, keepdims: bool = False) -> N:
        """Sum over axes; see `dark.sum`."""
        return FUNCTIONS[np.sum](self, axis, keepdims)

    def mean(self, axis: Axis = None, keepdims: bool = False) -> N:
        """Compute the mean over axes; see `dark.mean`."""
        return FUNCTIONS[np.mean](self, axis, keepdims)

    def max(self, axis: Axis = None, keepdims: bool = False) -> N:
        """Compute the maximum over axes; see `dark.max`."""
        return FUNCTIONS[np.max](self, axis, keepdims)

    def min(self, axis: Axis = None, keepdims: bool = False) -> N:
        """Compute the minimum over axes; see `dark.min`."""
        return FUNCTIONS[np.min](self, axis, keepdims)

    def prod(self, axis: Axis = None, keepdims: bool = False) -> N:
        """Compute the product over axes; see `dark.prod`."""
        return FUNCTIONS[np.prod](self, axis, keepdims)

    def var(self, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False) -> N:
        """Compute the variance over axes; see `dark.var`."""
        return FUNCTIONS[np.var](self, axis, ddof=ddof, keepdims=keepdims)

    def std(self, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False) -> N:
        """Compute the standard deviation over axes; see `dark.std`."""
        return FUNCTIONS[np.std](self, axis, ddof=ddof, keepdims=keepdims)

    def cumsum(self, axis: int | None = None) -> N:
        """Compute the cumulative sum along an axis; see `dark.cumsum`."""
        return FUNCTIONS[np.cumsum](self, axis)

    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> N:
        """Limit the elements to an interval; see `dark.clip`."""
        return FUNCTIONS[np.clip](self, min, max)

    def dot(self, other: ArrayLike) -> N:
        """Compute the dot product; see `dark.dot`."""
        return FUNCTIONS[np.dot](self, other)

    def take(self, indices: Any, axis: int | None = None) -> N:
        """Take elements along an axis; see `dark.take`."""
        return FUNCTIONS[np.take](self, indices, axis)

    def repeat(self, repeats: Any, axis: int | None = None) -> N:
        """Repeat elements along an axis; see `dark.repeat`."""
        return FUNCTIONS[np.repeat](self, repeats, axis)

    def astype(self, dtype: DType) -> N:
        """Cast to another floating-point dtype; the gradient is cast back."""
        return FUNCTIONS[np.ndarray.astype](self, dtype)

    def reshape(self, *shape: Any) -> N:
        """Change the shape; see `dark.reshape`."""
        return FUNCTIONS[np.reshape](self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes: Any) -> N:
        """Permute the axes; see `dark.transpose`."""
        return FUNCTIONS[np.transpose](self, (axes[0] if len(axes) == 1 else axes) or None)

    def flatten(self) -> N:
        """Reshape to one dimension."""
        return FUNCTIONS[np.reshape](self, -1)

    ravel = flatten

    def squeeze(self, axis: Axis = None) -> N:
        """Remove axes of length 1; see `dark.squeeze`."""
        return FUNCTIONS[np.squeeze](self, axis)

    def swapaxes(self, axis1: int, axis2: int) -> N:
        """Swap two axes; see `dark.swapaxes`."""
        return FUNCTIONS[np.swapaxes](self, axis1, axis2)

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
