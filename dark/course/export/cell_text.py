"""The source of a cell as a part of a file of a package: without the framework of the course and the notebook."""

import ast
import re
from typing import Any

from dark.course.judging.reference_use import mentions
from dark.course.lessons.code import code_of, span
from dark.course.lessons.imports import FRAMEWORK
from dark.course.lessons.redefined import redefined_in

DRAWING = "_drawing"  # the file of the object that replaces the pictures of the course
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
TRIALS = ast.Expr | ast.If | ast.For | ast.While | ast.With | ast.Try | ast.Assert


def text_of(source, exercise=None):
    """Return the text of a cell for a file: the same, apart from imports from the future, which go to its top.

    And: pictures of the course are drawn by nothing; trials with the framework are left out; a name that an answer
    defines again for itself alone is named after the answer.
    """
    own = redefined_in(source)
    tree = code_of(source).tree
    if tree is None:
        return source
    edits = [(node, "") for node in tree.body if _is_future(node) or isinstance(node, TRIALS) and mentions(node)]
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    edits += [(node, _import(node)) for node in imports if any(map(_is_framework, _imported(node)))]
    text = edited(source, edits)
    is_named = any(isinstance(node, ast.Name) and node.id == FRAMEWORK for node in ast.walk(ast.parse(text)))
    if is_named and not re.search(rf" as {FRAMEWORK}$", text, re.MULTILINE):
        text = f"from .{DRAWING} import nothing as {FRAMEWORK}\n{text}"
    return _renamed(text, {name: f"{name}_of_{exercise}" for name in own}) if own else text


def future_names(source):
    """Return the names that a cell imports from `__future__`."""
    tree = code_of(source).tree
    return {alias.name for node in (tree.body if tree else ()) if _is_future(node) for alias in node.names}


def edited(source, edits):
    """Return a source with some nodes of its syntax tree replaced by strings; a statement without one is removed."""
    lines = source.encode().split(b"\n")
    for node, new in sorted(edits, key=lambda edit: (edit[0].lineno, edit[0].col_offset), reverse=True):
        first = span(node)[0] if isinstance(node, ast.stmt) else node.lineno - 1
        last = node.end_lineno - 1
        before, after = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
        whole = before + new.encode() + after
        is_empty = isinstance(node, ast.stmt) and not new and not whole.strip(b" \t;")
        lines[first : last + 1] = [] if is_empty else [whole]
    return b"\n".join(lines).decode()


def _is_future(node):
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _imported(node):
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]


def _import(node):
    """Return the replacement, in a file, for an import of the framework, or of parts of it that draw."""
    is_from = isinstance(node, ast.ImportFrom)
    others = [] if is_from else [each for each in node.names if not _is_framework(each.name)]
    drawing = [alias for alias in node.names if alias not in others]
    names = [alias.asname or (alias.name if is_from else FRAMEWORK) for alias in drawing]
    drawn = f"from .{DRAWING} import " + ", ".join(f"nothing as {name}" for name in dict.fromkeys(names))
    return "; ".join([*([ast.unparse(ast.Import(others))] if others else []), drawn])


def _is_framework(name):
    return name.partition(".")[0] == FRAMEWORK


def _renamed(source, names):
    """Rename global names of a source, wherever they are not names of a function's own."""
    tree = ast.parse(source)
    places: list[tuple[Any, str]] = []

    def walk(node, local):
        if isinstance(node, FUNCTIONS):
            outside = [*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults)]
            for each in outside:
                walk(each, local)
            body = node.body if isinstance(node.body, list) else [node.body]
            inside = local | _local_names(node, body)
            for each in body:
                walk(each, inside)
        else:
            for child in ast.iter_child_nodes(node):
                walk(child, local)
        name: Any = getattr(node, "id" if isinstance(node, ast.Name) else "name", None)
        if name in names and name not in local and isinstance(node, ast.Name | ast.FunctionDef | ast.ClassDef):
            places.append((node, name))

    walk(tree, frozenset())
    lines = source.encode().split(b"\n")
    for node, name in sorted(places, key=lambda place: (place[0].lineno, place[0].col_offset), reverse=True):
        line, start = lines[node.lineno - 1], node.col_offset
        if not isinstance(node, ast.Name):
            start = line.index(name.encode(), start + (5 if isinstance(node, ast.ClassDef) else 3))
        lines[node.lineno - 1] = line[:start] + names[name].encode() + line[start + len(name.encode()) :]
    return b"\n".join(lines).decode()


def _local_names(node, body):
    """Return the names that a function binds itself."""
    arguments = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    inner = [each for statement in body for each in ast.walk(statement)]
    stored = {each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    shared = {name for each in inner if isinstance(each, ast.Global) for name in each.names}
    return frozenset(arguments | stored - shared)
