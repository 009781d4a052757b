"""Stubs that still stand in an answer: which functions hold `raise NotImplementedError`, and where."""

import ast
from dataclasses import dataclass

from dark.course.lessons.names import parsed

NAME = "NotImplementedError"


@dataclass(frozen=True)
class Stub:
    """A function that still raises what the printed stub raises.

    Parameters
    ----------
    name : str
        Such as `slope` or `Add._df`; empty for a line outside of every function.
    line : int
        Where the `raise` stands, counted from 1.
    alone : bool
        Whether the function holds nothing else, its docstring aside.
    """

    name: str
    line: int
    alone: bool


def stubs_in(source):
    """List the stubs of an answer.

    Parameters
    ----------
    source : str
        The student's cell.

    Returns
    -------
    tuple of Stub
        In the order of their lines; empty for what is no Python.

    Examples
    --------
    >>> stubs_in("class A:\\n    def f(x):\\n        raise NotImplementedError\\n        return x")
    (Stub(name='A.f', line=3, alone=False),)
    """
    tree = parsed(source)
    found = _below(tree, "", tree) if tree else ()
    return tuple(sorted(found, key=lambda stub: stub.line))


def say_stubs(stubs):
    """Say what is left to write, one line a stub.

    Examples
    --------
    >>> print(say_stubs([Stub("Add._df", 14, True)]))
    `Add._df` is still a stub: write it in place of `raise NotImplementedError` (line 14 of the cell).
    """
    return "\n".join(_say(stub) for stub in stubs)


def _say(stub):
    if stub.alone:
        return f"`{stub.name}` is still a stub: write it in place of `raise {NAME}` (line {stub.line} of the cell)."
    owner = f"`{stub.name}`: " if stub.name else ""
    return f"{owner}`raise {NAME}` still stands in line {stub.line} and ends everything there. Delete that line."


def _below(node, prefix, owner):
    """Walk the statements; a function's name carries those of the classes around it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise) and _is_stub(child):
            yield Stub(prefix, child.lineno, _is_alone(owner))
        elif isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _below(child, f"{prefix}.{child.name}".lstrip("."), child)
        else:
            yield from _below(child, prefix, owner)


def _is_stub(statement):
    error = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(error, ast.Name) and error.id == NAME


def _is_alone(owner):
    if isinstance(owner, ast.Module):
        return False
    return all(isinstance(each, ast.Raise) or _is_docstring(each) for each in owner.body)


def _is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
