"""Tests of reset: the stub is restored, the old answer is backed up, nothing else is changed."""

import json
import os
from datetime import datetime

import pytest
from jupyter_client.manager import run_kernel

from dark.course.lessons.answers import collect
from dark.course.lessons.blank import blank
from dark.course.lessons.library import find_exercise, load_module
from dark.course.lessons.notebook_files import read_notebook
from dark.course.student import reset as module
from dark.course.student.reset import answering, reset
from dark.course.student.student_kernel import ExecutedCell, StudentKernel
from dark.errors import CourseError
from tests.course import little

ANSWER = "def slope(f, x):\n    return 3.0"
NOON = datetime(2026, 1, 2, 12)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Return a student's notebook in the little course, its first exercise answered."""
    root = little.install(tmp_path, monkeypatch)
    return little.student(root / "work" / "mine.ipynb", slope=ANSWER)


def put_back(path, name="slope"):
    """Reset an exercise at noon."""
    return reset(find_exercise(name), path, clock=lambda: NOON)


def sources(path):
    """Return what the student answers."""
    return collect(read_notebook(path), load_module("71")).sources


def edit(path, change):
    """Let a function change the list of cells, and save the notebook."""
    notebook = json.loads(path.read_text())
    change(notebook["cells"])
    path.write_text(json.dumps(notebook))


def test_the_stub_comes_back_and_the_answer_is_kept(path):
    kept = put_back(path)
    assert sources(path)["slope"] == blank(little.SLOPE)
    assert kept.name == "2026-01-02T12-00-00-slope.py"
    assert kept.read_text() == ANSWER + "\n"


def test_no_other_cell_changes(path):
    before = json.loads(path.read_text())["cells"]
    put_back(path)
    after = json.loads(path.read_text())["cells"]
    changed = [k for k in range(len(before)) if "".join(after[k]["source"]) != before[k]["source"]]
    assert changed == [1]
    assert [cell["id"] for cell in after] == [cell["id"] for cell in before]
    assert [cell["metadata"] for cell in after] == [cell["metadata"] for cell in before]


def test_the_old_verdict_below_the_exercise_is_taken_off(path):
    shown = [{"output_type": "stream", "name": "stdout", "text": "right"}]
    edit(path, lambda cells: [cell.update(outputs=shown, execution_count=3) for cell in cells])
    put_back(path)
    assert [bool(cell["outputs"]) for cell in json.loads(path.read_text())["cells"]] == [True, False, False, True, True]


def test_a_stub_is_left_alone_to_the_byte(path):
    before = path.read_bytes()
    assert put_back(path, "minimize") is None
    assert path.read_bytes() == before


def test_two_resets_in_one_second_keep_two_answers(path):
    first = put_back(path)
    edit(path, lambda cells: cells[1].update(source="def slope(f, x):\n    return 4.0"))
    second = put_back(path)
    assert second.name == "2026-01-02T12-00-00-slope-2.py"
    assert (first.read_text() == ANSWER + "\n") and "4.0" in second.read_text()


def test_every_copy_of_an_answer_is_put_away(path):
    edit(path, lambda cells: cells.append({**cells[1], "id": "copy", "metadata": {}}))
    kept = put_back(path)
    assert sources(path)["slope"] == blank(little.SLOPE)
    assert kept.read_text().count("return 3.0") == 2
    last = json.loads(path.read_text())["cells"][-1]
    assert "".join(last["source"]) == f"# reset: the previous source is in {kept.name}"


def test_an_untagged_cell_elsewhere_becomes_the_stub(path):
    def move(cells):
        cells.pop(1)
        cells.append({"cell_type": "code", "id": "own", "metadata": {}, "source": ANSWER, "outputs": []})

    edit(path, move)
    put_back(path)
    last = json.loads(path.read_text())["cells"][-1]
    assert "".join(last["source"]) == blank(little.SLOPE)
    assert last["id"] == "own"


def test_an_answer_beside_another_exercises_answer_is_cut_out_of_its_cell(path):
    both = ANSWER + "\n\n\n@decorate\ndef minimize(f, x):\n    return [x]"

    def merge(cells):
        cells[1]["source"] = both
        cells.pop(3)

    edit(path, merge)
    put_back(path)
    found = sources(path)
    assert found["slope"] == blank(little.SLOPE)
    assert "@decorate\ndef minimize" in found["minimize"]
    put_back(path, "minimize")
    ids = [cell["id"] for cell in json.loads(path.read_text())["cells"]]
    assert len(ids) == len(set(ids))


def test_a_lost_cell_comes_back_before_its_check(path):
    edit(path, lambda cells: cells.pop(1))
    assert put_back(path) is None
    cells = json.loads(path.read_text())["cells"]
    assert "".join(cells[1]["source"]) == blank(little.SLOPE)
    assert cells[2]["id"] == "check-slope"


