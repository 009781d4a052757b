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


def opening(parts) -> str:
    """Return the request to build an implementation.

    Parameters
    ----------
    parts : list of (str, str)
        Label and source, in order.
    """
    return f'{{"open": [{", ".join([_part(*part) for part in parts])}]}}'


def asking(rows, seconds, graphs, at_once=False) -> str:
    """Return the request to run questions.

    Parameters
    ----------
    rows : sequence of Written
        The questions.
    seconds : float
        Time limit of an observation.
    graphs : bool
        Whether the graphs are read.
    at_once : bool, default False
        Whether the replies are sent together, when all questions are answered.
    """
    options = json.dumps({"seconds": seconds, "graphs": graphs, "at_once": at_once})
    return f'{{"ask": [{", ".join([row.text for row in rows])}], {options[1:]}'


@dataclass(frozen=True)
class Written:
    """A question with one or more of its inputs, as it is sent.

    Parameters
    ----------
    text : str
        JSON: its code, and its inputs.
    count : int
        The number of inputs.
    known : bytes or None
        The reply that says what the reference says, and `same`, the observations in it.
    same : sequence of dict
    """

    text: str
    count: int = 1
    known: bytes | None = None
    same: tuple = ()


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


def written_once(question, inputs, with_code) -> Written:
    """Return a question with one set of inputs, as it is sent.

    Parameters
    ----------
    question : Question
        The question.
    inputs : dict
        Plain values.
    with_code : bool
        Whether the child needs its code; otherwise it is the question that was asked last.
    """
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
