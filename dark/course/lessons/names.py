"""What a cell defines and what it refers to, read from its text without running it."""

import ast
import re
import symtable
from dataclasses import dataclass

_HEAD = re.compile(r"^(?:async\s+def|def|class)\s+(\w+)|^(\w+(?:\.\w+)?)\s*=(?!=)", re.MULTILINE | re.ASCII)
_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)


@dataclass(frozen=True)
class Definition:
    """One name a cell defines: the statement that does it, and how.

    `how` is `def`, `class`, `import`, `method` (a def inside a class statement), `attach`
    (`Class.name = ...`) or `value` (any other assignment).
    """

    name: str
    how: str
    statement: ast.stmt
    node: ast.AST


def plain_python(source):
    """Replace IPython's magics and shell lines by `pass`, so that the rest can be read.

    Parameters
    ----------
    source : str
        A cell as it was typed.

    Returns
    -------
    str
        Plain Python with as many lines; the source itself if it is broken otherwise.

    Examples
    --------
    >>> plain_python("%matplotlib inline\\nx = 1\\n!ls")
    'pass\\nx = 1\\npass'
    """
    lines = source.split("\n")
    if re.match(r"\s*%%(bash|sh|html|HTML|javascript|js|latex|markdown|svg|script|writefile)\b", source):
        return "\n".join("pass" for _ in lines)
    for _ in lines:
        try:
            ast.parse("\n".join(lines))
        except SyntaxError as error:
            number = (error.lineno or 0) - 1
            if not 0 <= number < len(lines) or not _is_magic(lines[number]):
                return source
            indent = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
            lines[number] = indent + "pass"
        except (ValueError, RecursionError, MemoryError):
            return source
        else:
            break
    return "\n".join(lines)


def _is_magic(line):
    text = line.strip()
    return text.startswith(("%", "!", "?")) or text.endswith("?") or bool(re.match(r"\w+\s*=\s*[%!]", text))


def parsed(source):
    """Parse a cell; None if it is no Python even without its magics.

    Examples
    --------
    >>> parsed("def (") is None
    True
    """
    try:
        return ast.parse(plain_python(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def definitions(source):
    """List what a cell defines at its top level, in order.

    Parameters
    ----------
    source : str
        A cell as it was typed.

    Returns
    -------
    list of Definition
        Empty for a cell that is no Python.
    """
    tree = parsed(source)
    if tree is None:
        return []
    return [definition for statement in tree.body for definition in _defined_by(statement, statement)]


def defined_names(source):
    """Name what a cell defines, `Class.method` included.

    Parameters
    ----------
    source : str
        A cell as it was typed; in one with a syntax error the heads of lines are looked at.

    Returns
    -------
    tuple of str
        Each name once, in order.

    Examples
    --------
    >>> defined_names("import math\\ndef f(self): ...\\nNode.g = f")
    ('math', 'f', 'Node.g')
    >>> defined_names("class Node:\\n    def g(self): ...")
    ('Node', 'Node.g')
    >>> defined_names("def f(:")
    ('f',)
    """
    if parsed(source) is None:
        found = [first or second for first, second in _HEAD.findall(source)]
    else:
        found = [definition.name for definition in definitions(source)]
    return tuple(dict.fromkeys(found))


def _defined_by(node, statement):
    """Walk one statement, blocks such as `if` included, but no function's inside."""
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
        yield from _defined_by_setattr(node, statement)
    elif isinstance(node, _BLOCKS):
        for child in ast.iter_child_nodes(node):
            for inner in child.body if isinstance(child, ast.ExceptHandler) else [child]:
                yield from _defined_by(inner, statement)


def _defined_by_class(node, statement):
    yield Definition(node.name, "class", statement, node)
    for inner in node.body:
        for definition in _defined_by(inner, statement):
            if "." not in definition.name:
                yield Definition(f"{node.name}.{definition.name}", "method", statement, inner)


def _defined_by_target(target, node, statement):
    if isinstance(target, ast.Name):
        alias = isinstance(node.value, ast.Lambda | ast.Name | ast.Attribute)
        yield Definition(target.id, "def" if alias else "value", statement, node)
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        yield Definition(f"{target.value.id}.{target.attr}", "attach", statement, node)
    elif isinstance(target, ast.Tuple | ast.List | ast.Starred):
        for inner in ast.iter_child_nodes(target):
            yield from _defined_by_target(inner, node, statement)


def _defined_by_setattr(node, statement):
    match node.value:
        case ast.Call(func=ast.Name("setattr"), args=[ast.Name(owner), ast.Constant(str(name)), _]):
            yield Definition(f"{owner}.{name}", "attach", statement, node)


def free_names(source):
    """Name what a source takes from outside of itself.

    Parameters
    ----------
    source : str
        Plain Python.

    Returns
    -------
    set of str
        Names that are referred to and that its top level does not define.

    Examples
    --------
    >>> sorted(free_names("def f(x):\\n    return scale * x + len(x)"))
    ['len', 'scale']
    """
    try:
        table = symtable.symtable(source, "<cell>", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return set()
    own = {symbol.get_name() for symbol in table.get_symbols() if _bound(symbol)}
    return _referred(table) - own


def _bound(symbol):
    return symbol.is_assigned() or symbol.is_imported()


def _referred(table):
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")
    }
    return names.union(*(_referred(child) for child in table.get_children()))
