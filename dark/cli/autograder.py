"""The autograder on Gradescope: run `dark grade` for a submission, and write its result where Gradescope reads it.

``python -m dark.cli.autograder /autograder LEVEL`` is the last line of the script that `dark release --format
gradescope` writes. What a student can correct is a result with 0 points and the reason; where grading itself fails,
no result is written, and Gradescope tells the teacher.
"""

import json
import shutil
import sys
from pathlib import Path

from dark.atomic_write import write_file
from dark.cli.dispatch import main
from dark.errors import UsageError
from dark.grading.exports.gradescope import gradescope_result
from dark.grading.grader.result import NOT_GRADED, SKIPPED
from dark.grading.uploads import find_submissions

GRADED_OR_NOT = (0, 1)  # exit codes of `dark grade` with which there is a report


def run_autograder(root: str | Path, level: str = "files") -> int:
    """Grade the submission in Gradescope's folder with this confinement at least; return 0 if the result is written."""
    root = Path(root)
    submission, report, source = root / "submission", root / "report", root / "source"
    shutil.rmtree(report, ignore_errors=True)  # the report of another submission
    try:
        find_submissions(submission)
    except UsageError as error:
        return _write(root, _nothing(_why(error, submission)))
    words = ["grade", submission, "--out", report, "--release", source / "release.toml", "--require-confinement", level]
    words += ["--exam", source / "exam"] if (source / "exam").is_dir() else []
    code = main([*map(str, words)])
    if code not in GRADED_OR_NOT:
        return code
    rows = json.loads((report / "results.json").read_text(encoding="utf-8"))["submissions"]
    notebooks = [row for row in rows if row["status"] != SKIPPED]
    if len(notebooks) > 1:
        return _write(root, _nothing(f"Hand in one notebook; these are {len(notebooks)}."))
    (row,) = notebooks
    return 1 if row["status"] == NOT_GRADED else _write(root, gradescope_result(row))


def _why(error, submission):
    """Return the fault of a submission in one line, with its files and the fault of each."""
    what = str(error).partition("\n  Expected: ")[0]
    return " ".join([*what.replace(str(submission), "The submission").split(), "Hand in one notebook (.ipynb)."])


def _nothing(reason):
    return {"score": 0, "output": reason, "output_format": "text", "tests": []}


def _write(root, result):
    """Write the result; return the exit code."""
    folder = root / "results"
    folder.mkdir(exist_ok=True)
    write_file(folder / "results.json", json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(run_autograder(*sys.argv[1:]))
