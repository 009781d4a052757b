"""A batch: many submissions graded one after another or side by side, and always to the end.

Each process of the pool holds one worker (`dark.course.grading.confine`); what a student's code does stays
in the worker's children. Should a process of the pool die all the same, the submissions that are
left are graded one at a time, so that only the one that killed it goes without a result.
"""

import hashlib
import multiprocessing
import signal
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial

from dark.course.exams.questions import load_exam
from dark.course.grading.confine import Worker
from dark.course.grading.grade import (
    NO_NOTEBOOK,
    NOT_GRADED,
    Assignment,
    Result,
    Settings,
    grade_submission,
)
from dark.course.lessons.library import load_module


@dataclass(frozen=True)
class Graded:
    """A result, with the hash of the bytes it is about and the time it took."""

    result: Result
    digest: str
    elapsed_seconds: float


def load_assignment(module):
    """Load what submissions of a module are held against.

    Parameters
    ----------
    module : str
        Its number, its name or both.

    Returns
    -------
    Assignment
    """
    loaded = load_module(module)
    return Assignment(loaded, load_exam(loaded.id))


def grade_file(submission, worker, settings=Settings(), assign=None):
    """Read and grade one file.

    Parameters
    ----------
    submission : Submission
        The file.
    worker : Worker
        The process that runs the student's code.
    settings : Settings, optional
        Limits and seed.
    assign : callable, optional
        ``assign()`` gives the assignment for notebooks that name none.

    Returns
    -------
    Graded
    """
    begun = time.monotonic()
    try:
        content = submission.read()
    except OSError as error:
        reason = error.strerror or error
        return Graded(Result(NO_NOTEBOOK, f"The file cannot be read ({reason})."), "", 0.0)
    result = grade_submission(content, assign and assign(), worker=worker, settings=settings)
    return Graded(result, digest_of(content), time.monotonic() - begun)


def digest_of(content):
    """Give the hash by which a submission is recognised."""
    return hashlib.sha256(content).hexdigest()


def grade_all(submissions, *, jobs=1, settings=Settings(), assign=None):
    """Grade many submissions; each is given as soon as it is done.

    Parameters
    ----------
    submissions : sequence of Submission
        The files.
    jobs : int, default 1
        How many at a time.
    settings : Settings, optional
        Limits and seed.
    assign : callable, optional
        As in `grade_file`; it travels to other processes.

    Yields
    ------
    (Submission, Graded)
    """
    if jobs == 1 or len(submissions) < 2:
        with Worker() as worker:
            for submission in submissions:
                yield submission, grade_file(submission, worker, settings, assign)
        return
    work = partial(_grade_in_pool, settings=settings, assign=assign)
    left = list(submissions)
    for submission, graded in _pool(left, jobs, work):
        if graded is not None:
            left.remove(submission)
            yield submission, graded
    for submission in left:  # some process died: now each in a process of its own
        yield submission, next(_pool([submission], 1, work))[1] or _lost()


def _lost():
    message = "The grader's process was killed, and killed again; the machine may be out of memory."
    return Graded(Result(NOT_GRADED, message), "", 0.0)


@cache
def _worker_of_this_process():
    return Worker()


def _grade_in_pool(submission, settings, assign):
    return grade_file(submission, _worker_of_this_process(), settings, assign)


def _ignore_interrupts():
    """Leave Ctrl-C to the process that holds the gradebook."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _pool(submissions, jobs, work):
    """Give each submission with its result, or with None where a process of the pool died."""
    strangers = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")  # this process may have threads
    pool = ProcessPoolExecutor(min(jobs, len(submissions)), context, _ignore_interrupts)
    try:
        futures = {pool.submit(work, submission): submission for submission in submissions}
        for future in as_completed(futures):
            graded = None
            with suppress(BrokenProcessPool):
                graded = future.result()
            yield futures[future], graded
    except BaseException:  # Ctrl-C, or the consumer stopped: nobody waits for what is running
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - strangers:
            process.terminate()
        raise
    finally:
        pool.shutdown()
