"""Validate the replies of a student's process, which is not trusted.

A reply is one line of JSON with the number of its request, and a valid observation; anything else is refused here. It
proves nothing: it is what the process says that it has seen.
"""

import json
import math

import numpy as np

from dark.course.exams.plain import BITS

WORDS = {"returned", "raised", "not attempted", "stopped"}
REFUSED = "It wrote to the judge's connection."
DEPTH = 200
DTYPES = {np.dtype(code).name: np.dtype(code) for code in "?bhilqBHILQefdg"}  # of arrays that `encode` takes
MOST_AXES, MOST_ELEMENTS = 50, 1 << 40  # of an array; one without elements may have long axes
LAST_LINE = 1 << 31  # of a source
MOST_TEXT, MOST_LINES, MOST_LINE = 2000, 50, 300  # characters of a message, lines of a traceback, characters of each


def parse_reply(data: bytes, number: int):
    """Validate a message, one line of JSON with this number; return the reply in it, or raise ValueError."""
    try:
        message = json.loads(data)
        if set(message) == {"number", "reply"} and message["number"] == number:
            reply = message["reply"]
            if isinstance(reply, list) and all(each is not None and is_observation(each) for each in reply):
                return [capped(each) for each in reply]
            if is_observation(reply):
                return capped(reply)
    except (ValueError, TypeError, RecursionError):
        pass
    raise ValueError(REFUSED)


def is_observation(reply):
    """Return whether a reply is an observation as `dark.course.judging.observe` defines it."""
    if reply is None:
        return True
    if not isinstance(reply, dict) or len(WORDS & set(reply)) != 1:
        return False
    texts = [value for key, value in reply.items() if key not in ("lines", "returned")]
    sound = all(isinstance(text, str) for text in texts) and _are_lines(reply.get("lines", []))
    return sound and is_encoded(reply.get("returned"))


def capped(reply):
    """Shorten the texts of an observation, and leave out all but the last lines of its traceback.

    >>> len(capped({"raised": "ValueError", "message": "x" * 10**6})["message"])
    2000
    """
    if not reply:
        return reply
    short = {key: value if key in ("lines", "returned") else value[:MOST_TEXT] for key, value in reply.items()}
    if "lines" in short:
        lines = short["lines"][-MOST_LINES:]
        short["lines"] = [
            {"where": line["where"][:MOST_LINE], "line": line["line"], "source": line["source"][:MOST_LINE]}
            for line in lines
        ]
    return short


def _are_lines(lines):
    return isinstance(lines, list) and all(
        isinstance(item, dict)
        and set(item) == {"where", "line", "source"}
        and isinstance(item["line"], int)
        and 0 <= item["line"] < LAST_LINE
        and isinstance(item["where"], str)
        and isinstance(item["source"], str)
        for item in lines
    )


def is_encoded(data, depth=0):
    """Return whether data could be the result of `dark.course.exams.plain.encode`."""
    kind = type(data)  # JSON makes no subclasses
    if kind is float:
        return math.isfinite(data)
    if kind is int:
        return data.bit_length() <= BITS
    if data is None or kind is bool or kind is str:
        return True
    if depth > DEPTH:
        return False
    if kind is list:
        return all(is_encoded(item, depth + 1) for item in data)
    if set(data) == {"array", "shape", "list"}:
        return _is_array(data, depth)
    if len(data) != 1:
        return False
    ((tag, value),) = data.items()
    if tag == "dict":
        return isinstance(value, dict) and all(is_encoded(v, depth + 1) for v in value.values())
    if tag == "number":
        return value in ("nan", "inf", "-inf")
    return tag in ("object", "too large") and isinstance(value, str)


def _is_array(data, depth):
    shape = data["shape"]
    return (
        isinstance(data["array"], str)
        and data["array"] in DTYPES
        and isinstance(shape, list)
        and 0 < len(shape) <= MOST_AXES
        and all(type(size) is int and size >= 0 for size in shape)
        and math.prod(max(1, size) for size in shape) <= MOST_ELEMENTS
        and is_encoded(data["list"], depth + 1)
        and _has_shape(data["list"], shape, _is_element(DTYPES[data["array"]]))
    )


def _has_shape(data, shape, is_element):
    if not shape:
        return is_element(data)
    return isinstance(data, list) and len(data) == shape[0] and all(_has_shape(x, shape[1:], is_element) for x in data)


def _is_element(dtype):
    """Return a predicate for the elements of an array of a dtype; other values could not be decoded."""
    if dtype.kind == "b":
        return lambda data: type(data) is bool
    if dtype.kind in "iu":
        least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        return lambda data: type(data) is int and least <= data <= most
    largest = float(min(np.finfo(dtype).max, np.finfo(float).max))

    def is_float(data):
        is_number = type(data) in (int, float)
        return abs(data) <= largest if is_number else isinstance(data, dict) and set(data) == {"number"}

    return is_float
