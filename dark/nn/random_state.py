"""Saving and restoring the random generators of a network, so that a resumed run draws the same numbers."""

from collections.abc import Mapping
from typing import Any

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError
from dark.generators import named_generators, plain, set_states, source, state_of
from dark.nn.module import Module


def random_state(module: Module) -> dict[str, Any]:
    """Return the states of all generators of a network, as numbers, strings and lists that can be written as JSON.

    A generator is found if it is an attribute of a module or of a submodule, in a list, tuple or mapping that is, or an
    attribute of another object that is. `dark.handlers.Checkpoint` saves and restores them by itself.

    >>> from dark import nn
    >>> layer = nn.Dropout(seed=0)
    >>> before = random_state(layer)
    >>> first = layer(np.ones(5)).value
    >>> load_random_state(layer, before)
    >>> bool((layer(np.ones(5)).value == first).all())
    True
    """
    return {name: state_of(generator) for name, generator in named_generators(module).items()}


def load_random_state(module: Module, mapping: Mapping[str, Any]) -> None:
    """Restore the states of all generators of a network, as returned by `random_state`."""
    if not isinstance(mapping, Mapping):
        raise ValueTypeError(
            f"random_state: {describe(mapping)} is not a state of generators.",
            "a mapping of names to states.",
            "the result of random_state(network).",
        )
    here = named_generators(module)
    if mapping.keys() != here.keys():
        raise UsageError(
            f"random_state: the saved generators {sorted(mapping)} must match the network's generators {sorted(here)}.",
            "the same names.",
            "build the network as it was when the state was saved.",
        )
    _check_shared(here, mapping)
    set_states([(name, generator, mapping[name]) for name, generator in here.items()], "random_state")


def _check_shared(here, mapping):
    """Raise if a generator with two names would get two different states."""
    first: dict = {}
    for name, generator in here.items():
        other = first.setdefault(id(source(generator)), name)
        if other != name and plain(mapping[name]) != plain(mapping[other]):
            raise UsageError(
                f"random_state: {other} and {name} are the same generator, but have different states.",
                "equal states for both names.",
                "build the network without sharing the generator, as it was when the state was saved.",
            )
