"""Gradients as an update takes them: in the dtype and shape of their parameter, with weight decay."""

import numpy as np

from dark.errors import ShapeError
from dark.nodes import value_of
from dark.nodes.values import shape_of


def gradient_array(gradient, parameter, dtype):
    """Return a gradient, which may be a node or a single number, in a dtype and in the shape of its parameter.

    Raises
    ------
    ShapeError
        If the shapes differ.
    """
    g, shape = value_of(gradient), parameter.shape
    if type(g) is float and not shape:
        return g
    if shape_of(g) not in ((), shape):
        raise ShapeError(
            f"step: {parameter} has a gradient of shape {shape_of(g)}, but its value has {shape}.",
            "equal shapes.",
            "p.grad = None after a change of the value, then backward().",
        )
    return np.broadcast_to(np.asarray(g, dtype), shape)


def adjusted_gradient(g, w, decay, maximize, scratch):
    """Return a gradient with the sign of `maximize` and with weight decay, in one of two scratch arrays."""
    a, b = scratch
    if maximize:
        g = np.negative(g, out=b)
    if decay:
        np.multiply(w, float(decay), out=a)
        g = np.add(g, a, out=b)
    return g
