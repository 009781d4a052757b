"""`predict("01.3a", 42)`: commit to an answer first, then see what the reference does.

The first prediction is the one that counts. It is written to the log before the truth is shown.
"""

from dark.course.exams.plain import compare, encode, show
from dark.course.exams.questions import load_exam
from dark.course.lessons.library import modules
from dark.course.student.cards import card
from dark.errors import CourseError, near_misses

__all__ = [
    "agrees",
    "find_prediction",
    "first_prediction",
    "fits",
    "prediction_card",
    "unanswered_card",
    "unfit_card",
]

TOLERANCE = 1e-3  # a person rounds: 0.333 is a right answer where 1/3 is


def agrees(answer, truth):
    """Say whether a prediction is as good as right.

    Numbers agree within a thousandth, texts whatever their capitals and spaces, a number written as
    a text agrees with the number, lists agree item by item.

    Parameters
    ----------
    answer : object
        What was predicted.
    truth : object
        What the reference gave.

    Returns
    -------
    bool

    Examples
    --------
    >>> agrees(0.333, 1 / 3), agrees(" Grad  of A ", "grad of a"), agrees((3, 4), [3, 5])
    (True, True, False)
    """
    return _agree(encode(answer), encode(truth))


def _agree(answer, truth):
    """Say the same of encoded data."""
    return not compare(_loose(answer), _loose(truth), TOLERANCE)


def _loose(data):
    """Give encoded data without what does not matter in a prediction."""
    if isinstance(data, list):
        return [_loose(item) for item in data]
    if isinstance(data, dict):
        if "array" in data:
            return _loose(data["list"])
        if "dict" in data:
            return {"dict": {key: _loose(value) for key, value in data["dict"].items()}}
    if isinstance(data, str):
        text = " ".join(data.split()).casefold()
        try:
            return encode(float(text))
        except ValueError:
            return {"true": True, "false": False}.get(text, text)
    return data


def fits(answer, truth):
    """Say whether an answer can be held against the truth: a number against a number, a list against a list.

    Parameters
    ----------
    answer, truth : encoded data
        As `encode` gives them.

    Examples
    --------
    >>> fits("4", 4), fits("4 times", 4), fits("b.T", [4, 3]), fits([3], [4, 3]), fits("grad", "value")
    (True, False, False, True, True)
    """
    return all(kind(_loose(answer)) for kind in (_is_number, _is_list) if kind(_loose(truth)))


def _is_number(data):
    return type(data) in (int, float) or isinstance(data, dict) and "number" in data


def _is_list(data):
    return isinstance(data, list)


def find_prediction(name):
    """Find a prediction by its name, and the exam that asks for it.

    Parameters
    ----------
    name : str
        Such as ``"01.3a"``; the module's number stands before the dot.

    Returns
    -------
    Prediction, Exam

    Raises
    ------
    CourseError
        If no module asks for it.
    """
    known = []
    for stem in [each for each in modules() if each.startswith(name[:3].replace(".", "-"))] or modules():
        exam = load_exam(stem)
        if name in exam.predictions:
            return exam.predictions[name], exam
        known += exam.predictions
    raise CourseError(
        f"there is no prediction {name!r}.",
        "the name that stands in the cell as it was printed.",
        _try_instead(name, known),
    )


def _try_instead(name, known):
    """Give the names of the same section, else the way to the right one."""
    here = [each for each in known if each[:4] == name[:4]]
    return near_misses(name, here) if here else "copying the line from the notebook as it was printed"


def first_prediction(events, name):
    """Find the first prediction of that name in the log.

    Parameters
    ----------
    events : iterable of dict
        As `Log.read` gives them.
    name : str
        Such as ``"01.3a"``.

    Returns
    -------
    dict or None

    Examples
    --------
    >>> first_prediction([{"event": "predict", "prediction": "01.3a", "answer": 3}], "01.3a")["answer"]
    3
    """
    made = (e for e in events if e["event"] == "predict" and e.get("prediction") == name)
    return next((event for event in made if "answer" in event), None)


def unanswered_card(name):
    """Say that there is no prediction yet, and reveal nothing.

    Examples
    --------
    >>> print(unanswered_card("01.3a"))
    · 01.3a is not predicted yet.
      Write your answer in place of the three dots, then run the cell. A guess is fine.
    """
    return card(
        f"· {name} is not predicted yet.",
        "Write your answer in place of the three dots, then run the cell. A guess is fine.",
    )


def unfit_card(name, answer, truth):
    """Say that a number is asked for, or a list, and reveal nothing.

    Examples
    --------
    >>> print(unfit_card("01.6b", "line 1", 2))
    · 01.6b: a number is asked for, and 'line 1' is none.
      Write the number alone, without words or quotes. This answer was not counted.
    """
    kind, write = "number", "the number alone, without words or quotes"
    if _is_list(_loose(truth)):
        kind, write = "list", "it in square brackets, without quotes, such as [1, 2]"
    return card(
        f"· {name}: a {kind} is asked for, and {show(answer)} is none.",
        f"Write {write}. This answer was not counted.",
    )


def prediction_card(name, first, answer, truth, why):
    """Compare a prediction with the truth.

    Parameters
    ----------
    name : str
        Such as ``"01.3a"``.
    first, answer, truth : encoded data
        The prediction that stands, what was answered now, and what the reference gave.
    why : str
        Why it is so.

    Examples
    --------
    >>> print(prediction_card("01.3a", 3, 4, 4, "Both paths add up."))
    ✗ 01.3a: you predicted 3; it is 4.
      Your first prediction stands; 4 came after it.
      Both paths add up.
    """
    right = _agree(first, truth)
    lines = []
    if answer != first:
        lines.append(f"Your first prediction stands; {show(answer)} came after it.")
    title = f"{'✓' if right else '✗'} {name}: you predicted {show(first)}; it is {show(truth)}."
    return card(title, "\n".join([*lines, why.strip()]), ok=right)
