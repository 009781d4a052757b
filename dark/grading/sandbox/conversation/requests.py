"""The requests to a child: JSON strings, each without its number, which `converse` adds.

Parts that are the same for every student are written once: the compiled cells of the course, the questions of a sheet
with their inputs, beside the reply to them that says what the reference says.
"""

import ast
import base64
import json
import marshal
import warnings
from dataclasses import dataclass
from functools import lru_cache

from dark.course.exams.bodies import body_code
from dark.course.lessons.magics import plain_python


def opening(parts: list[tuple[str, str]]) -> str:
    """Return the request to build an implementation of parts, each a label and a source."""
    return f'{{"open": [{", ".join([_part(*part) for part in parts])}]}}'


def asking(rows, seconds: float, graphs: bool, at_once: bool = False) -> str:
    """Return the request to run questions, each for some seconds; if at once, all replies come together at the end."""
    options = json.dumps({"seconds": seconds, "graphs": graphs, "at_once": at_once})
    return f'{{"ask": [{", ".join([row.text for row in rows])}], {options[1:]}'


@dataclass(frozen=True)
class Written:
    """A question with one or more of its inputs, as it is sent."""

    text: str  # JSON: its code, and its inputs
    count: int = 1  # the number of inputs
    known: bytes | None = None  # the reply that says what the reference says
    same: tuple = ()  # the observations in it


@lru_cache(maxsize=1024)
def written_row(row) -> Written:
    """Return a row of a sheet as it is sent: all inputs together."""
    known = f"[{', '.join(map(json.dumps, row.same))}]".encode()
    return Written(_text(row.question, [drawn.inputs for drawn in row.drawn]), len(row.same), known, row.same)


@lru_cache(maxsize=1024)
def written_inputs(row) -> tuple[Written, ...]:
    """Return a row of a sheet as it is sent one input after the other; the child has the code from the first on."""
    return tuple(
        Written(_text(row.question, [drawn.inputs], k == 0), 1, f"[{json.dumps(same)}]".encode(), (same,))
        for k, (drawn, same) in enumerate(zip(row.drawn, row.same, strict=True))
    )


def written_once(question, inputs: dict, with_code: bool) -> Written:
    """Return a question with one set of inputs, as it is sent; without code if it was the last one asked."""
    return Written(_text(question, [inputs], with_code))


def _text(question, many, with_code=True):
    code = base64.b64encode(body_code(question)).decode() if with_code else None
    return json.dumps([code, many])


@lru_cache(maxsize=512)
def _part(label, source):
    """Return a part as JSON: a student's cell as source, one of the course as compiled code."""
    if label.startswith("exercise "):
        return json.dumps([label, {"source": source if _is_python(source) else plain_python(source)}])
    code = compile(source, f"<{label}>", "exec", dont_inherit=True)
    return json.dumps([label, {"code": base64.b64encode(marshal.dumps(code)).decode()}])


def _is_python(source):
    """Return whether a cell can be parsed without IPython, which the child does not have."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError:
        return False
    except (ValueError, RecursionError, MemoryError):  # not Python either, as the child will find out
        return True
    return True
