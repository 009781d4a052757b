"""A time limit for code that runs in the current process."""

import ctypes
import gc
import math
import signal
import sys
import threading
import time
import weakref
from abc import ABC, abstractmethod
from functools import cache
from typing import Any

TIMERS = (
    {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL} if hasattr(signal, "setitimer") else {}
)
WALL_FACTOR = 5  # wall-clock limit, as a multiple of the CPU limit, for code that sleeps or a busy machine
MONITORING: Any = getattr(sys, "monitoring", None)  # Python 3.12 and newer
AGAIN = 0.05  # seconds between two strikes: a limit is raised again, in case a bare `except:` has caught it
LATE = 1.0  # seconds after a limit from which on it is raised in a finalizer, too

_cpu_clock, _wall_clock = time.process_time, time.monotonic  # a student's code may replace the module's functions


class TimeIsUp(BaseException):
    """The time limit was reached; `except Exception` does not catch it."""


def alarm():
    """Return a context manager that provides a clock: `start(seconds)` and `stop()` limit one block after another.

    Inside a block that exceeds its limit of CPU time, or five times as much wall-clock time, `TimeIsUp` is raised: in
    the main thread by signals, in any other by a timer, and where there are neither, as in a browser, by the code
    itself, which looks at the time as it runs. What a limit needs is set up once for all of them.
    """
    if TIMERS and threading.current_thread() is threading.main_thread():
        return _Signals()
    if threads_start():
        return _Thread()
    return _Events() if MONITORING else _Trace()


@cache
def threads_start():
    """Return whether this Python can start threads; in a browser it cannot."""
    thread = threading.Thread(target=int, daemon=True)
    try:
        thread.start()
    except (OSError, RuntimeError):
        return False
    thread.join()
    return True


class _Signals:
    """A clock that interrupts the main thread with signals.

    The timers run until the last block ends, so that a block costs no call of the system. It begins, for its limit,
    with the first strike in it: it may take 0.05 seconds more.
    """

    def __enter__(self):
        self._limit, self._begun, self._next = None, None, 0.0
        self._before = {number: signal.signal(number, self._strike) for number in TIMERS}
        self._timers = {timer: signal.setitimer(timer, AGAIN, AGAIN) for timer in TIMERS.values()}
        return self

    def __exit__(self, *error):
        self.stop()
        for timer in self._timers:
            signal.setitimer(timer, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for timer, before in self._timers.items():
            signal.setitimer(timer, *before)

    def start(self, seconds):
        """Let the limit of a block start now."""
        self._begun, self._limit = None, seconds

    def stop(self):
        """End the block: nothing is raised from here on. After `TimeIsUp`, this may have to be called again."""
        self._limit = None

    def _strike(self, number, frame):
        if (limit := self._limit) is None:
            return
        cpu, wall = _cpu_clock(), _wall_clock()
        if self._begun is None:
            self._begun = cpu, wall
        is_over = _is_over(cpu, wall, self._begun, limit)
        if is_over and wall >= self._next and not _in_callback(frame):  # else the next signal raises it
            self._next = wall + AGAIN / 2  # both timers may strike at once
            raise TimeIsUp


class _Looking(ABC):
    """A clock at which the running code looks: nothing interrupts a call of a function that is not Python's own.

    `_watch` arranges that `_look` is called again and again, until `_end_watch`.
    """

    def __enter__(self):
        self._earliest = math.inf  # when the limit may be raised
        return self

    def __exit__(self, *error):
        self.stop()

    def start(self, seconds):
        """Let the limit of a block start now."""
        self._limit, self._begun = seconds, (_cpu_clock(), _wall_clock())
        self._earliest = self._begun[1] + seconds
        self._watch()

    def stop(self):
        """End the block."""
        self._earliest = math.inf
        self._end_watch()

    @abstractmethod
    def _watch(self):
        """Let the running code call `_look`."""

    @abstractmethod
    def _end_watch(self):
        """End this."""

    def _look(self, *where):
        if _wall_clock() >= self._earliest:
            self._raise_limit(sys._getframe(1))

    def _raise_limit(self, frame):
        wall = _wall_clock()
        if not _is_over(_cpu_clock(), wall, self._begun, self._limit) or _in_callback(frame):
            return
        if not _is_called_by(frame, "__del__"):
            self._earliest = wall + AGAIN
        elif wall - self._begun[1] < self._limit + LATE:
            return
        raise TimeIsUp


class _Events(_Looking):
    """A clock that is looked at in each call and each jump back (Python 3.12 and newer)."""

    def __enter__(self):
        events = MONITORING.events
        self._tool = next(each for each in (4, 3, 5, 1) if MONITORING.get_tool(each) is None)
        MONITORING.use_tool_id(self._tool, "dark.alarm")
        self._events = events.PY_START, events.PY_RESUME, events.JUMP
        for event in self._events:
            MONITORING.register_callback(self._tool, event, self._look)
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        for event in self._events:
            MONITORING.register_callback(self._tool, event, None)
        MONITORING.free_tool_id(self._tool)

    def _watch(self):
        MONITORING.set_events(self._tool, sum(self._events))

    def _end_watch(self):
        MONITORING.set_events(self._tool, 0)


class _Trace(_Looking):
    """A clock that is looked at in each instruction, which takes more time, for Python 3.11.

    An error of a trace function ends the tracing: a limit that the code itself catches is not raised again.
    """

    def __enter__(self):
        self._before = sys.gettrace()
        return super().__enter__()

    def _watch(self):
        sys.settrace(self._at_instruction)

    def _end_watch(self):
        sys.settrace(self._before)

    def _at_instruction(self, frame, *what):
        frame.f_trace_opcodes = True
        self._look()
        return self._at_instruction


class _Thread:
    """A clock for a thread that gets no signals: a timer raises an exception in it."""

    def __enter__(self):
        self._thread, self._lock, self._timer = threading.get_ident(), threading.Lock(), None
        return self

    def __exit__(self, *error):
        self.stop()

    def start(self, seconds):
        """Let the limit of a block start now."""
        self._timer = threading.Timer(seconds, self._strike)
        self._timer.daemon = True
        self._timer.start()

    def stop(self):
        """End the block."""
        with self._lock:
            timer, self._timer = self._timer, None
        if timer:
            timer.cancel()

    def _strike(self):
        with self._lock:
            if self._timer is threading.current_thread():
                thread, error = ctypes.c_ulong(self._thread), ctypes.py_object(TimeIsUp)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)


def _is_over(cpu, wall, begun, limit):
    return cpu - begun[0] >= limit or wall - begun[1] >= WALL_FACTOR * limit


def _is_called_by(frame, name):
    while frame is not None and frame.f_code.co_name != name:
        frame = frame.f_back
    return frame is not None


def _in_callback(frame):
    """Tell whether a frame, or one that called it, is one whose exceptions Python loses, with a warning.

    These are callbacks of collections and weak references, and the handler of a timer interrupted by the other's.
    """
    collecting = {_Signals._strike.__code__, *(getattr(each, "__code__", None) for each in gc.callbacks)}
    if frame is not None and frame.f_code.co_filename == weakref.__file__:
        return True
    while frame is not None and frame.f_code not in collecting:
        frame = frame.f_back
    return frame is not None
