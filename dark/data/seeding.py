"""Generators that are functions of where we are: of the seed, the epoch and the item, and of nothing else."""

import random

import numpy as np

ORDER, ITEM = 0, 1  # what a generator is for, so that no two purposes share one


def order_generator(seed, epoch):
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
        As in `order_generator`.
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
