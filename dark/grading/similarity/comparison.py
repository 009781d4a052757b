"""Compare the answers of a class: read them, find the pairs, make the page."""

from collections import defaultdict
from dataclasses import replace

from dark.course.lessons.library import load_module
from dark.grading.similarity.pairs import similar_pairs
from dark.grading.similarity.pairs_page import similarity_page
from dark.grading.similarity.reading import read_works


def compare_class(submissions, results):
    """Return the page of similar answers.

    Parameters
    ----------
    submissions : sequence of Submission
        The files.
    results : dict
        The content of results.json; only rows that count are compared.

    Returns
    -------
    str
        HTML, for teachers only.
    """
    rows = [row for row in results["submissions"] if row.get("counts", True) and row.get("module")]
    graded, shown = {}, defaultdict(list)
    for row in rows:
        submission = row.get("submission", row["name"])
        graded[submission] = row["module"]
        shown[submission].append(row["name"])  # several, of a group
    found = {}
    for name, read in read_works(submissions, graded).items():
        works = [replace(work, name=", ".join(shown[work.name])) for work in read]
        exercises = load_module(name).exercises.items()
        known = {exercise: [each.stub, each.solution or ""] for exercise, each in exercises}
        found[name] = len(works), similar_pairs(works, known)
    return similarity_page(found)
