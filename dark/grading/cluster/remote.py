"""The code that runs in a dask worker: it passes submissions on to graders, as the local batch does.

The dask worker itself reads no notebook. A grader, confined as on the teacher's machine, stays for the next submission
of its batch, until the batch ends or a minute has passed without one.
"""

import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, Timer

from dark.grading.batch.batch import due
from dark.grading.batch.locked_folders import temporary_folder, with_exam
from dark.grading.cluster.sent_exam import unpack_exam
from dark.grading.grader.grader_process import Grader, grader_environment
from dark.grading.grader.messages import answer, read_request, read_task
from dark.grading.sandbox.confinement import hide_memory
from dark.grading.sandbox.worker_process import START_SECONDS

IDLE_SECONDS = 60
PROGRAM = "from dark.grading.cluster import machine; machine.print_machine()"


def describe_machine() -> str:
    """Return what `print_machine` prints in a new process, since graders are new processes; or raise OSError."""
    command = [sys.executable, "-P", "-c", PROGRAM]
    with temporary_folder() as folder:
        environment, seconds = grader_environment(folder), START_SECONDS
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        raise OSError(done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}")
    return done.stdout


def grade(batch: str, first: bytes, asked: bytes, content: bytes) -> bytes:
    """Grade the content of a submission, asked for by a message, with a grader of this machine; return its answer."""
    with GRADERS.borrowed(batch, first) as each:
        copy = Path(each.folder, "submission")
        copy.write_bytes(content)
        each.grader.give(replace(read_request(asked), copy=copy))
        due([each.grader])
        graded = each.grader.take()
        copy.unlink()
        return answer(graded)


def leave(batch):
    """End the graders of a batch that has ended, also those that are grading or starting."""
    GRADERS.leave(batch)


@dataclass(eq=False)
class _Placed:
    """A grader, its batch, its folder, and when it was last used."""

    batch: str
    grader: Grader
    folder: str
    closing: ExitStack
    used: float = 0.0

    def close(self):
        """End the grader and remove its folder."""
        self.closing.close()


class Graders:
    """The graders of this process: those that are grading, and those that are idle."""

    def __init__(self):
        self._lock, self._busy, self._idle, self._ended = Lock(), [], [], set()
        self._timer = None  # closes those that have been idle for long

    @contextmanager
    def borrowed(self, batch, first):
        """Lend a grader for one submission; after an error, if it has died or its batch has ended, it is closed."""
        placed = self._take(batch) or _started(batch, first)
        with self._lock:
            self._busy.append(placed)
            if batch in self._ended:  # while the grader was starting
                _stop(placed)
        is_good = False
        try:
            yield placed
            is_good = not placed.grader.is_spent
        finally:
            with self._lock:
                self._busy.remove(placed)
                is_good = is_good and batch not in self._ended
                if is_good:
                    placed.used = time.monotonic()
                    self._idle.append(placed)
                    self._start_timer()
            if not is_good:
                placed.close()

    def _take(self, batch):
        with self._lock:
            if batch in self._ended:  # a submission that was on its way
                raise OSError("the batch has ended")
            found = next((each for each in self._idle if each.batch == batch), None)
            if found:
                self._idle.remove(found)
        return found

    def _start_timer(self):
        """Close idle graders in time, also if this process gets no further request."""
        if self._idle and self._timer is None:
            left = IDLE_SECONDS - (time.monotonic() - min(each.used for each in self._idle))
            self._timer = Timer(left, self._close_old)
            self._timer.daemon = True
            self._timer.start()

    def _close_old(self):
        with self._lock:
            old = [each for each in self._idle if time.monotonic() - each.used >= IDLE_SECONDS]
            self._idle = [each for each in self._idle if each not in old]
            self._timer = None
            self._start_timer()
        for each in old:
            each.close()

    def leave(self, batch):
        """End the graders of a batch."""
        with self._lock:
            self._ended.add(batch)
            idle = [each for each in self._idle if each.batch == batch]
            self._idle = [each for each in self._idle if each.batch != batch]
            for each in self._busy:
                if each.batch == batch:
                    _stop(each)
        for each in idle:
            each.close()


def _stop(placed):
    with suppress(ProcessLookupError):
        placed.grader.stop()


def _started(batch, first):
    hide_memory()
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        task, exam = unpack_exam(first, Path(folder, "exam"))
        settings, assign = read_task(task)
        settings, assign = with_exam(settings, assign, exam)
        grader = Grader(settings, assign, folder)
        stack.callback(grader.close)
        return _Placed(batch, grader, folder, stack.pop_all())


GRADERS = Graders()  # dask calls functions; only the module lives as long as its worker
