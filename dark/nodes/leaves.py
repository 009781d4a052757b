"""Leaves that the library makes itself."""

from dark.nodes.grad_mode import versions
from dark.nodes.node import Constant, Node


def constant(value):
    """Return a `Constant` of a value that is right as it is; an array is shared, not copied."""
    node = object.__new__(Constant)
    node._value = value
    node._version = versions.now
    node._grad = node.op = node.settings = node.name = None
    node.inputs = ()
    return node


def as_nodes(gradients):
    """Return gradients as nodes: one that does not depend on anything may be a number or an array."""
    return [g if g is None or isinstance(g, Node) else constant(g) for g in gradients]
