"""Notebooks are generated reproducibly, and a failure leaves the old files."""

import copy
import json
import sys
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.cli import main
from dark.cli.commands import build as command
from dark.course.lessons.blank import blank_notebook
from dark.course.lessons.notebook_files import notebook_text, read_notebook, save_file
from dark.course.printing.build import Printed, first_difference, manuscripts, print_module, stale, write
from dark.course.printing.execute import normalize_outputs
from dark.errors import CourseError, MissingExtraError
from tests.course.sample import BOX, PARTS, fence, manuscript, solved

QUESTIONS = """
from dark.course.exams import Exam
exam = Exam("07")

@exam.question("twice", points=3)
def of_three(dark):
    '''Twice three is six.'''
    return dark.twice(3)
"""

NOISE = """
import os, sys, warnings
import matplotlib.pyplot as plt
from pathlib import Path
from IPython.display import SVG, display
warnings.warn("noise")
print(Path("mine").resolve(), object(), sys.prefix + "/lib")
print(os.environ["OPENBLAS_NUM_THREADS"], sorted(os.listdir()))
figure, axes = plt.subplots()
axes.plot([1, 2])
figure.savefig("figure.svg")
display(SVG("figure.svg"))
plt.show()
import ipywidgets
ipywidgets.IntSlider()
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Return a small repository, and its module as executed."""
    root = tmp_path_factory.mktemp("repository")
    save_file(root / "tests" / "exams" / "questions" / "exam_07_small.py", QUESTIONS)
    path = manuscript(root, (*PARTS[:3], fence(NOISE), *PARTS[3:]))
    lines = []
    printed = print_module(path, report=lines.append)
    write(printed, root)
    return root, path, printed, lines


@pytest.fixture
def printed(repository):
    return copy.deepcopy(repository[2])


def outputs_of(notebook, name):
    return next(cell for cell in notebook["cells"] if cell["id"].startswith(name))["outputs"]


def test_what_is_printed_is_valid_and_as_jupyter_writes_it(repository):
    for folder in ("solutions", "modules"):
        text = (repository[0] / folder / "07-small.ipynb").read_text(encoding="utf-8")
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
        assert nbformat.writes(notebook) + "\n" == text
        assert not list((repository[0] / folder).glob("*.md"))


def test_printing_twice_gives_the_same_bytes(repository, tmp_path):
    root, path, _, _ = repository
    write(print_module(path), tmp_path)
    for file in ("solutions/07-small.ipynb", "modules/07-small.ipynb"):
        assert (tmp_path / file).read_bytes() == (root / file).read_bytes()


def test_cells_have_stable_ids_and_say_what_they_are(printed):
    cells = printed.blank["cells"]
    assert [cell["id"].split("-")[0] for cell in cells] == [
        "prose", "code", "predict", "code", "given", "exercise", "check", "prose", "exercise", "check", "code",
    ]  # fmt: skip
    assert [cell["id"] for cell in cells] == [cell["id"] for cell in printed.solved["cells"]]
    assert {"exercise-twice", "check-double", "predict-07-1a"} < {cell["id"] for cell in cells}
    assert printed.blank["metadata"]["dark"]["exercises"].keys() == {"twice", "double"}


def test_nbgrader_finds_its_metadata(printed):
    cells = {cell["id"]: cell["metadata"].get("nbgrader") for cell in printed.blank["cells"]}
    common = {"schema_version": 3, "task": False, "cell_type": "code"}
    answer = {"grade": False, "locked": False, "solution": True, "grade_id": "twice"}
    test = {"grade": True, "locked": True, "solution": False, "grade_id": "test-twice", "points": 3}
    assert cells["exercise-twice"] == common | answer
    assert cells["check-twice"] == common | test
    assert cells["check-double"]["points"] == 0
    assert cells["predict-07-1a"] is None


def test_the_same_text_twice_gets_two_ids(tmp_path):
    again = solved(tmp_path, (*PARTS, PARTS[6], PARTS[5]))
    ids = [cell["id"] for cell in again["cells"]]
    assert ids[-2] == ids[6] + "-2"
    assert ids[-1] == "check-twice-2"
    assert "nbgrader" not in again["cells"][-1]["metadata"]


def test_the_blank_keeps_pictures_up_to_the_first_exercise_and_nothing_of_the_answers(printed):
    assert "image/svg+xml" in json.dumps(outputs_of(printed.blank, printed.blank["cells"][3]["id"]))
    assert outputs_of(printed.solved, "predict")
    assert not outputs_of(printed.blank, "predict")
    after = printed.blank["cells"][4:]
    assert not any(cell.get("outputs") for cell in after)
    text = json.dumps(printed.blank)
    assert "return 2 * x" not in text
    assert "twice(self.value)" not in text


