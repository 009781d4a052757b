"""The checks are prepared while the kernel is idle."""

import asyncio
import random
from itertools import count, islice

import numpy as np
import pytest

from dark.course.exams import inputs
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module
from dark.course.student.preparation import preparation, run_when_idle


def test_a_check_of_what_was_prepared_draws_no_inputs(monkeypatch):
    module, states = load_module("01"), (random.getstate(), np.random.get_state()[2])
    prepared = list(islice(preparation(lambda: module), 4))
    assert prepared[1:] == ["slope_of_a_parabola", "nudge_to_both_sides", "slope_of_a_growth"]
    assert (random.getstate(), np.random.get_state()[2]) == states
    monkeypatch.setattr(inputs, "inputs_from", lambda *arguments: pytest.fail("drawn again"))
    assert judge_exercise(module, "slope", {"slope": module.exercises["slope"].solution}).is_right


def test_steps_are_taken_between_other_callbacks():
    taken = []

    async def cells():
        run_when_idle(taken.append(f"step {k}") or "done" for k in range(2))
        taken.append("the cell that loads")
        for _ in range(200):
            await asyncio.sleep(0.005)
            if len(taken) == 3:
                return

    asyncio.run(cells())
    assert taken == ["the cell that loads", "step 0", "step 1"]


def test_an_error_ends_the_preparation_silently(capfd):
    async def cells():
        run_when_idle(1 / k for k in (1, 0, 1))
        await asyncio.sleep(0.1)

    asyncio.run(cells())
    assert capfd.readouterr() == ("", "")


def test_without_an_event_loop_nothing_is_prepared():
    steps = count(1)
    run_when_idle(steps)
    assert next(steps) == 1
