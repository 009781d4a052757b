"""Delay Ctrl-C while processes start and end, where it would be lost or leave workers running."""

import _thread
import signal
import threading

DELAY_SECONDS = 0.01  # long enough to leave a finalizer, in which Python would discard the exception

CAN_BLOCK = hasattr(signal, "pthread_sigmask")  # not on Windows


class DelayedInterrupt:
    """Delay a KeyboardInterrupt, which a fork or a finalizer would discard, until shortly after a block.

    A process started in the block starts with SIGINT blocked, too; it must call `ignore` when it is ready.

    >>> try:
    ...     with DelayedInterrupt():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("done")
    ...     threading.Event().wait(60)
    ... except KeyboardInterrupt:
    ...     print("interrupted")
    done
    interrupted
    """

    def __enter__(self):
        self._pending: list[tuple[object, ...]] = []
        self._handler = None
        if CAN_BLOCK:
            self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            # other threads, such as threads of the BLAS library, do not block the signal
            self._handler = signal.signal(signal.SIGINT, lambda *signaled: self._pending.append(signaled))

    def __exit__(self, *error):
        if CAN_BLOCK:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
        if self._pending:
            threading.Timer(DELAY_SECONDS, _interrupt).start()


def _interrupt():
    """Interrupt the main thread, even while it waits."""
    if CAN_BLOCK:
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # type: ignore[arg-type]  # it has started
    else:
        _thread.interrupt_main()


def ignore():
    """Ignore Ctrl-C in this process permanently; its parent process ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if CAN_BLOCK:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
