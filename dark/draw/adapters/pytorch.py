"""PyTorch's graph: the `grad_fn` of a tensor, and what each operation saved for the backward pass.

PyTorch's graph holds operations, not values. A value is known where an operation saved it: its own result, or an input,
which is the result of another. `backward` frees them, unless it is called with ``retain_graph=True``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dark.checks import describe
from dark.draw.adapters.module_paths import snake_case, with_paths
from dark.draw.adapters.tensors import array_of, call_and_locate, dtype_name, is_output, leaf_of, saved_by
from dark.draw.graph.graph_record import GraphNode, path_of
from dark.errors import DrawingError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# The names under which operations save their inputs, in the order in which they take them.
ORDER = ("self", "input", "mat1", "tensor1", "batch1", "query", "other", "mat2", "tensor2", "batch2", "key", "value")
NOT_INPUTS = re.compile(r"result\d*|output|total_weight|running_\w+|save_\w+|logsumexp|philox_\w+")
OF_SEVERAL = ("add", "sub", "rsub", "cat", "stack")  # they have constants among their inputs and do not save them


def nodes(result: Any, *inputs: Any, model: Any = None) -> Iterator[GraphNode]:
    """Yield the graph of a tensor, or of a network and example inputs.

    Parameters
    ----------
    result : torch.Tensor or torch.nn.Module
        A result, such as a loss. A network is called once with the inputs; it returns one tensor.
    *inputs : torch.Tensor
        The example inputs of a network.
    model : torch.nn.Module, optional
        Gives the parameters of a result their names, and the operations their modules as far as these follow from
        the parameters. A network that is called here knows the module of every operation.

    Yields
    ------
    GraphNode
        In topological order, the result last. A leaf has its gradient after `backward`; a result has it if it was
        asked to keep it by ``retain_grad()``.

    Raises
    ------
    DrawingError
        If PyTorch recorded no graph for the result.
    """
    modules = {}
    if hasattr(result, "named_modules"):
        model, (result, modules) = result, call_and_locate(result, inputs)
    if not hasattr(result, "grad_fn"):
        raise DrawingError(
            f"draw: the network returned {describe(result)}, not a tensor.",
            "one tensor.",
            "dark.draw(network(x)[0], model=network), with the tensor of interest",
        )
    if not result.requires_grad:
        raise DrawingError(
            "draw: the tensor does not require grad, so PyTorch recorded no graph for it.",
            "a result computed from a tensor with requires_grad=True.",
            "compute it outside torch.no_grad(), and do not detach() it",
        )
    found = list(_Reader(result, _names(model), modules, inputs).read())
    yield from found if modules else with_paths(found)


class _Reader:
    """Reads the operations below a tensor; a key is an operation and the number of one of its outputs."""

    def __init__(self, tensor, names, modules, inputs=()):
        self.tensor, self.names, self.modules = tensor, names, modules
        self.inputs = {given.data_ptr() for given in inputs if hasattr(given, "data_ptr")}
        self.order = _topological_order(_key(tensor))
        self.saved = {operation: saved_by(operation) for operation, _ in self.order}
        leaves = [leaf for operation, _ in self.order if (leaf := leaf_of(operation, tensor)) is not None]
        self.storages = {leaf.untyped_storage().data_ptr() for leaf in leaves}  # parameters are not kept for the pass
        self.values, self.count = {_key(tensor): tensor}, 0
        for operation, saved in self.saved.items():
            for name, kept in saved.tensors.items():
                self.values.setdefault((operation, 0) if is_output(name) else _key(kept), kept)

    def read(self):
        ids = {}
        for key in self.order:
            inputs = [ids.get(below) for below in _inputs(key)]  # None for a constant, which is not in the graph
            variable = leaf_of(key[0], self.tensor)
            for place, name, constant in self._constants(key[0], inputs) if variable is None else ():
                yield self._leaf(constant, "constant", name)
                inputs[place : place + 1] = [self.count - 1]
            yield self._leaf(variable, "parameter") if variable is not None else self._result(key, inputs)
            ids[key] = self.count - 1

    def _constants(self, operation, inputs):
        """Return the inputs that do not require grad, as (position, name, tensor); None for one that is not saved."""
        kept = self.saved[operation].tensors
        here = [name for name in kept if kept[name].grad_fn is None and not NOT_INPUTS.fullmatch(name)]
        here = [name for name in here if not kept[name].requires_grad]
        here.sort(key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
        free = [place for place, known in enumerate(inputs) if known is None]
        more = len(free) - len(here) if _name(operation) in OF_SEVERAL else 0
        places = [*free, *range(len(inputs), len(inputs) + len(here))]
        return [(place, name, kept.get(name)) for place, name in zip(places, [*here, *[None] * more])]

    def _leaf(self, tensor, role, name=None):
        self.count += 1
        if tensor is None:
            return GraphNode(id=self.count - 1, role=role, name=name)
        known = self.names.get(id(tensor))
        return GraphNode(
            id=self.count - 1,
            name=known or (name if name not in ORDER else None),
            role=self._role(tensor, role),
            path=path_of(known or "")[:-1],
            shape=tuple(tensor.shape),
            dtype=dtype_name(tensor),
            value=array_of(tensor),
            grad=array_of(tensor.grad) if tensor.is_leaf else None,
        )

    def _role(self, tensor, role):
        if tensor.data_ptr() in self.inputs:
            return "input"
        return "parameter" if type(tensor).__name__ == "Parameter" else role

    def _result(self, key, inputs):
        operation, output = key
        meta, value = operation._input_metadata[output], self.values.get(key)
        self.count += 1
        saved = self.saved[operation]
        extras = {"node": operation, "settings": saved.settings}
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


def _names(model):
    """Return the dotted names of the parameters and buffers of a model, by id."""
    members = () if model is None else (*model.named_buffers(), *model.named_parameters())
    return {id(member): name for name, member in members}


def _key(tensor):
    return tensor.grad_fn, tensor.output_nr if tensor.grad_fn is not None else 0


def _inputs(key):
    """Return the keys of the inputs of an operation; the operation is None for one that does not require grad."""
    return getattr(key[0], "next_functions", ())


def _topological_order(root):
    order, seen, stack = [], set(), [root]
    while stack:
        key = stack.pop()
        if key is None:  # the mark of an operation whose inputs are all in the list
            order.append(stack.pop())
        elif key not in seen:
            seen.add(key)
            below = [other for other in _inputs(key) if other[0] is not None and other not in seen]
            stack += [key, None, *reversed(below)]
    return order


def _name(operation):
    """Return the name of the operation that a backward function belongs to.

    Examples
    --------
    >>> class MseLossBackward0:
    ...     def name(self):
    ...         return "MseLossBackward0"
    >>> _name(MseLossBackward0())
    'mse_loss'
    """
    return snake_case(re.sub(r"Backward\d*$", "", operation.name().rpartition("::")[2]))
