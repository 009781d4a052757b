"""`DarkNetworks`: the networks of `dark`, as a `Framework`; and `framework_of`, which finds the one of a network."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from dark.checks import describe
from dark.engine import random_states, set_random_states
from dark.errors import ValueTypeError
from dark.hooks import Handle
from dark.monitor.foreign.foreign_weights import GivenWeight
from dark.monitor.foreign.framework import Framework, restore_attributes
from dark.monitor.foreign.tensors import comes_from, is_tensor
from dark.nn import Dropout, Flatten, Identity, Module, load_random_state, random_state
from dark.nn.observing import ForwardObserver, without_hooks
from dark.nodes import Parameter, mode, no_grad


class DarkNetworks(Framework):
    """Networks of `dark`."""

    repeating = (Dropout, Flatten, Identity)

    def module_of(self, model: Any) -> Any:
        """Return a module, also if a view of a context is given."""
        found = model if isinstance(model, Module) else getattr(model, "module", None)
        return found if isinstance(found, Module) else None

    def weight(self, parameter: Any) -> Any:
        """Return a parameter; None for anything else."""
        return parameter if isinstance(parameter, (Parameter, GivenWeight)) else None

    def is_recording(self) -> bool:
        """Return whether a graph is being recorded."""
        return mode.recording

    def observer(self, function: Callable[..., Any]) -> Handle:
        """Return a `ForwardObserver`."""
        return ForwardObserver(function)

    def units(self, module: Any, name: str) -> Any:
        """Return the module, whose units are found when its records are evaluated."""
        return module

    @contextmanager
    def evaluation(self, models: Iterable[Any]) -> Iterator[None]:
        """Set evaluation mode within a block, without hooks and graphs; afterwards, restore all that calls may change.

        That is: the mode and all other attributes of each module, the contents of buffers, and random generators, those
        of the modules and the global ones.
        """
        models = list(models)
        modules = list({id(m): m for model in models for m in model.modules()}.values())
        attributes = [(m, m.training, dict(vars(m))) for m in modules]
        buffers = [(buffer, buffer.copy()) for m in modules for buffer in m.buffers(recurse=False)]
        generators, process = [(model, random_state(model)) for model in models], random_states()
        try:
            with no_grad(), without_hooks(modules):
                for model in models:
                    model.eval()
                yield
        finally:
            restore_attributes(attributes)
            for buffer, content in buffers:
                buffer[...] = content
            for model, state in generators:
                load_random_state(model, state)
            set_random_states(process)

    def argument(self, value: Any, model: Any) -> Any:
        """Return a value as it is."""
        return value

    def forget(self) -> None:
        """Do nothing: nothing is kept."""


def framework_of(model: Any) -> Framework:
    """Return the framework of a network, or of several by name; the file of another one is imported only now.

    >>> from dark import nn
    >>> type(framework_of(nn.Linear(2, 3))).__name__
    'DarkNetworks'
    """
    models = list(model.values()) if isinstance(model, Mapping) else [model]
    if not any(comes_from("torch", one) and not is_tensor(one) for one in models):
        return DarkNetworks()
    found: Framework = import_module("dark.monitor.foreign.torch_networks").TorchNetworks()
    return found


def checked_module(framework: Framework, model: Any) -> Any:
    """Return the module that a user means."""
    found = framework.module_of(model)
    if found is not None:
        return found
    wanted = "a module, or a dictionary of modules, of dark or of PyTorch."
    advice = "nn.Function(model), if it is a function; the model, not its class or its parameters."
    raise ValueTypeError(f"Monitor: the model must be a module, got {describe(model)}.", wanted, advice)