def test_a_cell_for_nbval_keeps_the_references_output(tmp_path):
    notebook = solved(tmp_path, (*PARTS, fence("3 + 4", "nbval-check-output")))
    value = {"output_type": "execute_result", "data": {"text/plain": "7"}, "metadata": {}}
    notebook["cells"][-1]["outputs"] = [value]
    notebook["cells"][-2]["outputs"] = [value]
    cells = blank_notebook(notebook)["cells"]
    assert (cells[-1]["outputs"], cells[-2]["outputs"]) == ([value], [])


def test_outputs_hold_nothing_of_time_place_or_memory(printed):
    outputs = printed.solved["cells"][3]["outputs"]
    streams = "".join("".join(out["text"]) for out in outputs if out["output_type"] == "stream")
    assert streams.splitlines()[0] == "mine <object object at 0x…> <python>/lib"
    assert streams.splitlines()[1].startswith("1 [")
    text = json.dumps(outputs)
    assert not any(word in text for word in ("noise", "widget-view", "IntSlider", "stderr"))
    assert "image/png" in text
    counts = [cell["execution_count"] for cell in printed.solved["cells"] if "outputs" in cell]
    assert counts == list(range(1, len(counts) + 1))
    for cell in printed.blank["cells"]:
        assert cell.get("execution_count") is None or cell["outputs"]


def test_each_cell_is_reported_as_it_runs(repository):
    assert repository[3][0].startswith("07-small: cell 2 of 11, code-")
    assert repository[3][-1].startswith("07-small: cell 11 of 11, code-")


def test_without_execution_outputs_of_unchanged_cells_are_kept(repository, monkeypatch):
    root, path, printed, _ = repository
    text = path.read_text(encoding="utf-8")
    assert print_module(path, execute=False) == printed
    try:
        path.write_text(text.replace("b = Box(3)", "b = Box(5)"), encoding="utf-8")
        cells = print_module(path, execute=False).solved["cells"]
    finally:
        path.write_text(text, encoding="utf-8")
    assert cells[:-1] == printed.solved["cells"][:-1]
    assert cells[-1]["outputs"] == [] != printed.solved["cells"][-1]["outputs"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def f():\n    return 1 / 0\nf()", r"cell 2 \(code-\w+\) failed: ZeroDivisionError: division by zero\n    "),
        ("import os\nos._exit(0)", r"cell 2 \(code-\w+\) failed: Kernel died"),
    ],
)
def test_a_failing_cell_is_named_with_the_end_of_its_traceback(code, message, tmp_path):
    path = manuscript(tmp_path, (PARTS[0], fence(code)))
    with pytest.raises(CourseError, match=f"(?s)07-small, {message}.*Expected: .*Try: "):
        print_module(path)


@pytest.mark.long
def test_a_cell_that_never_ends_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr("dark.course.printing.execute.CELL_SECONDS", 1)
    path = manuscript(tmp_path, (PARTS[0], fence("while True:\n    pass")))
    with pytest.raises(CourseError, match=r"cell 2 .* failed: .*timed? ?out"):
        print_module(path)


def test_stopping_by_hand_leaves_the_old_files_whole(repository):
    root, path, _, _ = repository
    files = [root / "solutions" / "07-small.ipynb", root / "modules" / "07-small.ipynb"]
    before = [file.read_bytes() for file in files]

    def stop(line):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(print_module(path, report=stop), root)
    assert [file.read_bytes() for file in files] == before
    assert len(list((root / "solutions").iterdir())) == 1


def test_a_stale_file_is_named_with_its_first_differing_cell(printed, tmp_path):
    write(printed, tmp_path)
    assert stale(printed, tmp_path) == []
    other = copy.deepcopy(printed.solved)
    other["cells"][5]["source"] += "\n# more"
    found = stale(Printed(printed.stem, other, printed.blank), tmp_path)
    assert len(found) == 1
    assert found[0].startswith("solutions/07-small.ipynb: cell 6 (exercise-twice): its source differs\n    -")
    (tmp_path / "modules" / "07-small.ipynb").unlink()
    assert stale(printed, tmp_path) == ["modules/07-small.ipynb: the file is missing"]


def test_raster_pictures_agree_when_both_are_there(printed):
    def with_picture(data):
        notebook = copy.deepcopy(printed.solved)
        picture = {"output_type": "display_data", "metadata": {}, "data": {"image/png": data}}
        notebook["cells"][1]["outputs"] = [picture]
        return notebook

    assert first_difference(with_picture("abc"), with_picture("def")) is None
    assert "its outputs differs" in first_difference(with_picture(""), with_picture("def"))
    assert "its outputs differs" in first_difference(printed.solved, with_picture("def"))


