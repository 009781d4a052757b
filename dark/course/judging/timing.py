"""A time limit for code that runs in the current process."""

import ctypes
import gc
import signal
import threading
import time
import weakref

TIMERS = (
    {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL} if hasattr(signal, "setitimer") else {}
)
WALL_FACTOR = 5  # wall-clock limit, as a multiple of the CPU limit, for code that sleeps or a busy machine
AGAIN = 0.05  # seconds between two strikes: a limit is raised again, in case a bare `except:` has caught it

_cpu_clock, _wall_clock = time.process_time, time.monotonic  # a student's code may replace the module's functions


class TimeIsUp(BaseException):
    """The time limit was reached; `except Exception` does not catch it."""


def alarm():
    """Return a context manager that provides a clock: `start(seconds)` and `stop()` limit one block after another.

    Inside a block that exceeds its limit of CPU time, or five times as much wall-clock time, `TimeIsUp` is raised: in
    the main thread by signals, in any other by a timer. What a limit needs is set up once for all of them.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    return _Signals() if in_main_thread and TIMERS else _Thread()


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
        is_over = cpu - self._begun[0] >= limit or wall - self._begun[1] >= WALL_FACTOR * limit
        if is_over and wall >= self._next and not _in_callback(frame):  # else the next signal raises it
            self._next = wall + AGAIN / 2  # both timers may strike at once
            raise TimeIsUp


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
