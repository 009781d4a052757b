"""The grading worksheets that Moodle imports: one for each module."""

from dark.grading.exports.rows import as_csv, counting, graded_modules, mark
from dark.grading.gradebook.by_hand import comments_of
from dark.grading.report.grade_table import notes_of, without_formula

HEAD = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]


def moodle_files(results):
    """Return the files for Upload grading worksheet in Moodle.

    Parameters
    ----------
    results : dict
        The content of results.json.

    Returns
    -------
    dict of str to str
        Content by name of the file. A student who could not be graded is left out.

    Notes
    -----
    Moodle finds a student by the identifier, which is the number in the name of the submission.
    """
    rows = counting(results, "moodle")
    files = {}
    for module, points in graded_modules(rows).items():
        graded = [row for row in rows if row["module"] == module and mark(row) != ""]
        table = [HEAD] + [
            [
                f"Participant {row['owner']['id']}",
                without_formula(row["owner"]["name"]),
                mark(row),
                points,
                without_formula(" ".join(filter(None, [row["failed"], notes_of(row), comments_of(row)]))),
            ]
            for row in graded
        ]
        files[f"moodle-{module}.csv"] = as_csv(table)
    return files
