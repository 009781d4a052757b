"""The unfinished parts of an answer: all of it, or functions that still contain `raise NotImplementedError`."""

import ast
from dataclasses import dataclass

from dark.course.lessons.code import code_of, is_stub

NAME = "NotImplementedError"


@dataclass(frozen=True)
class Stub:
    """A function that still contains `raise NotImplementedError`."""

    name: str  # such as `Add._df`; empty for a line outside all functions
    line: int  # of the `raise`, counted from 1
    alone: bool  # whether the function contains nothing else except a docstring


def is_attempted(source, stub):
    """Return whether an answer differs from its stub; comments and docstrings are ignored."""
    if not (source and source.strip()):
        return False
    if NAME in stub and NAME not in source:  # most answers, without a look at their syntax trees
        return True
    return code_of(source).shape != code_of(stub).shape


def stubs_in(source):
    """Return the stubs of an answer, in line order; none if it is not valid Python."""
    tree = code_of(source).tree
    found = _below(tree, "", tree) if tree else ()
    return tuple(sorted(found, key=lambda stub: stub.line))


def describe_stubs(stubs):
    """Return the functions that are left to write, one line for each stub."""
    lines = []
    for stub in stubs:
        owner, text = f"`{stub.name}`: " if stub.name else "", f"line {stub.line} still contains `raise {NAME}`"
        says = f"{owner}{text}, which stops the code there. Delete that line."
        alone = f"`{stub.name}` is still a stub: replace `raise {NAME}` in line {stub.line} of the cell by your code."
        lines.append(alone if stub.alone else says)
    return "\n".join(lines)


def _below(node, prefix, owner):
    """Walk the statements; the name of a function includes the names of the enclosing classes."""
    for child in ast.iter_child_nodes(node):
        if is_stub(child):
            others = [each for each in owner.body if not isinstance(each, ast.Raise)]  # at most a docstring
            is_alone = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in others)
            yield Stub(prefix, child.lineno, is_alone and not isinstance(owner, ast.Module))
        elif isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _below(child, f"{prefix}.{child.name}".lstrip("."), child)
        else:
            yield from _below(child, prefix, owner)
