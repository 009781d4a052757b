"""A new version of the course never removes a cell of the student."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.lessons.blank import printed_hash
from dark.course.lessons.merge import is_own, merge
from dark.course.lessons.notebook_files import notebook_text, read_notebook, save_file, write_notebook
from dark.errors import CourseError
from tests.course.sample import sample

IDS = [f"prose-{n}" for n in range(8)]
EDITS = st.tuples(st.sampled_from(["change", "add", "delete", "move", "copy", "bare"]), st.integers(0, 30))
EDIT_LISTS = st.lists(EDITS, max_size=8)
PRINTS = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(["a", "b"])), unique_by=lambda x: x[0])


def course_cell(name, text):
    source = f"{name} {text}"
    metadata = {"dark": {"module": "07", "kind": "prose", "printed": printed_hash(source)}}
    return {"cell_type": "markdown", "id": name, "metadata": metadata, "source": source}


def print_of(cells):
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [course_cell(*c) for c in cells]}


def own_cell(number):
    outputs = [{"output_type": "stream", "name": "stdout", "text": f"{number}\n"}]
    source = [f"note {number}\n", "end"]
    return {
        "cell_type": "code", "id": f"own-{number}", "metadata": {}, "source": source, "outputs": outputs,
    }  # fmt: skip


def edited(notebook, edits):
    """Do to a notebook what a student may do."""
    cells = copy.deepcopy(notebook["cells"])
    for number, (kind, place) in enumerate(edits):
        place = place % len(cells) if cells else 0
        if kind == "add" or not cells:
            cells.insert(place, own_cell(number))
        elif kind == "change":
            cells[place]["source"] = f"changed {number}"
        elif kind == "delete":
            del cells[place]
        elif kind == "move":
            cells.insert((place * 7) % len(cells), cells.pop(place))
        elif kind == "copy":
            cells.append({**copy.deepcopy(cells[place]), "id": f"copy-{number}"})
        else:
            cells[place].pop("id", None)
            cells[place]["metadata"] = {}
    return {**notebook, "cells": cells}


def bare(cell):
    return json.dumps({key: value for key, value in cell.items() if key != "id"}, sort_keys=True)


@given(old=PRINTS, new=PRINTS, edits=EDIT_LISTS)
def test_every_cell_of_the_students_survives_in_order(old, new, edits):
    student = edited(print_of(old), edits)
    before = json.dumps(student)
    merged = merge(student, print_of(new))
    assert json.dumps(student) == before
    own = [bare(cell) for cell in student["cells"] if is_own(cell)]
    assert [bare(cell) for cell in merged["cells"] if is_own(cell)] == own


@given(old=PRINTS, new=PRINTS, edits=EDIT_LISTS)
def test_merging_the_same_print_twice_changes_nothing(old, new, edits):
    once = merge(edited(print_of(old), edits), print_of(new))
    assert merge(once, print_of(new)) == once


@given(old=PRINTS, new=PRINTS)
def test_an_untouched_notebook_becomes_the_new_print(old, new):
    assert merge(print_of(old), print_of(new)) == print_of(new)


@given(old=PRINTS, new=PRINTS, edits=EDIT_LISTS)
def test_the_course_is_all_there_in_its_order(old, new, edits):
    student = edited(print_of(old), edits)
    own = [cell for cell in student["cells"] if is_own(cell)]
    taken = {cell.get("id") for cell in own}
    taken |= {cell["metadata"].get("dark", {}).get("printed") for cell in own}
    course = [cell for cell in merge(student, print_of(new))["cells"] if not is_own(cell)]
    assert course == [cell for cell in print_of(new)["cells"] if cell in course]
    missing = [cell for cell in print_of(new)["cells"] if cell not in course]
    assert all({cell["id"], cell["metadata"]["dark"]["printed"]} & taken for cell in missing)


@given(prints=PRINTS, edits=st.lists(EDITS.filter(lambda edit: edit[0] in ("change", "add")), max_size=8))
def test_what_was_only_changed_and_added_stays_where_it_was(prints, edits):
    student = edited(print_of(prints), edits)
    assert merge(student, print_of(prints)) == student


def test_a_new_cell_comes_between_its_neighbors_and_after_the_notes():
    student = print_of([("prose-1", "a"), ("prose-3", "a")])
    student["cells"].insert(1, own_cell(1))
    student["cells"][2]["source"] = "mine"
    merged = merge(student, print_of([(f"prose-{n}", "a") for n in (1, 2, 3, 4)]))
    assert [cell["id"] for cell in merged["cells"]] == ["prose-1", "own-1", "prose-2", "prose-3", "prose-4"]
    assert merged["cells"][3]["source"] == "mine"


@pytest.fixture
def printed(tmp_path):
    return sample(tmp_path)[1]


def print_onto(path, printed):
    """Merge a printed notebook into the file of a student, and return the backup."""
    return write_notebook(path, merge(read_notebook(path), printed) if path.exists() else printed)


def place_of(notebook, name):
    return [cell.get("id") for cell in notebook["cells"]].index(name)


def test_an_answer_is_kept_where_the_editor_gave_the_cell_a_new_id(printed):
    student = copy.deepcopy(printed)
    answer = student["cells"][place_of(student, "exercise-twice")]
    answer |= {"id": "ab12", "source": "def twice(x): return x + x"}
    merged = merge(student, printed)
    assert merged["cells"][place_of(student, "ab12")] == answer
    assert len(merged["cells"]) == len(printed["cells"])


def test_notebooks_from_before_ids_get_some(printed):
    student = copy.deepcopy(printed)
    for cell in student["cells"]:
        del cell["id"]
    student["cells"].append({key: value for key, value in own_cell(1).items() if key != "id"})
    merged = merge(student, printed)
    assert merged["cells"][:-1] == printed["cells"]
    assert merged["cells"][-1]["id"].startswith("student-")


def test_printing_onto_a_changed_notebook_keeps_a_copy(printed, tmp_path):
    path = tmp_path / "07-small.ipynb"
    assert print_onto(path, printed) is None
    assert path.read_text(encoding="utf-8") == notebook_text(printed)
    student = copy.deepcopy(printed)
    student["cells"].append(own_cell(1))
    del student["cells"][0]
    save_file(path, notebook_text(student))
    kept = print_onto(path, printed)
    assert kept.parent == tmp_path / ".dark" / "history"
    assert kept.read_text(encoding="utf-8") == notebook_text(student)
    assert print_onto(path, printed) is None
    assert len(list(kept.parent.iterdir())) == 1


def test_a_damaged_notebook_is_not_touched(printed, tmp_path):
    path = tmp_path / "07-small.ipynb"
    path.write_text("{")
    with pytest.raises(CourseError, match="07-small.ipynb: not a notebook: invalid JSON"):
        print_onto(path, printed)
    assert path.read_text() == "{"


def test_a_lone_surrogate_survives_as_its_escape(printed, tmp_path):
    path = tmp_path / "07-small.ipynb"
    student = copy.deepcopy(printed)
    student["cells"].append({**own_cell(1), "source": "x = '\ud800'"})
    path.write_text(json.dumps(student))
    print_onto(path, printed)
    assert json.loads(path.read_bytes())["cells"][-1]["source"] == ["x = '\ud800'"]


def test_a_write_that_fails_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "file"
    save_file(path, "old")
    path.chmod(0o600)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_file(path, "new")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
