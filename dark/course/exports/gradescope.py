"""Gradescope's results.json, one for each submission."""

import json
from pathlib import PurePosixPath

from dark.course.exports.rows import counting
from dark.course.judging.verdict import HiddenTests


def gradescope_files(results):
    """Return a file for each submission as an autograder of Gradescope writes it.

    Parameters
    ----------
    results : dict
        The content of results.json.

    Returns
    -------
    dict of str to str
        Content by name of the file.
    """
    return {
        f"gradescope/{PurePosixPath(row['page']).stem}.json": json.dumps(gradescope_result(row), indent=1) + "\n"
        for row in counting(results)
    }


def gradescope_result(record):
    """Return the content of results.json for one submission.

    Parameters
    ----------
    record : dict
        A row of the results.

    Returns
    -------
    dict
    """
    return {
        "score": record["earned"],
        "execution_time": record["elapsed_seconds"],
        "output": record["message"],
        "output_format": "text",
        "tests": [
            {
                "name": each["exercise"],
                "score": each["earned"],
                "max_score": each["points"],
                "status": "passed" if each["status"] == "right" else "failed",
                "output": describe(each),
            }
            for each in record["exercises"]
        ],
    }


def describe(exercise):
    """Describe the verdict on an exercise in one or two sentences.

    Examples
    --------
    >>> describe({"status": "wrong", "diagnosis": "It adds.", "next_step": "Multiply."})
    'wrong. It adds. Multiply.'
    """
    said = (exercise["diagnosis"], exercise["next_step"])
    hidden = [HiddenTests(**each).text for each in exercise.get("hidden", ())]
    return " ".join([exercise["status"] + ".", *filter(None, said), *hidden])
