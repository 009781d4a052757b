"""A time limit for code that runs in this process."""

import contextlib
import ctypes
import signal
import threading

AGAIN = 0.05  # seconds until the limit strikes again, should a bare `except:` swallow it


class TimeIsUp(BaseException):
    """The time limit was reached; no `except Exception` catches it."""


@contextlib.contextmanager
def time_limit(seconds):
    """Interrupt the block when it takes too long.

    In the main thread a signal does it, elsewhere an exception that a timer sends to the thread.

    Parameters
    ----------
    seconds : float
        Time on the clock.

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
    limit = _by_signal if in_main_thread and hasattr(signal, "setitimer") else _by_timer
    with limit(seconds):
        yield


@contextlib.contextmanager
def _by_signal(seconds):
    def strike(number, frame):
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, strike)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        _disarm(before)


def _disarm(before):
    """Switch the signal off, though it may strike once more while we do."""
    while True:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
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
