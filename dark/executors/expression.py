"""`Expression`: what executors have in common with formulas: a weight, by which they can be scaled, and terms."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.executors.term import Term, text_of, unique
from dark.executors.weight import Weight, not_a_factor

if TYPE_CHECKING:
    from dark.typing import Number

    Factor = Number | Callable[[int], float]


class Expression:
    """Base class of `Executor`: an expression of terms, which is never changed, only scaled to a new one."""

    name: str = "Expression"
    _weight: Weight = Weight()
    _executors: tuple[Self, ...] = ()  # the terms of a sum
    _last: Term | None = None  # the tree of the last call
    __array_ufunc__ = None  # so that NumPy leaves `np.float64(2) * executor` to `__rmul__`

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "name" not in vars(cls):
            cls.name = cls.__name__

    @property
    def weight(self) -> Weight:
        """The factor, a function of the step."""
        return self._weight

    def named(self, name: str) -> Self:
        """Return a new executor with another name."""
        if not isinstance(name, str) or not name.strip():
            raise ValueTypeError(
                f"named: name must be a string, got {describe(name)}.", "a name.", "executor.named('adversarial')."
            )
        return self._copy(name=name)

    def tree(self) -> Term:
        """Return the expression with the weights and values of the last call, as a tree of terms."""
        return self._not_called() if self._last is None else self._last

    def _not_called(self) -> Term:
        """Return the tree of terms without values, and without the weights that depend on the step."""
        weight = self.weight() if self.weight.is_constant else None
        parts = tuple([member._not_called() for member in self._executors])
        return Term(self.name, weight, None, self.weight.text, parts)

    def terms(self) -> tuple[Term, ...]:
        """Return the terms with the weights and values of the last call; the terms of a sum are listed one by one.

        Examples
        --------
        >>> from dark.executors import Executor
        >>> class One(Executor):
        ...     def call(self, context):
        ...         return 1.0
        >>> loss = 3 * (One().named("a") - 2 * One().named("b"))
        >>> loss(None).item()
        -3.0
        >>> loss.terms()
        (Term(name='a', weight=3.0, value=1.0), Term(name='b', weight=-6.0, value=1.0))
        """
        return tuple(self.tree().leaves())

    def values(self) -> dict[str, float]:
        """Return the value of each term in the last call, by name and without its weight, for `engine.state.output`.

        A name that occurs before is numbered: ``"a"``, ``"a 2"``.
        """
        found = [] if self._last is None else self._last.leaves()
        return dict(zip(unique([term.name for term in found]), [term.value for term in found]))

    def _copy(self, **changes):
        new = copy.copy(self)
        vars(new).update(changes, _last=None)
        return new

    def __repr__(self) -> str:
        return text_of(self._not_called())

    def __neg__(self) -> Self:
        return self * -1

    def __mul__(self, other: Factor) -> Self:
        if isinstance(other, Expression):
            raise not_a_factor("*", other)
        return self._copy(_weight=self.weight.times(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Factor) -> Self:
        if isinstance(other, Expression):
            raise not_a_factor("/", other)
        return self._copy(_weight=self.weight.over(other))

    def __rtruediv__(self, other: object) -> Self:
        raise ValueTypeError(
            f"{describe(other)} / executor is not defined.", "an executor on the left.", "executor * 0.5."
        )
