"""`dark grade --similarity`, after all grades and exports are written."""

import sys

from dark.cli.progress_line import ProgressLine
from dark.grading.similarity import compare_class

SIMILAR = "teacher/similar.html"


def list_similar(gradebook, submissions, rows, say):
    """Compare the answers of a class, write the page, and say where it is.

    Parameters
    ----------
    gradebook : Gradebook
        The report; it keeps what is read of the answers, also after Ctrl-C.
    submissions : list of Submission
        The files.
    rows : list of dict
        The rows of the report.
    say : callable
        Prints a line.
    """
    graded = {row["name"] for row in rows if row.get("counts", True) and row.get("module")}
    progress = ProgressLine(sum(each.name in graded for each in submissions), done="read, to find similar answers")
    results = gradebook.heading | {"submissions": rows}
    try:
        page = compare_class(submissions, results, gradebook.store, progress.show)
    except KeyboardInterrupt:
        progress.hide()
        print("\nThe answers are not compared; all grades and exports are written.", file=sys.stderr)
        raise
    progress.hide()
    gradebook.add_page(SIMILAR, "Similar answers", page)
    say(gradebook.folder / SIMILAR)
