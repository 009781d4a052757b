"""Errors of a student's code as observations, with the traceback cut to the student's own lines."""

import linecache

from dark.course.exams.plain import class_name
from dark.course.judging.reference_use import ReferenceUsed

MOST_LINES = 4
MOST_CHARACTERS = 400
YOURS, REFERENCE = ("<exercise ", "<bug "), "reference "
RECURSION = "It calls itself more often than Python's recursion limit allows."


def describe_error(error, implementation=None, body=None):
    """Convert an error to an observation: ``raised``, ``not attempted`` or ``stopped``, see `observe`.

    The implementation tells whether a missing name is its own. A KeyboardInterrupt of the user is raised.
    """
    lines = _lines(error, getattr(body, "__code__", None))
    own = lines[-1] if lines and lines[-1]["where"] != "check" else None
    if isinstance(error, NotImplementedError) and own and "raise NotImplementedError" in own["source"]:
        return {"not attempted": own["where"].partition(" ")[2]}
    if isinstance(error, ReferenceUsed):
        return {"stopped": "uses the reference", "message": f"{error} (line {error.line})", "lines": []}
    if isinstance(error, KeyboardInterrupt) and not (own and "raise" in own["source"]):
        raise error
    if isinstance(error, SystemExit | KeyboardInterrupt):
        message = f"It ended the whole program ({class_name(error)})."
        return {"stopped": "exited", "message": message, "lines": lines}
    message = _message(error, implementation)
    names = [type.__dict__["__name__"].__get__(kind) for kind in type(error).__mro__]
    kinds = " ".join(name for name in names if name not in ("Exception", "BaseException", "object"))
    seen = {"raised": class_name(error), "message": message, "lines": lines, "kinds": kinds}
    within = _within(error)
    return {**seen, "within": within} if within else seen


def _within(error):
    """Return the exercise in whose reference code an error was raised; empty for an error anywhere else."""
    trace, name = error.__traceback__, ""
    while trace is not None:
        name, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
    return name.strip("<>").removeprefix(REFERENCE) if name.startswith(f"<{REFERENCE}") else ""


def _message(error, implementation):
    if type(error) is RecursionError:
        return RECURSION
    if type(error) is AttributeError and implementation is not None and error.obj is implementation:
        return f"Your code defines no `{error.name}`."
    if isinstance(error, SyntaxError):
        return str(error.msg)
    try:
        text = str(error)
    except Exception:  # `__str__` of a student's class may raise
        return ""
    return text[:MOST_CHARACTERS] if type(text) is str else ""


def _lines(error, code):
    """Return the lines of the student and of the question in a traceback, without repetitions."""
    found, trace = [], error.__traceback__
    while trace is not None:
        frame_code = trace.tb_frame.f_code
        name, is_body = frame_code.co_filename, code is not None and frame_code is code
        if is_body or name.startswith(YOURS):
            line = _line("check" if is_body else name.strip("<>"), name, trace.tb_lineno)
            if is_body or line not in found:
                found.append(line)
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and (name := str(error.filename)).startswith(YOURS):
        found.append(_line(name.strip("<>"), name, error.lineno or 1))
    return found[:1] + found[1:][-MOST_LINES + 1 :]


def _line(where, filename, number):
    source = linecache.getline(filename, number).strip()
    return {"where": where, "line": number, "source": source[:MOST_CHARACTERS]}
