"""Convert a manuscript to the solved notebook, with stable ids and the course's metadata."""

import hashlib
from collections import Counter

from dark.course.lessons.blank import printed_hash

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}

# Colab and Kaggle have Jupyter and the rest of the extra "lab"; another ipykernel would need a restart.
HOSTED = """\
# @title On Colab and Kaggle, this installs the course; elsewhere it does nothing.
if "google.colab" in str(get_ipython()) or "KAGGLE_KERNEL_RUN_TYPE" in __import__("os").environ:
    get_ipython().run_line_magic("pip", "install -q dark-course anywidget")"""


def solved_notebook(manuscript, points):
    """Return the solved notebook, not yet executed, with the points of each exercise; 0 if missing."""
    taken: Counter[str] = Counter()
    after = list(manuscript.after)
    course = {"module": manuscript.module, "name": manuscript.name, "title": manuscript.title, **manuscript.course}
    course |= {"after": after[0] if len(after) == 1 else after} if after else {}
    course["exercises"] = {
        name: {**data, "hints": [_hint(hint) for hint in data["hints"]], "why": data["why"].strip()}
        for name, data in manuscript.exercises.items()
    }
    cells = [_printed(cell, manuscript, points, taken) for cell in manuscript.cells]
    if any("%load_ext dark.course" in cell["source"] for cell in cells):
        cells.insert(1, _hosted_cell(manuscript.module))
    metadata = {"dark": course, "kernelspec": KERNEL, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _hosted_cell(module):
    """Return the cell after the title, which installs the course in a notebook on Colab or Kaggle."""
    course = {"module": module, "kind": "code", "printed": printed_hash(HOSTED)}
    metadata = {"dark": course, "cellView": "form", "jupyter": {"source_hidden": True}}
    return {
        "id": "hosted", "cell_type": "code", "metadata": metadata, "source": HOSTED,
        "execution_count": None, "outputs": [],
    }  # fmt: skip


def _hint(hint):
    if isinstance(hint, str):
        return {"text": hint.rstrip(), "draw": None}
    return {"text": hint["text"].rstrip(), "draw": hint.get("draw")}


def _printed(cell, manuscript, points, taken):
    about = cell.about or hashlib.sha256(cell.source.encode()).hexdigest()[:8]
    identity = f"{cell.kind}-{about.replace('.', '-')}"
    taken[identity] += 1
    course = {"module": manuscript.module, "kind": cell.kind, "printed": printed_hash(cell.source)}
    if cell.kind in ("exercise", "check") and cell.about:
        course["exercise"] = cell.about
    if cell.kind == "repair":
        course["repair"] = cell.about
    is_ours = cell.kind in ("exercise", "repair")  # of the author's other metadata, the tags are printed
    metadata = {"dark": course, **{key: cell.metadata[key] for key in cell.metadata if key == "tags" or not is_ours}}
    if cell.kind == "check" and cell.about:  # its exercise shows the verdict when it runs
        metadata["jupyter"] = {"source_hidden": True}
    if cell.kind == "exercise":
        metadata["nbgrader"] = _grading(cell.about, solution=True)
    elif cell.kind == "check" and cell.about and taken[identity] == 1:
        metadata["nbgrader"] = _grading(f"test-{cell.about}", points=points.get(cell.about, 0))
    name = identity if taken[identity] == 1 else f"{identity}-{taken[identity]}"
    printed = {"id": name, "cell_type": cell.cell_type, "metadata": metadata, "source": cell.source}
    return printed | ({"execution_count": None, "outputs": []} if cell.cell_type == "code" else {})


def _grading(name, *, points=None, solution=False):
    """Return the metadata of nbgrader, version 3: of an answer cell, or of a cell that earns points."""
    graded = {} if points is None else {"points": points}
    kind = {"grade": points is not None, "locked": points is not None, "solution": solution, "task": False}
    return {**graded, **kind, "cell_type": "code", "grade_id": name, "schema_version": 3}
