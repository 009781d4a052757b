"""The milestone of module 07 on 20 seeds: the network of 05 and the loader of 06 under the engine, in time."""

from time import process_time

import pytest

from dark.course.judging.bank import load_bank
from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.library import earlier_modules, load_module, repository_root
from dark.course.lessons.notebook_files import read_notebook

MODULE = load_module("07")
IMPORTS = """
from collections import namedtuple

import numpy as np
from sklearn.datasets import load_digits
"""


@pytest.fixture(scope="module")
def cells():
    """Return the cells of the notebook's milestone."""
    notebook = read_notebook(repository_root() / "solutions" / f"{MODULE.stem}.ipynb")
    sources = [cell["source"] for cell in notebook["cells"]]
    (recorder,) = (source for source in sources if source.startswith("Moment ="))
    begin = next(k for k, source in enumerate(sources) if source.startswith("digits = load_digits()"))
    end = next(k for k, source in enumerate(sources) if source.startswith("trainer = create_supervised_trainer"))
    return [IMPORTS, recorder.split("\nengine, moments =")[0], sources[begin], sources[end]]


def run(cells, seed, parts=None):
    """Run the milestone with a seed, on the solutions or on other parts; return its names."""
    assert cells[2].count("seed = 0") == 1
    sources = [cells[0], cells[1], cells[2].replace("seed = 0", f"seed = {seed}"), cells[3]]
    return assemble(parts or arrange(MODULE.parts, {}), [(f"milestone {k}", each) for k, each in enumerate(sources)])


@pytest.mark.parametrize("seed", [pytest.param(k, marks=() if k == 0 else pytest.mark.long) for k in range(20)])
def test_the_digits_are_learned_under_the_engine(cells, seed, capsys):
    start = process_time()
    made = run(cells, seed)
    assert process_time() - start < 20
    assert made.scores[-1] >= 0.97 > max([0, *made.scores[:-1]]) and made.state.epoch == len(made.scores) <= 30
    assert len(made.losses) == made.state.iteration == 23 * made.state.epoch
    assert "0.97 reached" in capsys.readouterr().out
    assert [m.event for m in made.moments if m.engine == "trainer"].count("EPOCH_COMPLETED") == made.state.epoch


@pytest.mark.long
@pytest.mark.parametrize("which", range(3))
def test_the_milestone_runs_on_right_answers_written_differently(cells, which):
    parts = []
    for module in (*earlier_modules(MODULE), MODULE):
        banks = {name: load_bank(load_module(module.id), name).right for name in module.exercises}
        answers = {name: rights[which % len(rights)].source for name, rights in banks.items()}
        own = module.parts if module is not MODULE else [part for part in MODULE.parts if part.kind != "earlier"]
        parts += arrange(own, answers)
    assert run(cells, 0, parts).scores[-1] >= 0.97
