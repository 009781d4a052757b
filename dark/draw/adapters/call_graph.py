"""The graph of recorded calls: one node a call, one a leaf that is used, and one for the result of the network."""

from collections.abc import Iterable
from math import prod
from typing import Any

from dark.draw.adapters.module_paths import constants_in_modules
from dark.draw.adapters.recorded_calls import Recording
from dark.draw.adapters.recorded_items import Item
from dark.draw.adapters.shared_memory import storage_of, version_of
from dark.draw.adapters.tensor_parts import is_tensor, named_tensors
from dark.draw.adapters.tensors import array_of, dtype_name, saved_by
from dark.draw.graph.graph_record import GraphNode, Result

KEPT = ("input",)  # leaves that are drawn although nothing uses them
SMALL = 6  # elements of a value that a line about one of several results may show


def graph_of(recording: Recording, result: Any, has_result: bool = True) -> list[GraphNode]:
    """Return the nodes of recorded calls; the node of the result is the last.

    Several tensors in the result are the inputs of a last node with the class of the result, whose edges have the
    names of its fields. The numbers that operations keep for the backward pass are bytes.
    """
    outputs = [(name, *recording.place_of(tensor)) for name, tensor in named_tensors(result)] if has_result else []
    items = recording.items
    failed = recording.failure[1] if not has_result and recording.failure else None
    used = {place for item in items for place, _, _ in item.inputs} | {place for _, place, _ in outputs}
    shown = [k for k, item in enumerate(items) if item.operation or k in used or item.role in KEPT]
    counted = _Bytes(items)
    nodes = constants_in_modules([_node(recording, k, counted) for k in shown], lambda node: node.name is None)
    single = outputs[0][1] if len(outputs) == 1 and is_tensor(result) else None
    if single is not None and items[single].operation and not any(single == i for n in nodes for i in n.inputs):
        return _with_last(nodes, single)
    if failed is not None:
        return _with_last(nodes, failed)
    if outputs:
        flows = any(tensor.requires_grad for _, tensor in named_tensors(result))
        kind = "output" if is_tensor(result) else type(result).__name__
        labels = tuple([_label(items[place], name, k) for name, place, k in outputs])
        places = tuple([place for _, place, _ in outputs])
        nodes.append(
            GraphNode(-1, kind, role="result" if flows else "detached", shape=None, inputs=places, labels=labels)
        )
    return nodes


def _with_last(nodes, last):
    return [node for node in nodes if node.id != last] + [node for node in nodes if node.id == last]


def _label(item: Item, word: str, k: int) -> str:
    """Return the text at an edge: which of several results it is, and the word of the one that takes it."""
    if len(item.results) < 2:
        return word
    name = item.names[k] if k < len(item.names) else f"[{k}]"
    return f"{name} → {word}" if word not in ("", name) else name


def _node(recording, k, counted):
    item = recording.items[k]
    if not item.operation:
        return _leaf(recording, k)
    shown = [part for part in item.results if hasattr(part, "shape")]
    several = tuple([_result(item, j) for j in range(len(shown))]) if len(shown) > 1 else ()
    first = shown[0] if shown else None
    extras = {"settings": _settings(item), "seconds_forward": item.seconds}
    extras["node"] = item.grad_fn
    if any(number > 1 for number in item.calls):
        extras["calls"] = item.calls
    if item.operations:
        extras["bytes_kept"] = counted.new(item.operations)
    return GraphNode(
        id=k,
        operation=item.operation,
        name=item.name,
        role=item.role,
        shape=None if first is None else tuple(first.shape),
        dtype="" if first is None else dtype_name(first),
        value=None if first is None else _value(item, 0),
        inputs=tuple([place for place, _, _ in item.inputs]),
        labels=_labels(recording, item),
        results=several,
        mark=item.mark,
        path=item.path,
        extras={name: thing for name, thing in extras.items() if thing not in (None, {})},
    )


def _labels(recording, item):
    labels = tuple([_label(recording.items[place], word, k) for place, k, word in item.inputs])
    return labels if any(labels) else ()


def _settings(item):
    """Return the settings of a call, and those that its operations saved."""
    saved = saved_by(item.operations[-1]).settings if item.operations else {}
    return item.settings if len(item.operations) != 1 or "index" in item.settings else {**saved, **item.settings}


def _result(item, j):
    part = item.results[j]
    value = _value(item, j) if is_tensor(part) and prod(part.shape) <= SMALL else None
    name = item.names[j] if j < len(item.names) else ""
    return Result(name, tuple(part.shape), dtype_name(part), value)


def _value(item, j):
    """Return the value of a result, unless it was changed in place later."""
    tensor = item.results[j]
    if not is_tensor(tensor) or version_of(tensor) != item.versions[j]:
        return None
    return array_of(tensor)


def _leaf(recording, k):
    item = recording.items[k]
    (thing,) = item.results
    if not is_tensor(thing):
        return GraphNode(k, name=item.name, role=item.role, value=thing, path=item.path)
    original = recording.known.originals.get(id(thing), thing)
    original = thing if type(original).__name__.startswith("Uninitialized") else original  # of a lazy module
    grad = original.grad if original.is_leaf and original.grad is not None else None
    return GraphNode(
        k,
        name=item.name,
        role=item.role,
        shape=tuple(thing.shape),
        dtype=dtype_name(thing),
        value=array_of(original) if original is not thing else _value(item, 0),
        grad=array_of(grad),
        path=item.path,
    )


class _Bytes:
    """Counts the bytes that operations keep for the backward pass, each memory once, without the memory of leaves."""

    def __init__(self, items: list[Item]) -> None:
        leaves = [item.results[0] for item in items if not item.operation and is_tensor(item.results[0])]
        self.seen = {self._memory(leaf) for leaf in leaves}

    def new(self, operations: Iterable[Any]) -> int:
        """Return the bytes that some operations keep, except those that are counted already."""
        total = 0
        for operation in operations:
            for tensor in saved_by(operation).tensors.values():
                memory = self._memory(tensor)
                total += 0 if memory in self.seen else min(tensor.nbytes, tensor.untyped_storage().nbytes())
                self.seen.add(memory)
        return total

    @staticmethod
    def _memory(tensor):
        return storage_of(tensor) or id(tensor)
