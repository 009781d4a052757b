"""The result of one submission as plain data, and as JSON."""

import json
import math
from dataclasses import asdict

from dark.course.cards.verdict_card import hidden_data, verdict_data
from dark.course.grading.result import failures, is_complete


def record_of(submission, graded):
    """Convert the result of one submission to plain data.

    Its entry "hidden" tells all of the hidden questions, and is for teachers only; the others are what a student
    may see.

    Parameters
    ----------
    submission : Submission
        The file.
    graded : Graded
        The result.

    Returns
    -------
    dict
    """
    result = graded.result
    return {
        "name": submission.name,
        "file": submission.file.encode("utf-8", "backslashreplace").decode(),
        "owner": submission.owner and asdict(submission.owner),
        "counts": submission.counts,
        "digest": graded.digest,
        "page": f"pages/{submission.slug}.html",
        "status": result.status,
        "message": result.message,
        "module": result.module,
        "earned": result.earned,
        "points": result.points,
        "complete": is_complete(result),
        "failed": failures(result),
        "seed": graded.seed,
        "elapsed_seconds": round(graded.elapsed_seconds, 3),
        "exercises": [verdict_data(verdict) for verdict in result.verdicts],
        "hidden": [each for verdict in result.verdicts for each in hidden_data(verdict)],
        "together": {verdict.exercise: verdict.status for verdict in result.together},
    }


def as_json(data):
    """Serialize data as JSON; NaN and infinity become strings.

    Examples
    --------
    >>> as_json([float("inf"), 1.5]).split()
    ['[', '"inf",', '1.5', ']']
    """
    return json.dumps(_finite(data), indent=1, allow_nan=False) + "\n"


def _finite(data):
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(item) for item in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data
