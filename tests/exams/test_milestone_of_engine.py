"""The milestone of module 07 on 20 seeds: the network of 05 and the loader of 06 under the engine, in time."""

from time import process_time

import pytest

from tests.exams.milestones import cells_of, run

IMPORTS = """
from collections import namedtuple

import numpy as np
from sklearn.datasets import load_digits
"""


@pytest.fixture(scope="module")
def cells():
    """Return the recorder, what is trained, and the training."""
    recorder, *others = cells_of("07", "Moment =", "digits = load_digits()", "trainer = create_supervised_trainer")
    return [IMPORTS, recorder.split("\nengine, moments =")[0], *others]


def with_seed(cells, seed):
    """Return the cells with another seed."""
    assert sum(cell.count("seed = 0") for cell in cells) == 1
    return [cell.replace("seed = 0", f"seed = {seed}") for cell in cells]


@pytest.mark.parametrize("seed", [pytest.param(k, marks=() if k == 0 else pytest.mark.long) for k in range(20)])
def test_the_digits_are_learned_under_the_engine(cells, seed, capsys):
    start = process_time()
    made = run("07", with_seed(cells, seed))
    assert process_time() - start < 20
    assert made.scores[-1] >= 0.97 > max([0, *made.scores[:-1]]) and made.state.epoch == len(made.scores) <= 30
    assert len(made.losses) == made.state.iteration == 23 * made.state.epoch
    assert "0.97 reached" in capsys.readouterr().out
    assert [m.event for m in made.moments if m.engine == "trainer"].count("EPOCH_COMPLETED") == made.state.epoch


@pytest.mark.long
@pytest.mark.parametrize("which", range(3))
def test_it_runs_on_right_answers_written_differently(cells, which):
    assert run("07", cells, which).scores[-1] >= 0.97
