"""ONNX: a model, or the file of one, with the values of its weights, and those of all nodes for example inputs."""

import os
from ast import literal_eval
from collections.abc import Iterator
from typing import Any

import numpy as np

from dark.draw.adapters.module_paths import snake_case, with_paths
from dark.draw.graph.graph_record import GraphNode, path_of
from dark.errors import DrawingError, MissingExtraError

SCOPES = "pkg.torch.onnx.name_scopes"  # where PyTorch's exporter writes the modules of a node


def nodes(file_or_model: Any, *inputs: Any, model: Any = None) -> Iterator[GraphNode]:
    """Yield the graph of an ONNX model, or of its file, in topological order.

    With example inputs, in the order of the model, ONNX's reference implementation computes all values. The
    floating-point initializers are parameters. The modules are those that PyTorch's exporter recorded, else they follow
    from the names of the parameters; `model` is not used.
    """
    try:
        import onnx
        from onnx import numpy_helper, reference, shape_inference
    except ImportError:
        raise MissingExtraError(
            "onnx is not installed.", "the package that reads ONNX files.", "pip install onnx"
        ) from None
    model = _load(onnx, file_or_model) if isinstance(file_or_model, (str, os.PathLike)) else file_or_model
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            weights[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    wanted = [value.name for value in model.graph.input if value.name not in weights]
    values = _values(reference, model, wanted, inputs) if inputs else {}
    types = _types(onnx, shape_inference.infer_shapes(model))
    found = list(_read(onnx, model.graph, weights, wanted, types, values))
    yield from with_paths(found)


def _read(onnx, graph, weights, wanted, types, values):
    needed = _needed(graph)
    for name in [*wanted, *weights]:
        if name in needed:
            value = weights.get(name, values.get(name))
            is_parameter = name in weights and value.dtype.kind == "f" and value.ndim > 0
            role = "parameter" if is_parameter else "constant" if name in weights else "input"
            yield _node(name, types, value, name=name, role=role, path=path_of(name)[:-1])
    for node in graph.node:
        for output in node.output:
            if output in needed and output not in weights:
                settings = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
                settings = {name: value for name, value in settings.items() if not hasattr(value, "DESCRIPTOR")}
                yield _node(
                    output, types, values.get(output),
                    operation=snake_case(node.op_type), inputs=_inputs(node), path=_path(node),
                    extras={"settings": settings} if settings else {},
                )  # fmt: skip


def _node(key, types, value, **fields):
    shape, dtype = (value.shape, value.dtype.name) if value is not None else types.get(key, (None, ""))
    return GraphNode(id=key, shape=shape, dtype=dtype, value=value, **fields)


def _needed(graph):
    """Return the names that the outputs of the graph depend on."""
    needed = {value.name for value in graph.output}
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            needed.update(_inputs(node))
    return needed


def _inputs(node):
    """Return the inputs of a node, and what the branches of a condition or the body of a loop take from around it."""
    found = list(filter(None, node.input))
    for graph in (attribute.g for attribute in node.attribute if attribute.HasField("g")):
        inside = {value.name for value in (*graph.input, *graph.initializer)}
        for inner in graph.node:
            found += [name for name in _inputs(inner) if name not in inside and name not in found]
            inside.update(inner.output)
    return tuple(found)


def _types(onnx, model):
    """Return shape and dtype of each value by name; a shape with a symbolic length, such as `batch`, is unknown."""
    found = {}
    for value in (*model.graph.value_info, *model.graph.input, *model.graph.output):
        tensor = value.type.tensor_type
        known = tensor.HasField("shape") and all(d.HasField("dim_value") for d in tensor.shape.dim)
        shape = tuple([d.dim_value for d in tensor.shape.dim]) if known else None
        dtype = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)).name if tensor.elem_type else ""
        found[value.name] = shape, dtype
    return found


def _values(reference, model, wanted, inputs):
    if len(inputs) != len(wanted):
        raise DrawingError(
            f"draw: the model has the inputs {', '.join(wanted)}; {len(inputs)} are given.",
            f"{len(wanted)} arrays, in this order.",
            f"dark.draw(model, {', '.join(wanted)})",
        )
    feeds = {name: np.asarray(value) for name, value in zip(wanted, inputs)}
    found = reference.ReferenceEvaluator(model).run(None, feeds, intermediate=True)
    return {name: np.asarray(value) for name, value in found.items() if name and value is not None}


def _path(node):
    """Return the modules of a node: from PyTorch's exporter, or from a name such as `/features/features.0/Conv`."""
    for entry in node.metadata_props:
        if entry.key == SCOPES:
            scopes = literal_eval(entry.value)
            return path_of(scopes[-2]) if len(scopes) > 1 else ()
    parts = node.name.split("/")[1:-1] if node.name.startswith("/") else []
    return tuple(part.removeprefix(f"{before}.") for before, part in zip(["", *parts], parts))


def _load(onnx, path):
    try:
        return onnx.load(os.path.expanduser(path))
    except FileNotFoundError:
        raise DrawingError(f"draw: the file '{path}' does not exist.", "an ONNX file.", "check the path") from None
    except Exception as error:
        raise DrawingError(
            f"draw: '{path}' cannot be read: {type(error).__name__}.",
            "an ONNX model.",
            "onnx.checker.check_model(path)",
        ) from None
