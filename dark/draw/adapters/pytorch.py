"""PyTorch's graph: the `grad_fn` of a tensor, and the tensors that each operation saved for the backward pass.

PyTorch's graph holds operations, not values. A value is known where an operation saved it: its own result, or an input,
which is the result of another. `backward` frees them, unless it is called with ``retain_graph=True``.
"""

import re
from os import PathLike
from typing import Any

from dark.checks import describe
from dark.draw.adapters.call_graph import graph_of
from dark.draw.adapters.module_paths import constants_in_modules, with_paths
from dark.draw.adapters.network_calls import OF_JIT, call_network
from dark.draw.adapters.recorded_items import OfAutograd, of_autograd
from dark.draw.adapters.registry import modules_of
from dark.draw.adapters.shared_memory import storage_of
from dark.draw.adapters.tensor_parts import is_tensor, named_tensors
from dark.draw.adapters.tensors import array_of, dtype_name, operation_name, saved_by, tensors_in
from dark.draw.adapters.torch_files import error_of_file
from dark.draw.graph.graph_record import GraphNode, GraphRecord, path_of
from dark.draw.graph.quotient import all_below
from dark.errors import DrawingError

# The names under which operations save their inputs, in the order in which they take them.
ORDER = ("self", "input", "mat1", "tensor1", "batch1", "query", "other", "mat2", "tensor2", "batch2", "key", "value")
NOT_INPUTS = re.compile(r"result\d*|output|total_weight|running_\w+|save_\w+|logsumexp|philox_\w+")
OF_SEVERAL = ("add", "sub", "rsub", "cat", "stack")  # they have constants among their inputs and do not save them


def nodes(
    thing: Any, *inputs: Any, model: Any = None, keywords: dict[str, Any] | None = None, grad_fn: bool = False
) -> GraphRecord:
    """Return the graph of a tensor, such as a loss, or of a network or function that is called once.

    Of a network or function it holds one node a call, with `grad_fn` those of autograd instead. Of a tensor, or of
    several in a container, it holds the operations that autograd recorded: in topological order, the result last; a
    leaf has its gradient after `backward`, a result if it was asked to keep it by ``retain_grad()``. `model` gives the
    parameters of a result their names, and the operations their modules as far as these follow from the parameters.
    """
    if hasattr(thing, "module") and type(thing).__name__ == "ExportedProgram":
        thing = thing.module()
    if isinstance(thing, (str, PathLike)):
        raise error_of_file(thing)
    is_network = hasattr(thing, "named_modules")
    if not is_network and (not callable(thing) or is_tensor(thing)):
        tensors, members = _several(thing), () if model is None else (*model.named_buffers(), *model.named_parameters())
        reader = _Reader(list(tensors.values()), {id(member): name for name, member in members})
        reader.kind, reader.labels = type(thing).__name__, tuple(tensors)
        return GraphRecord(tuple(with_paths(list(reader.read()))), modules_of(model))
    call = call_network(thing, inputs, keywords or {})
    if not (grad_fn or call.note == OF_JIT):
        return GraphRecord(tuple(graph_of(call.recording, call.result)), call.modules, note=call.note)
    reader = _Reader(_outputs(call.result), {i: name for i, (_, name) in call.recording.known.names.items()}, call)
    named = with_paths if call.note == OF_JIT else constants_in_modules
    return GraphRecord(tuple(named(list(reader.read()))), call.modules, note=call.note)


def _outputs(result):
    """Return the tensors that a network returned and that require grad."""
    found = [tensor for tensor in tensors_in(result) if tensor.requires_grad]
    if not found:
        raise DrawingError(
            f"draw: the network returned {describe(result)}, and no tensor that requires grad.",
            "a tensor, or a tuple, list or dict of tensors, that is computed from parameters or inputs.",
            "dark.draw(network, x), which draws its calls; without grad_fn=True",
        )
    return found


def _several(thing):
    """Return the tensors that require grad in a tensor, or in a container or result, by their names."""
    found = dict(named_tensors(thing))
    if not found:
        raise DrawingError(
            f"draw: {describe(thing)} is not a tensor or a network of PyTorch.",
            "a tensor that was computed, or a torch.nn.Module with example inputs.",
            "dark.draw(loss, model=network), or dark.draw(network, x)",
        )
    if not is_tensor(thing) and not any(
        tensor.grad_fn is not None for tensor in found.values() if tensor.requires_grad
    ):
        found = {name: tensor.detach() for name, tensor in found.items()}  # weights: no operation computed them
    wanted = {name: tensor for name, tensor in found.items() if tensor.requires_grad}
    if not wanted:
        what = "the tensor does" if is_tensor(thing) else f"the tensors in {describe(thing)} do"
        raise DrawingError(
            f"draw: {what} not require grad, so PyTorch recorded no graph.",
            "a result computed from a tensor with requires_grad=True.",
            "compute it outside torch.no_grad(), and do not detach() it; or dark.draw(network, x), which draws calls",
        )
    return wanted


