"""Worker processes that read batches ahead, in order, and never outlive the loop that they read for.

Batch t is read by worker t mod n, so the order is kept by asking the workers in turn. A worker lives as long as
our end of its line: a thread of it listens there, and ends the process when the line is closed or we are gone.
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

from dark.data.interrupts import DelayedInterrupt, ignore
from dark.errors import DarkError, UsageError

END_SECONDS = 5  # for a process to go, before it is made to


def processes(method=None):
    """Return the `multiprocessing` context that workers are started with.

    Parameters
    ----------
    method : str, optional
        "fork", "spawn" or "forkserver". If not given, "fork" on Linux, where a worker then sees the dataset without
        a copy and classes defined in a notebook; elsewhere what the system uses.

    Raises
    ------
    UsageError
        If the system has no processes or no such method, or this is a worker itself.
    """
    try:
        import multiprocessing
    except ImportError:  # Python in a browser
        raise UsageError(
            "DataLoader: there are no processes on this system.", "num_workers=0 here.", "leave num_workers out."
        ) from None
    known = multiprocessing.get_all_start_methods()
    if method is not None and method not in known:
        raise UsageError(
            f"DataLoader: multiprocessing_context is {method!r}.", f"one of {', '.join(known)}.", "leave it out."
        )
    if multiprocessing.current_process().daemon:
        raise UsageError(
            "DataLoader: a worker process cannot start workers of its own.",
            "num_workers=0 in a loader that is used inside a dataset or a worker.",
            "leave num_workers out there.",
        )
    return multiprocessing.get_context(method or ("fork" if sys.platform == "linux" else None))


class Worker:
    """One process, and our end of the line to it.

    Parameters
    ----------
    context : multiprocessing context
    reader : callable
        Makes a batch of a task.
    name : str
        For errors.
    lines : list of Connection
        Our ends of the lines to workers started before, which a forked process must close.
    """

    def __init__(self, context, reader, name, lines):
        self.name, self._owner = name, os.getpid()
        self.line, theirs = context.Pipe()
        inherited = [*lines, self.line] if context.get_start_method() == "fork" else []
        self._process = context.Process(target=work, args=(theirs, inherited, reader), daemon=True, name=name)
        try:
            with warnings.catch_warnings():  # Python 3.12 warns of a fork beside threads, which notebooks always have
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process.start()
        except Exception as error:
            self.line.close()
            error.add_note("DataLoader: a worker gets a pickled copy of dataset, transform and collate_fn")
            raise
        finally:
            theirs.close()

    def send(self, task):
        """Ask for a batch; a worker that is gone is noticed when the batch is awaited."""
        with suppress(OSError):
            self.line.send(task)

    def receive(self, timeout):
        """Wait for the next batch of this worker; raise what its reading raised."""
        if timeout and not self.line.poll(timeout):
            raise DarkError(
                f"DataLoader: no batch from {self.name} within {timeout} s.",
                "a batch within `timeout`.",
                "a longer timeout, or num_workers=0 to see where the dataset waits.",
            )
        try:
            received = self.line.recv_bytes()
        except (EOFError, OSError):
            raise self._gone() from None
        good, content = pickle.loads(received)
        if good:
            return content
        error, trace = content
        error.add_note(f"in {self.name}:\n{trace}")
        raise error

    def end(self):
        """End the process, whatever it does, and wait until it is gone."""
        if os.getpid() != self._owner:  # a forked process is not the one to end its siblings
            return
        self._process.terminate()
        self.line.close()
        self._process.join(END_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._process.close()
        self._process = self.line = None  # their finalizers run here, where Ctrl-C is held back

    def _gone(self):
        self._process.join(END_SECONDS)
        return DarkError(
            f"DataLoader: {self.name} ended with exit code {self._process.exitcode} before its batch was read.",
            "a process that lives until the epoch is over.",
            "num_workers=0 to see why (-9: often memory); in a script, start under `if __name__ == '__main__':`.",
        )


def prefetch(tasks, reader, context, workers, ahead, timeout=0):
    """Give the batches of tasks in order, read ahead by worker processes.

    Parameters
    ----------
    tasks : iterator
        What to read.
    reader : callable
        Makes a batch of a task.
    context : multiprocessing context
    workers : int
        How many processes.
    ahead : int
        How many batches each reads ahead.
    timeout : float, default 0
        Seconds to wait for one batch; 0 is for ever.

    Yields
    ------
    batch
        As `map(reader, tasks)` would. Closing the generator, or leaving it for the garbage, ends the processes.
    """
    first = [*islice(tasks, workers * ahead)]
    team, turns = [], deque()
    try:
        for n in range(min(workers, len(first))):
            with DelayedInterrupt():
                team.append(Worker(context, reader, f"worker {n}", [worker.line for worker in team]))
        for t, task in enumerate(first):
            turns.append(team[t % len(team)])
            turns[-1].send(task)
        while turns:
            worker = turns.popleft()
            batch = worker.receive(timeout)
            for task in islice(tasks, 1):
                worker.send(task)
                turns.append(worker)
            yield batch
    finally:
        with DelayedInterrupt():
            for worker in team:
                worker.end()


def work(line, inherited, reader):
    """Live as a worker: read what is asked for, until the line is closed."""
    ignore()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in inherited:
        other.close()
    tasks = SimpleQueue()
    threading.Thread(target=_listen, args=(line, tasks), daemon=True).start()
    try:
        while True:
            batch = answer(reader, tasks.get())
            sys.stdout.flush()  # what a dataset prints: we shall be ended without notice
            line.send_bytes(batch)
    except OSError:  # whoever asked is gone
        os._exit(0)


def _listen(line, tasks):
    """Take tasks from the line at once, so that whoever sends never waits for whoever reads."""
    try:
        while True:
            tasks.put(line.recv())
    finally:  # the line is closed, or broken
        os._exit(0)


def answer(reader, task):
    """Read a batch and pickle it, or the error and its traceback."""
    try:
        return pickle.dumps((True, reader(task)), protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((False, (picklable(error), "".join(traceback.format_exception(error)))))


def picklable(error):
    """Return an error that survives pickling: itself, or one that says what it was."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        said = DarkError(f"{type(error).__name__}: {error}")
        for note in getattr(error, "__notes__", ()):
            said.add_note(note)
        return said
