"""The errors a user can meet, each saying what was wrong, what was expected, and what to try.

::

    DarkError
    ├── ValueTypeError      TypeError        a value that cannot stand in a graph
    ├── ShapeError          ValueError       arrays whose shapes do not fit each other
    │   └── IndexingError   IndexError       a place that an array does not have, or that is no place
    ├── OperationError      TypeError        an operation that breaks its contract (`_f`, `_df`)
    ├── GradientError       RuntimeError     a backward pass that cannot be right
    ├── AnomalyError        ArithmeticError  a NaN, found while `dark.anomaly()` is on
    ├── DrawingError        ValueError       a picture that cannot be drawn or written
    ├── CourseError         ValueError       a module, exercise or file the course cannot use
    ├── StorageError        ValueError       a file that cannot be trusted, or something that cannot be saved
    ├── UsageError          ValueError       an argument or a command line that makes no sense
    ├── EngineError         RuntimeError     something that an engine cannot do where it is
    ├── NotComputableError  RuntimeError     a metric asked for its result before it has seen anything
    └── MissingExtraError   ImportError      an optional part that is not installed
"""

from difflib import get_close_matches


class DarkError(Exception):
    """The root of all errors of this package.

    Parameters
    ----------
    what : str
        What was wrong, with the values.
    expected : str, optional
        What would have been right.
    try_ : str, optional
        The next thing to do.

    Examples
    --------
    >>> print(DarkError("add: one input.", "two inputs.", "add(x, y)"))
    add: one input.
      Expected: two inputs.
      Try: add(x, y)
    """

    def __init__(self, what, expected=None, try_=None):
        lines = [what]
        if expected:
            lines.append(f"  Expected: {expected}")
        if try_:
            lines.append(f"  Try: {try_}")
        super().__init__("\n".join(lines))


class ValueTypeError(DarkError, TypeError):
    """A value that cannot stand in a graph."""


class ShapeError(DarkError, ValueError):
    """Arrays whose shapes do not fit each other, or an axis that an array does not have."""


class IndexingError(ShapeError, IndexError):
    """A place that an array does not have, or something that means no place."""


class OperationError(DarkError, TypeError):
    """An operation that breaks its contract: its `_f`, its `_df`, or how many inputs it takes."""


class GradientError(DarkError, RuntimeError):
    """A backward pass that cannot be right, or that has nothing to do."""


class AnomalyError(DarkError, ArithmeticError):
    """A NaN that appeared while `dark.anomaly()` was on."""


class DrawingError(DarkError, ValueError):
    """A picture that cannot be drawn, laid out or written."""


class CourseError(DarkError, ValueError):
    """A module, an exercise, a notebook or a log that the course cannot use."""


class StorageError(DarkError, ValueError):
    """A file that is damaged or of another kind, or something that cannot be saved."""


class UsageError(DarkError, ValueError):
    """An argument or a command line that makes no sense."""


class EngineError(DarkError, RuntimeError):
    """Something that an engine cannot do where it is in its run."""


class NotComputableError(DarkError, RuntimeError):
    """A metric that was asked for its result before it has seen anything."""


class MissingExtraError(DarkError, ImportError):
    """An optional part of the package that is not installed."""


def near_misses(name, known):
    """Say which known names are close to a wrong one, or list them all.

    Parameters
    ----------
    name : str
        What was asked for.
    known : iterable of str
        What there is.

    Returns
    -------
    str
        A phrase for the `Try:` line of an error.

    Examples
    --------
    >>> near_misses("bakward", ["backward", "slope"])
    'backward'
    >>> near_misses("zzz", ["backward", "slope"])
    'one of backward, slope'
    """
    known = [str(k) for k in known]
    close = get_close_matches(str(name), known, n=3, cutoff=0.6)
    return " or ".join(close) if close else "one of " + ", ".join(known)


def missing_extra(package, extra):
    """Make the error for an optional dependency that is not there.

    Examples
    --------
    >>> print(missing_extra("matplotlib", "lab"))
    matplotlib is not installed.
      Expected: the extra 'lab'.
      Try: pip install "dark-course[lab]"
    """
    return MissingExtraError(
        f"{package} is not installed.",
        f"the extra '{extra}'.",
        f'pip install "dark-course[{extra}]"',
    )
