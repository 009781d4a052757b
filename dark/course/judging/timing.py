"""A time limit for code that runs in this process."""

import contextlib
import ctypes
import signal
import threading

TIMERS = (
    {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL} if hasattr(signal, "setitimer") else {}
)
WAITING = 5  # how many times the limit may pass on the clock, for code that sleeps or a machine that is busy
AGAIN = 0.05  # seconds until the limit strikes again, should a bare `except:` swallow it


class TimeIsUp(BaseException):
    """The time limit was reached; no `except Exception` catches it."""


@contextlib.contextmanager
def time_limit(seconds):
    """Interrupt the block when it takes too long.

    In the main thread signals do it, elsewhere an exception that a timer sends to the thread.

    Parameters
    ----------
    seconds : float
        Processor time; on the clock five times as long may pass.

    Raises
    ------
    TimeIsUp
        Inside the block.

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
        if frame is None or frame.f_code.co_name != "gc_callback":  # there it would be lost with a warning
            raise TimeIsUp

    before = {number: signal.signal(number, strike) for number in TIMERS}
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    signal.setitimer(signal.ITIMER_REAL, WAITING * seconds, AGAIN)
    try:
        yield
    finally:
        _disarm(before)


def _disarm(before):
    """Switch the signals off, though they may strike once more while we do."""
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
