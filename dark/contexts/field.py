"""`Field`: a field of a context, which checks what it is given; `assign`, which reports all wrong ones; the checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from inspect import getattr_static
from typing import Any, Generic, TypeVar, overload

from dark.checks import describe, integer, one_of
from dark.errors import DarkError, UsageError, ValueTypeError, near_misses
from dark.metrics import Metric

T = TypeVar("T")


class Field(Generic[T]):
    """A field of a context: an attribute of a class that derives from `Context`.

    ``check(value, who, name)`` returns the value to store, or raises a `DarkError`; `who` is the name of the context's
    class. By default, any value is stored. With `can_be_set`, the field may be set after the context was built.

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
    """Return the fields of a class of contexts by name, inherited ones first."""
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


class LogEvalMode(Enum):
    """Whether models run in training or in evaluation mode when they are measured and logged."""

    TRAIN = "train"
    TEST = "test"

    @property
    def is_training(self) -> bool:
        """The argument `training` for a call of a model in this mode."""
        return self is LogEvalMode.TRAIN


def loss(value, who, name):
    """Return a loss, which is called with the context, or None.

    An executor that knows for which models it is a loss, by its attribute `players`, is refused for others; with a
    negative weight it is a loss of the opponent.
    """
    if value is None:
        return None
    if not callable(value) or isinstance(value, type):
        raise ValueTypeError(
            f"{who}: {name} must be an executor, got {describe(value)}.",
            "an executor of dark.executors.",
            "an instance of one.",
        )
    player = "classifier" if name == "loss" else name.removesuffix("_loss")
    for term in _terms(value, 1):
        if player not in term.players:
            raise UsageError(
                f"{who}: {name} must not contain {type(term).__name__}, a loss of the {term.players[0]}.",
                f"a loss of the {player}, which trains it the right way.",
                f"exchange the losses, if {type(term).__name__} was meant for the {term.players[0]}.",
            )
    return value


def _terms(executor, sign):
    """Yield the terms of an executor that know their models and are minimized, not maximized."""
    factor = getattr(getattr(executor, "weight", None), "factor", 1)
    sign = -sign if factor < 0 else sign
    if hasattr(executor, "executors"):
        for term in executor.executors:
            yield from _terms(term, sign)
    elif getattr(executor, "players", None) and sign > 0:
        yield executor


def step(value, who, name):
    """Return a step: the number of steps that were completed."""
    return integer(value, who, name, 0)


def batch_size(value, who, name):
    """Return a number of examples, 1 or more, or None."""
    return None if value is None else integer(value, who, name, 1)


def log_eval_mode(value, who, name):
    """Return a `LogEvalMode`."""
    if isinstance(value, LogEvalMode):
        return value
    known = {f"LogEvalMode.{mode.name}": mode for mode in LogEvalMode}
    return one_of(value, who, name, known)


def raised(value, who, name):
    """Return an exception, or None."""
    if value is None or isinstance(value, BaseException):
        return value
    raise ValueTypeError(
        f"{who}: {name} must be an exception or None, got {describe(value)}.",
        "an exception, or None.",
        f"{name} = error, in `except`.",
    )


class MetricTuple(tuple[Metric, ...]):
    """A tuple of metrics with their names."""

    names: tuple[str, ...]

    def __new__(cls, named: Iterable[tuple[str, Metric]]) -> MetricTuple:
        """Build it from pairs (name, metric)."""
        pairs = list(named)
        self = super().__new__(cls, [metric for _, metric in pairs])
        self.names = tuple(name for name, _ in pairs)
        return self

    def items(self) -> list[tuple[str, Metric]]:
        """Return pairs (name, metric), to attach each metric under its name."""
        return list(zip(self.names, self, strict=True))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.items(),)


def metric_tuple(value, who, name):
    """Return metrics as a `MetricTuple`; a new one, so that the caller's list stays as it is.

    An item of a sequence is a pair (name, metric), or a metric, which has its own `name` or is named after its class.
    """
    if isinstance(value, MetricTuple):
        return value
    items = () if value is None else value.items() if isinstance(value, Mapping) else value
    try:
        pairs = [item if isinstance(item, tuple) else (_name_of(item), item) for item in items]
        wrong = [m for n, m in pairs if not (isinstance(m, Metric) and isinstance(n, str))]
    except (TypeError, ValueError):
        wrong = [value]
    if wrong:
        raise ValueTypeError(
            f"{who}: {name} must be a dict or list of metrics, got {describe(wrong[0])}.",
            "metrics of dark.metrics, in a dict by name or in a list.",
            "metrics={'accuracy': Accuracy()}.",
        )
    names = [n for n, _ in pairs]
    repeated = sorted({n for n in names if names.count(n) > 1})
    if repeated:
        raise UsageError(
            f"{who}: {name} has several metrics with the name {' and '.join(map(repr, repeated))}.",
            "different names.",
            "metrics={'first': …, 'second': …}.",
        )
    return MetricTuple(pairs)


def _name_of(metric):
    own = getattr_static(metric, "name", None)  # `metric.name` would be a method of the metric's result
    return own if isinstance(own, str) else type(metric).__name__
