"""Compare the answers of a class: read them, find the pairs, make the page."""

from dark.course.lessons.library import load_module
from dark.course.similarity.page import similarity_page
from dark.course.similarity.pairs import similar_pairs
from dark.course.similarity.reading import read_works


def compare_class(submissions, rows):
    """Return the page of similar answers.

    Parameters
    ----------
    submissions : sequence of Submission
        The files.
    rows : list of dict
        The results of those that count.

    Returns
    -------
    str
        HTML, for teachers only.
    """
    graded = {row["name"]: row["module"] for row in rows if row.get("module")}
    found = {}
    for name, works in read_works(submissions, graded).items():
        exercises = load_module(name).exercises.items()
        known = {exercise: [each.stub, each.solution or ""] for exercise, each in exercises}
        found[name] = len(works), similar_pairs(works, known)
    return similarity_page(found)
