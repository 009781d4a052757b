"""The calls of modules that are called more than once, as modules of their own: `cell (1)`, `cell (2)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dark.draw.graph.graph_record import GraphNode

Path = tuple[str, ...]
NUMBERED = re.compile(r"(.*) \((\d+)\)")


def with_numbered_calls(
    nodes: tuple[GraphNode, ...], modules: Mapping[Path, str]
) -> tuple[tuple[GraphNode, ...], dict[Path, str]]:
    """Give the calls of a module that is called more than once paths of their own, and classes.

    ``extras["calls"]`` of a node are the numbers of the calls in which it was computed, one for each part of its path;
    without it all are 1. What all calls of a module share, its parameters, is outside of them.
    """
    again: set[Path] = set()
    for node in nodes:
        calls = node.extras.get("calls", ())
        again.update(node.path[: k + 1] for k, number in enumerate(calls) if number > 1)
    if not again:
        return nodes, dict(modules)
    kinds, changed = dict(modules), []
    for node in nodes:
        path: list[str] = []
        calls = tuple(node.extras.get("calls", ())) or (1,) * len(node.path)
        for k, (name, number) in enumerate(zip(node.path, calls)):
            here = node.path[: k + 1]
            if here in again and node.role == "parameter":
                break
            path.append(f"{name} ({number})" if here in again else name)
            if here in modules:
                kinds[tuple(path)] = modules[here]
        extras = {key: thing for key, thing in node.extras.items() if key != "calls"}
        changed.append(replace(node, path=tuple(path), extras=extras))
    return tuple(changed), kinds


def plain_name(name: str) -> tuple[str, int]:
    """Return the name of a module without the number of its call, and the number; 0 if it has none."""
    found = NUMBERED.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, 0)


def plain_path(path: Path) -> Path:
    """Return the path of a module without numbers of calls."""
    return tuple([plain_name(name)[0] for name in path])
