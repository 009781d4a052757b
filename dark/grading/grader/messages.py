"""The messages between the gradebook's process and its graders: JSON, which can only become plain data.

Nothing that is read from a student's notebook travels as a pickle, which could run code where it is read.
"""

import base64
import json
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from pkgutil import resolve_name

import numpy as np

from dark.course.exams.differences import Difference
from dark.course.exams.exam import Hidden
from dark.course.exams.plain import Foreign
from dark.course.exams.rows import Rows
from dark.course.judging.verdict import Fault, Finding, HiddenTests, Verdict
from dark.grading.grader.grade import Graded, Settings
from dark.grading.grader.result import Result
from dark.grading.sandbox.limits import Limits
from dark.grading.uploads import Submission
from dark.grading.uploads.owners import owner_from

READY = b"ready"
LARGEST_MESSAGE = 256 << 20  # bytes
KINDS = {
    kind.__name__: kind
    for kind in (Difference, Fault, Finding, Foreign, Graded, Hidden, HiddenTests, Result, Rows, Verdict)
}
PATH = "path"  # the key of an argument that is a path


def task(settings: Settings, assign) -> bytes:
    """Return the first message to a grader; `assign` is None, a module's function, or a `functools.partial` of it."""
    exam = settings.exam and str(settings.exam)
    data = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return _bytes({"settings": data | {"limits": asdict(settings.limits), "exam": exam}, "assign": _named(assign)})


def read_task(message):
    """Return the settings and the callable of the first message."""
    data = json.loads(message)
    found = data["settings"]
    found["limits"] = Limits(**found["limits"])
    found["exam"] = found["exam"] and Path(found["exam"])
    found["only"] = tuple(found["only"])
    found["points"] = None if found["points"] is None else tuple(map(tuple, found["points"]))
    return Settings(**found), _called(data["assign"])


def request(submission):
    """Return the message that asks for a submission to be graded."""
    copy = submission.copy and str(submission.copy)
    return _bytes(asdict(submission) | {"path": str(submission.path), "copy": copy})


def read_request(message):
    """Return the submission that is to be graded."""
    data = json.loads(message)
    owner, copy = owner_from(data["owner"]), data["copy"] and Path(data["copy"])
    return Submission(**data | {"path": Path(data["path"]), "keys": tuple(data["keys"]), "owner": owner, "copy": copy})


def answer(graded):
    """Return the message with a result."""
    return _bytes(_tagged(graded))


def read_answer(message) -> Graded:
    """Return the result in a message; anything else is a ValueError, TypeError, KeyError or AttributeError."""
    found = _untagged(json.loads(message))
    if not isinstance(found, Graded):
        raise TypeError(f"a {type(found).__name__} is not a result")
    return found


def _tagged(value):
    """Return a value as data for JSON; other types are a dictionary with one key, their kind."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is list:
        return [_tagged(each) for each in value]
    if type(value) is tuple:
        return {"tuple": [_tagged(each) for each in value]}
    if type(value) is dict:
        return {"dict": [[_tagged(key), _tagged(each)] for key, each in value.items()]}
    if type(value) is complex:
        return {"complex": [value.real, value.imag]}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufcU":
        array = np.ascontiguousarray(value)
        content = base64.b64encode(array.tobytes()).decode()
        return {"array": [array.dtype.str, list(value.shape), content, isinstance(value, np.generic)]}
    if type(value).__name__ in KINDS and KINDS[type(value).__name__] is type(value):
        return {type(value).__name__: {name: _tagged(each) for name, each in _set_fields(value)}}
    raise TypeError(f"a {type(value).__name__} is not a part of a result")


def _set_fields(value):
    """Yield the names and values of the fields of a result's part that do not have their defaults."""
    for field in fields(value):
        each = getattr(value, field.name)
        if each is not field.default:
            yield field.name, each


def _untagged(data):
    if isinstance(data, list):
        return [_untagged(each) for each in data]
    if not isinstance(data, dict):
        return data
    ((kind, content),) = data.items()
    if kind == "tuple":
        return tuple(_untagged(each) for each in content)
    if kind == "dict":
        return {_untagged(key): _untagged(each) for key, each in content}
    if kind == "complex":
        return complex(*content)
    if kind == "array":
        dtype, shape, text, is_scalar = content
        array = np.frombuffer(base64.b64decode(text), dtype).reshape(shape).copy()
        return array[()] if is_scalar else array
    return KINDS[kind](**{name: _untagged(each) for name, each in content.items()})


def _bytes(data):
    return json.dumps(data).encode()


def _named(function):
    if function is None:
        return None
    called = function if isinstance(function, partial) else partial(function)
    inner = called.func
    return {
        "function": f"{inner.__module__}:{inner.__qualname__}",
        "arguments": [_plain(each) for each in called.args],
        "keywords": {name: _plain(each) for name, each in called.keywords.items()},
    }


def _called(data):
    if data is None:
        return None
    arguments = [_restored(each) for each in data["arguments"]]
    keywords = {name: _restored(each) for name, each in data["keywords"].items()}
    return partial(resolve_name(data["function"]), *arguments, **keywords)


def _plain(value):
    return {PATH: str(value)} if isinstance(value, Path) else value


def _restored(value):
    return Path(value[PATH]) if isinstance(value, dict) else value
