"""PyTorch's graph: the `grad_fn` of a tensor, and what each operation saved for the backward pass.

PyTorch's graph holds operations, not values. A value is known where an operation saved it: its own result, or an input,
which is the result of another. `backward` frees them, unless it is called with ``retain_graph=True``.
"""

import re
from collections.abc import Iterator
from typing import Any

from dark.checks import describe
from dark.draw.adapters.module_paths import constants_in_modules, snake_case, with_paths
from dark.draw.adapters.network_calls import call_network
from dark.draw.adapters.tensors import array_of, dtype_name, saved_by, tensors_in
from dark.draw.graph.graph_record import GraphNode, path_of
from dark.draw.graph.quotient import all_below
from dark.errors import DrawingError

# The names under which operations save their inputs, in the order in which they take them.
ORDER = ("self", "input", "mat1", "tensor1", "batch1", "query", "other", "mat2", "tensor2", "batch2", "key", "value")
NOT_INPUTS = re.compile(r"result\d*|output|total_weight|running_\w+|save_\w+|logsumexp|philox_\w+")
OF_SEVERAL = ("add", "sub", "rsub", "cat", "stack")  # they have constants among their inputs and do not save them


def nodes(result: Any, *inputs: Any, model: Any = None) -> Iterator[GraphNode]:
    """Yield the graph of a tensor, such as a loss, or of a network that is called once with example inputs.

    In topological order, the result last; several results of a network are the inputs of a last node. A leaf has its
    gradient after `backward`; a result has it if it was asked to keep it by ``retain_grad()``. `model` gives the
    parameters of a result their names, and the operations their modules as far as these follow from the parameters. A
    network that is called here knows the module of every operation.
    """
    if hasattr(result, "named_modules"):
        call = call_network(result, inputs)
        yield from constants_in_modules(list(_Reader(_outputs(call.result), call.names, call).read()))
        return
    _check(result)
    members = () if model is None else (*model.named_buffers(), *model.named_parameters())
    names = {id(member): name for name, member in members}
    yield from with_paths(list(_Reader([result], names).read()))


def _outputs(result):
    """Return the tensors that a network returned and that require grad."""
    found = [tensor for tensor in tensors_in(result) if tensor.requires_grad]
    if not found:
        raise DrawingError(
            f"draw: the network returned {describe(result)}, and no tensor that requires grad.",
            "a tensor, or a tuple, list or dict of tensors, that is computed from parameters or inputs.",
            "dark.draw(network(x).last_hidden_state, model=network), with the tensor of interest",
        )
    return found


def _check(tensor):
    if not hasattr(tensor, "grad_fn"):
        raise DrawingError(
            f"draw: {describe(tensor)} is not a tensor or a network of PyTorch.",
            "a tensor that was computed, or a torch.nn.Module with example inputs.",
            "dark.draw(loss, model=network), or dark.draw(network, x)",
        )
    if not tensor.requires_grad:
        raise DrawingError(
            "draw: the tensor does not require grad, so PyTorch recorded no graph for it.",
            "a result computed from a tensor with requires_grad=True.",
            "compute it outside torch.no_grad(), and do not detach() it",
        )


class _Reader:
    """Reads the operations below tensors; a key is an operation and the number of one of its outputs."""

    def __init__(self, tensors, names, call=None):
        self.tensors, self.names = tensors, names
        self.modules: dict[Any, Any] = call.modules if call else {}
        self.given: dict[Any, Any] = call.inputs if call else {}
        self.seconds = call.seconds if call else {}
        self.kind = type(call.result).__name__ if call else ""
        self.order = all_below([_key(tensor) for tensor in tensors], self._below, hash)
        self.saved = {operation: saved_by(operation) for operation, _ in self.order if operation not in self.given}
        leaves = [leaf for key in self.order if (leaf := self._leaf_of(key)) is not None]
        self.storages = {leaf.untyped_storage().data_ptr() for leaf in leaves}  # parameters are not kept for the pass
        self.values, self.count = {_key(tensor): tensor for tensor in tensors}, 0
        for operation, saved in self.saved.items():
            for name, kept in saved.tensors.items():
                self.values.setdefault((operation, 0) if name in ("result", "output") else _key(kept), kept)
        for key, tensor in call.values.items() if call else ():
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
            yield GraphNode(id=self.count, operation=self.kind, shape=None, inputs=results)

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
        more = len(free) - len(here) if _name(operation) in OF_SEVERAL else 0
        places = [*free, *range(len(inputs), len(inputs) + len(here))]
        found = [(place, name, kept.get(name)) for place, name in zip(places, [*here, *[None] * more])]
        exponent = self.saved[operation].settings.get("exponent")
        return [*found, (len(inputs), None, exponent)] if isinstance(exponent, (int, float)) else found

    def _leaf(self, tensor, role, name=None):
        self.count += 1
        if tensor is None or isinstance(tensor, (int, float)):
            return GraphNode(id=self.count - 1, role=role, name=name, value=tensor)
        known = self.names.get(id(tensor))
        if tensor.data_ptr() in self.given:
            role, name = "input", self.given[tensor.data_ptr()][0]
        return GraphNode(
            id=self.count - 1,
            name=known or (name if role == "input" or name not in ORDER else None),
            role="parameter" if type(tensor).__name__ == "Parameter" else role,
            path=path_of(known or "")[:-1],
            shape=tuple(tensor.shape),
            dtype=dtype_name(tensor),
            value=array_of(tensor),
            grad=array_of(tensor.grad) if tensor.is_leaf else None,
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
            operation=_name(operation),
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
    """Return the key of a tensor; that of a leaf has no operation, but the leaf itself."""
    return (tensor.grad_fn, tensor.output_nr) if tensor.grad_fn is not None else (None, tensor)


def _inputs(key):
    """Return the keys of the inputs of an operation; the operation is None for one that does not require grad."""
    return getattr(key[0], "next_functions", ())


def _name(operation):
    """Return the name of the operation that a backward function belongs to."""
    return snake_case(re.sub(r"Backward\d*$", "", operation.name().rpartition("::")[2]))
