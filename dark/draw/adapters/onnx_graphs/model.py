"""ONNX: a model, or the file of one, with the values of its weights, and of all nodes for example inputs."""

from contextlib import suppress
from typing import Any

from dark.draw.adapters.module_paths import constants_in_modules, with_paths
from dark.draw.adapters.onnx_graphs.graph import Reader, Scope
from dark.draw.adapters.onnx_graphs.modules import classes_of, weights_in_modules
from dark.draw.adapters.onnx_graphs.onnx_data import UNKNOWN, given_inputs, load, shown, types_in
from dark.draw.adapters.onnx_graphs.runs import kept_random_state
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.errors import DrawingError, MissingExtraError


def nodes(file_or_model: Any, *inputs: Any, model: Any = None, keywords: dict[str, Any] | None = None) -> GraphRecord:
    """Return the graph of an ONNX model, or of its file.

    With example inputs, in the order of the model or by their names, ONNX's reference implementation computes the
    values, node by node; one that it cannot run is marked, and what follows from it has no value. The floating-point
    initializers are parameters; a constant of one element has a node for each use. The bodies of If, Loop, Scan and of
    functions are frames. Each output is a node of its own. The modules are those that PyTorch's exporters recorded,
    else they follow from the names of the parameters; `model` is not used.
    """
    try:
        import onnx
        from onnx import shape_inference
    except ImportError:
        raise MissingExtraError(
            "onnx is not installed.", "the package that reads ONNX files.", "pip install onnx"
        ) from None
    model, folder = load(onnx, file_or_model)
    graph = model.graph
    if not graph.node and not graph.output:
        raise DrawingError(
            "draw: the model has no nodes and no outputs.", "a model with a graph.", "onnx.checker.check_model(model)"
        )
    with suppress(Exception):  # of a model that is invalid, or too large for it; the declared types are known still
        graph = shape_inference.infer_shapes(model, data_prop=True).graph
    kept = {tensor.name for tensor in graph.initializer} | {t.values.name for t in graph.sparse_initializer}
    wanted = [value for value in graph.input if value.name not in kept]
    is_given = bool(inputs or keywords)
    feeds = given_inputs(onnx, wanted, inputs, keywords or {}) if is_given else {}
    reader = Reader(onnx, model, folder, feeds)
    scope = Scope({}, "", (), types_in(onnx, graph), model.opset_import, is_given)
    for value in wanted:
        reader.leaf(scope.own(value.name), _input(value.name, scope.types, feeds))
    with kept_random_state():
        reader.read(graph, scope)
    found = constants_in_modules(with_paths(weights_in_modules(reader.nodes)))
    by_id = {node.id: node for node in found}
    before = len(reader.nodes)
    ends = [_output(name, scope, reader, by_id) for name in dict.fromkeys(value.name for value in graph.output)]
    return GraphRecord((*found, *reader.nodes[before:], *ends), classes_of(graph.node) | reader.modules)


def _input(name, types, feeds):
    shape, dtype = types.get(name, UNKNOWN)
    value = shown(feeds[name]) if name in feeds else None
    shape = getattr(value, "shape", shape)
    return GraphNode(name, name=name, role="input", shape=shape, dtype=dtype, value=value)


def _output(name, scope, reader, by_id):
    """Return the node of an output; it shows the same as the node that computes it."""
    place, label = reader.use(scope.keys.get(name, name))
    source = by_id.get(place) or reader.nodes[-1]
    part = next((part for part in source.results if part.name == label), source) if label else source
    shape, dtype = (part.shape, part.dtype) if part.value is not None else scope.types.get(name, UNKNOWN)
    value = None if source.mark else part.value
    return GraphNode(
        ("output", name), "output", name, shape=shape, dtype=dtype, value=value,
        inputs=(place,), labels=(label,) if label else (),
    )  # fmt: skip
