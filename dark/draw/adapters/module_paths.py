"""The names of operations, and the module of each where only the names of the parameters are known."""

import re
from dataclasses import replace
from itertools import takewhile
from typing import Any

from dark.draw.graph.graph_record import path_of
from dark.draw.graph.quotient import users_of


def with_paths(nodes):
    """Give the nodes of a graph the paths of their modules, except those that have one.

    A parameter `features.0.weight` is in the module ``("features", "0")``, and so is an operation on it, or on what is
    computed from parameters only, such as a transposed weight. Another operation is in the innermost module that
    contains the operations before and after it; a scalar constant is in that of its operation. The nodes are in
    topological order.
    """
    place = {node.id: k for k, node in enumerate(nodes)}
    inputs = [[place[i] for i in node.inputs] for node in nodes]
    users = users_of(inputs)
    paths = [n.path or (path_of(n.name)[:-1] if "." in (n.name or "") and not n.operation else None) for n in nodes]
    of_weights = [node.role == "parameter" for node in nodes]
    for k, node in enumerate(nodes):
        of_weights[k] = of_weights[k] or bool(inputs[k]) and all(of_weights[i] for i in inputs[k])
        own = [paths[i] for i in inputs[k] if paths[i] and (of_weights[i] or not inputs[i])]
        if node.operation and not paths[k] and own:
            paths[k] = shared(own)
    _fill(paths, inputs, users)
    for k, node in enumerate(nodes):
        if node.role == "constant" and not paths[k] and node.shape == () and len(users[k]) == 1:
            paths[k] = paths[users[k][0]]
    return [replace(node, path=path) if path and path != node.path else node for node, path in zip(nodes, paths)]


def constants_in_modules(nodes, is_free=lambda node: not node.path):
    """Give the constants that belong to no module, or are free, the path that all operations share that use them."""
    users: dict[Any, list[tuple[str, ...]]] = {}
    for node in nodes:
        for i in node.inputs:
            users.setdefault(i, []).append(node.path)
    return [
        replace(node, path=shared(users.get(node.id, ()))) if node.role == "constant" and is_free(node) else node
        for node in nodes
    ]


def shared(paths):
    """Return the longest path that several paths begin with; a path of None is `()`."""
    paths = [path or () for path in paths]
    same = takewhile(lambda parts: len(set(parts)) == 1, zip(*paths))
    return tuple(parts[0] for parts in same)


def _fill(paths, inputs, users):
    """Set each path that is None to the common beginning of the nearest known paths before and after it."""
    before, after = list(paths), list(paths)
    for k, below in enumerate(inputs):
        if paths[k] is None and below:
            before[k] = shared(known) if (known := [before[i] for i in below if inputs[i]]) else None
    for k in range(len(paths) - 1, -1, -1):
        if paths[k] is None and users[k]:
            after[k] = shared([after[i] for i in users[k]])
    for k, below in enumerate(inputs):
        if paths[k] is None and below:
            paths[k] = shared([before[k], after[k]])


def snake_case(name):
    """Return a name of a class in snake case.

    >>> snake_case("MaxPool2DWithIndices"), snake_case("UpsampleBilinear2D"), snake_case("NllLoss")
    ('max_pool2d_with_indices', 'upsample_bilinear2d', 'nll_loss')
    """
    name = re.sub(r"(?<=\d)D(?=[A-Z]|$)", "d", name)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
