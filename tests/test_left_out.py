"""The page of what is left out: its functions work, its expressions are refused, its alternatives work."""

import re
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

import dark
from dark.errors import DarkError
from dark.nodes.comparisons import OF_VALUES
from dark.nodes.protocols import FUNCTIONS, UFUNCS

PAGE = (Path(__file__).parents[1] / "book" / "left_out.md").read_text(encoding="utf-8")
NUMPY = PAGE.partition("## NumPy")[2]
PLACES = {"np": np, "dark": dark, **{name: getattr(dark, name) for name in ("data", "losses", "nn", "optim")}}


def rows(text):
    """Return the rows of the tables of a section as lists of cells."""
    found = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [cells for cells in found if cells[0] not in ("Left out", "Kind") and not cells[0].startswith("---")]


def code(cell):
    """Return what a cell has between backticks."""
    return re.findall(r"`([^`]+)`", cell)


WORKING = [name for cells in rows(NUMPY) if len(cells) == 2 for name in code(cells[1])]
REFUSED = [text for cells in rows(NUMPY) if len(cells) == 3 for text in code(cells[0])]
INSTEAD = [text for cells in rows(PAGE) if len(cells) == 3 for text in code(cells[2]) if "(" in text or "@" in text]


def evaluate(text):
    """Evaluate an expression of the page with its names."""
    x = dark.Parameter(np.array([[2.0, 1.0], [0.5, 3.0]]))
    names = {"x": x, "y": np.ones((2, 2)), "mask": np.array([[True, False], [True, True]])}
    return eval(text, PLACES | names)


def test_the_page_has_its_tables():
    assert len(WORKING) > 80 and len(REFUSED) > 40 and len(INSTEAD) > 20


@pytest.mark.parametrize("name", WORKING)
def test_the_functions_that_are_said_to_work_are_there(name):
    function = reduce(getattr, name.split("."), np)
    assert function in FUNCTIONS or function in UFUNCS or function in OF_VALUES


@pytest.mark.parametrize("text", REFUSED)
def test_an_expression_that_is_left_out_is_refused_with_an_alternative(text):
    with pytest.raises(DarkError) as caught:
        evaluate(text)
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


@pytest.mark.parametrize("text", INSTEAD)
def test_an_alternative_works(text):
    evaluate(text)
