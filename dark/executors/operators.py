"""The operators of executors: `+`, `-`, `*`, `/` and `sum()`; each makes a new executor."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

from dark.checks import describe, is_bool
from dark.errors import ValueTypeError
from dark.executors.weight import Weight, not_a_factor

if TYPE_CHECKING:
    from dark.executors.executor import Executor
    from dark.typing import Number

    Factor = Number | Callable[[int], float]


class Operators:
    """The operators, which rest on a property and two methods of `Executor`: its weight, a copy, and a sum of two."""

    __slots__ = ()
    __array_ufunc__ = None  # so that NumPy leaves `np.float64(2) * executor` to `__rmul__`

    @property
    @abstractmethod
    def weight(self) -> Weight:
        """The factor."""

    @abstractmethod
    def _copy(self, **changes: Any) -> Self:
        """Return a copy with other attributes."""

    @abstractmethod
    def _plus(self, other: Executor) -> Executor:
        """Return the sum with another executor."""

    def __add__(self, other: Executor | int) -> Executor:
        if isinstance(other, Operators):
            return self._plus(other)
        if isinstance(other, Real) and not is_bool(other) and other == 0:  # where `sum` begins
            return self._copy()
        raise ValueTypeError(
            f"executor + {describe(other)} is not defined.",
            "another executor.",
            "an executor whose call returns this value; or add it to the result, executor(context) + value.",
        )

    __radd__ = __add__

    def __sub__(self, other: Executor | int) -> Executor:
        return self + (-other if isinstance(other, Operators) else other)

    def __rsub__(self, other: int) -> Executor:
        return -self + other

    def __neg__(self) -> Self:
        return self * -1

    def __mul__(self, other: Factor) -> Self:
        if isinstance(other, Operators):
            raise not_a_factor("*", other)
        return self._copy(_weight=self.weight.times(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Factor) -> Self:
        if isinstance(other, Operators):
            raise not_a_factor("/", other)
        return self._copy(_weight=self.weight.over(other))

    def __rtruediv__(self, other: object) -> Self:
        raise ValueTypeError(
            f"{describe(other)} / executor is not defined.", "an executor on the left.", "executor * 0.5."
        )
