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
    """Raise if a statement that defines something in a student's cell uses the reference."""
    walked = [list(ast.walk(statement)) for statement in statements]
    own = {name for nodes in walked for name in _bound(nodes)}
    for nodes in walked:
        drawn = {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr == DRAW}
        for node in _code(nodes):
            if id(node) not in drawn and _uses_reference(node, own):
                raise ReferenceUsed(node.lineno)


def is_example(statement, cell):
    """Return whether a statement tries something with the reference, whose result no definition of its cell reads."""
    if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call) and mentions(statement)):
        return False
    defining = [
        each
        for each in cell
        if isinstance(each, ast.FunctionDef | ast.ClassDef) or isinstance(each, ast.Assign) and not binds_names(each)
    ]
    read = {name for each in defining for name in _read(each)}
    return binds_names(statement) and not read & set(_bound(ast.walk(statement)))


def _read(statement):
    """Return the names that a statement reads and does not bind itself."""
    nodes = list(ast.walk(statement))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, ast.Load)} - set(_bound(nodes))


def binds_names(statement):
    """Return whether an assignment has names as targets, also several, and nothing else."""
    targets = [node for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.expr)]
    return all(isinstance(node, ast.Name | ast.Tuple) for node in targets)


def mentions(statement):
    """Return whether a statement imports or names the reference."""
    return any(_uses_reference(node, ()) for node in _code(list(ast.walk(statement))))


def _code(nodes):
    """Leave out the docstrings of all nodes of a statement."""
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return (node for node in nodes if id(node) not in docstrings or not _is_string(node))


def _is_string(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _bound(nodes):
    """Yield the names that all nodes of a statement bind; a parameter named `dark` is the student's own."""
    for node in nodes:
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


def _uses_reference(node, own):
    if isinstance(node, ast.Import):
        return any(_is_reference(alias.name) and alias.asname for alias in node.names)  # without, its use is found
    if isinstance(node, ast.ImportFrom):
        module, names = node.module or "", [each.name for each in node.names]
        is_drawing = module.startswith(f"{REFERENCE}.{DRAW}") or names == [DRAW]
        return _is_reference(module) and not is_drawing
    if isinstance(node, ast.Name):
        return node.id == REFERENCE and REFERENCE not in own
    return _is_string(node) and IN_STRING.fullmatch(node.value) is not None


def _is_reference(name):
    return name.split(".")[0] == REFERENCE
