"""The arguments of a call, kept so that an equal later call is recognized."""

import numpy as np

from dark.nodes import Node, changed_since, value_of

PLAIN = (int, float, str, bytes, bool, type(None), np.generic)


class NotComparable(Exception):
    """An argument whose later changes would not be noticed."""


def kept(argument):
    """Return what is kept of an argument: a copy of an array, and a node itself if it requires grad.

    It is an array, a node, a number or a string, or a list, tuple or dict of these; others raise `NotComparable`.
    """
    if isinstance(argument, Node):
        if argument.requires_grad:
            return argument
        argument = value_of(argument)
    if isinstance(argument, np.ndarray):
        return argument.copy()
    if isinstance(argument, PLAIN):
        return argument
    if type(argument) in (list, tuple):
        return type(argument)([kept(item) for item in argument])
    if type(argument) is dict:
        return {name: kept(value) for name, value in argument.items()}
    raise NotComparable


def is_equal(argument, before, version):
    """Return whether an argument equals one that was kept at a version of the values, see `dark.nodes.version`.

    Two nodes are equal if they are the same node and it requires grad, or if neither does and their values are equal.
    """
    if isinstance(argument, Node):
        if argument.requires_grad:
            return argument is before and not changed_since([argument], version)
        argument = value_of(argument)
    if type(argument) is not type(before):
        return False
    if isinstance(argument, np.ndarray):
        same_kind = argument.dtype == before.dtype and argument.shape == before.shape
        return same_kind and bool((argument == before).all())
    if isinstance(argument, (list, tuple)):
        return len(argument) == len(before) and False not in [is_equal(a, b, version) for a, b in zip(argument, before)]
    if isinstance(argument, dict):
        return list(argument) == list(before) and all(
            is_equal(value, before[name], version) for name, value in argument.items()
        )
    return isinstance(argument, PLAIN) and argument == before
