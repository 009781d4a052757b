"""Mutants of an answer: copies with one small change each, named by the lines that differ."""

import ast
import difflib
import warnings
from dataclasses import dataclass

from tests.exams.mutants.changes import changed, kept, other_names


@dataclass(frozen=True)
class Mutant:
    """A changed answer.

    Parameters
    ----------
    name : str
        The lines that differ, before and after, such as ``return a + b → return a - b``.
    source : str
        The whole cell.
    keeps_state : bool
        Whether a call may depend on the calls before.
    """

    name: str
    source: str
    keeps_state: bool = False


def mutants_of(source):
    """Return the mutants of an answer, each different from the others and from the answer.

    Parameters
    ----------
    source : str
        A cell.

    Returns
    -------
    list of Mutant

    Examples
    --------
    >>> [mutant.name for mutant in mutants_of("def f(): return 2")][:2]
    ['return 2 → pass', 'return 2 → return -2']
    """
    tree = ast.parse(source)
    _drop_what_is_not_asked(tree)
    plain = ast.unparse(tree)
    found = {plain: None}
    for text, keeps_state in _texts(tree):
        if text not in found and _compiles(text):
            found[text] = keeps_state
    del found[plain]
    named = {}
    for text, keeps_state in found.items():
        name, count = _difference(plain, text), 1
        while (name if count == 1 else f"{name} ({count})") in named:
            count += 1
        name = name if count == 1 else f"{name} ({count})"
        named[name] = Mutant(name, text, keeps_state)
    return list(named.values())


def _texts(tree):
    """Yield the source of each mutant, and whether it keeps state."""
    for parent in list(ast.walk(tree)):
        for name, value in ast.iter_fields(parent):
            members = value if isinstance(value, list) else [value]
            for k, node in enumerate(members):
                if isinstance(node, ast.AST):
                    yield from ((text, False) for text in _replaced(tree, parent, name, k, node))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    for function in functions:
        for node, other in other_names(function):
            before, node.id = node.id, other.id
            yield ast.unparse(tree), False
            node.id = before
    for node in (node for node in functions if isinstance(node, ast.FunctionDef)):
        for copy in kept(node):
            before = dict(ast.iter_fields(node))
            vars(node).update(ast.iter_fields(copy))
            yield ast.unparse(tree), True
            vars(node).update(before)


def _replaced(tree, parent, name, k, node):
    """Yield the source of the tree with one node replaced."""
    is_listed = isinstance(getattr(parent, name), list)
    for other in changed(node):
        if is_listed:
            getattr(parent, name)[k] = other
        else:
            setattr(parent, name, other)
        yield ast.unparse(ast.fix_missing_locations(tree))
    if is_listed:
        getattr(parent, name)[k] = node
    else:
        setattr(parent, name, node)


def _drop_what_is_not_asked(tree):
    """Drop docstrings and `__repr__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            asked = node.body[ast.get_docstring(node) is not None :]
            node.body = [each for each in asked if getattr(each, "name", "") != "__repr__"] or [ast.Pass()]


def _compiles(text):
    """Return whether Python compiles `text` without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            compile(text, "mutant", "exec")
        except (SyntaxError, ValueError):
            return False
    return True


def _difference(before, after):
    """Return the lines that differ."""
    lines = before.splitlines(), after.splitlines()
    marked = [line for line in difflib.ndiff(*lines) if line[0] in "+-"]
    old, new = (" ; ".join(line[2:].strip() for line in marked if line[0] == sign) for sign in "-+")
    return f"{old or 'nothing'} → {new or 'nothing'}"
