"""The exceptions of `dark`; each message has three parts: the broken rule, the expected value, a suggestion.

::

    DarkError
    ├── ValueTypeError      TypeError        a value of an unsupported type
    ├── ShapeError          ValueError       arrays whose shapes do not match
    │   └── IndexingError   IndexError       an index that is out of bounds or invalid
    ├── OperationError      TypeError        an operation that breaks its contract (`_f`, `_df`)
    ├── GradientError       RuntimeError     a backward pass that would be wrong
    ├── AnomalyError        ArithmeticError  a NaN, found while `dark.anomaly()` is on
    ├── DrawingError        ValueError       a picture that cannot be drawn or written
    ├── CourseError         ValueError       an invalid module, exercise or file of the course
    ├── StorageError        ValueError       a damaged file, or a value that cannot be saved
    ├── UsageError          ValueError       an invalid argument or command line
    ├── EngineError         RuntimeError     an action that is invalid in the engine's state
    ├── NotComputableError  RuntimeError     a metric computed before it has been updated
    ├── DistributedError    RuntimeError     processes that do not answer, or run apart
    ├── MissingNameError    AttributeError   a name that an object does not have, such as one of PyTorch or Ignite
    ├── MissingImportError  ImportError      such a name, or such a module, in an import
    ├── KeywordError        TypeError        a keyword argument that a function does not have
    └── MissingExtraError   ImportError      an optional package that is not installed
"""

import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from enum import Enum
from importlib import import_module
from typing import Any


class DarkError(Exception):
    """The base class of all exceptions of this package: the broken rule, the expected value, a suggestion.

    >>> print(DarkError("add: one input.", "two inputs.", "add(x, y)"))
    add: one input.
      Expected: two inputs.
      Try: add(x, y)
    """

    def __init__(self, what: str, expected: str | None = None, try_: str | None = None) -> None:
        lines = [what]
        if expected:
            lines.append(f"  Expected: {expected}")
        if try_:
            lines.append(f"  Try: {try_}")
        super().__init__("\n".join(lines))


class ValueTypeError(DarkError, TypeError):
    """A value of an unsupported type."""


class ShapeError(DarkError, ValueError):
    """Arrays whose shapes do not match, or an axis that an array does not have."""


class IndexingError(ShapeError, IndexError):
    """An index that is out of bounds, or an invalid index."""


class OperationError(DarkError, TypeError):
    """An operation that breaks its contract: its `_f`, its `_df`, or its number of inputs."""


class GradientError(DarkError, RuntimeError):
    """A backward pass whose gradients would be wrong, or that cannot start."""


class AnomalyError(DarkError, ArithmeticError):
    """A NaN that appeared while `dark.anomaly()` was on."""


class DrawingError(DarkError, ValueError):
    """A picture that cannot be drawn, laid out or written."""


class CourseError(DarkError, ValueError):
    """An invalid module, exercise, notebook or log of the course."""


class StorageError(DarkError, ValueError):
    """A file that is damaged or has another format, or a value that cannot be saved."""


class UsageError(DarkError, ValueError):
    """An invalid argument or command line."""


class EngineError(DarkError, RuntimeError):
    """An action that is invalid in the engine's current state."""


class NotComputableError(DarkError, RuntimeError):
    """A metric whose result is requested before it has been updated."""


class DistributedError(DarkError, RuntimeError):
    """A process of a distributed training that does not answer, or that computes something else."""


class MissingNameError(DarkError, AttributeError):
    """A name that an object does not have, such as one of PyTorch or Ignite."""


class MissingImportError(DarkError, ModuleNotFoundError):
    """An import of a name or a module that does not exist, such as one of PyTorch or Ignite."""


class KeywordError(DarkError, TypeError):
    """A keyword argument that a function does not have, or that it has under another name."""


class MissingExtraError(DarkError, ImportError):
    """An optional package that is not installed."""


def near_misses(name: object, known: Iterable[object]) -> str:
    """Return the known names that are similar to an unknown one, or all of them, as a phrase.

    >>> near_misses("bakward", ["backward", "slope"])
    'backward'
    >>> near_misses("zzz", ["backward", "slope"])
    'one of backward, slope'
    """
    names = [str(k) for k in known]
    close = get_close_matches(str(name), names, n=3, cutoff=0.6) if isinstance(name, (str, Enum, int)) else ()
    return " or ".join(close) if close else "one of " + ", ".join(names)


def missing_extra(package: str, extra: str) -> MissingExtraError:
    """Return the error for an optional dependency that is not installed.

    >>> print(missing_extra("matplotlib", "lab"))
    matplotlib is not installed.
      Expected: the extra 'lab'.
      Try: pip install "dark-course[lab]"
    """
    return MissingExtraError(
        f"{package} is not installed.", f"the extra '{extra}'.", f'pip install "dark-course[{extra}]"'
    )


def module_getattr(home: str, elsewhere: str = "", names: Iterable[str] = ()) -> Callable[[str], Any]:
    """Return the function `__getattr__` of a module, which Python calls for a name that the module does not have.

    The advice is in `dark.spellings`, which is loaded then. `home` is the name of the module. Its `names` that belong
    to the module `elsewhere`, which is built on this one, are loaded from there.

    >>> try:
    ...     module_getattr("dark.nn")("Unflatten")
    ... except MissingNameError as error:
    ...     print(error)
    module 'dark.nn' has no attribute 'Unflatten'.
      Expected: a name of dark: one line each.
      Try: nn.Function(lambda x: x.reshape(len(x), 2, 2))
    """

    def __getattr__(name: str) -> Any:
        if name in names:
            return getattr(import_module(elsewhere), name)
        raise import_module(f"{__package__}.spellings").missing_error(home, name, sys._getframe(1))

    return __getattr__
