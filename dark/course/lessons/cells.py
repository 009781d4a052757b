"""The code cells of a student, each parsed once: statements, with the names each binds, refers to and may modify."""

import ast
import builtins
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dark.course.lessons.blank import printed_hash
from dark.course.lessons.code import LARGEST_CELL, Definition, code_of, defined_by, free_names, span

REFERENCE = "dark"
STUB = "NotImplementedError"
# Functions of a notebook; a call of such a function next to an answer is not part of the answer.
_NOTEBOOK_ONLY = ("check", "hint", "predict", "reset", "show_class", "display")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_CHANGING = ("setattr", "delattr", "next")  # builtins that modify an argument
_DEFINING = (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)


@dataclass(frozen=True, eq=False)
class Statement:
    """A top-level statement of a cell, or several that share a line."""

    cell: int  # the index of its cell in the notebook
    first: int  # with `last`, its lines in the cell, as the bounds of a slice
    last: int
    text: str  # the source of these lines
    nodes: tuple[ast.stmt, ...]
    definitions: tuple[Definition, ...] = ()  # what they define

    @cached_property
    def binds(self):
        """The names it binds in any way; `*` for a star import."""
        return {name for node in self.nodes for name in bound_names(node)}

    @cached_property
    def names(self):
        """The names it binds or defines, including `Class.method`."""
        return self.binds | {each.name for each in self.definitions}

    @property
    def is_notebook_only(self):
        """Whether it only calls a function of the notebook."""
        match self.nodes:
            case (ast.Expr(ast.Call(func=ast.Name(name))),):
                return name in _NOTEBOOK_ONLY
        return False

    @cached_property
    def refers(self):
        """The names it refers to, including the previous value of a name that it rebinds."""
        values = [node.value for node in self.nodes if isinstance(node, ast.Assign)]
        old = {inner.id for value in values for inner in _inside(value) if isinstance(inner, ast.Name)}
        return (free_names(self.text) or set()) | old & self.binds

    @cached_property
    def attributes(self):
        """The attributes it accesses."""
        return {inner.attr for node in self.nodes for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}

    @cached_property
    def changes(self):
        """The names whose objects it may modify: as a target, in a method call or as an argument."""
        nodes = [node for node in self.nodes if not isinstance(node, _DEFINING)]
        return {name for node in nodes for name in _changed(node)}

    @cached_property
    def only_renames_reference(self):
        """Whether it only assigns names to objects of the reference."""
        is_plain = all(isinstance(node, ast.Assign | ast.Import | ast.ImportFrom) for node in self.nodes)
        return is_plain and (self.imports_reference or REFERENCE in self.refers)

    @cached_property
    def imports_reference(self):
        """Whether it imports the reference."""
        return any(_imports_reference(inner) for node in self.nodes for inner in ast.walk(node))

    @cached_property
    def is_unwritten(self):
        """Whether it still raises NotImplementedError, as a stub does."""
        return any(is_unwritten(node, self.text) for node in self.nodes)


@dataclass(frozen=True)
class Cell:
    """A code cell of the student."""

    index: int  # in the notebook
    source: str  # plain Python
    exercise: str | None  # the exercise that it answers
    is_marked: bool  # whether its metadata name an exercise
    broken: bool  # whether it does not compile
    statements: tuple[Statement, ...]  # empty if it is broken

    @property
    def definitions(self):
        """Its definitions, in order."""
        return [each for statement in self.statements for each in statement.definitions]


def student_cells(notebook, module):
    """Return the code cells of a notebook that the student wrote or may write: all except the course's."""
    cells = []
    for index, cell in enumerate(notebook["cells"]):
        source, course = cell["source"], cell.get("metadata", {}).get("dark", {})
        printed = course.get("printed") if course.get("kind") != "exercise" else None
        if cell["cell_type"] != "code" or source.strip() in module.course_sources:
            continue
        if printed and printed == printed_hash(source):
            continue
        code, mark = code_of(source), module.mark_of(cell)
        is_broken = code.tree is None or free_names(code.plain) is None
        too_large = f"This cell has {len(source):,} characters; at most {LARGEST_CELL:,} are read."
        text = code.plain if len(source) <= LARGEST_CELL else too_large  # is not valid Python: the answer shows why
        statements = () if is_broken else tuple(_statements(index, code))
        cells.append(Cell(index, text, module.exercise_of(code, mark), mark is not None, is_broken, statements))
    return cells


def _statements(index, code):
    """Yield the statements of a cell; those that share a line are one."""
    lines = code.plain.split("\n")
    groups: list[Any] = []
    for node in code.tree.body:
        first, last = span(node)
        if groups and first < groups[-1][1]:
            first, _, *others = groups.pop()
            node = (*others[0], node)
        groups.append((first, last, node if isinstance(node, tuple) else (node,)))
    for first, last, nodes in groups:
        definitions = tuple(each for node in nodes for each in defined_by(node))
        yield Statement(index, first, last, "\n".join(lines[first:last]), nodes, definitions)


def is_unwritten(node, text):
    """Return whether a node of the syntax tree of `text` still raises NotImplementedError."""
    if STUB not in text:
        return False
    return any(isinstance(inner, ast.Raise) and STUB in ast.dump(inner) for inner in ast.walk(node))


def _inside(node):
    """Walk a statement without the bodies of functions and classes."""
    yield node
    if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        for child in ast.iter_child_nodes(node):
            yield from _inside(child)


def bound_names(statement):
    """Yield the names that a statement binds in the scope where it stands; `*` for a star import."""
    inside = list(_inside(statement))
    loops = [inner for inner in inside if isinstance(inner, ast.comprehension)]
    local = {id(target) for loop in loops for target in ast.walk(loop.target)}
    for node in inside:
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
            case ast.Call(func=function, args=arguments) if not isinstance(statement, ast.Assign | ast.AnnAssign):
                yield from _base(function)
                name = getattr(function, "id", "")
                if name in _CHANGING or not hasattr(builtins, name):  # most builtins do not modify their arguments
                    yield from (argument.id for argument in arguments if isinstance(argument, ast.Name))


def _base(node):
    """Return the name of the object whose attribute or item a node is; empty for a plain name."""
    owned = False
    while isinstance(node, ast.Attribute | ast.Subscript):
        node, owned = node.value, True
    return [node.id] if owned and isinstance(node, ast.Name) else []


def _imports_reference(node):
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] == REFERENCE for alias in node.names)
    return isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == REFERENCE
