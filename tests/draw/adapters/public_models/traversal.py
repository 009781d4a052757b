"""A network of PyTorch as it runs, by other means than drawing: autograd's graph, calls of modules, operations."""

from collections import Counter

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Counted(TorchDispatchMode):
    """Counts the operations that run, by their name and by the module in which they run."""

    def __init__(self, stack):
        super().__init__()
        self.stack, self.operations, self.modules = stack, Counter(), Counter()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.operations[function.overloadpacket.__name__] += 1
        self.modules.update(set(self.stack))
        return function(*args, **(kwargs or {}))


class Watched:
    """The calls of the modules of a network, as hooks see them: names, and the shape of a result that is a tensor.

    The hooks of a copy of the network write into the same lists, so that `result` is that of its last call.
    """

    def __init__(self, network):
        self.calls, self.stack, self.result = [], [], None
        for name, module in network.named_modules():
            module.register_forward_pre_hook(lambda module, args, name=name: self.stack.append(name))
            module.register_forward_hook(lambda module, args, result, name=name: self._leave(name, result))

    def _leave(self, name, result):
        self.stack.pop()
        self.calls.append((name, tuple(result.shape) if isinstance(result, torch.Tensor) else None))
        self.result = result

    def taken(self):
        """Return the calls since the last time."""
        calls, self.calls = self.calls, []
        return calls


def with_gradients(thing):
    """Return tensors that can have a gradient as results of an operation that require it, in nested containers."""
    if isinstance(thing, torch.Tensor):
        return thing.detach().clone().requires_grad_().clone() if thing.is_floating_point() else thing
    if isinstance(thing, (list, tuple)):
        return type(thing)(map(with_gradients, thing))
    return {key: with_gradients(part) for key, part in thing.items()} if isinstance(thing, dict) else thing


def tensors_in(thing):
    """Return the tensors in nested containers, each once, in their order."""
    parts = thing.values() if isinstance(thing, dict) else thing if isinstance(thing, (list, tuple)) else ()
    found = [thing] if isinstance(thing, torch.Tensor) else [tensor for part in parts for tensor in tensors_in(part)]
    return list({id(tensor): tensor for tensor in found}.values())


def operations_below(roots):
    """Return all operations of autograd's graph below some, with themselves."""
    found, waiting = {}, [root for root in roots if root is not None]
    while waiting:
        operation = waiting.pop()
        if operation not in found:
            found[operation] = None
            waiting += [below for below, _ in operation.next_functions if below is not None]
    return list(found)


def in_step(own, copied):
    """Return for each operation below some its partner below others: the graphs are equal, operation by operation."""
    partner, waiting = {}, list(zip(own, copied, strict=True))
    while waiting:
        a, b = waiting.pop()
        assert (a is None) == (b is None), (a, b)
        if a is None or a in partner:
            assert a is None or partner[a] is b, (a, b, partner[a])
            continue
        assert (a.name(), len(a.next_functions)) == (b.name(), len(b.next_functions))
        partner[a] = b
        for (below, k), (there, n) in zip(a.next_functions, b.next_functions):
            assert k == n
            waiting.append((below, there))
    return partner


def sources_of(operation, is_known):
    """Return the nearest operations below one that are known, and the leaves."""
    found, seen = set(), set()
    waiting = [below for below, _ in operation.next_functions if below is not None]
    while waiting:
        below = waiting.pop()
        if below in seen:
            continue
        seen.add(below)
        if is_known(below) or hasattr(below, "variable"):
            found.add(below)
        else:
            waiting += [further for further, _ in below.next_functions if further is not None]
    return found
