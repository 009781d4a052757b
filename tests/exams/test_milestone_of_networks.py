"""The milestone of module 05 on 20 seeds: the digits are read, and in time."""

from time import process_time

import numpy as np
import pytest

from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.library import load_module, repository_root
from dark.course.lessons.notebook_files import read_notebook

QUICK = 1  # the others are long


@pytest.fixture(scope="module")
def lesson():
    """Return the names of the notebook's milestone, on the solutions of this module and of those before."""
    module = load_module("05")
    cells = [
        cell["source"] for cell in read_notebook(repository_root() / "solutions" / f"{module.stem}.ipynb")["cells"]
    ]
    (cell,) = (cell for cell in cells if "def train_digits" in cell)
    extra = [("data", "from sklearn.datasets import load_digits"), ("milestone", cell)]
    return assemble(arrange(module.parts, {}), extra)


@pytest.mark.parametrize("seed", [pytest.param(k, marks=() if k == QUICK else pytest.mark.long) for k in range(20)])
def test_the_digits_are_read(lesson, seed):
    start = process_time()
    net, path, losses = lesson.train_digits(seed)
    assert process_time() - start < 20
    unseen = lesson.cut(seed)[1]
    predicted = net(lesson.pixels[unseen]).value.argmax(axis=1)
    assert len(unseen) == 360 and len(path) == 31 and losses[-1] < losses[0]
    assert np.mean(predicted == lesson.labels[unseen]) >= 0.95
