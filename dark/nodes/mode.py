"""What a thread is doing: recording graphs or not, watching for NaNs or not; and the clock of changes."""

import threading
from contextlib import contextmanager


class Mode(threading.local):
    """The switches of one thread; every thread starts with these."""

    recording = True
    anomaly = False
    plain = True  # recording, and no anomaly looked for

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


@contextmanager
def _switched(**switches):
    before = mode.turn(**switches)
    try:
        yield
    finally:
        mode.turn(**before)


def no_grad():
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
    return _switched(recording=False)


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
    return _switched(anomaly=True)
