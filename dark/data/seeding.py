"""Generators that are functions of where we are: of the seed, the epoch and the item; or of a seed drawn afresh."""

import random

import numpy as np

from dark.errors import ValueTypeError

ORDER, ITEM = 0, 1  # what a generator is for, so that no two purposes share one


def epoch_generator(seed, epoch):
    """Make the generator of an epoch's order.

    Parameters
    ----------
    seed : int
        0 or more.
    epoch : int
        Counted from 1.

    Returns
    -------
    numpy.random.Generator
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(ORDER, epoch)))


def item_generator(seed, epoch, index, repeat=0):
    """Make the generator for the transform of one item.

    Parameters
    ----------
    seed, epoch : int
        As in `epoch_generator`.
    index : int
        Which item of the dataset, 0 or more.
    repeat : int, default 0
        How often the item has come in this epoch before.

    Returns
    -------
    numpy.random.Generator

    Examples
    --------
    >>> a, b = item_generator(0, 1, 7), item_generator(0, 1, 7)
    >>> a.random() == b.random()
    True
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(ITEM, epoch, index, repeat)))


def fresh_seed():
    """Draw a seed below 2**63 from Python's global generator, which `random.seed` and `manual_seed` set."""
    return random.getrandbits(63)


def as_generator(generator=None):
    """Return the generator to draw from: the one that is given, one of a seed, or of a `fresh_seed`.

    Raises
    ------
    ValueTypeError
        If it is neither a generator nor a seed.

    Examples
    --------
    >>> rng = as_generator(0)
    >>> as_generator(rng) is rng
    True
    """
    try:
        return np.random.default_rng(fresh_seed() if generator is None else generator)
    except (TypeError, ValueError) as error:
        raise ValueTypeError(
            f"generator: {generator!r} ({type(generator).__name__}): {error}.",
            "a NumPy Generator, or a seed, 0 or more.",
            "np.random.default_rng(0)",
        ) from None
