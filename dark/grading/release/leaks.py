"""The leak scan: whether a release contains an answer, anywhere in it.

All of a notebook is searched: sources, outputs of every kind, metadata and attachments, also what is encoded as
base64. A text is compared without whitespace and markup, so that a solution is found when it is indented, highlighted
or printed as one line.
"""

import ast
import base64
import binascii
import html
import inspect
import io
import re
import tokenize
from dataclasses import dataclass
from typing import TypeGuard

from dark.course.lessons.blank import BEGIN, END, predictions

MARKUP = re.compile(r"<[^<>]*>")
SPACE = re.compile(r"(?:\s|\\n|\\t)+")
BASE64 = re.compile(r"[A-Za-z0-9+/\s]{24,}={0,2}")
LINES = 2  # of a solution, which are not written by chance
LEAST = 24  # characters, without whitespace, of what is searched for
SHORTEST_STRING = 8  # characters of a string of a hidden question
BLANK = "..."


@dataclass(frozen=True)
class Leak:
    """A place in a released file, and the answer that it gives away."""

    where: str
    what: str

    def __str__(self):
        return f"{self.where} contains {self.what}"


def find_leaks(notebook: dict, module, exam) -> list[Leak]:
    """Return the answers that a notebook, as students get it, gives away; the exam includes hidden questions."""
    secrets = _secrets(module, exam)
    found = [(where, what) for where, text in _texts(notebook) for what in _given_away(text, secrets)]
    return [Leak(where, what) for where, what in [*found, *_predicted(notebook)]]


def find_leaks_in_text(text: str, module, exam) -> list[str]:
    """Return the answers that the content of a further file for students gives away."""
    return _given_away(text, _secrets(module, exam))


def _given_away(text, secrets):
    squeezed = squeeze(text)
    return list(dict.fromkeys(what for parts, what in secrets if all(part in squeezed for part in parts)))


def squeeze(text):
    """Remove markup, whitespace and escapes.

    >>> squeeze("<b>return</b> a &lt; b\\n")
    'returna<b'
    """
    return SPACE.sub("", html.unescape(MARKUP.sub("", text)))


def _secrets(module, exam):
    """Return pairs of squeezed texts that stand in one place, and the answer that they give away."""
    found = [((squeeze(mark),), "a marker of a solution") for mark in (BEGIN, END)]
    for name, exercise in module.exercises.items():
        regions = solution_lines(exercise.solution or "")
        windows = [(text,) for region in regions for text in _windows(region)]
        short = tuple(squeeze("".join(region)) for region in regions)
        found += [(parts, f"the solution of `{name}`") for parts in windows or [short] if parts]
    for question in exam.questions.values():
        if question.hidden is not None:
            what = f"a hidden question of `{question.exercise}`"
            lines = inspect.getsource(question.body).splitlines()
            strings = [node.value for node in ast.walk(ast.parse(inspect.cleandoc("\n".join(lines)))) if _is_text(node)]
            shown = (question.hidden.category, question.hidden.hint)
            texts = [question.name, *(text for text in strings if text not in shown)]
            found += [((squeeze(text),), what) for text in texts if len(squeeze(text)) >= SHORTEST_STRING]
            found += [((text,), what) for text in _windows(_code_lines(lines))]
    return found


def _is_text(node: object) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def solution_lines(source):
    """Return the lines of code of each solution of a cell, without comments and indentation.

    >>> solution_lines("def f(x):\\n    ### BEGIN SOLUTION\\n    return x  # itself\\n    ### END SOLUTION")
    [['return x']]
    """
    regions = []
    region: list[str] | None = None
    for line in source.splitlines():
        if line.strip() == BEGIN:
            region = []
        elif line.strip() == END:
            regions.append(_code_lines(region or []))
            region = None
        elif region is not None:
            region.append(line)
    return regions


def _code_lines(lines):
    return [text for text in map(_without_comment, lines) if text]


def _without_comment(line):
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.strip()).readline):
            if token.type == tokenize.COMMENT:
                return line.strip()[: token.start[1]].strip()
    except (tokenize.TokenError, SyntaxError):  # a line of a longer statement
        pass
    return line.strip()


def _windows(lines):
    """Yield the searched texts: each pair of lines, or a longer run where these are short; else one line alone."""
    squeezed = [squeeze(line) for line in lines]
    for first in range(len(squeezed)):
        for last in range(first + min(LINES, len(squeezed)), len(squeezed) + 1):
            text = "".join(squeezed[first:last])
            if len(text) >= LEAST:
                yield text
                break


def _texts(notebook):
    """Yield all texts of a notebook, each with its place; of encoded content also the decoded text."""
    for number, cell in enumerate(notebook["cells"], 1):
        for key, value in cell.items():
            name = {"outputs": "output", "attachments": "attachment"}.get(key, key)
            for text in _strings(value):
                yield f"cell {number}, {name}", text
    for key, value in notebook.items():
        if key != "cells":
            for text in _strings(value):
                yield f"the notebook's {key}", text


def _strings(value):
    if isinstance(value, dict):
        for key, each in value.items():
            yield str(key)
            yield from _strings(each)
    elif isinstance(value, list):
        if value and all(isinstance(each, str) for each in value):
            yield "".join(value)
        for each in value if not all(isinstance(each, str) for each in value) else ():
            yield from _strings(each)
    elif isinstance(value, str):
        yield value
        for encoded in BASE64.findall(value):
            yield from _decoded(encoded)


def _decoded(text):
    try:
        yield base64.b64decode("".join(text.split())).decode("latin-1")
    except (binascii.Error, ValueError):
        return


def _predicted(notebook):
    """Yield the predictions that are answered, or whose cells show an output."""
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] == "code":
            calls = predictions(cell["source"])
            for call in calls:
                if ast.unparse(call.args[1]) != BLANK:
                    yield f"cell {number}, source", f"the answer to the prediction {ast.unparse(call.args[0])}"
            if calls and cell.get("outputs"):
                yield f"cell {number}, output", "the answer to a prediction"
