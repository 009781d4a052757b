"""`Field`: a field of a context, which checks what it is given; and `assign`, which reports all wrong ones at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from dark.errors import DarkError, UsageError, near_misses

T = TypeVar("T")


class Field(Generic[T]):
    """A field of a context: an attribute of a class that derives from `Context`.

    ``check(value, who, name)`` returns the value to store, or raises a `DarkError`; `who` is the name of the context's
    class. By default, any value is stored. With `can_be_set`, the field may be set after the context was built.

    Examples
    --------
    >>> from dark.checks import number
    >>> from dark.contexts import Context
    >>> class Annealed(Context):
    ...     temperature = Field(number, can_be_set=True)
    ...
    ...     def __init__(self, temperature, **common):
    ...         super().__init__(temperature=temperature, **common)
    >>> context = Annealed(2.0, global_step=3)
    >>> context.temperature = 1
    >>> context.temperature, context.global_step
    (1.0, 3)
    """

    def __init__(self, check: Callable[[Any, str, str], T] | None = None, *, can_be_set: bool = False) -> None:
        self.check, self.can_be_set, self.name = check, can_be_set, ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, context: None, owner: type) -> Field[T]: ...
    @overload
    def __get__(self, context: object, owner: type) -> T: ...
    def __get__(self, context, owner=None):
        return self if context is None else vars(context).get(self.name)

    def __set__(self, context: Any, value: Any) -> None:
        if not self.can_be_set:
            raise UsageError(
                f"{type(context).__name__}: {self.name} cannot be set after the context was built.",
                f"a new value for one of {', '.join(n for n, f in fields_of(type(context)).items() if f.can_be_set)}.",
                f"a new context: {type(context).__name__}({self.name}=…).",
            )
        vars(context)[self.name] = self.checked(context, value)

    def checked(self, context: Any, value: Any) -> Any:
        """Return the value to store."""
        return value if self.check is None else self.check(value, type(context).__name__, self.name)


def fields_of(kind: type) -> dict[str, Field[Any]]:
    """Return the fields of a class of contexts by name, those of its base classes first."""
    return {name: f for base in reversed(kind.__mro__) for name, f in vars(base).items() if isinstance(f, Field)}


def assign(context: object, values: dict[str, Any]) -> None:
    """Check and store the values of several fields."""
    known, who = fields_of(type(context)), type(context).__name__
    checked, problems = {}, []
    for name, value in values.items():
        if name not in known:
            problems.append((f"{name} is not a field", f"a field, such as {near_misses(name, known)}"))
            continue
        try:
            checked[name] = known[name].checked(context, value)
        except DarkError as error:
            what, _, rest = str(error).partition("\n  Expected: ")
            problems.append((what.removeprefix(f"{who}: ").rstrip("."), f"{name}: {rest.splitlines()[0].rstrip('.')}"))
    if problems:
        raise UsageError(
            f"{who}: {'; '.join(what for what, _ in problems)}.",
            f"{'; '.join(expected for _, expected in problems)}.",
            f"help(dark.contexts.{who}) describes all fields." if len(problems) > 1 else "correct this field.",
        )
    vars(context).update(checked)
