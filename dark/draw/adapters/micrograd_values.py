"""micrograd's graph: a `Value`, the values it was computed from, and their gradients."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dark.draw.adapters.module_paths import shared
from dark.draw.graph.graph_record import GraphNode
from dark.draw.graph.quotient import all_below


def nodes(root: Any, *, model: Any = None) -> Iterator[GraphNode]:
    """Yield the graph of a `micrograd.engine.Value` in topological order.

    micrograd does not tell a parameter from a constant, nor a gradient of 0 from none, so every leaf is a parameter,
    and gradients are None until that of the root is set by `backward`. `model` gives its parameters names and modules:
    ``layers[0].neurons[2].w[1]`` is `0.2.w1`.
    """
    yield from _with_modules(list(_nodes(root, model)))


def _nodes(root, model):
    names, passed = _names(model), root.grad != 0
    ids: dict[int, int] = {}
    for value in all_below([root], _inputs):
        ids[id(value)] = len(ids)
        name, path = names.get(id(value), (None, ()))
        yield GraphNode(
            id=ids[id(value)],
            operation=value._op,
            name=name,
            role="result" if value._op else "parameter",
            dtype="float64",
            value=float(value.data),
            grad=float(value.grad) if passed else None,
            inputs=tuple([ids[id(n)] for n in _inputs(value)]),
            path=path,
        )


def _with_modules(nodes):
    """Give operations the module of their parameters, or else the one in which all their inputs were computed.

    micrograd has no vectors: a neuron multiplies, adds and activates numbers, and each number that is not a `Value` is
    a new leaf, which belongs to the neuron that uses it.
    """
    paths: dict[int, tuple[str, ...]] = {}
    users: dict[int, list[tuple[str, ...]]] = {}
    for node in nodes:
        own = [nodes[i].path for i in node.inputs if nodes[i].name]
        rest = [paths[i] for i in node.inputs]
        paths[node.id] = node.path or shared(own or rest)
        for i in node.inputs:
            users.setdefault(i, []).append(paths[node.id])
    is_data = [not node.operation and not node.name for node in nodes]
    return [replace(n, path=shared(users.get(n.id, ())) if data else paths[n.id]) for n, data in zip(nodes, is_data)]


def _inputs(value):
    """Return the inputs of a value in order: `_prev` is a set, but the derivative refers to them by name."""
    names = getattr(getattr(value._backward, "__code__", None), "co_freevars", ())
    cells = dict(zip(names, getattr(value._backward, "__closure__", None) or ()))
    found = [cells[name].cell_contents for name in ("self", "other") if name in cells]
    found = [n for n in found if hasattr(n, "_prev")]
    if set(map(id, found)) == set(map(id, value._prev)):
        return found
    return list(value._prev) * (2 if len(value._prev) == 1 and value._op in "+*" else 1)


def _names(model):
    """Return name and path of each parameter of a model, by id."""
    found: dict[int, tuple[str, tuple[str, ...]]] = {}
    for k, layer in enumerate(getattr(model, "layers", [model] if hasattr(model, "neurons") else [])):
        for n, neuron in enumerate(layer.neurons):
            path = (str(k), str(n)) if hasattr(model, "layers") else (str(n),)
            members = {**{f"w{i}": w for i, w in enumerate(neuron.w)}, "b": neuron.b}
            found |= {id(value): (".".join((*path, name)), path) for name, value in members.items()}
    return found
