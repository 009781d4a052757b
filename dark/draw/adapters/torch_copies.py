"""Copies of a network of PyTorch and of its arguments: a call of the copies changes nothing of the user's.

A copied network has its own Python state, buffers and generators. Its parameters share the memory of the user's, and
require grad, so that the graph holds all operations; floating-point arguments require grad, too.
"""

import random
from collections import OrderedDict
from contextlib import contextmanager
from copy import copy, deepcopy
from functools import cache
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

SIMPLE = (int, float, str, bool, type(None))


class Copier:
    """Copies things with their relations: one object in the originals is one object in the copies."""

    def __init__(self, with_gradients: bool = True) -> None:
        self.with_gradients = with_gradients
        self.memo: dict[int, Any] = {}  # the copies, by `id` of the original
        self.originals: dict[int, Any] = {}  # the tensors that were copied, by `id` of the copy
        self.alive: list[Any] = []  # so that no `id` is used twice

    def network(self, network: Any) -> Any:
        """Return a copy of a network, whose attributes are copied as far as they can be."""
        from torch.jit import ScriptModule

        for parameter in network.parameters():
            self._keep(parameter, self._parameter(parameter))
        found = []
        for module in network.modules():
            module = inner_network(module)
            if id(module) in self.memo:
                continue
            if isinstance(module, ScriptModule):
                self._keep(module, self._compiled(module))
                continue
            self._keep(module, object.__new__(type(module)))
            found.append(module)
        for module in network.modules():  # a compiled module is replaced by the one in it
            self.memo[id(module)] = self.memo[id(inner_network(module))]
        for module in found:
            state = {name: self.thing(value) for name, value in vars(module).items()}
            self.memo[id(module)].__dict__.update(state | {"_compiled_call_impl": None})
        return self.memo[id(inner_network(network))]

    def thing(self, thing: Any, requires_grad: bool = False) -> Any:
        """Return a deep copy of a thing, in which tensors are detached; the thing itself if it cannot be copied."""
        if isinstance(thing, SIMPLE):
            return thing
        if type(thing) in (dict, OrderedDict) and not thing:  # most dicts of a module, such as those of its hooks
            return self.memo.setdefault(id(thing), type(thing)())
        with _copying_class()(self, requires_grad and self.with_gradients):
            try:
                return deepcopy(thing, self.memo)
            except Exception:  # a lock, an open file, an object of C
                if type(thing) in (list, tuple):
                    return type(thing)(self.thing(part, requires_grad) for part in thing)
                if type(thing) is dict:
                    return {key: self.thing(part, requires_grad) for key, part in thing.items()}
                return thing

    def function(self, function: Any) -> tuple[Any, dict[str, Any]]:
        """Return a copy of a function with copies of the networks that it names, and these networks by their names."""
        from torch.nn import Module

        if isinstance(function, MethodType) and isinstance(function.__self__, Module):
            return MethodType(function.__func__, self.network(function.__self__)), {"": function.__self__}
        if not isinstance(function, FunctionType):
            return function, {}
        code, cells = function.__code__, list(function.__closure__ or ())
        used = {name: function.__globals__[name] for name in code.co_names if name in function.__globals__}
        used = {name: thing for name, thing in used.items() if isinstance(thing, Module)}
        held = {name: cell.cell_contents for name, cell in zip(code.co_freevars, cells) if _is_full(cell)}
        networks = used | {name: thing for name, thing in held.items() if isinstance(thing, Module)}
        copies = {name: self.network(network) for name, network in networks.items()}
        if not networks:
            return function, {}
        names = {**function.__globals__, **{name: copies[name] for name in used}}
        cells = [CellType(copies[n]) if n in copies else c for n, c in zip(code.co_freevars, cells)]
        again = FunctionType(code, names, function.__name__, function.__defaults__, tuple(cells))
        again.__kwdefaults__ = function.__kwdefaults__
        return again, networks

    def tensor(self, tensor: Any, requires_grad: bool) -> Any:
        """Return a copy of a tensor; one that requires grad is no leaf, as the network may change it in place."""
        made = tensor.detach().clone()
        if requires_grad and can_require_grad(made):
            made = made.requires_grad_().clone()
        self._keep(tensor, made)
        return made

    def _parameter(self, parameter):
        if type(parameter).__name__.startswith("Uninitialized"):
            return deepcopy(parameter)
        made = type(parameter)(parameter.detach(), requires_grad=False) if _is_plain(parameter) else copy(parameter)
        return made.requires_grad_(parameter.requires_grad or (self.with_gradients and can_require_grad(made)))

    def _compiled(self, module):
        """Return a copy of a module that torch.jit compiled, whose parameters are copies, too."""
        import torch

        with torch.no_grad():  # the copies of parameters are leaves
            made = deepcopy(module)
        for inner in module.modules():
            self.memo.setdefault(id(inner), inner)
        for parameter, copied in zip(module.parameters(), made.parameters()):
            copied.requires_grad_(parameter.requires_grad or (self.with_gradients and can_require_grad(copied)))
        return made

    def _keep(self, original, made):
        self.memo[id(original)] = made
        self.originals[id(made)] = original
        self.alive += [original, made]


@cache
def _copying_class():
    """Define the class on first use: PyTorch is an optional dependency."""
    from torch import Tensor
    from torch.overrides import TorchFunctionMode

    class Copying(TorchFunctionMode):
        """Copies tensors by a `Copier`, which PyTorch itself refuses for results of operations."""

        def __init__(self, copier, requires_grad):
            super().__init__()
            self.copier, self.requires_grad = copier, requires_grad

        def __torch_function__(self, function, types, args=(), kwargs=None):
            if function is not Tensor.__deepcopy__:
                return function(*args, **(kwargs or {}))
            tensor, memo = args
            return memo[id(tensor)] if id(tensor) in memo else self.copier.tensor(tensor, self.requires_grad)

    return Copying


def _is_plain(parameter):
    return type(parameter).__name__ == "Parameter"


def _is_full(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:  # its variable has no value yet
        return False


def can_require_grad(tensor: Any) -> bool:
    """Return whether a tensor of this dtype can require grad."""
    return tensor.is_floating_point() or tensor.is_complex()


def inner_network(module: Any) -> Any:
    """Return the network in a wrapper: of `torch.compile`, `DataParallel` and similar ones."""
    while wrapper_of(module):
        module = module._orig_mod if hasattr(module, "_orig_mod") else module.module
    return module


def wrapper_of(module: Any) -> str:
    """Return the name of the wrapper that a module is; "" if it is not a wrapper."""
    name = type(module).__name__
    if hasattr(module, "_orig_mod"):
        return "torch.compile"
    return name if name in ("DataParallel", "DistributedDataParallel", "FullyShardedDataParallel") else ""


@contextmanager
def same_generators(tensors: Any):
    """Restore the states of the global random generators: of PyTorch, Python and NumPy."""
    import torch

    states = random.getstate(), np.random.get_state()
    devices = {tensor.device.index for tensor in tensors if tensor.device.type == "cuda"}
    try:
        with torch.random.fork_rng(devices=sorted(devices)):
            yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
