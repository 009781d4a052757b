"""What a thread is doing: recording graphs or not, watching for NaNs or not; and the clock of changes."""

import threading
from contextlib import ContextDecorator
from inspect import isgeneratorfunction

from dark.errors import UsageError


class Mode(threading.local):
    """The switches of one thread; every thread starts with these."""

    recording = True
    anomaly = False
    plain = True  # recording, and no anomaly looked for
    differentiating = False  # inside a pass that makes its gradients nodes

    def turn(self, **switches):
        """Set switches; return what they were before."""
        before = {name: getattr(self, name) for name in switches}
        vars(self).update(switches)
        self.plain = self.recording and not self.anomaly
        return before


class Clock:
    """Counts the changes of values, so that a backward pass can tell a fresh value from a stale one."""

    def __init__(self):
        self.now = 0
        self._lock = threading.Lock()

    def tick(self):
        """Return a stamp later than every stamp given before."""
        with self._lock:
            self.now += 1
            return self.now


mode = Mode()
clock = Clock()


class Switch(ContextDecorator):
    """Turns switches of this thread for the length of a block, or of every call of a function."""

    def __init__(self, **switches):
        self._switches = switches
        self._before = []

    def __enter__(self):
        self._before.append(mode.turn(**self._switches))

    def __exit__(self, *error):
        mode.turn(**self._before.pop())

    def __call__(self, function):
        """Decorate a function; every call has a switch of its own."""
        if isgeneratorfunction(function):
            raise UsageError(
                f"{function.__name__} is a generator; it would run outside the block.",
                "a function that returns.",
                "write `with dark.no_grad():` inside it, between its yields.",
            )
        return super().__call__(function)

    def _recreate_cm(self):
        return Switch(**self._switches)


def no_grad(function=None):
    """Compute values without recording a graph, in this thread only.

    Works as a context manager and as a decorator, and may be nested.

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


def anomaly():
    """Stop at the first operation that makes a NaN, forward or backward, and name it.

    Raises
    ------
    AnomalyError
        From inside the block, where the NaN appears.

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
