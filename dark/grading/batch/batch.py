"""Grade many submissions in parallel processes; a crash costs one submission, never the batch.

Notebooks are parsed and judged by grader processes (`dark.grading.grader.grader_process`), one submission at a time
each, so that none can exhaust the memory or time of this process; a grader that dies is replaced.
"""

import time
from functools import partial
from multiprocessing.connection import wait

from dark.grading.batch.locked_folders import temporary_folder, with_exam
from dark.grading.grader.grade import Settings
from dark.grading.grader.grader_process import Grader
from dark.grading.sandbox.worker_process import check_system

WAKE_SECONDS = 1  # after which graders that something has stopped are continued


def grade_all(submissions, *, jobs=1, settings=Settings(), assign=None, started=lambda submission: None, exam=None):
    """Grade many submissions, each after `started`; yield each with its result as soon as it is available."""
    check_system()
    settings, assign = with_exam(settings, assign, exam)
    with temporary_folder() as folder:
        make = partial(Grader, settings, assign, folder)
        yield from _grade_with(make, list(submissions)[::-1], jobs, started)


def _grade_with(make, waiting, jobs, started):
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


def due(graders: list[Grader]) -> list[Grader]:
    """Wait until graders, each with a submission, have answered, died or timed out; return them."""
    while True:
        seconds = min(grader.deadline for grader in graders) - time.monotonic()
        ready = wait([grader.connection for grader in graders], min(WAKE_SECONDS, max(0, seconds)))
        due = [each for each in graders if each.connection in ready or time.monotonic() >= each.deadline]
        if due:
            return due
        for grader in graders:
            grader.wake()
