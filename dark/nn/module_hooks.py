"""Hooks of modules: functions that see, and may replace, the inputs, the output and the gradients of a module."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dark.checks import boolean, callable_with, describe
from dark.errors import UsageError
from dark.hooks import Hooks, RemovableHandle
from dark.nn.module_gradients import ModuleGradients
from dark.nodes.changes import refuse_recording


@dataclass(eq=False)
class ForwardHook:
    """A function that is called before or after `forward`, and the settings of the call."""

    function: Callable[..., Any]
    with_kwargs: bool = False
    always_call: bool = False


@dataclass(eq=False)
class ModuleHooks:
    """The hooks of a module."""

    forward_pre: Hooks[ForwardHook] = field(default_factory=Hooks)
    forward: Hooks[ForwardHook] = field(default_factory=Hooks)
    backward: Hooks[Callable[..., Any]] = field(default_factory=Hooks)

    def count(self) -> int:
        """Return the number of hooks."""
        return len(self.forward_pre.ordered) + len(self.forward.ordered) + len(self.backward.ordered)


def register_forward_pre_hook(
    module: Any, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
) -> RemovableHandle:
    """Add a function that is called before every `forward`, with the positional arguments of the call.

    Parameters
    ----------
    hook : callable
        ``hook(module, args)`` returns None, or what replaces the arguments: a tuple, or the only one.
    prepend : bool, default False
        Whether it is called before the hooks that are already there, instead of after them.
    with_kwargs : bool, default False
        Whether it is ``hook(module, args, kwargs)``, which returns None or new ``(args, kwargs)``.

    Examples
    --------
    >>> from dark import nn
    >>> layer = nn.Identity()
    >>> with layer.register_forward_pre_hook(lambda module, args: args[0] + 1):
    ...     print(layer(1.0))
    2.0
    """
    who = "register_forward_pre_hook"
    callable_with(hook, who, "hook", ("module", "args", "kwargs") if with_kwargs is True else ("module", "args"))
    entry = ForwardHook(hook, boolean(with_kwargs, who, "with_kwargs"))
    return _hooks_of(module).forward_pre.add(entry, boolean(prepend, who, "prepend"))


def register_forward_hook(
    module: Any,
    hook: Callable[..., Any],
    *,
    prepend: bool = False,
    with_kwargs: bool = False,
    always_call: bool = False,
) -> RemovableHandle:
    """Add a function that is called after every `forward`, with the positional arguments and the output.

    `prepend` and `with_kwargs` are those of `register_forward_pre_hook`.

    Parameters
    ----------
    hook : callable
        ``hook(module, args, output)``, or ``hook(module, args, kwargs, output)``, returns None, or a new output.
    always_call : bool, default False
        Whether it is also called if `forward` or a hook raises, with None as the output that is missing. What it then
        raises itself becomes a note of that error.

    Examples
    --------
    >>> from dark import nn
    >>> net, shapes = nn.Sequential(nn.Linear(4, 3), nn.ReLU()), []
    >>> handle = net[0].register_forward_hook(lambda module, args, output: shapes.append(output.shape))
    >>> y = net(np.ones((2, 4)))
    >>> handle.remove()
    >>> shapes
    [(2, 3)]
    """
    who = "register_forward_hook"
    given = ("module", "args", "kwargs", "output") if with_kwargs is True else ("module", "args", "output")
    callable_with(hook, who, "hook", given)
    entry = ForwardHook(hook, boolean(with_kwargs, who, "with_kwargs"), boolean(always_call, who, "always_call"))
    return _hooks_of(module).forward.add(entry, boolean(prepend, who, "prepend"))


def register_full_backward_hook(module: Any, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
    """Add a function that is called with the gradients of inputs and outputs in every backward pass.

    Parameters
    ----------
    hook : callable
        ``hook(module, grad_input, grad_output)`` returns None, or a tuple that replaces `grad_input`, in which None is
        a gradient of zeros. Both are tuples, with one gradient for each positional argument and each output; None for
        what is not a node, and for outputs that the root does not depend on. Arrays are read-only; in a pass with
        `create_graph` the gradients are nodes.
    prepend : bool, default False
        As for `register_forward_pre_hook`.

    Notes
    -----
    The hook is called when the gradients of all inputs are complete. If no positional argument requires grad, as in
    the first layer of a network, it is called when the output gradients are, and cannot replace anything. The output
    must be a node or a tuple; nodes in lists, dicts and nested tuples pass without hooks, and so do keyword arguments.

    Examples
    --------
    >>> import dark, numpy as np
    >>> from dark import nn
    >>> def report(module, grad_input, grad_output):
    ...     print(type(module).__name__, grad_input[0], grad_output[0])
    >>> x, layer = dark.Parameter(np.array([-1.0, 1.0])), nn.ReLU()
    >>> with layer.register_full_backward_hook(report):
    ...     layer(x).sum().backward()
    ReLU [0. 1.] [1. 1.]
    """
    who = "register_full_backward_hook"
    callable_with(hook, who, "hook", ("module", "grad_input", "grad_output"))
    return _hooks_of(module).backward.add(hook, boolean(prepend, who, "prepend"))


def call(module, hooks, args, kwargs):
    """Call a module that has hooks."""
    if hooks.count():
        refuse_recording(f"{type(module).__name__} has a hook")
    result, called = None, set()
    try:
        for hook in hooks.forward_pre.ordered:
            args, kwargs = _call_before(hook, module, args, kwargs)
        gradients = ModuleGradients(module, list(hooks.backward)) if hooks.backward.ordered else None
        if gradients is not None:
            args = gradients.of_inputs(args)
        result = module.forward(*args, **kwargs)
        for hook in hooks.forward.ordered:
            called.add(hook)
            given = (args, kwargs, result) if hook.with_kwargs else (args, result)
            found = hook.function(module, *given)
            result = result if found is None else found
        return result if gradients is None else gradients.of_outputs(result)
    except Exception as error:
        for hook in hooks.forward.ordered:
            if hook.always_call and hook not in called:
                given = (args, kwargs, result) if hook.with_kwargs else (args, result)
                try:
                    hook.function(module, *given)
                except Exception as another:
                    error.add_note(f"a hook with always_call raised {another!r}")
        raise


def _hooks_of(module):
    if module._hooks is None:
        module._hooks = ModuleHooks()
    return module._hooks


def _call_before(hook, module, args, kwargs):
    """Call a hook before `forward`; return the arguments, or their replacements."""
    if not hook.with_kwargs:
        found = hook.function(module, args)
        return args if found is None else found if isinstance(found, tuple) else (found,), kwargs
    found = hook.function(module, args, kwargs)
    if found is None:
        return args, kwargs
    if not (isinstance(found, tuple) and [*map(type, found)] == [tuple, dict]):
        raise UsageError(
            f"register_forward_pre_hook: the hook of {type(module).__name__} must return None or a pair, "
            f"got {describe(found)}.",
            "None, or (args, kwargs): a tuple and a dict, as with_kwargs=True.",
            "return (x,), kwargs, with the comma that makes (x,) a tuple.",
        )
    return found
