"""A time limit for code that runs in the current process."""

import contextlib
import ctypes
import signal
import threading

TIMERS = (
    {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL} if hasattr(signal, "setitimer") else {}
)
WALL_FACTOR = 5  # wall-clock limit, as a multiple of the CPU limit, for code that sleeps or a busy machine
AGAIN = 0.05  # seconds until the limit is raised again, in case a bare `except:` has caught it


class TimeIsUp(BaseException):
    """The time limit was reached; `except Exception` does not catch it."""


@contextlib.contextmanager
def time_limit(seconds):
    """Raise `TimeIsUp` inside a block that exceeds a time limit.

    The main thread uses signals, any other thread a timer that raises an exception in it.

    Parameters
    ----------
    seconds : float
        Limit of the CPU time; the wall-clock limit is five times as long.

    Raises
    ------
    TimeIsUp
        Inside the block, when a limit is reached.

    Examples
    --------
    >>> with time_limit(5):
    ...     print("done")
    done
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    limit = _by_signal if in_main_thread and TIMERS else _by_timer
    with limit(seconds):
        yield


@contextlib.contextmanager
def _by_signal(seconds):
    def strike(number, frame):
        if frame is None or frame.f_code.co_name != "gc_callback":  # an exception raised there is lost with a warning
            raise TimeIsUp

    before = {number: signal.signal(number, strike) for number in TIMERS}
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    signal.setitimer(signal.ITIMER_REAL, WALL_FACTOR * seconds, AGAIN)
    try:
        yield
    finally:
        _disarm(before)


def _disarm(before):
    """Disarm the timers, although they may fire once more meanwhile."""
    while True:
        try:
            for number, timer in TIMERS.items():
                signal.setitimer(timer, 0)
                signal.signal(number, before[number])
        except TimeIsUp:
            continue
        return


@contextlib.contextmanager
def _by_timer(seconds):
    thread, lock, over = threading.get_ident(), threading.Lock(), []

    def strike():
        with lock:
            if not over:
                _raise_in(thread, TimeIsUp)

    timer = threading.Timer(seconds, strike)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over.append(True)
        timer.cancel()


def _raise_in(thread, error):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