class _Reader:
    """Reads the operations below tensors; a key is an operation and the number of one of its outputs."""

    def __init__(self, tensors, names, call=None):
        self.tensors, self.names = tensors, names
        known = of_autograd(call.recording.items, call.recording.known) if call else OfAutograd({}, {}, {}, {})
        self.modules, self.given, self.seconds = known.paths, known.inputs, known.seconds
        self.originals = call.recording.known.originals if call else {}
        self.kind, self.labels = type(call.result).__name__ if call else "", ()
        self.order = all_below([_key(tensor) for tensor in tensors], self._below, hash)
        self.saved = {operation: saved_by(operation) for operation, _ in self.order if operation not in self.given}
        leaves = [leaf for key in self.order if (leaf := self._leaf_of(key)) is not None]
        self.storages = {leaf.untyped_storage().data_ptr() for leaf in leaves}  # parameters are not kept for the pass
        self.values, self.count = {_key(tensor): tensor for tensor in tensors}, 0
        for operation, saved in self.saved.items():
            for name, kept in saved.tensors.items():
                self.values.setdefault((operation, 0) if name in ("result", "output") else _key(kept), kept)
        for key, tensor in known.values.items():
            self.values.setdefault(key, tensor)

    def read(self):
        """Yield the nodes; several tensors are the inputs of a last node, such as a tuple."""
        ids: dict[Any, int] = {}
        for key in self.order:
            inputs = [ids.get(below) for below in _inputs(key)]  # None for a constant, which is not in the graph
            variable = self._leaf_of(key)
            for place, name, constant in self._constants(key[0], inputs) if variable is None else ():
                yield self._leaf(constant, "constant", name)
                inputs[place : place + 1] = [self.count - 1]
            if key[0] in self.given:
                yield self._leaf(variable, "input", self.given[key[0]][0])
            else:
                yield self._leaf(variable, "parameter") if variable is not None else self._result(key, inputs)
            ids[key] = self.count - 1
        if len(self.tensors) > 1:
            results = tuple([ids[_key(tensor)] for tensor in self.tensors])
            yield GraphNode(self.count, self.kind, shape=None, inputs=results, labels=self.labels)

    def _below(self, key):
        """Return the keys of the inputs of an operation that require grad."""
        return [] if key[0] in self.given else [other for other in _inputs(key) if other[0] is not None]

    def _leaf_of(self, key):
        """Return the tensor of a leaf: an input of the network, a parameter, or a tensor without a graph."""
        if key[0] in self.given:
            return self.given[key[0]][1]
        return key[1] if key[0] is None else getattr(key[0], "variable", None)

    def _constants(self, operation, inputs):
        """Return the inputs that do not require grad, as (position, name, tensor).

        One that is not saved is None, and the exponent of a power a number.
        """
        kept: dict[Any, Any] = self.saved[operation].tensors
        here = [name for name in kept if kept[name].grad_fn is None and not NOT_INPUTS.fullmatch(name)]
        here = [name for name in here if not kept[name].requires_grad]
        here.sort(key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
        free = [place for place, known in enumerate(inputs) if known is None]
        more = len(free) - len(here) if operation_name(operation) in OF_SEVERAL else 0
        places = [*free, *range(len(inputs), len(inputs) + len(here))]
        found = [(place, name, kept.get(name)) for place, name in zip(places, [*here, *[None] * more])]
        exponent = self.saved[operation].settings.get("exponent")
        return [*found, (len(inputs), None, exponent)] if isinstance(exponent, (int, float)) else found

    def _leaf(self, tensor, role, name=None):
        self.count += 1
        if tensor is None or isinstance(tensor, (int, float)):
            return GraphNode(id=self.count - 1, role=role, name=name, value=tensor)
        known, original = self.names.get(id(tensor)), self.originals.get(id(tensor), tensor)
        place = (storage_of(tensor), tensor.storage_offset(), tensor.shape, tensor.stride())  # a slice is another one
        if place in self.given:
            role, name = "input", self.given[place][0]
        return GraphNode(
            id=self.count - 1,
            name=known or (name if role == "input" or name not in ORDER else None),
            role="parameter" if type(tensor).__name__ == "Parameter" else role,
            path=path_of(known or "")[:-1],
            shape=tuple(tensor.shape),
            dtype=dtype_name(tensor),
            value=array_of(tensor),
            grad=array_of(original.grad) if original.is_leaf else None,
        )

    def _result(self, key, inputs):
        operation, output = key
        meta, value = operation._input_metadata[output], self.values.get(key)
        self.count += 1
        saved = self.saved[operation]
        extras = {"node": operation, "settings": saved.settings}
        if operation in self.seconds:
            extras["seconds_forward"] = self.seconds.pop(operation)  # of the first of several outputs
        if not saved.freed:
            extras["bytes_kept"] = self._new_bytes(saved.tensors)
        return GraphNode(
            id=self.count - 1,
            operation=operation_name(operation),
            shape=tuple(meta.shape),
            dtype=dtype_name(meta),
            value=array_of(value),
            grad=array_of(value.grad) if value is not None and value.retains_grad else None,
            inputs=tuple([i for i in inputs if i is not None]),
            path=self.modules.get(operation, ()),
            extras={name: thing for name, thing in extras.items() if thing not in (None, {})},
        )

    def _new_bytes(self, tensors):
        """Return the bytes that this operation keeps, except of parameters and of what earlier operations keep."""
        total = 0
        for tensor in tensors.values():
            storage = tensor.untyped_storage()
            total += 0 if storage.data_ptr() in self.storages else min(tensor.nbytes, storage.nbytes())
            self.storages.add(storage.data_ptr())
        return total


def _key(tensor):
    """Return the key of a tensor; a leaf's has no operation, but the leaf itself."""
    return (tensor.grad_fn, tensor.output_nr) if tensor.grad_fn is not None else (None, tensor)


def _inputs(key):
    """Return the keys of the inputs of an operation; the operation is None for one that does not require grad."""
    return getattr(key[0], "next_functions", ())
