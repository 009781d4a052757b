"""The milestone of module 06 on 20 seeds: the leak invents a score, and without it coin flips score 0.5."""

import numpy as np
import pytest

from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.library import load_module, repository_root
from dark.course.lessons.notebook_files import read_notebook

NAMES = "Parameter, matmul, mean, take = mine.Parameter, mine.matmul, mine.mean, mine.take\n"
NAMES += "reshape, log_sum_exp = mine.reshape, mine.log_sum_exp"


@pytest.fixture(scope="module")
def score_of():
    """Return the function of the notebook, on the solutions of this module and of those before."""
    module = load_module("06")
    cells = read_notebook(repository_root() / "solutions" / f"{module.stem}.ipynb")["cells"]
    used = [cell["source"] for cell in cells if cell["source"].startswith(("def best_columns", "def train_on"))]
    assert len(used) == 2
    extra = [("names", NAMES), *((f"milestone {k}", cell) for k, cell in enumerate(used))]
    return assemble(arrange(module.parts, {}), extra).score_of


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_a_leak_invents_a_score(score_of, seed):
    leaky, honest = ([score_of(20 * seed + k, kind) for k in range(20)] for kind in (True, False))
    assert np.mean(leaky) > 0.7
    assert 0.43 < np.mean(honest) < 0.57
