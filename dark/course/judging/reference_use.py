"""Refuse an answer that uses the reference implementation."""

import ast
import re

REFERENCE = "dark"
DRAW = "draw"  # to draw a graph is not to borrow
# The name of the reference, or an import of it, in a string: an argument of `import_module` or `exec`.
IN_STRING = re.compile(rf"{REFERENCE}(\.\w+)*|(.*\W)?(from|import)\s+{REFERENCE}\b.*", re.DOTALL)


class ReferenceUsed(Exception):
    """An exercise uses the reference itself, at `line`."""

    def __init__(self, line):
        super().__init__("The exercise uses the reference `dark` itself; use your own functions and classes.")
        self.line = line


def refuse_reference_use(statements):
    """Raise if one of the statements imports or names the reference.

    Parameters
    ----------
    statements : iterable of ast.stmt
        The statements of the student's cell that define something.

    Raises
    ------
    ReferenceUsed
        At the first use.

    Examples
    --------
    >>> refuse_reference_use(ast.parse("from dark import add").body)
    Traceback (most recent call last):
    ...
    dark.course.judging.reference_use.ReferenceUsed: The exercise uses the reference `dark` itself; ...
    """
    statements = list(statements)
    own = {name for statement in statements for name in _bound(statement)}
    for statement in statements:
        if isinstance(statement, ast.Import) and _only_the_package(statement):
            continue
        attributes = [node for node in ast.walk(statement) if isinstance(node, ast.Attribute)]
        drawn = {id(node.value) for node in attributes if node.attr == DRAW}
        for node in _code(statement):
            if id(node) not in drawn and _uses_reference(node, own):
                raise ReferenceUsed(node.lineno)


def mentions(statement):
    """Return whether a statement imports or names the reference.

    Examples
    --------
    >>> mentions(ast.parse("dark.draw(y)").body[0])
    True
    """
    return any(_uses_reference(node, ()) for node in _code(statement))


def _code(statement):
    """Walk a statement without its docstrings."""
    docstrings = {
        id(node.value) for node in ast.walk(statement) if isinstance(node, ast.Expr) and _is_string(node.value)
    }
    return (node for node in ast.walk(statement) if id(node) not in docstrings)


def _is_string(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _only_the_package(statement):
    """Return whether an import only binds package names; every use of the name is checked anyway."""
    return all(alias.asname is None for alias in statement.names)


def _bound(statement):
    """Yield the names that a statement binds; a parameter named `dark` is the student's own."""
    for node in ast.walk(statement):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


def _uses_reference(node, own):
    if isinstance(node, ast.Import):
        return any(_is_reference(alias.name) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return _is_reference(node.module or "") and [alias.name for alias in node.names] != [DRAW]
    if isinstance(node, ast.Name):
        return node.id == REFERENCE and REFERENCE not in own
    return _is_string(node) and IN_STRING.fullmatch(node.value) is not None


def _is_reference(name):
    return name.split(".")[0] == REFERENCE
