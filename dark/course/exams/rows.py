"""Lists of rows, such as the events of a run: where two of them first differ, as texts that are short."""

from dataclasses import dataclass
from itertools import zip_longest

from dark.course.exams.differences import ordinal
from dark.course.exams.plain import compare, show

BEFORE, AFTER = 3, 4  # rows around the first wrong one
WIDTH = 60  # characters of a value
CONTEXT = 16  # characters in front of the first that differs, where a value is cut
NONE = "nothing"
MOST_PATH = 200  # characters


@dataclass(frozen=True)
class Rows:
    """The rows around the first wrong one of a list."""

    path: str  # of the list; empty for the whole answer
    wrong: int  # the number of the first wrong row, counted from 1
    noun: str  # what a row is
    lines: tuple  # (number, yours, expected) of each row; an absent row is "nothing"
    sizes: tuple  # how many rows there are, (yours, expected)

    def holds(self, path):
        """Return whether a difference at this path is one of these rows."""
        return not self.path or path == self.path or path.startswith((f"{self.path}[", f"{self.path}."))

    @property
    def says(self):
        """The first wrong row in a sentence."""
        yours, expected = next((mine, theirs) for number, mine, theirs in self.lines if number == self.wrong)
        parts = [text.split(", ") for text in (yours, expected)]
        is_named = not yours.startswith("[") and parts[0][0] == parts[1][0] and 1 not in map(len, parts)
        name = f", {parts[0][0]}" if is_named else ""
        if is_named:  # only what differs in it
            pairs = [pair for pair in zip_longest(*parts, fillvalue=NONE) if pair[0] != pair[1]]
            yours, expected = map(", ".join, zip(*pairs, strict=True))
        elif parts[0][0] != parts[1][0] and not yours.startswith("["):
            yours, expected = parts[0][0], parts[1][0]
        separator = ";" if "," in yours + expected else ","
        place = f" of {self.path}" if self.path and self.path != "trace" else ""
        return f"{ordinal(self.wrong)} {self.noun}{place}{name}: yours {yours}{separator} expected {expected}."


def first_rows(yours, expected, tolerance=1e-9, path=""):
    """Return where two encoded answers first differ in the outermost list of rows, strings or flat lists, or None."""
    if isinstance(yours, dict) and isinstance(expected, dict) and "dict" in yours and "dict" in expected:
        pairs = [(k, yours["dict"].get(k), v) for k, v in expected["dict"].items()]
        pairs = [(f"{path}.{k}".lstrip("."), *pair) for k, *pair in pairs]
    elif isinstance(yours, list) and isinstance(expected, list):
        if all(map(_is_row, yours + expected)):
            is_of_rows = any(isinstance(each, str | list) for each in yours + expected)
            return _rows(yours, expected, tolerance, path) if is_of_rows else None
        pairs = [(f"{path}[{k}]", *pair) for k, pair in enumerate(zip(yours, expected, strict=False))]
    else:
        return None
    for inner, mine, theirs in pairs:
        if compare(mine, theirs, tolerance) and (found := first_rows(mine, theirs, tolerance, inner)):
            return found
    return None


def _is_row(data):
    if not isinstance(data, list):
        return not isinstance(data, dict) or "dict" not in data
    if data and isinstance(data[0], str):  # an event, and what belongs to it
        return not any(isinstance(each, list) and each and isinstance(each[0], str) for each in data)
    return not any(isinstance(each, list) for each in data)


def _rows(yours, expected, tolerance, path):
    absent = object()
    pairs = list(zip_longest(yours, expected, fillvalue=absent))
    differ = (k for k, pair in enumerate(pairs) if absent in pair or compare(*pair, tolerance))
    if (wrong := next(differ, None)) is None:
        return None
    first = max(0, wrong - BEFORE)
    lines = []
    for k, pair in enumerate(pairs[first : wrong + AFTER + 1], first):
        texts = [NONE if side is absent else _text(side) for side in pair]
        if k == wrong and absent not in pair:
            texts = told_apart(*pair, text=_text)
        lines.append((k + 1, *_cut(*texts)))
    names = [each[0] if isinstance(each, list) and each else each for each in expected]
    are_events = any(isinstance(name, str) and name.isupper() for name in names)
    noun, sizes = "event" if are_events else "entry", (len(yours), len(expected))
    return Rows(path[:MOST_PATH], wrong + 1, noun, tuple(lines), sizes)


def _text(data, digits=6):
    """Return a row as text: its first string without quotes, named values with their names."""
    if isinstance(data, str):
        return data
    if not isinstance(data, list):
        return show(data, digits)
    parts = [part if k == 0 and isinstance(part, str) else _part(part, digits) for k, part in enumerate(data)]
    return ", ".join(parts) if parts and isinstance(data[0], str) else f"[{', '.join(parts)}]"


def _part(data, digits):
    if isinstance(data, dict) and data.get("dict"):
        return ", ".join(f"{name} {show(value, digits)}" for name, value in data["dict"].items())
    return show(data, digits)


def told_apart(yours, expected, *, text=show):
    """Format two values with the difference between them: the digits, or the dtype; long ones are cut around it."""
    for digits in (6, 17):
        texts = [text(side, digits) for side in (yours, expected)]
        if texts[0] != texts[1]:
            return _cut(*texts)
    for k, side in enumerate((yours, expected)):
        if not isinstance(side, dict):
            texts[k] += f" ({type(side).__name__})"
        elif "array" in side:
            texts[k] += f", dtype {side['array']}"
    return _cut(*texts)


def _cut(yours, expected):
    """Return two texts of at most `WIDTH` characters, cut around the first character that differs."""
    same = next((k for k, pair in enumerate(zip(yours, expected, strict=False)) if pair[0] != pair[1]), None)
    same = min(len(yours), len(expected)) if same is None else same
    start = same - CONTEXT if same > WIDTH - CONTEXT else 0
    texts = [f"…{text[start + 1 :]}" if start else text for text in (yours, expected)]
    return tuple([text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…" for text in texts])
