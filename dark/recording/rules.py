"""The functions that a program calls: what an operation computes forward and backward, and checks of results."""

from functools import cache

import numpy as np

from dark.nodes import Node, Parameter
from dark.nodes.values import as_result, shape_of


class Changed(Exception):
    """A replay met what the recording did not: the function is called in its place."""


@cache
def value_rule(op, kind):
    """Return the function of an operation, with the checks and conversions of its result where it needs them."""
    whole = op._value_and_saved

    def rule(*x, **settings):
        found = whole(x, settings)
        return found if op.saves else found[0]

    def own(*x, **settings):
        return op._f(*x, **settings)

    f, label = op._f, f"{op.__name__}._f"

    def number(*x, **settings):
        y = f(*x, **settings)
        return y if type(y) is float else as_result(y, label)

    found = rule
    if op.trusted and (kind is np.ndarray or (kind is float and not op.saves)):
        found = own if kind is np.ndarray else number
    found.__name__ = op.label()
    return found


def derivative_rule(n):
    """Return the derivatives of the operation of a node, by its `differentiate`."""
    kinds = [m.requires_grad for m in n.inputs]

    def rule(dldy, y, saved, settings, *x):
        node = object.__new__(Node)
        node.op, node.settings, node.name, node._value, node._version = n.op, settings or None, n.name, y, n._version
        node.inputs = tuple([_leaf(v, kind) for v, kind in zip(x, kinds)])
        node._grad, node._saved = None, saved
        return tuple(n.op.differentiate(node, dldy))

    rule.__name__ = f"{n.op.label()}_vjp"
    return rule


def _leaf(value, requires_grad):
    leaf = object.__new__(Parameter)
    leaf.requires_grad, leaf._value, leaf._version, leaf._grad = requires_grad, value, 0, None
    leaf.op = leaf.settings = leaf.name = None
    leaf.inputs = ()
    return leaf


def as_before(function, result, saves=False):
    """Return a function whose result must have the type, shape and dtype that it had in the recording."""

    def rule(*arguments, **settings):
        found = function(*arguments, **settings)
        if not same_kind(found[0] if saves else found, result):
            raise Changed
        return found

    rule.__name__ = name_of(function)
    return rule


def same_kind(a, b):
    """Return whether two values have the same type, shape and dtype."""
    return type(a) is type(b) and shape_of(a) == shape_of(b) and getattr(a, "dtype", None) == getattr(b, "dtype", None)


def name_of(function):
    """Return the name of a function in the source."""
    return getattr(function, "__name__", "call")
