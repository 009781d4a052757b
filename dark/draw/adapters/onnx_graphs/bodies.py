"""The bodies in an ONNX model: of nodes (If, Loop, Scan), with their inputs and outputs, and of functions."""

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

from dark.errors import DrawingError


class Body(NamedTuple):
    """A graph in a node; each of its inputs has a label, and the input of the node from which it starts."""

    name: str
    graph: Any
    inputs: list[tuple[str, str]]
    outputs: list[str]  # the label of each of its outputs


def bodies_of(node: Any) -> list[Body]:
    """Return the graphs that a node holds."""
    graphs = [(a.name, a.g) for a in node.attribute if a.HasField("g")]
    graphs += [(f"{a.name} {k}", graph) for a in node.attribute for k, graph in enumerate(a.graphs)]
    graphs.sort(key=lambda pair: pair[0] == "else_branch")  # the other one first
    return [Body(name, graph, *_ends(node, name, graph)) for name, graph in graphs]


def _ends(node, name, graph):
    """Return the inputs and the outputs of a body."""
    given, count = list(node.input), len(graph.output)
    if node.op_type == "Loop":
        kept = len(graph.input) - 1  # the condition, and what a step hands to the next
        inputs = [("iteration", ""), *(("carry", name) for name in _padded(given[1:], kept))]
        return inputs[: len(graph.input)], [
            f"next {v.name}" if k < kept else "of each step" for k, v in enumerate(graph.output)
        ]
    if node.op_type == "Scan":
        given = given[-len(graph.input) :]  # an older Scan has the lengths of the sequences first
        slices = next((a.i for a in node.attribute if a.name == "num_scan_inputs"), 0)
        kept = len(graph.input) - slices
        inputs = [("carry" if k < kept else "slice", name) for k, name in enumerate(_padded(given, len(graph.input)))]
        return inputs, [f"next {v.name}" if k < kept else "of each step" for k, v in enumerate(graph.output)]
    label = name.removesuffix("_branch")
    inputs = [("element", source) for source in _padded(given, len(graph.input))]
    return inputs, [label if count == 1 else f"{label} {value.name}" for value in graph.output]


def _padded(names, count):
    return [*names, *[""] * count][:count]


def used_by(node: Any) -> list[str]:
    """Return the inputs of a node, and the names that its bodies take from around it, each once."""
    found = dict.fromkeys(filter(None, node.input))
    for body in bodies_of(node):
        found |= dict.fromkeys(taken_by(body.graph))
    return list(found)


def taken_by(graph: Any) -> list[str]:
    """Return the names that a body takes from around it."""
    inside = {value.name for value in (*graph.input, *graph.initializer)}
    inside |= {tensor.values.name for tensor in graph.sparse_initializer}
    inside |= {name for node in graph.node for name in node.output}
    used = [name for node in graph.node for name in used_by(node)] + [value.name for value in graph.output]
    return [name for name in dict.fromkeys(used) if name not in inside]


def in_order(nodes: Any) -> Iterator[Any]:
    """Yield nodes such that each follows those that compute its inputs; as they are, if that is so."""
    computed: dict[str, int] = {name: k for k, node in enumerate(nodes) for name in node.output if name}
    below = [[computed[name] for name in used_by(node) if name in computed] for node in nodes]
    if all(i < k for k, inputs in enumerate(below) for i in inputs):
        yield from nodes
        return
    try:
        yield from [nodes[k] for k in TopologicalSorter(dict(enumerate(below))).static_order()]
    except CycleError as error:
        name = next(iter(nodes[error.args[1][0]].output))
        raise DrawingError(
            f"draw: the model must be acyclic, but has a cycle through '{name}'.",
            "a graph without cycles.",
            "onnx.checker.check_model(path)",
        ) from None


def body_of_function(onnx: Any, function: Any, call: Any) -> list[Any]:
    """Return the nodes of a function with the attributes that a call of it gives."""
    given = {a.name: a for a in (*function.attribute_proto, *call.attribute)}
    return [_with_attributes(onnx, node, given) for node in function.node]


def _with_attributes(onnx, node, given):
    """Return a copy of a node in which references to attributes of the function are replaced by them."""
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    del copy.attribute[:]
    for attribute in node.attribute:
        if attribute.ref_attr_name and attribute.ref_attr_name not in given:
            continue  # optional, and not given
        added = copy.attribute.add()
        added.CopyFrom(given[attribute.ref_attr_name] if attribute.ref_attr_name else attribute)
        added.name = attribute.name
        for graph in (*([added.g] if added.HasField("g") else ()), *added.graphs):
            inner = [_with_attributes(onnx, each, given) for each in graph.node]
            del graph.node[:]
            graph.node.extend(inner)
    return copy
