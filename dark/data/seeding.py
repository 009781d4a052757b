"""Random generators determined by seed, epoch and item, and generators with a fresh seed."""

import random

import numpy as np

from dark.errors import ValueTypeError

ORDER, ITEM = 0, 1  # the purpose of a generator, so that no two purposes share a stream


def epoch_generator(seed, epoch):
    """Return the generator of the order of an epoch, counted from 1."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(ORDER, epoch)))


def item_generator(seed, epoch, index, repeat=0):
    """Return the generator for the transform of an item that has occurred `repeat` times before in the epoch."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(ITEM, epoch, index, repeat)))


def derived_seed(seed, *key):
    """Return a seed below 2**62 for a purpose: a function of a seed and of further integers."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0] >> 2)


def fresh_seed():
    """Draw a seed below 2**63 from Python's global generator, which `random.seed` and `manual_seed` set."""
    return random.getrandbits(63)


def as_generator(generator=None):
    """Return a generator: the given one, or one made from a seed; None draws a `fresh_seed`."""
    try:
        return np.random.default_rng(fresh_seed() if generator is None else generator)
    except (TypeError, ValueError) as error:
        raise ValueTypeError(
            f"generator: {generator!r} ({type(generator).__name__}): {error}.",
            "a NumPy Generator, or an integer seed, 0 or more.",
            "np.random.default_rng(0)",
        ) from None