def test_a_lost_cell_and_a_lost_check_come_back_at_the_end(path):
    edit(path, lambda cells: cells.__delitem__(slice(1, 3)))
    put_back(path)
    assert "".join(json.loads(path.read_text())["cells"][-1]["source"]) == blank(little.SLOPE)


def test_a_notebook_without_ids_stays_without(path):
    def forget(cells):
        for cell in cells:
            del cell["id"]

    edit(path, forget)
    put_back(path)
    assert not any("id" in cell for cell in json.loads(path.read_text())["cells"])
    edit(path, lambda cells: cells.pop(1))
    put_back(path)
    assert not any("id" in cell for cell in json.loads(path.read_text())["cells"])


def test_a_broken_answer_is_put_away_too(path):
    edit(path, lambda cells: cells[1].update(source="def slope(f, x:\n    return"))
    kept = put_back(path)
    assert kept.read_text().startswith("def slope(f, x:")
    assert sources(path)["slope"] == blank(little.SLOPE)


def test_answering_finds_the_places_of_an_exercise(path):
    notebook = json.loads(path.read_text())
    assert answering(notebook, find_exercise("slope")) == [1]
    assert answering(notebook, find_exercise("minimize")) == [3]


def test_a_notebook_saved_meanwhile_is_left_alone(path, monkeypatch):
    def saved_meanwhile(folder, name, old, time):
        path.write_text(path.read_text() + "\n")
        return folder / "kept.py"

    monkeypatch.setattr(module, "_keep", saved_meanwhile)
    with pytest.raises(CourseError, match="(?s)another program has just saved it; nothing was changed"):
        put_back(path)
    assert sources(path)["slope"] == ANSWER


def test_an_answer_that_cannot_be_kept_is_not_taken_away(path):
    (path.parent / ".dark").write_text("in the way")
    with pytest.raises(CourseError, match="(?s)cannot be backed up .*; nothing was changed"):
        put_back(path)
    assert sources(path)["slope"] == ANSWER


def test_a_notebook_that_cannot_be_written_is_a_clear_error(path, monkeypatch):
    write = module.save_file

    def refuse(target, text):
        if target == path:
            raise PermissionError(13, "Permission denied")
        write(target, text)

    monkeypatch.setattr(module, "save_file", refuse)
    with pytest.raises(CourseError, match="(?s)cannot be written .*; nothing was changed"):
        put_back(path)


def test_reset_in_the_notebook_is_the_courses_own_and_asks_nothing(path):
    """In a kernel with the notebook's file: IPython has a magic of the same name, which would ask, and wait."""
    with run_kernel(cwd=path.parent, env={**os.environ, "JPY_SESSION_NAME": str(path)}) as client:

        def run(cell):
            client.execute(cell, allow_stdin=False)
            texts = []
            while (message := client.get_iopub_msg(timeout=60))["msg_type"] != "status" or (
                message["content"]["execution_state"] != "idle"
            ):
                content = message["content"]
                texts.append(content.get("text") or content.get("data", {}).get("text/plain") or content.get("evalue"))
            return "\n".join(filter(None, texts))

        little_course = (
            "import pathlib; from dark.course.lessons import library; from dark.course.exams import questions\n"
            f"root = pathlib.Path({str(path.parents[1])!r})\n"
            "library.repository_root = questions.repository_root = lambda: root"
        )
        assert run(little_course) == "" and run("%load_ext dark.course") == ""
        assert "✗ slope" in run(ANSWER)
        shown = run('reset("slope")')
    assert "slope: the stub is restored." in shown and "File > Reload Notebook from Disk" in shown
    assert sources(path)["slope"] == blank(little.SLOPE)
    [kept] = (path.parent / ".dark" / "history").iterdir()
    assert kept.read_text() == ANSWER + "\n" and str(kept) in shown


def test_reset_in_the_notebook_wants_it_saved(path):
    kernel = StudentKernel(path.parent, environment={"JPY_SESSION_NAME": str(path)})
    kernel.history.record(ExecutedCell(ANSWER + "  # and more", "exercise-slope"))
    before = path.read_bytes()
    with pytest.raises(CourseError, match=r"changes that are not saved(.|\n)*Ctrl\+S"):
        kernel.reset("slope")
    assert path.read_bytes() == before
    kernel.history.record(ExecutedCell(ANSWER, "exercise-slope"))
    assert kernel.reset("slope").text.startswith("slope: the stub is restored.")
    kernel.history.cells.clear()
    assert kernel.reset("slope").text.startswith("slope: nothing to reset")
