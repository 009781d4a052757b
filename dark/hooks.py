"""Hooks: functions that are called at each firing of a moment, or at selected ones, until they are removed.

Everything that can be watched is watched through this file: events of an engine, calls and gradients of modules and
nodes, callbacks, metrics, monitors and notes. `Hooks` are the functions of a moment; `add` returns a `Handle`, which
removes the function. `Every` and `Once` say how often. A function around a moment is a generator function (`within`).
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, Self, TypeAlias, TypeVar

from dark.checks import describe, integer, integers
from dark.errors import ValueTypeError

H = TypeVar("H")
T = TypeVar("T")
Around: TypeAlias = Callable[..., Iterator[None]]


class Handle(ABC):
    """The base class of removable handles; as a context manager, a handle removes at the exit of its block.

    It keeps nothing alive. Removing twice, or after the watched object is gone, does nothing.
    """

    @abstractmethod
    def remove(self) -> None:
        """Undo the call that returned the handle."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


class Handles(Handle):
    """Several handles as one, for a call that attaches several functions."""

    def __init__(self, handles: Iterable[Handle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Undo all that the call has attached."""
        for handle in self.handles:
            handle.remove()


class Hooks(Generic[H]):
    """The hooks of a moment, in the order in which they are called.

    Attributes
    ----------
    ordered : sequence
        The hooks; a loop over it calls no function of Python, in contrast to one over the object.

    Examples
    --------
    >>> hooks = Hooks()
    >>> with hooks.add(print):
    ...     len(hooks)
    1
    """

    def __init__(self) -> None:
        self._hooks: dict[int, H] = {}
        self._added = 0
        self.ordered: Sequence[H] = ()

    def add(self, hook: H, prepend: bool = False) -> RemovableHandle:
        """Add a hook after all others, or before them; return the handle that removes it."""
        key = self._added
        self._added += 1
        self._set({key: hook, **self._hooks} if prepend else {**self._hooks, key: hook})
        return RemovableHandle(self, key)

    def get(self, key: int) -> H | None:
        """Return a hook, or None if it was removed."""
        return self._hooks.get(key)

    def remove(self, key: int) -> None:
        """Remove a hook if it is still there; a loop over the hooks that has begun still calls it."""
        self._set({other: hook for other, hook in self._hooks.items() if other != key})

    def discard(self, hook: H) -> None:
        """Remove a hook wherever it is."""
        self._set({key: other for key, other in self._hooks.items() if other is not hook})

    def _set(self, hooks: dict[int, H]) -> None:
        self._hooks, self.ordered = hooks, tuple(hooks.values())

    def __iter__(self) -> Iterator[H]:
        return iter(self.ordered)

    def __len__(self) -> int:
        return len(self.ordered)


class RemovableHandle(Handle):
    """A handle that removes one hook. A copy of it belongs to the copy of the hooks that is made with it."""

    def __init__(self, hooks: Hooks[Any] | None, key: int) -> None:
        self._hooks = weakref.ref(Hooks() if hooks is None else hooks)
        self.key = key

    def hook(self) -> Any:
        """Return the hook, or None if it was removed."""
        hooks = self._hooks()
        return None if hooks is None else hooks.get(self.key)

    def remove(self) -> None:
        """Remove the hook."""
        hooks = self._hooks()
        if hooks is not None:
            hooks.remove(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return RemovableHandle, (self._hooks(), self.key)


class When(ABC):
    """Which firings of a moment a hook is called for; combined by ``&`` and ``|``, also with a function of the user.

    >>> when = Once((1,)) | Every(5)
    >>> when, [number for number in range(1, 12) if when(None, number)]
    (once=1 | every=5, [1, 5, 10])
    """

    @abstractmethod
    def __call__(self, subject: Any, number: int) -> bool:
        """Return whether the firing with this number, of this engine or other object, is selected."""

    def __and__(self, other: Callable[[Any, int], Any]) -> When:
        return Combined("&", self, other)

    def __or__(self, other: Callable[[Any, int], Any]) -> When:
        return Combined("|", self, other)


@dataclass(frozen=True)
class Combined(When):
    """The firings that two conditions select, both of them (``&``) or at least one (``|``)."""

    sign: str
    first: Callable[[Any, int], Any]
    second: Callable[[Any, int], Any]

    def __call__(self, subject: Any, number: int) -> bool:
        """Return whether the conditions select the firing."""
        is_first = bool(self.first(subject, number))
        return is_first if is_first is (self.sign == "|") else bool(self.second(subject, number))

    def __repr__(self) -> str:
        return f" {self.sign} ".join(map(_name, (self.first, self.second)))


@dataclass(frozen=True)
class Every(When):
    """Every n-th firing between two numbers.

    Parameters
    ----------
    every : int, optional
        1 if not given. With `after` or `before`, counted from the first firing after `after`; otherwise the numbers
        divisible by n, which include 0, the number of events before the first iteration.
    before, after : int, optional
        Both are excluded: ``Every(5, before=25, after=8)`` selects 9, 14, 19 and 24.
    """

    every: int | None = None
    before: int | None = None
    after: int | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None:
                integer(value, "Every", name, 1 if name == "every" else 0)

    @property
    def bounds(self) -> tuple[float, float, int, int]:
        """The two excluded numbers, the step, and the number from which it counts."""
        is_unbounded = self.before is None and self.after is None
        low = -1 if is_unbounded else self.after or 0
        return low, inf if self.before is None else self.before, self.every or 1, 0 if is_unbounded else low + 1

    def __call__(self, subject: Any, number: int) -> bool:
        """Return whether the firing with this number is selected."""
        low, high, every, first = self.bounds
        return low < number < high and (number - first) % every == 0

    def __repr__(self) -> str:
        return ", ".join(f"{name}={number}" for name, number in vars(self).items() if number is not None)


@dataclass(frozen=True)
class Once(When):
    """The firings with these numbers, such as ``Once((1, 5))``."""

    numbers: Sequence[int]

    def __post_init__(self) -> None:
        if not isinstance(self.numbers, (tuple, list)):
            problem = f"Once: numbers must be a tuple or a list, got {describe(self.numbers)}."
            raise ValueTypeError(problem, "a tuple of integers.", "Once((5,))")
        integers(self.numbers, "Once", "numbers", 0)

    def __call__(self, subject: Any, number: int) -> bool:
        """Return whether the firing with this number is selected."""
        return number in self.numbers

    def __repr__(self) -> str:
        return f"once={self.numbers[0] if len(self.numbers) == 1 else list(self.numbers)}"


def _name(condition: Any) -> str:
    return f"({condition!r})" if isinstance(condition, Combined) else getattr(condition, "__name__", repr(condition))


def within(arounds: Sequence[Around], call: Callable[[], T], *args: Any) -> T:
    """Call a function within generators, which get the arguments; the first one is the outermost.

    >>> def timed(name):
    ...     print("start of", name)
    ...     yield
    ...     print("end of", name)
    >>> within([timed], lambda: print("a step"), "training")
    start of training
    a step
    end of training
    """
    if not arounds:
        return call()
    generator = arounds[0](*args)
    next(generator, None)
    try:
        return within(arounds[1:], call, *args)
    finally:
        next(generator, None)  # also after an exception, which goes on
