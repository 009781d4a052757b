"""Rules that every lesson keeps: one sitting, the field's words, and the same parts in the same order."""

import ast
import re
from functools import cache
from html import unescape

import pytest

from dark.course import course_map
from dark.course.lessons.library import repository_root
from dark.course.lessons.notebook_files import read_notebook
from dark.course.printing.build import manuscripts, plain_glossary
from dark.course.printing.manuscript import read_manuscript

ROOT = repository_root()
PATHS = manuscripts(ROOT)
GLOSSARY = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
TERMS = {line.strip().lower() for line in GLOSSARY.splitlines() if re.match(r"\w", line)}
WORDS_A_MINUTE = 120
MOST_COLUMNS = 96  # that JupyterLab shows beside its file browser on a small screen
MOST_WORDS, MOST_MINUTES, MOST_EXERCISES, MOST_WORDS_OF_AN_IDEA = 1500, 100, 9, 120
WIDTH = 96  # characters of a docstring's line; a narrow window cuts longer ones
LABELS = {"idea", "predict", "run and look", "modify", "make", "milestone", "next", "python you need"}
PEER = re.compile(r"^## The same in (\w+)", re.MULTILINE)
read = cache(read_manuscript)  # in the tests, since reading takes time


@pytest.fixture
def lesson(request):
    """Return the lesson at a path."""
    return read(request.param)


def parametrized(paths):
    """Parametrize a test with the lessons at these paths."""
    return pytest.mark.parametrize("lesson", paths, ids=lambda path: path.stem, indirect=True)


def peer_of(path):
    """Return the framework that a lesson shows beside the student's code: PyTorch, Ignite or AshPy."""
    found = PEER.search(path.read_text(encoding="utf-8"))
    return found and found[1]


def lessons_beside(peer):
    """Parametrize a test with the lessons that show the code of a framework."""
    return parametrized([path for path in PATHS if peer_of(path) == peer])


EXERCISES = re.compile("^exercise: ", re.MULTILINE)
every_lesson = parametrized(PATHS)
WITH_EXERCISES = [path for path in PATHS if EXERCISES.search(path.read_text(encoding="utf-8"))]
lessons_with_exercises = parametrized(WITH_EXERCISES)
lessons_without = parametrized([path for path in PATHS if path not in WITH_EXERCISES])


def prose(lesson):
    """Return the prose of each cell of a lesson, without formulas, code and the addresses of links."""
    cells = [cell.source for cell in lesson.cells if cell.cell_type != "code"]
    for pattern in (r"```.*?```", r"\$\$.*?\$\$", r"\$[^$]*\$", r"`[^`]*`", r"\]\([^)]*\)"):
        cells = [re.sub(pattern, " ", cell, flags=re.DOTALL) for cell in cells]
    return cells


def words(text):
    """Return the words of `text`: whatever contains a letter."""
    return re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text)


def test_formulas_code_and_addresses_are_not_counted():
    assert words("Don't count 12 or — 3.6, but co-operate") == ["Don't", "count", "or", "but", "co-operate"]
    assert sum(len(words(cell)) for cell in prose(read(PATHS[0]))) > 1000


@every_lesson
def test_a_lesson_is_one_sitting(lesson):
    exercises = [data["minutes"] for data in lesson.exercises.values()]
    number = sum(len(words(cell)) for cell in prose(lesson))
    predictions = sum(cell.kind == "predict" for cell in lesson.cells)
    needed = sum(exercises) + number / WORDS_A_MINUTE + predictions
    assert number <= MOST_WORDS
    assert len(exercises) <= MOST_EXERCISES
    assert needed <= lesson.course["minutes"] <= MOST_MINUTES


@every_lesson
def test_an_idea_is_short(lesson):
    ideas = [part for cell in prose(lesson) for part in cell.split("**Idea.**")[1:]]
    assert (
        ideas
        and max(len(words(re.split(r"\*\*Make\*\*|^## ", idea, flags=re.M)[0])) for idea in ideas)
        <= MOST_WORDS_OF_AN_IDEA
    )


@every_lesson
def test_no_line_of_a_docstring_is_wider_than_a_notebook(lesson):
    for name, cell in ((cell.about, cell) for cell in lesson.cells if cell.kind == "exercise"):
        tree, lines = ast.parse(cell.source), cell.source.splitlines()
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
                shown = lines[node.body[0].lineno - 1 : node.body[0].end_lineno]
                assert [line for line in shown if len(line) > MOST_COLUMNS] == [], name


