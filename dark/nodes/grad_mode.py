"""The modes of a thread (`no_grad`, `anomaly`), and the version counter of values."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ContextDecorator
from inspect import isgeneratorfunction
from typing import Any, TypeVar, overload

from dark.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])


class Mode(threading.local):
    """The switches of a thread; every thread starts with these."""

    recording = True
    anomaly = False
    is_default = True  # recording a graph, without a search for NaNs or a recorder
    create_graph = False  # inside a backward pass that computes gradients as nodes
    gathered: Any = None  # inside a backward pass: gradients that hooks have seen, for hooks that wait for several
    variables: tuple[Any, ...] = ()  # of the functions being differentiated that this thread is inside of
    is_differentiating = False  # create_graph, or inside a function that is being differentiated
    recorder: Any = None  # inside a function that is being recorded: it is told what is computed

    def set(self, **switches: Any) -> dict[str, Any]:
        """Set switches, and return their previous values."""
        before = {name: getattr(self, name) for name in switches}
        was_default = self.is_default
        vars(self).update(switches)
        self.is_default = self.recording and not self.anomaly and self.recorder is None
        self.is_differentiating = self.create_graph or bool(self.variables)
        switched.advance(was_default - self.is_default)
        return before


class Counter:
    """A counter shared by all threads."""

    __slots__ = ("_lock", "now")

    def __init__(self) -> None:
        self.now = 0
        self._lock = threading.Lock()

    def advance(self, by: int = 1) -> int:
        """Add to the counter, and return the sum."""
        with self._lock:
            self.now += by
            return self.now


mode = Mode()
versions = Counter()  # advances with every change of a leaf value, so that stale results can be detected
switched = Counter()  # of threads whose mode is not the default: 0 is faster to read than the mode of a thread


class Switch(ContextDecorator):
    """Sets switches of this thread for the duration of a block, or of every call of a function."""

    def __init__(self, **switches: Any) -> None:
        self._switches = switches
        self._before: list[dict[str, Any]] = []

    def __enter__(self) -> None:
        self._before.append(mode.set(**self._switches))

    def __exit__(self, *error: object) -> None:
        mode.set(**self._before.pop())

    def __call__(self, function: F) -> F:
        """Decorate a function; every call has a switch of its own."""
        if isgeneratorfunction(function):
            raise UsageError(
                f"{function.__name__} is a generator; its body would run outside the block.",
                "a function that returns.",
                "write `with dark.no_grad():` inside it, between its yields.",
            )
        return super().__call__(function)

    def _recreate_cm(self) -> Switch:
        return Switch(**self._switches)


@overload
def no_grad(function: None = None) -> Switch: ...
@overload
def no_grad(function: F) -> F: ...
def no_grad(function: Any = None) -> Any:
    """Disable gradient computation: results record no graph, in this thread only.

    Works as a context manager and as a decorator, and can be nested. ``dark.is_training = False`` is the same switch
    without a block.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(3)
    >>> with dark.no_grad():
    ...     y = x * x
    >>> y
    Constant(value=9.0)
    """
    switch = Switch(recording=False)
    return switch if function is None else switch(function)


def anomaly() -> Switch:
    """Raise at the first operation that computes a NaN, forward or backward, and name it.

    Examples
    --------
    >>> import dark
    >>> with dark.anomaly():
    ...     dark.log(dark.Parameter(-1))
    Traceback (most recent call last):
        ...
    dark.errors.AnomalyError: log: made a NaN from -1.0.
      Expected: a number.
      Try: keep the inputs of log inside its domain.
    """
    return Switch(anomaly=True)
