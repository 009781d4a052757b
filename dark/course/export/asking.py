"""Ask the questions about the file of a module, without later modules, and compare answers with the stored ones."""

import builtins
import contextlib
import gzip
import json
import signal
import sys
import warnings
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from dark.course.exams.differences import compare
from dark.course.exams.plain import class_name, decode, encode, show

SECONDS = 60  # for all inputs of a question
FRAMES = 1000  # recursion depth that is available to the code that is asked
SHOWN = 400  # characters of a value in a message


class WrongAnswer(AssertionError):
    """The package gives an answer that differs from the expected one."""


@lru_cache(maxsize=1)
def stored(file, folder=None):
    """Return the stored data about the module with this file name, such as ``"_01_scalar_autodiff"``."""
    path = Path(folder or Path(__file__).parent, "expected", f"{file.removeprefix('_')}.json.gz")
    return json.loads(gzip.decompress(path.read_bytes()))


def questions(file, folder=None):
    """Return the exercise and the name of each question about a module."""
    return [(each["exercise"], name) for name, each in stored(file, folder).items()]


@lru_cache(maxsize=1)
def alone(package, file, exercise):
    """Import a module file and those that it builds on, apart from the package; anew for each exercise."""
    spec = find_spec(package)
    assert spec is not None and spec.submodule_search_locations  # this file is in it
    [folder] = spec.submodule_search_locations
    return import_apart(folder, file)


def import_apart(folder, file):
    """Import a module file, and those that it imports from the same folder, under names of their own, and anew."""
    apart = ModuleType("_apart")
    apart.__path__ = [str(folder)]
    for name in [name for name in sys.modules if name.partition(".")[0] == apart.__name__]:
        del sys.modules[name]
    sys.modules[apart.__name__] = apart
    return import_module(f"{apart.__name__}.{file}")


def check(package, file, exercise, name, bodies, judges=None) -> None:
    """Ask one question about a module's file on all stored inputs; the first wrong answer is a `WrongAnswer`.

    `bodies` is the file of the questions; `judges` judge, by name, questions with several right answers.
    """
    question, judge = stored(file)[name], (judges or {}).get(name)
    implementation, body = alone(package, file, exercise), getattr(bodies, name)
    with _limited(SECONDS), _frames(FRAMES):
        for inputs, expected in question["asked"]:
            seen = observe(body, implementation, inputs)
            if problem := _problem(seen, expected, inputs, question["tolerance"], judge):
                said = ", ".join(f"{key} = {show(encode(value))[:SHOWN]}" for key, value in inputs.items())
                where = f" with {said}" if said else ""
                raise WrongAnswer(f"{question['title']}\n{exercise}{where}: {problem}") from seen.get("error")


def observe(body, implementation, inputs):
    """Run the body of a question; return its result as plain data, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return {"returned": encode(body(implementation, **json.loads(json.dumps(inputs))))}
        except Exception as error:
            return {"error": error}


def _problem(seen, expected, inputs, tolerance, judge):
    """Describe the fault of an answer; None if it is right."""
    if "error" in seen:
        return _problem_of_error(seen["error"], expected)
    if "raised" in expected:
        return f"an error of the kind {expected['raised']} is expected, and there was none"
    mine, theirs = seen["returned"], expected["returned"]
    if isinstance(mine, dict) and "dict" in mine:  # without its graph, which is for pictures
        mine = {"dict": {key: value for key, value in mine["dict"].items() if key != "graph"}}
    if judge is not None:
        more = (decode(theirs),) if judge.__code__.co_argcount > 2 else ()
        remark = judge(decode(mine), inputs, *more)
        return remark[0] if isinstance(remark, tuple) else remark
    for first in compare(mine, theirs, tolerance):
        return f"the {first.where} is {show(first.yours)[:SHOWN]}; expected: {show(first.expected)[:SHOWN]}"
    return None


def _problem_of_error(error, expected):
    said = f"{class_name(error)}: {error}"
    if "raised" not in expected:
        return f"it raises {said}"
    names = expected.get("kinds", expected["raised"]).split()
    kinds = [getattr(builtins, name, None) for name in names]
    kind = next((each for each in kinds if isinstance(each, type) and issubclass(each, Exception)), Exception)
    mine = next(each for each in type(error).__mro__ if getattr(builtins, each.__name__, None) is each)
    is_alike = class_name(error) == expected["raised"] or issubclass(mine, kind) or issubclass(kind, mine)
    return None if is_alike else f"an error of the kind {expected['raised']} is expected; it raises {said}"


@contextlib.contextmanager
def _limited(seconds):
    """Limit the time of a question, where the system has timers."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number, frame):
        raise WrongAnswer(f"it ran for more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _frames(count):
    """Allow `count` more frames, so that the recursion limit does not depend on who asks."""
    before, depth, frame = sys.getrecursionlimit(), 0, sys._getframe()
    while frame := frame.f_back:
        depth += 1
    sys.setrecursionlimit(depth + count)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
