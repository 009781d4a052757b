"""`Expression`, which executors have in common with formulas: a weight, to be scaled by; and `Term`, its terms."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from dark.checks import describe
from dark.errors import ValueTypeError
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


@dataclass(frozen=True)
class Term:
    """A term of a loss, or a sum of terms.

    >>> Term("L1", weight=100.0, value=0.2).weighted
    20.0
    """

    name: str
    weight: float | None  # in the call; before the first call None if it depends on the step
    value: float | None = None  # in the call, without the weight; None before the first call
    weight_text: str = field(default="1", repr=False)  # the weight as a formula
    parts: tuple[Term, ...] = field(default=(), repr=False)  # the terms of a sum

    @property
    def weighted(self) -> float | None:
        """The value times the weight; None if one of them is not known."""
        return None if self.weight is None or self.value is None else self.weight * self.value

    def leaves(self) -> list[Term]:
        """Return the terms that are not sums, each with its factor in the whole expression."""
        if not self.parts:
            return [self]
        found = [leaf for part in self.parts for leaf in part.leaves()]
        if self.weight == 1.0:
            return found
        return [replace(leaf, weight=_product(self.weight, leaf.weight)) for leaf in found]


def _product(a, b):
    return None if a is None or b is None else a * b


def unique(names):
    """Return names with numbers after those that occur before, so that each is unique."""
    found: list[str] = []
    for name in names:
        new, k = name, 1
        while new in found:
            k += 1
            new = f"{name} {k}"
        found.append(new)
    return found


def text_of(term):
    """Return a term as a formula."""
    text = _sum(term.parts) if term.parts else term.name
    if term.weight_text == "1":
        return text
    text = f"({text})" if term.parts else text
    return f"-{text}" if term.weight_text == "-1" else f"{term.weight_text} * {text}"


def _sum(parts):
    first, *others = map(text_of, parts)
    return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)
