"""Worker processes that load batches in advance, in order, and never outlive the loop that uses them.

Batch t is loaded by worker t mod n, so polling the workers in turn preserves the order. A thread in each worker
listens on the connection and ends the process when the connection is closed or the main process has died.
"""

import os
import pickle
import signal
import sys
import threading
import traceback
import warnings
from collections import deque
from contextlib import suppress
from itertools import islice
from queue import SimpleQueue
from typing import Any

from dark.data.fetcher import EndOfStream
from dark.data.interrupts import DelayedInterrupt, ignore
from dark.errors import DarkError, UsageError

END_SECONDS = 5  # grace period between SIGTERM and SIGKILL


def start_context(method=None):
    """Return the `multiprocessing` context of the workers.

    The method is "fork", "spawn" or "forkserver". Default: "fork" on Linux, so that a worker shares the dataset without
    a copy and knows classes defined in a notebook; elsewhere the default of the platform.
    """
    try:
        import _multiprocessing  # noqa: F401  # a browser has only the files in Python
        import multiprocessing
    except ImportError:
        problem = "DataLoader: this platform does not support processes."
        raise UsageError(problem, "num_workers=0.", "omit num_workers.") from None
    known = multiprocessing.get_all_start_methods()
    if method is not None and method not in known:
        problem = f"DataLoader: multiprocessing_context {method!r} is not supported on this platform."
        raise UsageError(problem, f"one of {', '.join(known)}.", "omit it.")
    if multiprocessing.current_process().daemon:
        raise UsageError(
            "DataLoader: a worker process cannot start workers of its own.",
            "num_workers=0 for a loader that is used inside a dataset or a worker.",
            "omit num_workers there.",
        )
    return multiprocessing.get_context(method or ("fork" if sys.platform == "linux" else None))


class Worker:
    """A worker process, and the connection to it; a forked one closes the connections to workers started earlier."""

    def __init__(self, context, fetcher, name, connections):
        self.name, self._owner = name, os.getpid()
        self.connection, child_end = context.Pipe()
        inherited = [*connections, self.connection] if context.get_start_method() == "fork" else []
        arguments = (child_end, inherited, fetcher)
        self._process = context.Process(target=run_worker, args=arguments, daemon=True, name=name)
        try:
            with warnings.catch_warnings():  # Python 3.12 warns of a fork with threads, which notebooks always have
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process.start()
        except Exception as error:
            self.connection.close()
            error.add_note("DataLoader: a worker gets a pickled copy of dataset, transform and collate_fn")
            raise
        finally:
            child_end.close()

    def send(self, task):
        """Request a batch; `receive` detects that a worker has died."""
        with suppress(OSError):
            self.connection.send(task)

    def receive(self, timeout):
        """Wait for the next batch of this worker; re-raise an exception of the worker."""
        if timeout and not self.connection.poll(timeout):
            raise DarkError(
                f"DataLoader: no batch from {self.name} within {timeout} s.",
                "a batch within `timeout`.",
                "a longer timeout, or num_workers=0 to find out where the dataset blocks.",
            )
        try:
            received = self.connection.recv_bytes()
        except (EOFError, OSError):
            self._process.join(END_SECONDS)
            raise DarkError(
                f"DataLoader: {self.name} ended with exit code {self._process.exitcode} before its batch was loaded.",
                "a process that runs until the end of the epoch.",
                "num_workers=0 to see why (-9: often out of memory); in a script, use `if __name__ == '__main__':`.",
            ) from None
        succeeded, content = pickle.loads(received)
        if succeeded:
            return content
        error, trace = content
        error.add_note(f"in {self.name}:\n{trace}")
        raise error

    def end(self):
        """Terminate the process and wait until it has exited."""
        if os.getpid() != self._owner:  # a forked process must not end its siblings
            return
        self._process.terminate()
        self.connection.close()
        self._process.join(END_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._process.close()
        self._process = self.connection = None  # their finalizers run here, where Ctrl-C is delayed


def prefetch(tasks, make_fetcher, method, num_workers, prefetch_factor, timeout=0):
    """Yield the batches of tasks in order, loaded in advance by worker processes, which get the tasks in turn.

    `make_fetcher` is called with the number of a worker; what it returns loads the batch of a task there, or returns
    `EndOfStream` after the last one. Each worker loads `prefetch_factor` batches in advance. Waiting for one batch ends
    after `timeout` seconds; 0 means no timeout. Closing the generator, or its garbage collection, ends the processes.
    """
    context, first = start_context(method), [*islice(tasks, num_workers * prefetch_factor)]
    workers: list[Worker] = []
    pending: deque[Worker] = deque()
    try:
        for n in range(min(num_workers, len(first))):
            with DelayedInterrupt():
                others = [worker.connection for worker in workers]
                workers.append(Worker(context, make_fetcher(n), f"worker {n}", others))
        for t, task in enumerate(first):
            pending.append(workers[t % len(workers)])
            pending[-1].send(task)
        while pending:
            worker = pending.popleft()
            batch = worker.receive(timeout)
            if batch is EndOfStream:
                continue
            for task in islice(tasks, 1):
                worker.send(task)
                pending.append(worker)
            yield batch
    finally:
        with DelayedInterrupt():
            for worker in workers:
                worker.end()


def run_worker(connection, inherited, fetcher):
    """Run the loop of a worker process: load the requested batches until the connection is closed."""
    ignore()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in inherited:
        other.close()
    tasks: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, tasks), daemon=True).start()
    try:
        while True:
            batch = fetch_and_pickle(fetcher, tasks.get())
            sys.stdout.flush()  # what a dataset prints: the process will be terminated without notice
            connection.send_bytes(batch)
    except OSError:  # the main process has died
        os._exit(0)


def _listen(connection, tasks):
    """Receive tasks immediately, so that the main process never blocks in `send`."""
    try:
        while True:
            tasks.put(connection.recv())
    finally:  # the connection is closed or broken
        os._exit(0)


def fetch_and_pickle(fetcher, task):
    """Load a batch and pickle it, or pickle the exception and its traceback."""
    try:
        return pickle.dumps((True, fetcher(task)), protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((False, (picklable(error), "".join(traceback.format_exception(error)))))


def picklable(error):
    """Return an exception that can be pickled: itself, or a `DarkError` with its message."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        summary = DarkError(f"{type(error).__name__}: {error}")
        for note in getattr(error, "__notes__", ()):
            summary.add_note(note)
        return summary