@every_lesson
def test_the_stated_minutes_are_the_same_everywhere(lesson):
    text = lesson.path.read_text(encoding="utf-8")
    assert f"about {lesson.course['minutes']} minutes" in lesson.cells[0].source + lesson.cells[1].source
    for cell in lesson.cells:
        if cell.kind == "exercise":
            before = text[: re.search(f'^exercise: "?{cell.about}"?$', text, re.MULTILINE).start()]
            stated = re.findall(r"\*\*Make\*\* \((\d+) minutes, difficulty (\d)\)", before)[-1]
            assert stated == (str(cell.metadata["minutes"]), str(cell.metadata["difficulty"])), cell.about


@lessons_with_exercises
def test_it_opens_with_the_map_and_ends_with_a_comparison_and_what_is_owned(lesson):
    text = lesson.path.read_text(encoding="utf-8")
    parts = (
        f'course_map("{lesson.module}")',
        "## The end first",
        "## Warm-up",
        "Find the bug",
        "All yours",
        "**Milestone.**",
        f"## The same in {peer_of(lesson.path)}",
        *(("%%pytorch",) if peer_of(lesson.path) == "PyTorch" else ()),
        "## What you own now",
        "dark.course.owned()",
        "Often misunderstood",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places) and "[glossary](glossary.md)" in text
    assert lesson.course["milestone"] and lesson.course["yours"]


@lessons_without
def test_a_lesson_without_exercises_has_the_other_parts_and_is_the_last(lesson):
    text = lesson.path.read_text(encoding="utf-8")
    parts = (
        f'course_map("{lesson.module}")', "has no exercises", "## The end first", "## Warm-up", "**Idea.**",
        "**Milestone.**", "## What you own now", "dark.course.owned()", "Often misunderstood",
    )  # fmt: skip
    places = [text.index(part) for part in parts]
    assert places == sorted(places) and "[glossary](glossary.md)" in text and lesson.path == PATHS[-1]
    assert lesson.course["milestone"] and lesson.course["yours"] and peer_of(lesson.path) is None
    assert sum(cell.kind == "predict" for cell in lesson.cells) >= 3
    needed = {before for path in PATHS[:-1] for before in read(path).after}
    assert set(lesson.after) == {path.stem[:2] for path in PATHS[:-1]} - needed  # with these it stands on all


@every_lesson
@pytest.mark.parametrize("folder", ["modules", "solutions"])
def test_the_printed_map_is_the_map_of_today(lesson, folder):
    cells = read_notebook(ROOT / folder / f"{lesson.path.stem}.ipynb")["cells"]
    (printed,) = (cell for cell in cells if cell["source"] == f'dark.course.course_map("{lesson.module}")')
    said = re.search('aria-label="([^"]*)"', "".join(printed["outputs"][0]["data"]["image/svg+xml"]))[1]
    assert unescape(said) == course_map(lesson.module).alt


@every_lesson
def test_the_code_of_plots_is_folded(lesson):
    plots = [cell for cell in lesson.cells if "figure.add_subplot" in cell.source]
    assert plots
    for cell in plots:
        assert cell.metadata["jupyter"]["source_hidden"] and "hide-input" in cell.metadata["tags"], cell.line


@every_lesson
def test_what_tells_about_the_student_is_printed_without_output(lesson):
    personal = [cell for cell in lesson.cells if re.search(r"course\.(mine|owned)\(\)", cell.source)]
    assert personal and all("remove-output" in cell.metadata["tags"] for cell in personal)
    for folder in ("modules", "solutions"):
        cells = read_notebook(ROOT / folder / f"{lesson.stem}.ipynb")["cells"]
        printed = [cell for cell in cells if re.search(r"course\.(mine|owned)\(\)", cell["source"])]
        assert len(printed) == len(personal) and not any(cell["outputs"] for cell in printed)


@every_lesson
def test_only_modules_that_exist_are_named(lesson):
    text = lesson.path.read_text(encoding="utf-8")
    named = set(re.findall(r"\b[Mm]odules? (\d\d)", text)) | set(re.findall(r"\bmodules \d\d (?:and|to) (\d\d)", text))
    assert named <= {read(path).module for path in PATHS}


@every_lesson
def test_every_term_that_is_introduced_stands_in_the_glossary(lesson):
    bold = {term.lower() for cell in lesson.cells for term in re.findall(r"\*\*([A-Za-z][^*]*?)\*\*", cell.source)}
    terms = {term for term in bold if is_term(term)}
    missing = {term for term in terms if not {term, term.removesuffix("s")} & TERMS}
    assert terms and not missing


