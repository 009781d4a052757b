"""Observing the calls of many modules for a while, and calling modules without their hooks."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from dark.checks import callable_with
from dark.hooks import Handle
from dark.nn.module import Module
from dark.nn.module_hooks import ForwardHook, ModuleHooks


class ForwardObserver(Handle):
    """A function that is called after every forward of the modules it is attached to, until it is removed.

    In contrast to a forward hook, ``function(module, args, kwargs, output)`` replaces nothing, and calls of the modules
    afterward are as fast as before.

    >>> from dark import nn
    >>> net = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
    >>> def report(module, args, kwargs, output):
    ...     print(type(module).__name__, output.shape)
    >>> observer = ForwardObserver(report)
    >>> with observer.attach(net):
    ...     y = net(np.ones((2, 4)))
    Linear (2, 3)
    ReLU (2, 3)
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        callable_with(function, "ForwardObserver", "function", ("module", "args", "kwargs", "output"))
        self._hook = ForwardHook(function, with_kwargs=True)
        self._observed: list[tuple[Any, ...]] = []
        self._unused: list[tuple[ModuleHooks, Any]] = []  # hooks of modules that had none before, for the next time

    def attach(self, modules: Iterable[Module]) -> Self:
        """Observe modules, in addition to others; return the observer."""
        for module in modules:
            hooks = module._hooks
            if hooks is None:
                hooks, handle = self._unused.pop() if self._unused else self._new_hooks()
                vars(module)["_hooks"] = hooks
            else:
                handle = hooks.forward.add(self._hook)
            self._observed.append((module, hooks, handle))
        return self

    def _new_hooks(self):
        hooks = ModuleHooks()
        return hooks, hooks.forward.add(self._hook)

    def remove(self) -> None:
        """Stop observing."""
        for module, hooks, handle in self._observed:
            if module._hooks is hooks and hooks.count() == 1:  # this observer's alone
                del vars(module)["_hooks"]  # there is the attribute of its class again
                self._unused.append((hooks, handle))
            else:
                handle.remove()
        self._observed = []


@contextmanager
def without_hooks(modules: Iterable[Module]) -> Iterator[None]:
    """Suspend all hooks of modules within a block; hooks that are registered in the block end with it.

    >>> from dark import nn
    >>> layer = nn.Identity()
    >>> handle = layer.register_forward_hook(lambda module, args, output: print("called"))
    >>> with without_hooks([layer]):
    ...     y = layer(1.0)
    >>> y = layer(1.0)
    called
    """
    suspended = [(module, module._hooks) for module in modules]
    try:
        for module, _ in suspended:
            _set_hooks(module, None)
        yield
    finally:
        for module, hooks in suspended:
            _set_hooks(module, hooks)


def _set_hooks(module, hooks):
    """Store the hooks of a module; without any, it has the attribute of its class."""
    if hooks is None:
        vars(module).pop("_hooks", None)
    else:
        vars(module)["_hooks"] = hooks
