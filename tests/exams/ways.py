"""The two ways in which an answer is asked.

`check` asks input by input in this process, `dark grade` all inputs of a question at once in another one.
"""

from functools import partial

from dark.course.judging.judge import judge_exercise
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_observer import WorkerObserver


def judge_in(worker, module, exercise, sources, seed=0):
    """Judge an answer in another process, without a diagnosis."""
    observer = partial(WorkerObserver, worker=worker, limits=Limits(wall_seconds=60))
    return judge_exercise(module, exercise, sources, bank=(), observer=observer, seed=seed)


def marks(verdict):
    """Return the status and the points of an answer, and of each question.

    What is shown as evidence is left out: an answer may draw random numbers, or keep something between calls.
    """
    return verdict.status, verdict.earned, [(each.question, each.status, each.earned) for each in verdict.findings]