def test_measured_seconds_may_differ_and_must_be_there(printed):
    def with_seconds(*texts):
        notebook = copy.deepcopy(printed.solved)
        notebook["cells"][1]["metadata"]["tags"] = ["nbval-ignore-output"]
        found = [{"output_type": "stream", "name": "stdout", "text": text} for text in texts]
        notebook["cells"][1]["outputs"] = found
        return notebook

    assert first_difference(with_seconds("0.1 s\n"), with_seconds("0.2 s\n")) is None
    assert "its outputs differs" in first_difference(with_seconds("0.1 s\n"), with_seconds())


@given(number=st.integers(0, 10), key=st.sampled_from(["id", "source", "cell_type", "metadata"]))
def test_any_change_of_a_cell_is_found(repository, number, key):
    notebook = copy.deepcopy(repository[2].blank)
    notebook["cells"][number][key] = "other"
    assert first_difference(repository[2].blank, notebook).startswith(f"cell {number + 1} (")


def test_cells_and_metadata_that_are_missing_are_found(printed):
    short = {**printed.blank, "cells": printed.blank["cells"][:-1]}
    assert first_difference(printed.blank, short) == "it has 11 cells, expected 10"
    assert first_difference(printed.blank, {**printed.blank, "metadata": {}}).startswith("its metadata differs")


def test_points_for_an_unknown_exercise_are_refused(tmp_path):
    text = QUESTIONS.replace('"twice"', '"twize"')
    save_file(tmp_path / "tests" / "exams" / "questions" / "exam_07_small.py", text)
    with pytest.raises(CourseError, match=r"exam_07_small.py: of_three belongs to 'twize', which is not an exercise"):
        print_module(manuscript(tmp_path), execute=False)


def test_manuscripts_are_chosen_by_number_or_name(repository):
    root, path, _, _ = repository
    assert manuscripts(root) == manuscripts(root, ["07", "small"]) == [path]
    with pytest.raises(CourseError, match="the module '08' does not exist"):
        manuscripts(root, ["08"])


@pytest.fixture
def dark_build(repository, monkeypatch):
    monkeypatch.setattr(command, "repository_root", lambda: repository[0])
    return lambda *words: main(["build", *words])


def test_the_command_prints_and_compares(dark_build, tmp_path, capsys):
    out = str(tmp_path / "out")
    assert dark_build("07", "--no-execute", "--out", out) == 0
    assert dark_build("--no-execute", "--check", "--out", out) == 0
    assert capsys.readouterr().out == "07-small: written\nthe notebooks are up to date\n"
    path = Path(out, "modules", "07-small.ipynb")
    notebook = read_notebook(path)
    del notebook["cells"][0]
    save_file(path, notebook_text(notebook))
    assert dark_build("--no-execute", "--check", "--out", out) == 1
    assert "modules/07-small.ipynb: cell 1 (prose-" in capsys.readouterr().out
    assert dark_build("--no-execute", "--out", out) == 0
    assert ".dark/history/07-small-" in capsys.readouterr().out
    assert dark_build("--no-execute", "--check", "--out", out) == 0


def test_the_command_names_an_unknown_module(dark_build, capsys):
    assert dark_build("smal") == 2
    assert "the module 'smal' does not exist" in capsys.readouterr().err


def test_the_command_needs_the_repository(monkeypatch, capsys):
    monkeypatch.setattr(command, "repository_root", lambda: None)
    assert main(["build"]) == 2
    assert "no manuscripts were found" in capsys.readouterr().err


def test_a_picture_beside_a_widget_stays():
    widget = "application/vnd.jupyter.widget-view+json"
    output = {"output_type": "display_data", "metadata": {}, "data": {widget: {}, "text/html": "<svg/>"}}
    assert normalize_outputs([output], "/tmp")[0]["data"] == {"text/html": "<svg/>"}


def test_a_traceback_names_no_file_of_this_machine():
    line = "File /tmp/ipykernel_12/34.py:1, /tmp/run/a.py, 640x480, 0x1f00aa11"
    error = {"output_type": "error", "ename": "E", "evalue": "/tmp/run/b", "traceback": [line]}
    tidied = normalize_outputs([error], "/tmp/run")[0]
    assert tidied == {
        "output_type": "error",
        "ename": "E",
        "evalue": "b",
        "traceback": ["File <cell>:1, a.py, 640x480, 0x…"],
    }


def test_given_code_is_printed_as_it_is(printed):
    given_cell = next(cell for cell in printed.blank["cells"] if cell["id"].startswith("given"))
    assert "".join(given_cell["source"]) == BOX.strip()


def test_without_nbclient_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "nbclient", None)
    with pytest.raises(MissingExtraError, match="nbclient is not installed(?s:.*)the extra 'lab'"):
        print_module(manuscript(tmp_path))
