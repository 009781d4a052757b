"""`predict("01.3a", 42)`: commit to an answer, log the first one, then see the result of the reference."""

from dark.course.cards.card import card
from dark.course.exams.plain import compare, encode, is_number, show
from dark.course.exams.questions import load_exam
from dark.course.lessons.library import modules
from dark.errors import CourseError, near_misses

TOLERANCE = 0.01  # people round: 0.33 is accepted for 1/3, 2.3 for ln 10
EXACT = 1e-9  # of integers: room for the rounding of a computer only
WORDS = {"true": True, "yes": True, "false": False, "no": False, "none": "nothing"}
KINDS = {  # of a right value, and what is asked for then
    is_number: ("a number", "the number alone, without words or quotes"),
    lambda data: isinstance(data, list): ("a list", "it in square brackets, without quotes, such as [1, 2]"),
    lambda data: isinstance(data, bool): ("True or False", "one of these two words, without quotes"),
}


def agrees(answer, truth):
    """Return whether a prediction is right.

    A number is right within 1 percent, and exactly where the right one is an integer. None is "nothing". Strings are
    equal regardless of case and whitespace; a number in a string equals the number, "yes" equals True.
    """
    return _same(_normalized(encode(answer)), _normalized(encode(truth)))


def _same(answer, truth):
    """Compare normalized data, each number in it with the tolerance of the right one."""
    if isinstance(truth, list) and isinstance(answer, list):
        return len(answer) == len(truth) and all(map(_same, answer, truth))
    if isinstance(truth, dict) and "dict" in truth and isinstance(answer, dict) and "dict" in answer:
        answer, truth = answer["dict"], truth["dict"]
        return answer.keys() == truth.keys() and all(_same(answer[key], truth[key]) for key in truth)
    is_integer = isinstance(truth, int | float) and abs(truth) >= 0.5 and abs(truth - round(truth)) < EXACT
    return not compare(answer, truth, EXACT if is_integer or truth == 0 else TOLERANCE)


def _normalized(data):
    """Normalize encoded data for the comparison of predictions."""
    if data is None:
        return "nothing"
    if isinstance(data, list):
        return [_normalized(item) for item in data]
    if isinstance(data, dict):
        if "array" in data:
            return _normalized(data["list"])
        if "dict" in data:
            return {"dict": {key: _normalized(value) for key, value in data["dict"].items()}}
    if isinstance(data, str):
        text = " ".join(data.split()).casefold()
        try:
            return encode(float(text))
        except ValueError:
            return WORDS.get(text, text)
    return data


def fits(answer, truth):
    """Return whether an answer has the kind of the right value: a number, a list or a bool where it is one."""
    return all(kind(_normalized(answer)) for kind in KINDS if kind(_normalized(truth)))


def find_prediction(name):
    """Return the prediction with a name such as ``"01.3a"``, which starts with the module's number, and its exam."""
    known = []
    for stem in [each for each in modules() if each.startswith(name[:3].replace(".", "-"))] or modules():
        exam = load_exam(stem)
        if name in exam.predictions:
            return exam.predictions[name], exam
        known += exam.predictions
    here = [each for each in known if each[:4] == name[:4]]  # of the same section
    advice = near_misses(name, here) if here else "copying the line from the original notebook"
    raise CourseError(f"the prediction {name!r} does not exist.", "the name in the original cell.", advice)


def first_prediction(events, name):
    """Return the first event of a prediction, by its name, among the events of a log; None without one."""
    made = (e for e in events if e["event"] == "predict" and e.get("prediction") == name)
    return next((event for event in made if "answer" in event), None)


def unanswered_card(name):
    """Return the card of a missing prediction, which reveals nothing."""
    says = "Replace the three dots by your answer, then run the cell. A guess is fine."
    return card(f"· {name} is not predicted yet.", says)


def unfit_card(name, answer, truth):
    """Return the card of an answer of the wrong kind, which reveals nothing."""
    kind, write = next(words for is_kind, words in KINDS.items() if is_kind(_normalized(truth)))
    return card(f"· {name}: expected {kind}, got {show(answer)}.", f"Write {write}. This answer was not counted.")


def prediction_card(name, first, answer, truth, why):
    """Return the card that compares the first prediction with the right value; all three values are encoded."""
    right = _same(_normalized(first), _normalized(truth))
    lines = [f"Your first prediction counts, not {show(answer)}."] if answer != first else []
    title = f"{'✓' if right else '✗'} {name}: you predicted {show(first)}; it is {show(truth)}."
    return card(title, "\n".join([*lines, why.strip()]), ok=right)
