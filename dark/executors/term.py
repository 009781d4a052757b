"""`Term`: the value of a term of a loss in a call of the loss; and a term as a formula."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Term:
    """A term of a loss, or a sum of terms.

    Examples
    --------
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
