"""Compare the answers of a class: read them, or reuse earlier readings, find the pairs, make the page."""

import hashlib
import json
from collections import defaultdict
from dataclasses import replace

from dark.course.lessons.library import load_module
from dark.grading.similarity.pairs import similar_pairs
from dark.grading.similarity.pairs_page import similarity_page
from dark.grading.similarity.reading import Reader, Work


def compare_class(submissions, results, store=None, progress=lambda done, kept: None):
    """Return the page of similar answers.

    Parameters
    ----------
    submissions : sequence of Submission
        The files.
    results : dict
        The content of results.json; only rows that count are compared.
    store : Store, optional
        The gradebook, which keeps what was read of each submission: one that has not changed is not read again.
    progress : callable, optional
        ``progress(done, kept)`` is called with the number of submissions that are read, and how many of them were kept.

    Returns
    -------
    str
        HTML, for teachers only.
    """
    found = {}
    for module, works in _works(submissions, results, store, progress).items():
        exercises = load_module(module).exercises.items()
        known = {exercise: [each.stub, each.solution or ""] for exercise, each in exercises}
        found[module] = works, similar_pairs(works, known)
    return similarity_page(found)


def _works(submissions, results, store, progress):
    """Return the answers by module, with the names of the students: several, of a group."""
    rows, shown = {}, defaultdict(list)
    for row in results["submissions"]:
        if row.get("counts", True) and row.get("module"):
            submission = row.get("submission", row["name"])
            rows[submission] = row
            shown[submission].append(row["name"])
    waiting = [each for each in submissions if each.name in rows]
    found: dict[str, list[Work]] = {}
    kept = 0
    with Reader() as reader:
        progress(0, 0)
        for done, each in enumerate(waiting, 1):
            row = rows[each.name]
            key, name = _key(row, results), f"answers of {each.name}"
            stored = store and store.known(name)
            if stored and stored["key"] == key:
                work, kept = Work.from_data(each.name, stored), kept + 1
            else:
                work = reader.read(each, row["module"])
                if store:
                    store.set_document(name, {"key": key} | work.data)
            found.setdefault(row["module"], []).append(replace(work, name=", ".join(shown[each.name])))
            progress(done, kept)
    return found


def _key(row, results):
    """Return the key of the answers of a submission: everything that they depend on."""
    course = results.get("course", {}).get("fingerprint")
    return hashlib.sha256(json.dumps([row.get("digest"), row["module"], course]).encode()).hexdigest()
