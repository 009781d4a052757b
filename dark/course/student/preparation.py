"""Prepare the checks of a module while the kernel waits for the next cell, in short steps.

No question is asked, because that could change what a notebook draws from the global random generators.
"""

import asyncio
from contextlib import suppress

from dark.course.exams.inputs import inputs_of
from dark.course.exams.questions import load_exam
from dark.course.judging.bank import load_bank

PAUSE_SECONDS = 0.02  # between two steps: a cell that was run meanwhile comes first


def preparation(module, seed=0):
    """Prepare the checks of a module, one step after the other; `module()` returns it, in the first step."""
    found = module()
    exam = load_exam(found.id)
    yield "the questions"
    for exercise in found.exercises:
        load_bank(found, exercise)
        for question in exam.questions_of(exercise):
            inputs_of(question, seed)
            yield question.name


def run_when_idle(steps):
    """Take one step after the other whenever the event loop of this thread is idle, up to an error; none without it."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # not in a kernel
        return

    def take_one():
        with suppress(Exception):
            if next(steps, None) is not None:
                loop.call_later(PAUSE_SECONDS, take_one)

    loop.call_later(PAUSE_SECONDS, take_one)
