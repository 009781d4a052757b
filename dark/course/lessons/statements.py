"""The statements of a cell, each with what it binds, what it refers to and what it may change."""

import ast
import builtins
from dataclasses import dataclass
from functools import cached_property

from dark.course.lessons.names import Definition, defined_by, free_names, parsed, span

__all__ = ["Statement", "statements_of"]

REFERENCE = "dark"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_CHANGING = ("setattr", "delattr", "next")  # of Python's own functions
_DEFINING = (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement at the top level of a cell, or several that share a line.

    Parameters
    ----------
    cell : int
        The place of its cell in the notebook.
    first, last : int
        Its lines in the cell, as the ends of a slice.
    text : str
        These lines.
    nodes : tuple of ast.stmt
        The statement as Python reads it.
    definitions : tuple of Definition
        What it defines.
    """

    cell: int
    first: int
    last: int
    text: str
    nodes: tuple[ast.stmt, ...]
    definitions: tuple[Definition, ...] = ()

    @cached_property
    def binds(self):
        """The names it gives a value, in whatever way; `*` where it imports all there is."""
        return {name for node in self.nodes for name in _bound(node)}

    @cached_property
    def refers(self):
        """The names it takes from elsewhere, the old value of what it binds anew among them."""
        values = [node.value for node in self.nodes if isinstance(node, ast.Assign)]
        old = {inner.id for value in values for inner in _inside(value) if isinstance(inner, ast.Name)}
        return (free_names(self.text) or set()) | old & self.binds

    @cached_property
    def attributes(self):
        """The attributes it asks for."""
        return {inner.attr for node in self.nodes for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}

    @cached_property
    def attaches(self):
        """The methods it attaches to classes, each as `Class.method`."""
        return {each.name for each in self.definitions if each.how == "attach"}

    @cached_property
    def changes(self):
        """The names whose objects it may change: by a target, a method's call, a function's argument."""
        nodes = [node for node in self.nodes if not isinstance(node, _DEFINING)]
        return {name for node in nodes for name in _changed(node)}

    @property
    def is_import(self):
        """Whether it imports something, and nothing else."""
        return all(isinstance(node, ast.Import | ast.ImportFrom) for node in self.nodes)

    @cached_property
    def only_renames_reference(self):
        """Whether it only gives names to what the course's package holds."""
        is_plain = all(isinstance(node, ast.Assign | ast.Import | ast.ImportFrom) for node in self.nodes)
        return is_plain and (self.imports_reference or REFERENCE in self.refers)

    @cached_property
    def imports_reference(self):
        """Whether it imports the course's own package."""
        return any(_imports_reference(inner) for node in self.nodes for inner in ast.walk(node))

    @cached_property
    def is_unwritten(self):
        """Whether it still raises NotImplementedError, as a stub does."""
        return any(is_unwritten(node) for node in self.nodes)


def statements_of(cell, source):
    """List the statements of a cell.

    Parameters
    ----------
    cell : int
        Its place in the notebook.
    source : str
        Plain Python.

    Returns
    -------
    list of Statement
        Empty for a cell that is no Python.

    Examples
    --------
    >>> [sorted(each.binds) for each in statements_of(0, "import math as m; T = []\\nfor k in T: pass")]
    [['T', 'm'], ['k']]
    """
    tree, lines, groups = parsed(source), source.split("\n"), []
    for node in tree.body if tree else ():
        first, last = span(node)
        if groups and first < groups[-1][1]:
            groups[-1] = groups[-1][0], last, [*groups[-1][2], node]
        else:
            groups.append((first, last, [node]))
    return [_statement(cell, first, last, lines, nodes) for first, last, nodes in groups]


def _statement(cell, first, last, lines, nodes):
    found = tuple(each for node in nodes for each in defined_by(node))
    return Statement(cell, first, last, "\n".join(lines[first:last]), tuple(nodes), found)


def is_unwritten(node):
    """Say whether a part of a tree still raises NotImplementedError."""
    return any(isinstance(inner, ast.Raise) and "NotImplementedError" in ast.dump(inner) for inner in ast.walk(node))


def _inside(node):
    """Walk a statement, but no function's or class's inside."""
    yield node
    if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        for child in ast.iter_child_nodes(node):
            yield from _inside(child)


def _bound(statement):
    local = {
        id(target)
        for inner in ast.walk(statement)
        if isinstance(inner, ast.comprehension)
        for target in ast.walk(inner.target)
    }
    for node in _inside(statement):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.Import() | ast.ImportFrom():
                yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
            case ast.Name(name, ast.Store()) if id(node) not in local and not isinstance(statement, ast.AugAssign):
                yield name


def _changed(statement):
    for node in _inside(statement):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                yield from _base(node)
            case ast.AugAssign(target=ast.Name(name)):
                yield name
            case ast.Call(func=function) if not isinstance(statement, ast.Assign | ast.AnnAssign):
                yield from _base(function)
                yield from _handed_over(node)


def _handed_over(call):
    """Name the arguments of a call, but not those of Python's own functions, which only look at them."""
    name = getattr(call.func, "id", "")
    if name in _CHANGING or not hasattr(builtins, name):
        yield from (argument.id for argument in call.args if isinstance(argument, ast.Name))


def _base(node):
    """Name what an attribute or an item belongs to; a plain name belongs to nothing."""
    owned = False
    while isinstance(node, ast.Attribute | ast.Subscript):
        node, owned = node.value, True
    return [node.id] if owned and isinstance(node, ast.Name) else []


def _imports_reference(node):
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] == REFERENCE for alias in node.names)
    return isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == REFERENCE
