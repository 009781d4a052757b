"""The module of each node of `dark`: from the calls that are recorded in the results of modules."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from dark.draw.graph.graph_record import path_of
from dark.draw.labels import value_in


class Call(NamedTuple):
    """A call of a module: its result and its inputs, by index, and the arrays that were given to it."""

    module: Any
    result: int
    inputs: frozenset[int]
    arrays: tuple[np.ndarray, ...]


def called_modules(found, links, model=None):
    """Return the path of the module in which each node was computed, `()` outside of all.

    Further the dotted names of the parameters by `id`, the class of each module by its path, the indices of the inputs
    of the network (`model`, by default the outermost module that returned one of the nodes, or each of them), and for
    each node the number of the call of each module around it.
    """
    place = {id(node): i for i, node in enumerate(found)}
    calls = []
    for i, node in enumerate(found):
        for module, inputs in getattr(node, "module_calls", ()):
            inside = frozenset(place[id(n)] for n in inputs if id(n) in place)
            calls.append(Call(module, i, inside, tuple(n for n in inputs if isinstance(n, np.ndarray))))
    if not calls and model is None:
        return [()] * len(found), {}, {}, set(), [()] * len(found)
    roots = [model] if model is not None else _outermost([call.module for call in calls])
    paths: dict[int, tuple[str, ...]] = {}
    names: dict[int, str] = {}
    kinds: dict[tuple[str, ...], str] = {}
    for root, prefix in zip(roots, _prefixes(roots)):
        for name, module in root.named_modules():
            path = prefix + path_of(name)
            paths.setdefault(id(module), path)
            kinds.setdefault(path, type(module).__name__)
        names.update((id(p), ".".join((*prefix, name))) for name, p in root.named_parameters())
    of_node, data, numbers = _paths(found, links, [call for call in calls if id(call.module) in paths], paths, roots)
    for i, node in enumerate(found):
        if id(node) in names:
            of_node[i] = path_of(names[id(node)])[:-1]
        elif i in data:
            of_node[i] = ()
    return of_node, names, kinds, data, numbers


def _prefixes(roots):
    """Return the path of each outermost module: ``()`` for the only one that has parameters, else its class."""
    large = [root for root in roots if len(roots) == 1 or next(iter(root.named_parameters()), None) is not None]
    kinds = Counter(type(root).__name__ for root in roots)
    seen: Counter[str] = Counter()
    for root in roots:
        kind = type(root).__name__
        seen[kind] += 1
        yield () if large == [root] else (kind,) if kinds[kind] == 1 else (f"{kind}{seen[kind]}",)


def _outermost(modules):
    """Return the modules that are not in another one."""
    modules = list({id(module): module for module in modules}.values())
    inner = set()
    for module in reversed(modules):  # a module returns after those in it, so the outermost come first
        if id(module) not in inner:
            inner |= {id(child) for name, child in module.named_modules() if name}
    return [module for module in modules if id(module) not in inner]


def _paths(found, links, calls, paths, roots):
    """Give each node the innermost module whose call it belongs to: between the inputs of the call and its result.

    Return the paths, the inputs of the network, and for each node the number of the call of each module around it.
    """
    of_node, data, outermost = [()] * len(found), set(), {id(root) for root in roots}
    numbers: list[dict[Any, int]] = [{} for _ in found]
    known: dict[Any, dict[Any, int]] = {}  # the number of each call by its inputs, for each module
    for call in calls:
        path, waiting, seen = paths[id(call.module)], [call.result], set()
        given = known.setdefault(path, {})
        number = given.setdefault(call.inputs, len(given) + 1)  # the same for all results of a call
        while waiting:
            i = waiting.pop()
            if i in seen or i in call.inputs:
                continue
            seen.add(i)
            of_node[i] = max(of_node[i], path, key=len)
            numbers[i][path] = number
            waiting += links[i]
        if id(call.module) in outermost:
            data |= {i for i in call.inputs if not links[i]}
            leaves = [(i, value_in(found[i])) for i in seen if not links[i]]
            data |= {i for i, value in leaves if any(np.array_equal(value, array) for array in call.arrays)}
    parts = ([path[:k] for k in range(1, len(path) + 1)] for path in of_node)
    return of_node, data, [tuple([here.get(part, 1) for part in prefixes]) for here, prefixes in zip(numbers, parts)]
