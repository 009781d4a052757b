"""The methods of NumPy arrays, on nodes: each calls the implementation of NumPy's function of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError
from dark.nodes.protocols import FUNCTIONS
from dark.nodes.values import NodeBase
from dark.spellings import Default
from dark.spellings.traps import repeat_error
from dark.typing import ArrayLike, Axis, DType, Shape

if TYPE_CHECKING:
    from dark.nodes.node import Node

DDOF = Default(0)  # the default: a division by n


class ElementCount(int):
    """The number of elements of a node, an int; called as PyTorch's ``x.size()`` it is the shape.

    >>> import dark
    >>> x = dark.Parameter([[1.0, 2.0, 3.0]])
    >>> x.size, x.size + 1, x.size(), x.size(1)
    (3, 4, (1, 3), 3)
    """

    _shape: tuple[int, ...]

    def __new__(cls, value: Any) -> ElementCount:
        """Count the elements of a number or an array."""
        count = super().__new__(cls, getattr(value, "size", 1))
        count._shape = getattr(value, "shape", ())
        return count

    def __call__(self, dim: int | None = None) -> Any:
        """Return the shape, or the length of an axis."""
        return self._shape if dim is None else self._shape[_axis(dim, self._shape)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return an ordinary int for `copy` and `pickle`."""
        return int, (int(self),)


def _axis(axis: int, shape: Shape) -> int:
    """Return an axis of a shape as a non-negative integer."""
    axis = integer(axis, "size", "dim")
    if not -len(shape) <= axis < len(shape):
        raise ShapeError(
            f"size: dim {axis} is out of bounds for shape {shape}.", "an axis of the node.", "x.shape, the whole shape."
        )
    return axis % len(shape)


class ArrayMethods(NodeBase):
    """The methods that nodes share with arrays; `Operators` adds the operators."""

    __slots__ = ()

    @property
    def T(self) -> Node:
        """The node with its axes in reverse order."""
        return FUNCTIONS[np.ndarray.T](self)

    def sum(self, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
        """Sum over axes; see `dark.sum`."""
        sum = FUNCTIONS[np.sum]
        return sum(self, axis, keepdims, **pytorch) if pytorch else sum(self, axis, keepdims)

    def mean(self, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
        """Compute the mean over axes; see `dark.mean`."""
        mean = FUNCTIONS[np.mean]
        return mean(self, axis, keepdims, **pytorch) if pytorch else mean(self, axis, keepdims)

    def max(self, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
        """Compute the maximum over axes; see `dark.max`."""
        max = FUNCTIONS[np.max]
        return max(self, axis, keepdims, **pytorch) if pytorch else max(self, axis, keepdims)

    def min(self, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
        """Compute the minimum over axes; see `dark.min`."""
        min = FUNCTIONS[np.min]
        return min(self, axis, keepdims, **pytorch) if pytorch else min(self, axis, keepdims)

    def prod(self, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
        """Compute the product over axes; see `dark.prod`."""
        prod = FUNCTIONS[np.prod]
        return prod(self, axis, keepdims, **pytorch) if pytorch else prod(self, axis, keepdims)

    def var(self, axis: Axis = None, *, ddof: float = DDOF, keepdims: bool = False, **pytorch: Any) -> Node:
        """Compute the variance over axes; see `dark.var`."""
        return FUNCTIONS[np.var](self, axis, ddof=ddof, keepdims=keepdims, **pytorch)

    def std(self, axis: Axis = None, *, ddof: float = DDOF, keepdims: bool = False, **pytorch: Any) -> Node:
        """Compute the standard deviation over axes; see `dark.std`."""
        return FUNCTIONS[np.std](self, axis, ddof=ddof, keepdims=keepdims, **pytorch)

    def cumsum(self, axis: int | None = None, **pytorch: Any) -> Node:
        """Compute the cumulative sum along an axis; see `dark.cumsum`."""
        return FUNCTIONS[np.cumsum](self, axis, **pytorch)

    def cumprod(self, axis: int | None = None, **pytorch: Any) -> Node:
        """Compute the cumulative product along an axis; see `dark.cumprod`."""
        return FUNCTIONS[np.cumprod](self, axis, **pytorch)

    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Node:
        """Limit the elements to an interval; see `dark.clip`."""
        return FUNCTIONS[np.clip](self, min, max)

    def dot(self, other: ArrayLike) -> Node:
        """Compute the dot product; see `dark.dot`."""
        return FUNCTIONS[np.dot](self, other)

    def take(self, indices: Any, axis: int | None = None) -> Node:
        """Take elements along an axis; see `dark.take`."""
        return FUNCTIONS[np.take](self, indices, axis)

    def repeat(self, repeats: Any, axis: int | None = None, *others: Any) -> Node:
        """Repeat elements along an axis; see `dark.repeat`. Numbers for each axis, as in PyTorch, are refused."""
        shape = getattr(self._value, "shape", ())
        if others or (type(repeats) is type(axis) is int and not -len(shape) <= axis < len(shape)):
            raise repeat_error((repeats, axis, *others), shape)
        return FUNCTIONS[np.repeat](self, repeats, axis)

    def astype(self, dtype: DType) -> Node:
        """Cast to another floating-point dtype; the gradient is cast back."""
        return FUNCTIONS[np.ndarray.astype](self, dtype)

    def reshape(self, *shape: Any) -> Node:
        """Change the shape; see `dark.reshape`."""
        return FUNCTIONS[np.reshape](self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes: Any, **pytorch: Any) -> Node:
        """Permute the axes, or swap two; see `dark.transpose`."""
        if len(axes) == 2 or pytorch:
            return FUNCTIONS[np.transpose](self, *axes, **pytorch)
        return FUNCTIONS[np.transpose](self, (axes[0] if len(axes) == 1 else axes) or None)

    def flatten(self, start_dim: int = 0, end_dim: int = -1) -> Node:
        """Reshape to one dimension, or merge some axes; see `dark.flatten`."""
        return FUNCTIONS[np.ndarray.flatten](self, start_dim, end_dim)

    def ravel(self, order: str = "C") -> Node:
        """Flatten to one dimension; see `dark.ravel`."""
        return FUNCTIONS[np.ravel](self, order)

    def squeeze(self, axis: Axis = None, **pytorch: Any) -> Node:
        """Remove axes of length 1; see `dark.squeeze`."""
        return FUNCTIONS[np.squeeze](self, axis, **pytorch)

    def swapaxes(self, axis1: int, axis2: int) -> Node:
        """Swap two axes; see `dark.swapaxes`."""
        return FUNCTIONS[np.swapaxes](self, axis1, axis2)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Node:
        """Take the diagonal of the matrices in two axes; see `dark.diagonal`."""
        return FUNCTIONS[np.diagonal](self, offset, axis1, axis2)

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Node:
        """Sum along the diagonal; see `dark.trace`."""
        return FUNCTIONS[np.trace](self, offset, axis1, axis2)

    # PyTorch's names, where they mean the same.

    def view(self, *shape: Any) -> Node:
        """Change the shape, as `reshape`."""
        return self.reshape(*shape)

    def permute(self, *dims: Any) -> Node:
        """Permute the axes; see `dark.transpose`."""
        return FUNCTIONS[np.transpose](self, dims[0] if len(dims) == 1 else dims)

    def unsqueeze(self, dim: int) -> Node:
        """Insert an axis of length 1; see `dark.expand_dims`."""
        return FUNCTIONS[np.expand_dims](self, dim)

    def numel(self) -> int:
        """Return the number of elements, as `size`."""
        return getattr(self._value, "size", 1)
