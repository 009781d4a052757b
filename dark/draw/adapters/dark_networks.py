"""A call of a network of `dark`: of a copy, with all results, and the modules that ran where no gradient is recorded.

Under `no_grad`, or after `detach`, operations leave no graph. Hooks tell which module returned such a value, so the
call of the module stands for them, without gradient.
"""

import random
import sys
from copy import deepcopy
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from dark.draw.adapters.dark_nodes import nodes as nodes_of_dark
from dark.draw.adapters.failed_network import network_error
from dark.draw.adapters.tensor_parts import input_names, named_parts
from dark.draw.graph.graph_record import GraphNode, GraphRecord, path_of
from dark.draw.graph.traverse import is_node
from dark.errors import DrawingError
from dark.nodes import Constant


@dataclass
class ModuleCall:
    """A call of a module: its class, its path, its inputs, and its results."""

    kind: str
    path: tuple[str, ...]
    inputs: list[Any]
    results: list[Any] = field(default_factory=list)
    inner: list[Any] = field(default_factory=list)  # the results of the modules that it called


@dataclass
class NetworkCall:
    """A call of a network: the node of its result, the copy that was called, and the records of its hooks."""

    root: Any
    network: Any
    arrays: dict[str, np.ndarray]  # inputs that are no nodes, such as indices
    given: list[Any]  # inputs that are nodes
    labels: tuple[str, ...] = ()
    calls: dict[int, ModuleCall] = field(default_factory=dict)  # by `id` of the result, of values without a graph
    failed: ModuleCall | None = None
    error: Exception | None = None


def nodes(network: Any, *inputs: Any, model: Any = None, keywords: dict[str, Any] | None = None) -> GraphRecord:
    """Return the record of a call of a network of dark, or of a class with the same methods."""
    call = call_network(network, inputs, keywords or {})
    return _record(call)


def root_of(network: Any, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Return the node of a network's result; the part of the graph near it is drawn."""
    call = call_network(network, inputs, keywords)
    return call.root if call.error is None else _record(call)


def _record(call):
    """Return the record of a call; a NetworkError with it if the call failed."""
    read = nodes_of_dark(call.root, model=call.network, detached=call.calls)
    record = _with_inputs(read, call)
    if call.error is None:
        return record
    last = replace(record.root, mark="failed", path=call.failed.path if call.failed else ())
    raise network_error(call.network, call.error, GraphRecord((*record.nodes[:-1], last), record.modules))


def call_network(network: Any, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> NetworkCall:
    """Call a copy of a network with copies of the inputs, and return the record."""
    copied = deepcopy(network)
    copied.requires_grad_(True)  # a graph is recorded for parameters that are not frozen
    call = NetworkCall(None, copied, {}, [])
    names = input_names(network, inputs, keywords)
    given = [_given(thing, name, call) for name, thing in zip(names, (*inputs, *keywords.values()))]
    stack: list[ModuleCall] = []
    for name, module in copied.named_modules():
        if hasattr(module, "register_forward_hook"):
            _watch(module, path_of(name), call, stack)
    states = random.getstate(), np.random.get_state()
    try:
        result = copied(*given[: len(inputs)], **dict(zip(keywords, given[len(inputs) :])))
    except Exception as error:
        call.error = error
        failed = call.failed or ModuleCall(type(network).__name__, (), given)
        known = {id(node): node for _, node in named_parts([failed.inputs, failed.inner], "", is_node)}
        call.root = SimpleNamespace(inputs=list(known.values()), value=None, op=failed.kind)
        return call
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
    outputs = dict(named_parts(result, "", is_node))
    if not outputs:
        raise DrawingError(
            f"draw: {type(network).__name__} returned {type(result).__name__}, not a node.",
            "a network whose result is a node of a graph, or contains some.",
            "return the node itself, not its value",
        )
    if is_node(result):
        call.root = result
    else:
        call.root = SimpleNamespace(inputs=list(outputs.values()), value=None, op=type(result).__name__)
        call.labels = tuple(outputs)
    return call


def _given(thing, name, call):
    """Return an array of numbers as a named constant, which is one box wherever it is used, and a copy of others."""
    if isinstance(thing, np.ndarray) and thing.dtype.kind in "fc":
        call.given.append(Constant(thing, name=name))
        return call.given[-1]
    if isinstance(thing, np.ndarray):
        call.arrays[name] = thing.copy()
        return call.arrays[name]
    if is_node(thing):
        return thing
    if type(thing) is dict:
        return {key: _given(part, f"{name}.{key}", call) for key, part in thing.items()}
    if type(thing) in (list, tuple):
        return type(thing)(_given(part, f"{name}.{k}", call) for k, part in enumerate(thing))
    try:
        return deepcopy(thing)
    except Exception:  # a lock, an open file, an object of C
        return thing


def _watch(module, path, call, stack):
    """Record a module whose results have no graph, and the innermost one that raises."""

    def enter(module, args, keywords):
        stack.append(ModuleCall(type(module).__name__, path, [*args, *keywords.values()]))

    def leave(module, args, output):
        here = stack.pop()
        if output is None and sys.exc_info()[1] is not None:
            call.failed = call.failed or here
            return
        here.results = [node for _, node in named_parts(output, "", is_node)]
        known = {id(node) for _, node in named_parts(here.inputs, "", is_node)}
        for node in here.results:
            if not node.inputs and id(node) not in known:
                call.calls.setdefault(id(node), here)
        if stack:
            stack[-1].inner += here.results

    module.register_forward_pre_hook(enter, with_kwargs=True)
    module.register_forward_hook(leave, always_call=True)


def _with_inputs(record, call):
    """Add the inputs of the network that leave no node: arrays of indices, and those that nothing uses."""
    present = {id(node.extras.get("node")) for node in record.nodes}
    added = [
        GraphNode(f"input {name}", role="input", name=name, shape=array.shape, dtype=str(array.dtype), value=array)
        for name, array in call.arrays.items()
    ]
    added += [
        GraphNode(f"input {n.name}", "", n.name, "input", n.value.shape, str(n.value.dtype), n.value)
        for n in call.given
        if id(n) not in present
    ]
    given = {id(node) for node in call.given}
    nodes = [_with_arrays(node, call) for node in record.nodes]
    nodes = [replace(n, role="input") if id(n.extras.get("node")) in given else n for n in nodes]
    if isinstance(call.root, SimpleNamespace):
        nodes[-1] = replace(nodes[-1], shape=None, value=None, grad=None, labels=call.labels, extras={})
    return GraphRecord((*added, *nodes), record.modules)


def _with_arrays(node, call):
    """Add to the inputs of an operation the arrays of the network's inputs that are among its settings."""
    settings = node.extras.get("settings") or {}
    here = call.calls.get(id(node.extras.get("node")))
    held = [part for _, part in named_parts([settings, here.inputs if here else ()], "", _is_array)]
    found = [f"input {name}" for name, array in call.arrays.items() if any(_same(array, part) for part in held)]
    if not found:
        return node
    return replace(node, inputs=(*node.inputs, *found))


def _is_array(thing):
    return isinstance(thing, np.ndarray)


def _same(a, b):
    return a is b or (a.dtype == b.dtype and np.array_equal(a, b))