def is_term(text):
    """Return whether bold text is a term, not a label such as **Idea.** or an emphasized sentence."""
    return text.rstrip(".") not in LABELS and not text.endswith(".") and ":" not in text and len(text.split()) <= 3


@lessons_beside("Ignite")
def test_the_stated_output_of_ignite_is_that_of_the_students_code(lesson):
    section = lesson.path.read_text(encoding="utf-8").split("## The same in Ignite")[1]
    (stated,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    cells = read_notebook(ROOT / "solutions" / f"{lesson.stem}.ipynb")["cells"]
    place = next(k for k, cell in enumerate(cells) if "## The same in Ignite" in cell["source"])
    outputs = [output for cell in cells[place:] for output in cell.get("outputs", ())]
    assert stated == "".join(outputs[0]["text"]) and "from ignite" in section


@lessons_beside("PyTorch")
def test_the_recorded_output_of_pytorch_has_the_numbers_of_the_students_code(lesson):
    cells = read_notebook(ROOT / "solutions" / f"{lesson.stem}.ipynb")["cells"]
    places = [k for k, cell in enumerate(cells) if cell["source"].startswith("%%pytorch")]
    assert places
    for place in places:
        printed = [
            ["".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream"]
            for cell in cells[place - 1 : place + 1]
        ]
        numbers = [re.findall(r"-?\d+\.\d+(?:e-\d+)?", "".join(text)) for text in printed]
        assert numbers[0] and numbers[0] == numbers[1][: len(numbers[0])]
        blank = read_notebook(ROOT / "modules" / f"{lesson.stem}.ipynb")["cells"][place]
        assert blank["outputs"] == cells[place]["outputs"]
    shown = "".join(str(output.get("data", "")) for output in cells[places[0]]["outputs"])
    assert "yours and PyTorch" in shown or "yours has" in shown


@lessons_beside("AshPy")
def test_the_values_in_the_table_of_ashpy_are_those_of_the_students_code(lesson):
    section = lesson.path.read_text(encoding="utf-8").split("## The same in AshPy")[1]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("| `")]
    stated = {row[0]: row[2] for row in rows if len(row) == 3}
    cells = read_notebook(ROOT / "solutions" / f"{lesson.stem}.ipynb")["cells"]
    place = next(k for k, cell in enumerate(cells) if "## The same in AshPy" in cell["source"])
    (output,) = next(cell["outputs"] for cell in cells[place:] if cell.get("outputs"))
    values = [float(line) for line in "".join(output["text"]).splitlines()]
    shown = [*values[:4], values[-1], values[4], values[5]]
    told = stated["`a - b`, `-a`, `a / 2`, `sum([a, b])`"].split(", ") + [stated["`2 * a`, then `a`"].split(", ")[1]]
    assert shown == [float(each) for each in (*told, stated["`2 * a + 3 * a`"], stated["`2 * (a + b) + c`"])]


def test_the_first_loop_of_the_course_stands_beside_its_twin_in_pytorch():
    cells = read_notebook(ROOT / "modules" / "01-scalar-autodiff.ipynb")["cells"]
    place = next(k for k, cell in enumerate(cells) if "x.data.sub_(0.1 * x.grad)" in cell["source"])
    assert cells[place]["source"].startswith("%%pytorch") and "x.grad.zero_()" in cells[place]["source"]
    assert "x.value = x.value - 0.1 * x.grad" in cells[place - 1]["source"]


def test_the_glossary_next_to_the_notebooks_is_that_of_the_book():
    printed = (ROOT / "modules" / "glossary.md").read_text(encoding="utf-8")
    assert printed == plain_glossary(GLOSSARY)
    terms = [term for line in printed.splitlines() for term in re.findall(r"\*\*(.+?)\*\*", line.partition(":")[0])]
    assert len(terms) > 100 and sorted(terms) == sorted(set(terms))
    assert "{term}" not in printed and "```" not in printed and printed.count("**") > 200


@parametrized([path for path in PATHS if path.stem[:2] in ("07", "08")])
def test_the_docstrings_of_exercises_fit_the_width_of_a_cell(lesson):
    sources = [cell.source for cell in lesson.cells if cell.metadata.get("exercise")]
    docstrings = [text for source in sources for text in re.findall(r'"""(.*?)"""', source, re.DOTALL)]
    assert docstrings and not [line for text in docstrings for line in text.splitlines() if len(line) > WIDTH]
    assert not [line for source in sources for line in source.splitlines() if '"""' in line and len(line) > WIDTH]
