"""The source of a cell, parsed once, and the names that it defines and refers to."""

import ast
import re
import symtable
import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeGuard

from dark.course.lessons.magics import plain_python

LARGEST_CELL = 200_000  # characters; the parser needs about 500 bytes for each
CACHED = 5_000  # characters of the largest cell that is cached
DEEPEST = 100  # levels of nesting in a statement; the limit of Python's parser is a little higher

_HEAD = re.compile(r"^(?:async\s+def|def|class)\s+(\w+)|^(\w+(?:\.\w+)?)\s*=(?!=)", re.MULTILINE | re.ASCII)
_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)


@dataclass(frozen=True)
class Definition:
    """One name that a cell defines, and the statement that defines it.

    `how` is `def`, `class`, `import`, `method` (in a class), `attach` (`Class.name = ...`) or `value` (an assignment).
    """

    name: str
    how: str
    statement: ast.stmt
    node: ast.AST


@dataclass(frozen=True, eq=False)
class Code:
    """A source, parsed once; see `code_of`."""

    source: str  # a cell as it was typed; lone surrogates are escaped

    @cached_property
    def plain(self):
        """The source as plain Python, without magics."""
        return plain_python(self.source)

    @cached_property
    def tree(self):
        """The syntax tree, not to be changed, with `pass` for too deep statements; None if invalid, or too large."""
        return self._parse()

    @cached_property
    def definitions(self):
        """The definitions at its top level, in order; empty if it is not valid Python."""
        return [definition for statement in self.tree.body for definition in defined_by(statement)] if self.tree else []

    @cached_property
    def names(self):
        """The names that it defines, including `Class.method`, in order; of invalid Python by the heads of lines."""
        heads = [] if self.tree else [first or second for first, second in _HEAD.findall(self.source)]
        return tuple(dict.fromkeys([*heads, *(definition.name for definition in self.definitions)]))

    @cached_property
    def shape(self):
        """Its syntax tree as a string, without docstrings and stubs' messages; its words if it is not valid Python."""
        if self.tree is None:
            return self.source.split()
        tree = self._parse()
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
                node.body[:1] = []
            elif is_stub(node):
                node.exc = None
        return ast.dump(tree)

    def _parse(self):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(self.plain) if len(self.source) <= LARGEST_CELL else None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            tree = None
        if tree:
            for k, (each, (first, last)) in enumerate(zip(tree.body, map(span, tree.body))):
                if _is_too_deep(each):
                    tree.body[k] = ast.Pass(lineno=first + 1, col_offset=0, end_lineno=last, end_col_offset=0)
        return tree


def code_of(source):
    """Return a source as `Code`; small ones are cached.

    >>> code_of("import math\\ndef f(self): ...\\nNode.g = f").names
    ('math', 'f', 'Node.g')
    >>> code_of("def f(:").names, code_of("def f(:").tree
    (('f',), None)
    """
    escaped = source.encode("utf-8", "backslashreplace").decode()
    return _cached(escaped) if len(escaped) <= CACHED else Code(escaped)


_cached = lru_cache(maxsize=256)(Code)


def _is_too_deep(statement):
    level, depth = [statement], 0
    while level and depth < DEEPEST:
        level, depth = [child for node in level for child in ast.iter_child_nodes(node)], depth + 1
    return bool(level)


def span(node):
    """Return the lines of a node, including decorators, as the bounds of a slice."""
    heads = [node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))]
    return min(heads) - 1, node.end_lineno


def defined_by(statement, node=None):
    """Yield the definitions of a top-level statement, including blocks such as `if`, without bodies of functions."""
    node = node or statement
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield Definition(node.name, "def", statement, node)
    elif isinstance(node, ast.ClassDef):
        yield from _defined_by_class(node, statement)
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield Definition((alias.asname or alias.name).split(".")[0], "import", statement, node)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from _defined_by_target(target, node, statement)
    elif isinstance(node, ast.Expr):
        match node.value:
            case ast.Call(func=ast.Name("setattr"), args=[ast.Name(owner), ast.Constant(str(name)), _]):
                yield Definition(f"{owner}.{name}", "attach", statement, node)
    elif isinstance(node, _BLOCKS):
        for child in ast.iter_child_nodes(node):
            for inner in child.body if isinstance(child, ast.ExceptHandler) else [child]:
                yield from defined_by(statement, inner)


def _defined_by_class(node, statement):
    if node.name not in [getattr(base, "id", None) for base in node.bases]:  # else the class is extended
        yield Definition(node.name, "class", statement, node)
    for inner in node.body:
        for definition in defined_by(statement, inner):
            if "." not in definition.name:
                yield Definition(f"{node.name}.{definition.name}", "method", statement, inner)


def _defined_by_target(target, node, statement):
    if isinstance(target, ast.Name):
        yield Definition(target.id, "def" if _is_function(node.value, target.id) else "value", statement, node)
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        yield Definition(f"{target.value.id}.{target.attr}", "attach", statement, node)
    elif isinstance(target, ast.Tuple | ast.List | ast.Starred):
        for inner in ast.iter_child_nodes(target):
            yield from _defined_by_target(inner, node, statement)


def _is_function(value, name):
    """Return whether a value is a function: a lambda, another name, or a decorated function."""
    match value:
        case ast.Lambda() | ast.Name() | ast.Attribute():
            return True
        case ast.Call(args=[ast.Name(argument), *_]):
            return argument == name
    return False


def free_names(source):
    """Return the names that plain Python uses and does not define at its top level; None if it does not compile."""
    try:
        table = symtable.symtable(source, "<cell>", "exec")
        own = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
        return set(_referred(table)) - own
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _referred(table):
    """Yield the names that are looked up in, or assigned to, the global scope."""
    is_outside = table.get_type() == "module"
    for symbol in table.get_symbols():
        is_read = symbol.is_referenced() and (symbol.is_global() or is_outside)
        if is_read or symbol.is_declared_global() and not is_outside:
            yield symbol.get_name()
    for child in table.get_children():
        yield from _referred(child)


def is_stub(node: object) -> TypeGuard[ast.Raise]:
    """Return whether a node is `raise NotImplementedError`, with a message or without."""
    error = getattr(node, "exc", None) if isinstance(node, ast.Raise) else None
    return getattr(error.func if isinstance(error, ast.Call) else error, "id", None) == "NotImplementedError"
