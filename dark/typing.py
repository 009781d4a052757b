"""Type aliases of the public API, for annotations alone: nothing here is imported when a program runs.

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
from dark.typing import ArrayLike
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    from dark.nodes import Node

    Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
    Array: TypeAlias = NDArray[Any]
    ArrayLike: TypeAlias = Node | Number | Array  # what an operation accepts
    Value: TypeAlias = Any  # what a node holds: a float or an array; which of them, only the program knows
    Shape: TypeAlias = tuple[int, ...]
    Axis: TypeAlias = int | Sequence[int] | None
    DType: TypeAlias = DTypeLike
    Seed: TypeAlias = int | np.random.Generator | None
    Path: TypeAlias = str | os.PathLike[str]

__all__ = ["Array", "ArrayLike", "Axis", "DType", "Number", "Path", "Seed", "Shape", "Value"]
