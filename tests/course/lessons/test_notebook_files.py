"""A notebook is repaired or refused when it is read; an invalid cell affects only itself."""

import json
import sys
from pathlib import Path

import pytest

from dark.course.lessons.answers import collect
from dark.course.lessons.code import LARGEST_CELL, code_of, plain_python
from dark.course.lessons.notebook_files import MOST_CODE, validated
from dark.errors import CourseError
from tests.course import tiny

RIGHT = tiny.RIGHT["double"]


def notebook(source=RIGHT, *more, **cell):
    """Make the tiny notebook with one exercise answered, each cell changed in the same way."""
    made = json.loads(tiny.submission(double=source))
    made["cells"] = [{**each, **cell} for each in made["cells"]]
    made["cells"] += [{"cell_type": "code", "metadata": {}, "source": each} for each in more]
    return made


def answer(made):
    return collect(validated(made), tiny.MODULE).sources["double"]


MARKS = [None, "x", 3, [], {"kind": "exercise", "exercise": ["double"]}, {"solution": True, "grade_id": ["double"]}]


@pytest.mark.parametrize("mark", MARKS, ids=str)
@pytest.mark.parametrize("name", ["dark", "nbgrader"])
def test_invalid_metadata_do_not_hide_an_answer(mark, name):
    assert answer(notebook(metadata={name: mark}, id=["x"])) == RIGHT


@pytest.mark.parametrize("metadata", [None, [], {"dark": None}])
def test_a_notebooks_own_metadata_may_be_anything(metadata):
    assert answer({**notebook(), "metadata": metadata}) == RIGHT


ODD = {
    "a lone surrogate": "x = '\ud800'",
    "a long sum": "y = " + "+".join("1" * 2500),
    "a long chain": "y = x" + ".a" * 1200,
    "many signs": "y = " + "-" * 5000 + "x",
    "many brackets": "y = " + "(" * 300 + "1" + ")" * 300,
    "a long ladder": "if a: pass\n" + "elif a: pass\n" * 3000,
    "many lambdas": "y = " + "lambda: " * 500 + "1",
    "a null": "x = '\0'",
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_cell_costs_no_answer_but_its_own(name):
    assert answer(notebook(RIGHT, ODD[name])) == RIGHT
    assert answer(notebook(f"{RIGHT}\n{ODD[name]}")).startswith(RIGHT)


def test_half_a_character_becomes_its_escape_so_that_every_answer_can_be_written():
    answer(notebook(RIGHT.replace("x + x", "x + x if x != '\ud800' else 0"))).encode()


def test_a_cell_too_large_to_be_read_is_a_broken_answer_that_says_so():
    large = f"{RIGHT}\ny = [{'1,' * LARGEST_CELL}]"
    assert answer(notebook(large)) == f"This cell has {len(large):,} characters; at most 200,000 are read."
    assert answer(notebook(RIGHT, "y = 1\n" * 40_000)) == RIGHT


def test_more_code_than_anybody_writes_is_refused():
    cells = ["y = 1\n" * 30_000] * 6
    with pytest.raises(
        CourseError,
        match=rf"its cells contain too much code, 1,.* characters.(.|\n)*at most {MOST_CODE:,}.(.|\n)*Try: ",
    ):
        answer(notebook(RIGHT, *cells))


PLAIN = {
    "x = (7\n% 3)": "x = (7\n% 3)",
    'x = """\n%s\n!\n"""\n%time': 'x = """\n%s\n!\n"""\npass',
    "x = 'it\\'s'  # (\n!ls": "x = 'it\\'s'  # (\npass",
    "for k in x:\n    %time k\n    y = %timeit -o k": "for k in x:\n    pass\n    pass",
    "x?\nx.y??\na, b = !ls": "pass\npass\npass",
    "# why?\nx = 7 \\\n% 3\n!ls \\\n  -l\ny = 1": "# why?\nx = 7 \\\n% 3\npass\n\ny = 1",
    "%%bash\nls (": "pass\npass",
    "%%time\nx = 1": "pass\nx = 1",
    "x = f'{y!r}' if x != y else '?'": "x = f'{y!r}' if x != y else '?'",
    ">>> def f(x):\n...     return x\n...\n>>> f(1)\n1": "def f(x):\n    return x\n\nf(1)\n1",
    "\n>>> %time\n>>> x = 1": "\npass\nx = 1",
    "In [3]: x = 1\n   ...: y = 2": "x = 1\ny = 2",
    "    x = 1\n    y = 2": "x = 1\ny = 2",
    'def f():\n    """\n    >>> f()\n    """': 'def f():\n    """\n    >>> f()\n    """',
    "  # a comment\nx = 1": "  # a comment\nx = 1",
}


@pytest.fixture(params=["IPython", "by hand"])
def transformer(request, monkeypatch):
    """Let IPython's rules decide what a magic is, and then those that take their place where it is not installed."""
    if request.param == "by hand":
        monkeypatch.setitem(sys.modules, "IPython.core.inputtransformer2", None)


@pytest.mark.parametrize("source", PLAIN)
def test_a_magic_stands_where_a_statement_begins(source, transformer):
    assert plain_python(source) == PLAIN[source]


LONG = ["x = 1\n%m\n" * 9_000, '"\\' * 90_000 + "\n?", "'''" * 60_000, "(" * 90_000 + "\n!"]


@pytest.mark.parametrize("source", LONG, ids=range(len(LONG)))
def test_magics_are_found_in_one_pass_which_is_felt_where_it_is_not_so(source, transformer):
    assert plain_python(source).count("\n") == source.count("\n")
    assert (code_of(source).tree is not None) == (source in (LONG[0], LONG[2]))


ROOT = Path(__file__).parents[3]
PRINTED = [path for folder in ("modules", "solutions") for path in sorted((ROOT / folder).glob("*.ipynb"))]


@pytest.mark.parametrize("path", PRINTED, ids=lambda path: f"{path.parent.name}-{path.stem[:2]}")
def test_the_magics_of_the_course_need_no_ipython(path, monkeypatch):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    ipython = [plain_python(source) for source in sources]
    monkeypatch.setitem(sys.modules, "IPython.core.inputtransformer2", None)
    assert [plain_python(source) for source in sources] == ipython != sources


def test_a_shell_line_that_opens_a_bracket_hides_no_later_one(transformer):
    assert plain_python("!echo it's (\n!ls\nx = 1") == "pass\npass\nx = 1"


def test_a_help_request_may_span_lines(transformer):
    assert plain_python("x[\n  0]?\ny = 1") == "pass\n\ny = 1"
