"""Checks of what users do to a node: set its value or its gradient, convert it, copy it, start a backward pass."""

import sys
from opcode import opmap

import numpy as np

from dark.checks import describe
from dark.errors import GradientError, OperationError, ShapeError, ValueTypeError
from dark.nodes.grad_mode import mode
from dark.nodes.gradient import cast_gradient
from dark.nodes.graph import topological_order
from dark.nodes.values import NodeBase, as_value, shape_of
from dark.spellings import refuse_keywords

ASSIGNMENT = opmap.get("STORE_SUBSCR")  # the instruction ``x[index] = value``


def check_name(name, who, pytorch):
    """Return a name, if it is a string or None; refuse keyword arguments of PyTorch."""
    if pytorch:
        refuse_keywords(who, pytorch)
    if name is not None and not isinstance(name, str):
        raise ValueTypeError(f"{who}: name is {describe(name)}.", "a string.", f'{who}(value, name="weight")')
    return name


def check_settable(node):
    """Raise if the value of a node cannot be set."""
    if node.op is not None:
        raise GradientError(
            f"{node}: the value of a result cannot be set; it is computed from its inputs.",
            "a new value for a leaf.",
            "set the value of a Parameter and compute the result again.",
        )


def check_convertible(node):
    """Raise if a derivative would be lost by converting a node to a Python number."""
    if mode.create_graph:
        raise OperationError(
            f"{node}: a derivative that is to be differentiated again converted a node to a Python number.",
            "arithmetic operators and NumPy functions in _df, which work on nodes.",
            "np.cos(x) instead of math.cos(x), and no float(x).",
        )
    if not mode.recording or not node.requires_grad:
        return
    if not set(mode.variables).isdisjoint(topological_order(node)):  # other nodes are as outside
        raise OperationError(
            f"{node}: a function that is being differentiated converted a node to a Python number.",
            "arithmetic operators and NumPy functions, which work on nodes; a number has no gradient.",
            "np.sin(x) instead of math.sin(x), np.stack([x, y]) instead of array[0] = x; x.value to print.",
        )


def check_not_assigned(node):
    """Raise if `__float__` or `__int__`, which calls this, serves ``array[index] = node``.

    NumPy asks for a number there, as `float` does; the two differ in the instruction that is being executed.
    """
    frame = sys._getframe(1).f_back  # of the code that called `__float__`
    if node.requires_grad and frame is not None and frame.f_code.co_code[frame.f_lasti] == ASSIGNMENT:
        raise OperationError(
            f"array[index] = node: {node} cannot be written into an array: it would be detached from the graph.",
            "a number or an array on the right.",
            "np.stack or np.concatenate to join nodes, np.where to replace elements; array[index] = x.value.",
        )


def check_copyable(node):
    """Raise if a node cannot be copied or pickled."""
    if node.op is not None:
        raise GradientError(
            f"{node}: a result cannot be copied or pickled without its graph.",
            "a leaf.",
            "copy x.detach(), or plot it; or save the Parameters and compute the result again.",
        )


def check_assigned(gradient, node):
    """Return a gradient that is assigned to `node.grad`, as a value or a node, if its shape is right."""
    if not isinstance(gradient, NodeBase):
        gradient = as_value(gradient, "grad")
    shape = shape_of(gradient)
    if shape and shape != node.shape:
        raise ShapeError(
            f"grad: cannot set a gradient of shape {shape} for {node}, of shape {node.shape}.",
            "the shape of the value, or one number for all elements.",
            "p.grad = None, or p.zero_grad(), to clear a gradient.",
        )
    return gradient


def initial_gradient(root, gradient, pytorch=None):
    """Return the gradient that a backward pass starts from: 1 if none is given, which a scalar root needs."""
    if pytorch:
        refuse_keywords("backward", pytorch)
    value = root._value
    if gradient is None:
        if type(value) is float:
            return 1.0
        if type(value) is not np.ndarray:
            return type(value)(1.0)
        if value.size != 1:
            raise GradientError(
                f"backward: the root is {describe(root._value)}, and no gradient was given.",
                "a root with one element, or a gradient of the root's shape.",
                "call backward on its sum or mean, or pass backward(gradient=...).",
            )
        return np.ones_like(value)
    if type(gradient) is type(value) is np.ndarray and (gradient.shape, gradient.dtype) == (value.shape, value.dtype):
        return gradient
    if not isinstance(gradient, NodeBase):
        gradient = as_value(gradient, "backward")
    if shape_of(gradient) != root.shape:
        raise ShapeError(
            f"backward: a gradient of shape {shape_of(gradient)} for a root of shape {root.shape}.",
            "equal shapes.",
            f"np.broadcast_to(gradient, {root.shape}) to use one number for all elements.",
        )
    return cast_gradient(gradient, root, root)
