"""The reference implementation's answers to the questions of a module: the data of a package's tests."""

import gzip
import json

from dark.course.exams.questions import load_exam
from dark.course.judging.asking.sheet import sheets_of
from dark.course.judging.outcome import answer_of

__all__ = ["expected_answers", "packed"]

SEED = 0  # of the inputs, as in `dark check`


def expected_answers(module):
    """Return the stored answers of a module, as data of JSON.

    Returns
    -------
    dict of str to dict
        By question: its exercise, its title, its tolerance, and `asked`, a list of inputs and what is expected. That is
        ``{"returned": encoded data}``, or ``{"raised": name, "kinds": names}``.
    """
    exam, found = load_exam(module.id), {}
    for exercise in module.exercises:
        for sheet in sheets_of(exam, exercise, SEED):
            for row in sheet.rows:
                question = row.question
                found[question.name] = {
                    "exercise": exercise,
                    "title": question.title,
                    "tolerance": question.tolerance,
                    "asked": [[drawn.inputs, _stored(drawn.expected)] for drawn in row.drawn],
                }
    return found


def _stored(observation):
    if "raised" in observation:
        return {key: observation[key] for key in ("raised", "kinds") if key in observation}
    return {"returned": answer_of(observation)}


def packed(data):
    """Return data of JSON as a compressed file, the same bytes each time."""
    return gzip.compress(json.dumps(data, sort_keys=True, separators=(",", ":")).encode(), mtime=0)
