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
        inputs: tuple[Any, ...]

        @property
        def value(self) -> Any: ...
        @property
        def grad(self) -> Any: ...
        @property
        def shape(self) -> tuple[int, ...]: ...
        def backward(self, gradient: Any = None, create_graph: bool = False) -> None: ...
        def __rmul__(self, other: Any) -> Any: ...

    NodeType = TypeVar("NodeType", bound=AnyNode)
    Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
    Array: TypeAlias = NDArray[Any]
    ArrayLike: TypeAlias = AnyNode | Number | Array  # what an operation accepts
    Value: TypeAlias = Any  # what a node holds: a float or an array; type checkers cannot know which
    Shape: TypeAlias = tuple[int, ...]
    Axis: TypeAlias = int | Sequence[int] | None
    DType: TypeAlias = DTypeLike
    Seed: TypeAlias = int | np.random.Generator | None
    Path: TypeAlias = str | os.PathLike[str]
else:
    AnyNode = Array = ArrayLike = Axis = DType = NodeType = Number = Path = Seed = Shape = Value = object

__all__ = ["AnyNode", "Array", "ArrayLike", "Axis", "DType", "NodeType", "Number", "Path", "Seed", "Shape", "Value"]
