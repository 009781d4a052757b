"""Traversal of a tree of modules, each object once, and lookup by dotted names."""

from __future__ import annotations

from typing import Any

from dark.errors import UsageError, near_misses
from dark.nodes import Parameter
from dark.typing import Array


def join(path, name):
    """Append a name to a dotted path.

    >>> join("0.norm", "weight"), join("", "weight")
    ('0.norm.weight', 'weight')
    """
    return f"{path}.{name}" if path and name else path or name


def walk(module, remove_duplicate=True):
    """Iterate over dotted name and module of a module, whose name is empty, and all its descendants in pre-order."""
    seen, stack = set(), [("", module)]
    while stack:
        path, module = stack.pop()
        if remove_duplicate and id(module) in seen:
            continue
        seen.add(id(module))
        yield path, module
        children = list(module.named_children(remove_duplicate))
        stack += [(join(path, name), child) for name, child in reversed(children)]


def members(modules, members_of, remove_duplicate=True):
    """Iterate over dotted name and member of modules, yielded by `walk`; `members_of` returns them as a dict."""
    seen = set()
    for path, module in modules:
        for name, member in members_of(module).items():
            if not (remove_duplicate and id(member) in seen):
                seen.add(id(member))
                yield join(path, name), member


def get_parameter(module: Any, name: str) -> Parameter:
    """Return the parameter with a dotted name, such as ``"0.weight"``."""
    return _find(module.named_parameters(remove_duplicate=False), name, "parameter", module)


def get_buffer(module: Any, name: str) -> Array:
    """Return the buffer with a dotted name."""
    return _find(module.named_buffers(remove_duplicate=False), name, "buffer", module)


def get_submodule(module: Any, name: str) -> Any:
    """Return the submodule with a dotted name; the empty name is the module itself."""
    return _find(module.named_modules(remove_duplicate=False), name, "module", module)


def _find(named, name, kind, owner):
    """Return the member with a dotted name, or raise if it is unknown."""
    known = dict(named)
    if name not in known:
        raise UsageError(
            f"{type(owner).__name__} has no {kind} {name!r}.",
            f"one of its {len(known)} {kind}s." if known else f"a module that has a {kind}.",
            near_misses(name, known) if known else f"print the module; it has no {kind}.",
        )
    return known[name]
