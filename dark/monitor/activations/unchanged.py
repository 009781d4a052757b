"""Calling a network in evaluation mode, after which everything is as it was before."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from dark.engine import random_states, set_random_states
from dark.nn import Module, load_random_state, random_state
from dark.nn.observing import without_hooks
from dark.nodes import no_grad


@contextmanager
def evaluation(models: Iterable[Module]) -> Iterator[None]:
    """Set evaluation mode within a block, without hooks and graphs; afterwards, restore all that calls may change.

    That is: the mode and all other attributes of each module, the contents of buffers, and random generators, those of
    the modules and the global ones.
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
        for module, mode, values in attributes:  # `train` sets the submodules, too; their own modes follow
            module.train(mode)
            vars(module).clear()
            vars(module).update(values)
        for buffer, content in buffers:
            buffer[...] = content
        for model, state in generators:
            load_random_state(model, state)
        set_random_states(process)
