"""Saving and restoring the random generators of a network, so that a resumed run draws the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.errors import UsageError, ValueTypeError
from dark.nn.traversal import join

if TYPE_CHECKING:
    from dark.nn.module import Module


def generators(module: Module) -> dict[str, np.random.Generator]:
    """Return the generators in attributes of a module and its submodules, by dotted names."""
    return {
        join(path, name): value
        for path, part in module.named_modules(remove_duplicate=False)
        for name, value in vars(part).items()
        if isinstance(value, np.random.Generator)
    }


def random_state(module: Module) -> dict[str, Any]:
    """Return the states of all generators of a network.

    Returns
    -------
    dict of str to dict
        Integers and strings only, so that it can be written as JSON.

    Examples
    --------
    >>> from dark import nn
    >>> layer = nn.Dropout(seed=0)
    >>> before = random_state(layer)
    >>> first = layer(np.ones(5)).value
    >>> load_random_state(layer, before)
    >>> bool((layer(np.ones(5)).value == first).all())
    True
    """
    return {name: rng.bit_generator.state for name, rng in generators(module).items()}


def load_random_state(module: Module, mapping: Mapping[str, Any]) -> None:
    """Restore the states of all generators of a network, as returned by `random_state`.

    Raises
    ------
    UsageError
        If the names differ from those of the network's generators; nothing is changed then.
    ValueTypeError
        If a value is not the state of such a generator; nothing is changed then.
    """
    here, before = generators(module), random_state(module)
    if mapping.keys() != here.keys():
        raise UsageError(
            f"random_state: the saved generators are {sorted(mapping)}, those of the network {sorted(here)}.",
            "the same names.",
            "build the network as it was when the state was saved.",
        )
    try:
        for name, rng in here.items():
            rng.bit_generator.state = mapping[name]
    except (KeyError, TypeError, ValueError) as error:
        for name, rng in here.items():
            rng.bit_generator.state = before[name]
        raise ValueTypeError(
            f"random_state: {name}: {error}.", "what random_state returned.", "load it from an intact file."
        ) from None
