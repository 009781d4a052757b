"""A call of a network of PyTorch: its graph, in which module each operation ran, and the values of all results.

The network is called with copies of its buffers, and the state of the random generators is restored: neither changes.
Its inputs and its frozen parameters require grad in this call, so that the graph holds all operations.
"""

import inspect
from contextlib import contextmanager
from functools import cache
from time import perf_counter
from typing import Any, NamedTuple

from dark.draw.adapters.tensors import tensors_in
from dark.draw.graph.graph_record import path_of
from dark.errors import DrawingError


class Call(NamedTuple):
    """What is known after a call; `names` are those of the parameters and buffers, by `id`."""

    result: Any
    modules: dict  # the path of the innermost module of each operation, by its `grad_fn`
    values: dict  # the tensors that operations returned, by `grad_fn` and number of the output
    inputs: dict  # name and tensor of each input, by the `grad_fn` that stands in its place, or by its address
    names: dict[int, str]
    seconds: dict  # the time of each function, by the `grad_fn` of its result


def call_network(network: Any, inputs: tuple[Any, ...]) -> Call:
    """Call a network once; a DrawingError if it was compiled by `torch.jit`."""
    import torch

    if isinstance(network, torch.jit.ScriptModule):
        raise DrawingError(
            "draw: a network compiled by torch.jit cannot be called with copies of its buffers.",
            "a torch.nn.Module.",
            "draw the module before torch.jit.script or torch.jit.trace",
        )
    members = {name: _member(torch, tensor) for name, tensor in (*network.named_buffers(), *network.named_parameters())}
    names = {id(tensor): name for name, tensor in members.items()}
    found: dict = {}
    modules: dict = {}
    recorder = _recorder_class()()
    devices = {tensor.device.index for tensor in members.values() if tensor.device.type == "cuda"}
    with torch.enable_grad():
        given = [_given(torch, thing, name, found) for thing, name in zip(inputs, input_names(network, inputs))]
        with _hooks(network, modules), torch.random.fork_rng(devices=sorted(devices)), recorder:
            result = torch.func.functional_call(network, members, tuple(given))
    values = {key: tensor for key, (tensor, version) in recorder.found.items() if tensor._version == version}
    return Call(result, modules, values, found, names, recorder.seconds)


@cache
def _recorder_class():
    """Define the class on first use: PyTorch is an optional dependency."""
    from torch.overrides import TorchFunctionMode

    class Recorder(TorchFunctionMode):
        """Keeps the results of all functions with their versions: one that is changed in place later is not known."""

        def __init__(self):
            super().__init__()
            self.found, self.seconds = {}, {}

        def __torch_function__(self, function, types, args=(), kwargs=None):
            start = perf_counter()
            result = function(*args, **(kwargs or {}))
            seconds = perf_counter() - start
            for tensor in tensors_in(result):
                if tensor.grad_fn is not None:
                    self.seconds.setdefault(tensor.grad_fn, seconds)
                    self.found[tensor.grad_fn, tensor.output_nr] = tensor.detach(), tensor._version
            return result

    return Recorder


def _can_require_grad(tensor):
    return tensor.is_floating_point() or tensor.is_complex()


def _member(torch, tensor):
    """Return a parameter that requires grad and shares the memory of this one, or the copy of a buffer."""
    if not isinstance(tensor, torch.nn.Parameter):
        return tensor.clone()
    if tensor.requires_grad or not _can_require_grad(tensor):
        return tensor
    return torch.nn.Parameter(tensor.detach())


def _given(torch, thing, name, found):
    """Return an input whose floating-point tensors require grad; an operation stands for each of them in the graph."""
    if isinstance(thing, torch.Tensor):
        if thing.requires_grad or not _can_require_grad(thing):
            found[thing.data_ptr()] = name, thing
            return thing
        copy = thing.detach().clone().requires_grad_().clone()  # not a leaf: the network may change it in place
        found[copy.grad_fn] = name, thing
        return copy
    if isinstance(thing, dict):
        return {key: _given(torch, part, f"{name}.{key}", found) for key, part in thing.items()}
    if type(thing) in (list, tuple):
        return type(thing)(_given(torch, part, f"{name}.{k}", found) for k, part in enumerate(thing))
    return thing


def input_names(network, inputs):
    """Return the names of the inputs in the signature of the network, of PyTorch or dark."""
    try:
        bound = inspect.signature(network.forward).bind(*inputs)
    except (TypeError, ValueError):  # the call itself tells what is wrong
        return [f"input{k}" for k in range(len(inputs))]
    names = []
    for name, kind in ((name, bound.signature.parameters[name].kind) for name in bound.arguments):
        several = kind is inspect.Parameter.VAR_POSITIONAL
        names += [f"{name}.{k}" for k in range(len(bound.arguments[name]))] if several else [name]
    return names


@contextmanager
def _hooks(network, modules):
    """Record in which module each operation runs, by forward hooks that are removed in the end."""

    def locate(path):
        def hook(module, args, settings, output):
            seen = {t.grad_fn for t in tensors_in([args, settings])}
            waiting = [t.grad_fn for t in tensors_in(output)]
            while waiting:
                operation = waiting.pop()
                if operation is not None and operation not in seen:
                    seen.add(operation)
                    modules.setdefault(operation, path)  # the hook of an inner module runs first
                    waiting += [below for below, _ in operation.next_functions]

        return hook

    named = network.named_modules()
    handles = [module.register_forward_hook(locate(path_of(name)), with_kwargs=True) for name, module in named]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
