"""Convert a manuscript to the solved notebook, with stable ids and the course's metadata."""

import hashlib
from collections import Counter

from dark.course.lessons.blank import printed_hash

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def solved_notebook(manuscript, points):
    """Return the solved notebook, not yet executed, with the points of each exercise; 0 if missing."""
    taken: Counter[str] = Counter()
    return {
        "cells": [_printed(cell, manuscript, points, taken) for cell in manuscript.cells],
        "metadata": {
            "dark": {
                "module": manuscript.module,
                "name": manuscript.name,
                "title": manuscript.title,
                **_after(manuscript.after),
                **manuscript.course,
                "exercises": {
                    name: {**data, "hints": [_hint(hint) for hint in data["hints"]], "why": data["why"].strip()}
                    for name, data in manuscript.exercises.items()
                },
            },
            "kernelspec": KERNEL,
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _after(numbers):
    return {"after": numbers[0] if len(numbers) == 1 else list(numbers)} if numbers else {}


def _hint(hint):
    if isinstance(hint, str):
        return {"text": hint.rstrip(), "draw": None}
    return {"text": hint["text"].rstrip(), "draw": hint.get("draw")}


def _printed(cell, manuscript, points, taken):
    identity = _identity(cell)
    taken[identity] += 1
    course = {"module": manuscript.module, "kind": cell.kind, "printed": printed_hash(cell.source)}
    if cell.kind in ("exercise", "check") and cell.about:
        course["exercise"] = cell.about
    if cell.kind == "repair":
        course["repair"] = cell.about
    metadata = {"dark": course, **_own_metadata(cell)}
    if cell.kind == "check" and cell.about:  # its exercise shows the verdict when it runs
        metadata["jupyter"] = {"source_hidden": True}
    if cell.kind == "exercise":
        metadata["nbgrader"] = _grading(cell.about, solution=True)
    elif cell.kind == "check" and cell.about and taken[identity] == 1:
        metadata["nbgrader"] = _grading(f"test-{cell.about}", points=points.get(cell.about, 0))
    printed = {
        "id": identity if taken[identity] == 1 else f"{identity}-{taken[identity]}",
        "cell_type": cell.cell_type,
        "metadata": metadata,
        "source": cell.source,
    }
    return printed | ({"execution_count": None, "outputs": []} if cell.cell_type == "code" else {})


def _identity(cell):
    if cell.about:
        return f"{cell.kind}-{cell.about.replace('.', '-')}"
    return f"{cell.kind}-{hashlib.sha256(cell.source.encode()).hexdigest()[:8]}"


def _own_metadata(cell):
    """Return the author's metadata, without the entry `dark`, of the cell or the notebook."""
    if cell.kind in ("exercise", "repair"):
        return {key: value for key, value in cell.metadata.items() if key == "tags"}
    return dict(cell.metadata)


def _grading(name, *, points=None, solution=False):
    """Return the metadata of nbgrader, version 3: of an answer cell, or of a cell that earns points."""
    graded = {} if points is None else {"points": points}
    return graded | {
        "cell_type": "code",
        "grade": points is not None,
        "grade_id": name,
        "locked": points is not None,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
