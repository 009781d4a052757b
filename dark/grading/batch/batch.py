"""Grade many submissions in parallel processes; a crash costs one submission, never the batch.

The process of the gradebook does not parse notebooks or judge answers itself, so that no submission can
exhaust its memory or time. Grader processes do (`dark.grading.grader.grader_process`), one submission at a
time each; a grader that dies is replaced.
"""

import time
from functools import partial
from multiprocessing.connection import wait

from dark.grading.batch.exam_copy import with_exam
from dark.grading.batch.locked_folders import temporary_folder
from dark.grading.grader.grade import Settings
from dark.grading.grader.grader_process import Grader
from dark.grading.sandbox.worker_process import check_system

WAKE_SECONDS = 1  # after which graders that something has stopped are continued


def grade_all(submissions, *, jobs=1, settings=Settings(), assign=None, started=lambda submission: None, exam=None):
    """Grade many submissions; yield each result as soon as it is available.

    Parameters
    ----------
    submissions : sequence of Submission
        The files.
    jobs : int, default 1
        Number of graders in parallel.
    settings : Settings, optional
        Limits and seed.
    assign : callable, optional
        As in `grade_file`; a function at the top level of a module, or a `functools.partial` of such a function.
    started : callable, optional
        Called with each submission before it is given to a grader.
    exam : path, optional
        A copy of the private exam, which is read in its place.

    Yields
    ------
    (Submission, Graded)

    Raises
    ------
    CourseError
        If the system has no process limits, or the graders do not start.
    """
    check_system()
    settings, assign = with_exam(settings, assign, exam)
    with temporary_folder() as folder:
        make = partial(Grader, settings, assign, folder)
        yield from _grade_with(make, list(submissions)[::-1], jobs, started)


def _grade_with(make, waiting, jobs, started):
    """Grade the submissions, the last first, with graders that `make` makes."""
    graders = []

    def give(grader):
        started(waiting[-1])
        grader.give(waiting.pop())

    try:
        for _ in range(min(jobs, len(waiting))):
            graders.append(make())
        for grader in graders:
            give(grader)
        while graders:
            for grader in due(graders):
                found = grader.submission, grader.take()
                if grader.is_spent or not waiting:
                    graders.remove(grader)
                    grader.close()
                if grader.is_spent and waiting:
                    grader = make()
                    graders.append(grader)
                if waiting:
                    give(grader)
                yield found
    finally:  # after Ctrl-C, or when the consumer has stopped: do not wait for running submissions
        for grader in graders:
            grader.leave()
        for grader in graders:
            grader.close()


def due(graders):
    """Wait until a grader has answered, died or timed out.

    Parameters
    ----------
    graders : list of Grader
        Each with a submission.

    Returns
    -------
    list of Grader
        All such graders.
    """
    while True:
        seconds = min(grader.deadline for grader in graders) - time.monotonic()
        ready = wait([grader.connection for grader in graders], min(WAKE_SECONDS, max(0, seconds)))
        due = [each for each in graders if each.connection in ready or time.monotonic() >= each.deadline]
        if due:
            return due
        for grader in graders:
            grader.wake()
