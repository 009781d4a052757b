"""A call of a network, or of a function of tensors, of PyTorch: of copies, with all calls in it recorded.

The user's network, arguments and random generators do not change; see `torch_copies`. Where a network cannot be called
with inputs that require grad, for example as it converts them to arrays of NumPy, it is called with them as they are.
"""

import inspect
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import Any

from dark.checks import describe
from dark.draw.adapters.call_graph import graph_of
from dark.draw.adapters.failed_network import network_error, title_of
from dark.draw.adapters.recorded_calls import Recording
from dark.draw.adapters.recorded_items import Item, Known
from dark.draw.adapters.tensor_parts import input_names, named_tensors
from dark.draw.adapters.torch_copies import Copier, inner_network, same_generators, wrapper_of
from dark.draw.graph.graph_record import GraphRecord, path_of
from dark.errors import DrawingError

OF_JIT = "compiled by torch.jit: drawn as autograd recorded it; draw the module before torch.jit to see its calls"


@dataclass
class Call:
    """A call: its result, what was recorded, the class of each module by its path, and a line about it."""

    result: Any
    recording: Recording
    modules: dict[tuple[str, ...], str]
    note: str
    error: Exception | None = None


def call_network(network: Any, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Call:
    """Call a copy of a network or of a function once; a NetworkError with the calls before if it fails."""
    _check_arguments(network, inputs, keywords)
    call = _call(network, inputs, keywords, with_gradients=True)
    if call.error is not None:
        call = _call(network, inputs, keywords, with_gradients=False)
    if call.error is None:
        if next(named_tensors(call.result), None) is None:
            call.note = "; ".join(filter(None, (call.note, f"the result is {describe(call.result)}, without a tensor")))
        return call
    record = GraphRecord(tuple(graph_of(call.recording, None, has_result=False)), call.modules, note=call.note)
    raise network_error(inner_network(network), call.error, record)


def _call(network, inputs, keywords, with_gradients):
    """Call copies, and return the record; an error of the network is part of it."""
    import torch

    copier = Copier(with_gradients)
    made, networks, note = _copied(network, copier)
    names = input_names(inner_network(network), inputs, keywords)
    for name, thing in zip(names, (*inputs, *keywords.values())):
        if hasattr(thing, "named_modules"):  # a network among the arguments of a function
            copier.network(thing)
            networks[name] = inner_network(thing)
    given = [copier.thing(thing, requires_grad=True) for thing in (*inputs, *keywords.values())]
    known = Known({}, copier.originals)
    recording = Recording(known)
    modules: dict[tuple[str, ...], str] = {}
    for name, thing in zip(names, given):
        for part, tensor in named_tensors(thing, name):
            recording.input(tensor, part)
    for prefix, original in networks.items():
        _name_members(known, prefix, original, copier)
        for name, module in copier.memo[id(original)].named_modules(prefix=prefix):
            modules[path_of(name)] = getattr(module, "original_name", type(module).__name__)
            if not hasattr(module, "_c"):  # torch.jit allows no hooks
                _watch(module, path_of(name), recording)
    positional, named = given[: len(inputs)], dict(zip(keywords, given[len(inputs) :]))
    result = error = None
    with ExitStack() as stack:
        stack.enter_context(torch.enable_grad())
        stack.enter_context(same_generators([t for t in copier.originals.values() if hasattr(t, "device")]))
        if "torch._dynamo" in sys.modules and hasattr(torch.compiler, "set_stance"):
            stack.enter_context(torch.compiler.set_stance("force_eager"))  # functions that are compiled
        stack.enter_context(_mode_class()(recording))
        try:
            result = made(*positional, **named)
        except Exception as raised:
            error = raised
    recording.restore_parameters()
    if error is not None and (recording.failure is None or recording.failure[0] is not error):
        recording.fail(error, Item(title_of(inner_network(network))), given)
    return Call(result, recording, modules, note, error)


@cache
def _mode_class() -> Any:
    """Return the class of the mode that records; it is defined on first use, as PyTorch is an optional dependency."""
    from torch.overrides import TorchFunctionMode

    class Recorder(TorchFunctionMode):
        """Hands all calls to a `Recording`."""

        def __init__(self, recording):
            super().__init__()
            self.recording = recording

        def __torch_function__(self, function, types, args=(), kwargs=None):
            return self.recording.call(function, args, kwargs or {})

    return Recorder


def _copied(network, copier):
    """Return the copy of a network or function, the networks in it by name, and a line about a wrapper."""
    if not hasattr(network, "named_modules"):
        made, networks = copier.function(network)
        return made, {name: inner_network(each) for name, each in networks.items()}, ""
    inner = inner_network(network)
    wrapper = wrapper_of(network)
    note = f"{wrapper}: the network inside is drawn" if wrapper else OF_JIT if hasattr(inner, "_c") else ""
    return copier.network(inner), {"": inner}, note


def _name_members(known, prefix, network, copier):
    """Tell the names and roles of the parameters and buffers of a network, for originals and copies."""
    for role, members in (("constant", network.named_buffers(prefix)), ("parameter", network.named_parameters(prefix))):
        for name, member in members:
            copied = copier.memo.get(id(member), member)
            known.names[id(member)] = known.names[id(copied)] = role, name.replace("_orig_mod.", "")
    made = copier.memo[id(network)]
    for role, members in (("constant", made.named_buffers(prefix)), ("parameter", made.named_parameters(prefix))):
        for name, member in members:  # members of a module that has copied itself
            known.names.setdefault(id(member), (role, name))


def _watch(module, path, recording):
    """Let a recording know when a module runs, and whether it raises."""

    def enter(module, args):
        recording.enter(path)

    def leave(module, args, keywords, output):
        error = sys.exc_info()[1]
        if output is None and error is not None and (recording.failure is None or recording.failure[0] is not error):
            recording.fail(error, Item(type(module).__name__), [args, keywords])
        recording.leave()

    module.register_forward_pre_hook(enter)
    module.register_forward_hook(leave, with_kwargs=True, always_call=True)


def _check_arguments(network, inputs, keywords):
    """Raise an error if a call has other arguments than the network takes."""
    inner = inner_network(network)
    try:
        signature = inspect.signature(getattr(inner, "forward", inner))
        signature.bind(*inputs, **keywords)
    except ValueError:  # a function of C
        return
    except TypeError as error:
        names = ", ".join(signature.parameters)
        given = ", ".join([*map(describe, inputs), *(f"{name}={describe(thing)}" for name, thing in keywords.items())])
        raise DrawingError(
            f"draw: {title_of(inner_network(network))} cannot be called with ({given}): {error}.",
            f"its arguments: {names}." if names else "no arguments.",
            f"dark.draw(network, {names})" if names else "dark.draw(network)",
        ) from None
