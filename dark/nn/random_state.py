"""The state of the random generators in a network, so that a run that goes on draws what it would have drawn."""

import numpy as np

from dark.errors import UsageError, ValueTypeError
from dark.nn.traversal import join


def generators(module):
    """Return the generators that stand in attributes of a module and its parts, by dotted names."""
    return {
        join(path, name): value
        for path, part in module.named_modules(remove_duplicate=False)
        for name, value in vars(part).items()
        if isinstance(value, np.random.Generator)
    }


def random_state(module):
    """Read where all generators of a network stand.

    Returns
    -------
    dict of str to dict
        Of plain numbers and texts; it goes into JSON.

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


def load_random_state(module, mapping):
    """Put all generators of a network back to where `random_state` read them.

    Raises
    ------
    UsageError
        If the names are not those of the network's generators; nothing is changed then.
    ValueTypeError
        If a state is none of such a generator; nothing is changed then.
    """
    here, before = generators(module), random_state(module)
    if mapping.keys() != here.keys():
        raise UsageError(
            f"random_state: states of {sorted(mapping)}, and generators {sorted(here)}.",
            "the same names.",
            "build the network as it was when the state was read.",
        )
    try:
        for name, rng in here.items():
            rng.bit_generator.state = mapping[name]
    except (KeyError, TypeError, ValueError) as error:
        for name, rng in here.items():
            rng.bit_generator.state = before[name]
        raise ValueTypeError(
            f"random_state: {name}: {error}.", "what random_state returned.", "read it again from a whole file."
        ) from None
