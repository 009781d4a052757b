"""The nodes of an ONNX graph as nodes of a record: constants where they are used, bodies in frames, and values."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dark.draw.adapters.onnx_graphs import onnx_data
from dark.draw.adapters.onnx_graphs.bodies import bodies_of, body_of_function, in_order, used_by
from dark.draw.adapters.onnx_graphs.modules import modules_around
from dark.draw.adapters.onnx_graphs.onnx_data import UNKNOWN, Type, array_in, dense, shown, type_of, types_in
from dark.draw.adapters.onnx_graphs.runs import run_node, why_not
from dark.draw.adapters.settings import in_words
from dark.draw.graph.graph_record import GraphNode, Result

# Names that PyTorch's exporters invent for constants.
INVENTED = re.compile(r"/.*|(onnx::\w+?_|val_|_val_|_inlfunc_.*|const_|_)?\d+|.*_?Constant(_\d+)?(_output_\d+)?")


class Scope(NamedTuple):
    """A graph that is read: the key of each name in it, its frame, and the types of its values."""

    keys: dict[str, str]  # the id of each value in the record; "" for one that is not given
    prefix: str
    path: tuple[str, ...]
    types: dict[str, Type]
    opsets: Any
    runs: bool  # whether the values of its nodes are computed

    def own(self, name: str) -> str:
        """Return the key of a name that belongs to this graph."""
        return self.keys.setdefault(name, self.prefix + name)


class Reader:
    """Reads graphs into `nodes`; `modules` are the kinds of the frames, by their paths."""

    def __init__(self, onnx: Any, model: Any, folder: str, feeds: dict[str, Any] | None) -> None:
        self.onnx, self.model, self.folder = onnx, model, folder
        self.functions = {(f.domain, f.name, getattr(f, "overload", "")): f for f in model.functions}
        self.nodes: list[GraphNode] = []
        self.modules: dict[tuple[str, ...], str] = {}
        self.values: dict[str, Any] = dict(feeds or {})
        self.places: dict[str, tuple[Any, str]] = {}  # the node of each value, and the text at the edges from it
        self.waiting: dict[str, GraphNode] = {}  # leaves that nothing has used so far
        self.copies: Counter[str] = Counter()
        self.scalars: dict[str, GraphNode] = {}
        self.frames: Counter[tuple[str, ...]] = Counter()

    def leaf(self, key: str, node: GraphNode) -> None:
        """Add a leaf now."""
        self.nodes.append(node)
        self.places[key] = node.id, ""

    def read(self, graph: Any, scope: Scope) -> None:
        """Read a graph; its initializers become nodes where they are used."""
        for tensor in graph.initializer:
            self._initializer(scope, tensor.name, array_in(self.onnx, tensor, self.folder), tensor)
        for sparse in graph.sparse_initializer:
            self._initializer(scope, sparse.values.name, dense(self.onnx, sparse, self.folder), sparse.values)
        for node in in_order(graph.node):
            self._node(node, scope)

    def use(self, key: str) -> tuple[Any, str]:
        """Return the id of the node of a value, and the text at the edge from it; a scalar has a node for each use."""
        if key in self.scalars and key in self.places:
            self.copies[key] += 1
            copy = replace(self.scalars[key], id=(key, self.copies[key]))
            self.nodes.append(copy)
            return copy.id, ""
        if key in self.waiting:
            self.leaf(key, self.waiting.pop(key))
        elif key not in self.places:
            self.leaf(key, GraphNode(key, name=key, role="input", shape=None, value="computed by no node"))
        return self.places[key]

    def _initializer(self, scope, name, value, tensor):
        key = scope.keys[name] = scope.prefix + name
        kind = type_of(self.onnx, self.onnx.helper.make_tensor_value_info(name, tensor.data_type, list(tensor.dims)))
        is_known = not isinstance(value, str)
        shape = value.shape if is_known else kind[0]
        is_parameter = "float" in kind[1] and shape != () and not (INVENTED.fullmatch(name) and value.size == 1)
        self._leaf_for(key, name, value, shape, kind[1], "parameter" if is_parameter else "constant", scope.path)

    def _leaf_for(self, key, name, value, shape, dtype, role, path=()):
        known = value if isinstance(value, str) and shape != () else shown(value)
        path = path or (modules_around(name) if role == "parameter" else ())
        name = None if role == "constant" and INVENTED.fullmatch(name) else name
        node = GraphNode(key, name=name, role=role, shape=shape, dtype=dtype, value=known, path=path)
        self.waiting[key] = node
        if isinstance(value, str) and shape != ():  # external data that is missing
            return
        self.values[key] = value
        if role == "constant" and np.size(value) <= 1:
            self.scalars[key] = node

    def _constant(self, node, scope):
        """Keep the value of a node `Constant` as a leaf."""
        attribute = node.attribute[0]
        value = self.onnx.helper.get_attribute_value(attribute)
        if attribute.name == "sparse_value":
            value = dense(self.onnx, value, self.folder)
        elif attribute.name == "value":
            value = array_in(self.onnx, value, self.folder)
        else:
            dtypes = {"value_float": np.float32, "value_int": np.int64}
            dtype = dtypes.get(attribute.name.removesuffix("s"))
            value = np.array(value, dtype) if dtype else np.array(_text(value))
        shape, dtype = _type_of_value(value, UNKNOWN)
        self._leaf_for(scope.own(node.output[0]), node.output[0], value, shape, dtype, "constant")

    def _node(self, node, scope):
        function = self.functions.get((node.domain, node.op_type, getattr(node, "overload", "")))
        if function is not None:
            self._call(function, node, scope)
        elif node.op_type == "Constant" and node.attribute and not node.domain and not node.attribute[0].ref_attr_name:
            self._constant(node, scope)
        else:
            self._operation(node, scope)

    def _call(self, function, node, scope):
        """Read the nodes of a function in a frame of their own, with the arguments of the call."""
        path = self._frame(node, scope)
        outputs = dict(zip(function.output, node.output))
        keys = {name: scope.keys.get(given, given) for name, given in zip(function.input, node.input)}
        keys |= {name: "" for name in function.input if name not in keys}
        prefix = f"{next((scope.own(name) for name in node.output if name), scope.prefix + node.op_type)}/"
        for inner, outer in outputs.items():
            if outer and inner in keys:  # handed through
                scope.keys[outer] = keys[inner]
            elif outer:
                keys[inner] = scope.own(outer)
        types = {inner: scope.types[outer] for inner, outer in outputs.items() if outer in scope.types}
        inside = Scope(keys, prefix, path, types, function.opset_import, scope.runs)
        for each in in_order(body_of_function(self.onnx, function, node)):
            self._node(each, inside)

    def _operation(self, node, scope):
        names = [name for name in node.output if name]
        keys = [scope.own(name) for name in names] or [f"{scope.prefix}{node.op_type} {len(self.nodes)}"]
        bodies = bodies_of(node)
        path = self._frame(node, scope) if bodies else scope.path or modules_around(node.name, node)
        ends = [self.use(key) for name in node.input if name and (key := scope.keys.get(name, name))]
        results = None
        for body in bodies:
            around = path if len(bodies) == 1 else (*path, body.name)
            inside, outputs = self._body(body, node, scope, f"{keys[0]}/{body.name}/", around)
            ends += [(self.use(key)[0], label) for key, label in zip(outputs, body.outputs)]
            if inside.runs and all(key in self.values for key in outputs):
                results = [self.values[key] for key in outputs]
        reason, extras = "", self._settings(node)
        if results is None and not (bodies and node.op_type == "If"):
            results, reason, error = self._run(node, scope)
            extras |= {"error": error} if error else {}
        known = dict(zip(keys, [value for value, name in zip(results or (), node.output) if name]))
        self.values |= known
        words = self._names_of_results(node)
        triples = zip(names, words, keys)
        parts = [self._result(name, word, scope, known.get(key), reason) for name, word, key in triples] or [Result()]
        inputs, labels = zip(*ends) if ends else ((), ())
        self.nodes.append(
            GraphNode(
                keys[0], node.op_type, shape=parts[0].shape, dtype=parts[0].dtype, value=parts[0].value,
                inputs=inputs, path=path, extras=extras, labels=labels if any(labels) else (),
                results=tuple(parts) if len(parts) > 1 else (), mark="failed" if reason else None,
            )
        )  # fmt: skip
        several = len(parts) > 1
        self.places |= {key: (keys[0], part.name * several) for key, part in zip(keys, parts)}

    def _body(self, body, node, scope, prefix, path):
        """Read a graph in a node; return its scope, and the keys of its outputs."""
        cond = self.values.get(scope.keys.get(node.input[0], node.input[0])) if node.op_type == "If" else None
        runs = scope.runs and cond is not None and bool(np.all(cond)) == (body.name == "then_branch")
        inside = Scope(dict(scope.keys), prefix, path, types_in(self.onnx, body.graph), scope.opsets, runs)
        for value, (kind, source) in zip(body.graph.input, body.inputs):
            key = inside.keys[value.name] = prefix + value.name
            ends = [self.use(scope.keys.get(source, source))] if source else []
            shape, dtype = inside.types.get(value.name, UNKNOWN)
            ids, labels = zip(*ends) if ends else ((), ())
            labels = labels if any(labels) else ()
            known = {"shape": shape, "dtype": dtype, "inputs": ids, "labels": labels, "path": path}
            self.leaf(key, GraphNode(key, kind, name=value.name, **known))
        for inner in body.graph.node:
            inside.keys.update({name: prefix + name for name in inner.output if name})
        self.read(body.graph, inside)
        return inside, [inside.keys.get(value.name, value.name) for value in body.graph.output]

    def _frame(self, node, scope):
        """Return the path of a new frame for the contents of a node."""
        around = scope.path or modules_around(node.name, node)
        name = node.name.rsplit("/", 1)[-1].replace(".", "_") or node.op_type
        self.frames[(*around, name)] += 1
        count = self.frames[(*around, name)]
        path = (*around, name if count == 1 else f"{name}_{count}")
        if path[-1] != node.op_type:
            self.modules[path] = node.op_type
        return path

    def _run(self, node, scope):
        """Return the results of a node, if all its inputs are known, and words about a failure."""
        keys = {name: scope.keys.get(name, name) for name in used_by(node)}
        if not scope.runs or any(key and key not in self.values for key in keys.values()):
            return None, "", ""
        feeds = {name: self.values[key] if key else None for name, key in keys.items()}
        functions = self.model.functions if any(a.HasField("g") or a.graphs for a in node.attribute) else ()
        try:
            return run_node(self.onnx, node, feeds, scope.opsets, functions), "", ""
        except Exception as error:  # whatever a reference implementation raises
            return None, *why_not(error)

    def _names_of_results(self, node):
        """Return a name for each result: its own, or if that was invented, the name in the operator's definition."""
        try:
            formal = [output.name for output in self.onnx.defs.get_schema(node.op_type, domain=node.domain).outputs]
        except Exception:  # of an operator that has no definition
            formal = []
        of = {k: formal[k] if len(formal) >= len(node.output) else f"[{k}]" for k in range(len(node.output))}
        return [of[k] if INVENTED.fullmatch(name) else name for k, name in enumerate(node.output) if name]

    def _result(self, name, word, scope, value, reason):
        shape, dtype = scope.types.get(name, UNKNOWN)
        if value is None:
            return Result(word, shape, dtype, reason or None)
        shape, dtype = _type_of_value(value, (None, dtype))
        return Result(word, shape, dtype, shown(value))

    def _settings(self, node):
        settings = {a.name: a for a in node.attribute if not (a.HasField("g") or a.graphs or a.ref_attr_name)}
        found = {name: _text(self.onnx.helper.get_attribute_value(a)) for name, a in settings.items()}
        found = {name: value for name, value in found.items() if not hasattr(value, "DESCRIPTOR")}
        found |= {name: onnx_data.dtype_of(self.onnx, found[name]) for name in {"to", "dtype"} & found.keys()}
        brief = in_words(found)
        return ({"settings": found} if found else {}) | ({"brief": brief} if brief else {})


def _type_of_value(value, otherwise):
    """Return shape and dtype of a value, or a description of one that is not an array."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return otherwise
    return value.shape, "string" if value.dtype.kind in "OUST" else value.dtype.name


def _text(value):
    """Return an attribute with texts instead of bytes."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return [_text(part) for part in value] if isinstance(value, list) else value
