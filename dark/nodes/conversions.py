"""Conversions of nodes to arrays of NumPy and of other libraries: only of nodes that carry no gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.checks import integer
from dark.errors import OperationError, ShapeError
from dark.nodes.grad_mode import mode
from dark.nodes.node_checks import check_convertible

if TYPE_CHECKING:
    from typing import Any

    from dark.typing import Array


def _check_without_gradient(node, who):
    """Raise if a node carries a gradient, which an array would lose."""
    if node.requires_grad:
        raise OperationError(
            f"{who}: cannot convert a node to an array: it would be detached from the graph.",
            "the value of the node, or a node that does not require grad.",
            "x.value, or x.detach(); or dark.stack([...]) to join nodes.",
        )
    if mode.is_differentiating:
        check_convertible(node)


def to_array(self: Any, dtype: Any = None, copy: bool | None = None) -> Array:
    """Return the value as an array for NumPy's `asarray`, which shares memory with it; see NumPy's protocol."""
    _check_without_gradient(self, "numpy")
    value = self.value
    if type(value) is not np.ndarray:
        return np.array(value, dtype)
    return np.array(value, dtype, copy=copy)


def numpy(self: Any) -> Array:
    """Return the value of a node that carries no gradient as an array; `value` returns that of any node.

    Raises
    ------
    OperationError
        If the node requires grad.

    Examples
    --------
    >>> import dark
    >>> dark.Parameter([1.0, 2.0]).detach().numpy()
    array([1., 2.])
    """
    _check_without_gradient(self, "numpy")
    return np.asarray(self.value)


def tolist(self: Any) -> Any:
    """Return the value as a Python number, or as nested lists of them.

    Examples
    --------
    >>> import dark
    >>> dark.Parameter([[1.0, 2.0]]).tolist()
    [[1.0, 2.0]]
    """
    if mode.is_differentiating:
        check_convertible(self)
    value = self._value
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def dlpack(self: Any, **settings: Any) -> Any:
    """Return the value for another library, such as ``torch.from_dlpack(x)``, which shares memory with it."""
    _check_without_gradient(self, "dlpack")
    return np.asarray(self.value).__dlpack__(**settings)


def dlpack_device(self: Any) -> tuple[int, int]:
    """Return the device of the value in DLPack's numbers: the CPU."""
    return 1, 0


class ElementCount(int):
    """The number of elements of a node, an int; called as PyTorch's ``x.size()`` it is the shape.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter([[1.0, 2.0, 3.0]])
    >>> x.size, x.size + 1, x.size(), x.size(1)
    (3, 4, (1, 3), 3)
    """

    _shape: tuple[int, ...]

    def __call__(self, dim: int | None = None) -> Any:
        """Return the shape, or the length of one axis."""
        return self._shape if dim is None else self._shape[_axis(dim, self._shape)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return an ordinary int for `copy` and `pickle`."""
        return int, (int(self),)


def element_count(node: Any) -> ElementCount:
    """Return the number of elements of a node."""
    value = node._value
    count = ElementCount(getattr(value, "size", 1))
    count._shape = getattr(value, "shape", ())
    return count


def _axis(axis, shape):
    """Return an axis of a shape as a non-negative integer."""
    axis = integer(axis, "size", "dim")
    if not -len(shape) <= axis < len(shape):
        raise ShapeError(
            f"size: dim {axis} is out of bounds for shape {shape}.", "an axis of the node.", "x.shape, the whole shape."
        )
    return axis % len(shape)
