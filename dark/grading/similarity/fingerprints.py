"""Fingerprints of an answer: hashes of runs of its syntax tree, chosen by winnowing.

The tree is normalized: the names that the answer binds itself are all alike, docstrings, annotations and the texts of
strings are gone, comments and layout are not in a tree. So renaming, comments and layout change nothing, and moving a
statement changes only the runs across its borders.
"""

import ast
import builtins
import hashlib

from dark.course.lessons.code import code_of

RUN = 9  # nodes that are hashed together
WINDOW = 4  # a run of RUN + WINDOW - 1 nodes that two answers share is always found
NAME = "·"


def fingerprints(source: str) -> dict[int, tuple[int, int]]:
    """Return the fingerprints of an answer: each hash with the first and the last line of its run, counted from 1.

    A cell that is not valid Python has none. Of each window of hashes, the smallest is kept, of equal ones the last,
    which is the winnowing of Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting",
    SIGMOD 2003.
    """
    tree = code_of(source).tree
    if tree is None:
        return {}
    own = _bound(tree)
    nodes: list[tuple[str, int]] = []
    for statement in tree.body:
        _collect(statement, own, nodes, 1)
    runs = [nodes[k : k + RUN] for k in range(max(1, len(nodes) - RUN + 1))] if nodes else []
    hashes = [_hash(" ".join(word for word, _ in run)) for run in runs]
    found: dict[int, tuple[int, int]] = {}
    for k in range(max(1, len(hashes) - WINDOW + 1)) if hashes else ():
        window = hashes[k : k + WINDOW]
        place = k + max(j for j, value in enumerate(window) if value == min(window))
        lines = [line for _, line in runs[place]]
        found.setdefault(hashes[place], (min(lines), max(lines)))
    return found


def _bound(tree):
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
                names.add(name)
    return names - set(vars(builtins))


def _collect(node, own, nodes, line):
    """Append the normalized nodes below one, each with its line, in the order of the source."""
    line = getattr(node, "lineno", line)
    word = _word(node, own)
    if word is not None:
        nodes.append((word, line))
    for child in _children(node):
        if not _is_left_out(child, node):
            _collect(child, own, nodes, line)


def _children(node):
    """Return the nodes directly below one; of ``a += b`` those of ``a = a + b``."""
    if isinstance(node, ast.AugAssign):
        return [node.target, ast.BinOp(node.target, node.op, node.value)]
    return ast.iter_child_nodes(node)


def _word(node, own):
    match node:
        case ast.Name(id=name):
            return NAME if name in own else name
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.Constant(value=value):
            return "text" if isinstance(value, str) else repr(value)
        case ast.keyword(arg=name):
            return f"{name}="
        case ast.expr_context() | ast.arguments() | ast.Load() | ast.Expr():
            return None
        case ast.arg():
            return "arg"
        case ast.AugAssign():
            return "Assign"
    return type(node).__name__


def _is_left_out(child, parent):
    """Return whether a node has no meaning for the answer: a docstring, a lone string, or an annotation."""
    if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
        return True
    hints = [getattr(parent, field, None) for field in ("annotation", "returns")]
    return any(child is hint for hint in hints if hint is not None)


def _hash(text):
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")
