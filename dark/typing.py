"""Type aliases of the public API, for annotations alone: at run time each is `object`, and nothing is imported.

Use them with ``from __future__ import annotations`` at the top of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    class AnyNode(Protocol):
        """The attributes of a node, as a protocol: this file imports no other file of `dark`."""

        name: str | None
        op: Any
        inputs: tuple[Any, ...]
        settings: dict[str, Any] | None
        requires_grad: bool
        _value: Any
        _grad: Any
        _saved: Any
        _version: int

        @property
        def value(self) -> Any: ...
        @property
        def grad(self) -> Any: ...
        @property
        def shape(self) -> tuple[int, ...]: ...
        @property
        def dtype(self) -> np.dtype[Any]: ...
        def backward(self, gradient: Any = None, create_graph: bool = False) -> None: ...
        def __rmul__(self, other: Any) -> Any: ...

    NodeType = TypeVar("NodeType", bound=AnyNode)
    Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
    Array: TypeAlias = NDArray[Any]
    ArrayLike: TypeAlias = AnyNode | Number | Array  # what an operation accepts
    Value: TypeAlias = Any  # what a node holds: a float or an array; type checkers cannot know which
    Gradient: TypeAlias = Any  # a value, or a node in a pass with `create_graph`
    Gradients: TypeAlias = dict[AnyNode, Any]  # of a pass, by node
    Group: TypeAlias = dict[str, Any]  # parameters under "params", and their options
    State: TypeAlias = dict[str, Any]  # of a parameter: "step", further numbers, and arrays in its shape
    Shape: TypeAlias = tuple[int, ...]
    Axis: TypeAlias = int | Sequence[int] | None
    DType: TypeAlias = DTypeLike
    Seed: TypeAlias = int | np.random.Generator | None
    Path: TypeAlias = str | os.PathLike[str]
else:
    AnyNode = Array = ArrayLike = Axis = DType = Gradient = Group = NodeType = Number = Path = Seed = Shape = object
    Gradients = State = Value = object

__all__ = [
    "AnyNode", "Array", "ArrayLike", "Axis", "DType", "Gradient", "Gradients", "Group", "NodeType", "Number", "Path",
    "Seed", "Shape", "State", "Value",
]  # fmt: skip
