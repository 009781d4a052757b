"""Answers of module 16, speed: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.

The reference has a plain engine of its own, with the names of the students': its operations are classes whose rules
are `_f` and `_df`, a value may be a view of another, and whoever wants to measure or to record one replaces
`Operation.apply`.
"""

import numpy as np

from dark.course.exams.answers import Answers

answers = Answers("16")

# the engine


class Node:
    """A value in a graph."""

    __array_ufunc__ = None

    def __init__(self, value):
        value = np.array(value)
        kinds = "fiu" if isinstance(self, Constant) else "f"
        value = value if value.dtype.kind in kinds else value.astype(float)
        self.value = value if value.ndim else float(value)
        self.grad, self.op, self.inputs, self.settings = None, None, (), {}

    def __add__(self, other):
        return add(self, other)

    def __mul__(self, other):
        return mul(self, other)

    def backward(self):
        """Add up pieces, each into a new array."""
        order = topological_order(self)
        for node in order:
            node.grad = node.grad if node.op is None else None
        self.grad = np.ones(np.shape(self.value))
        for node in reversed(order):
            for n, piece in zip(node.inputs, node.op.differentiate(node) if node.op else ()):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = piece if n.grad is None else n.grad + piece


class Constant(Node):
    """A node without a gradient."""


class Parameter(Node):
    """A node that is trained."""


class Operation:
    """A function with its rule."""

    @classmethod
    def apply(cls, *inputs, **settings):
        """Compute a node."""
        nodes = tuple(each if isinstance(each, Node) else Constant(each) for each in inputs)
        y = cls._f(*(n.value for n in nodes), **settings)
        kind = Constant if all(isinstance(n, Constant) for n in nodes) else Node
        node = kind(0.0)
        node.value = y if np.ndim(y) else float(y)
        if kind is Node:
            node.op, node.inputs, node.settings = cls, nodes, settings
        return node

    @classmethod
    def differentiate(cls, node):
        """Compute the pieces of the inputs."""
        return cls._df(node.grad, node.value, *(n.value for n in node.inputs), **node.settings)


def topological_order(root):
    """List all nodes, inputs first."""
    order, met, waiting = [], set(), [(root, False)]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            order.append(node)
        elif node not in met:
            met.add(node)
            waiting += [(node, True), *((n, False) for n in node.inputs)]
    return order


def unbroadcast(g, shape):
    """Sum over the axes that broadcasting added or stretched."""
    if np.shape(g) == tuple(shape):
        return g
    g = np.sum(g, axis=tuple(range(np.ndim(g) - len(shape))))
    return np.sum(g, axis=tuple(k for k, length in enumerate(shape) if length == 1), keepdims=True)


def operation(name, f, df):
    """Make an operation."""
    return type(name, (Operation,), {"_f": staticmethod(f), "_df": staticmethod(df)})


def sum_rule(dldy, y, x, axis, keepdims):
    """Spread the gradient of a sum."""
    dldy = dldy if axis is None or keepdims else np.expand_dims(dldy, axis)
    return (dldy * np.ones(np.shape(x)),)


Add = operation("Add", lambda a, b: a + b, lambda dldy, y, a, b: (dldy, dldy))
Mul = operation("Mul", lambda a, b: a * b, lambda dldy, y, a, b: (dldy * b, dldy * a))
MatMul = operation(
    "MatMul",
    lambda a, b: a @ b,
    lambda dldy, y, a, b: (dldy @ np.swapaxes(b, -1, -2), np.swapaxes(a, -1, -2) @ dldy),
)
Relu = operation("Relu", lambda x: np.maximum(x, 0.0), lambda dldy, y, x: (dldy * (x > 0),))
Exp = operation("Exp", np.exp, lambda dldy, y, x: (dldy * y,))
Tanh = operation("Tanh", np.tanh, lambda dldy, y, x: (dldy * (1 - y * y),))
Sum = operation("Sum", lambda x, axis, keepdims: np.sum(x, axis=axis, keepdims=keepdims), sum_rule)
Reshape = operation(
    "Reshape", lambda x, shape: np.reshape(x, shape), lambda dldy, y, x, shape: (dldy.reshape(x.shape),)
)
Transpose = operation(
    "Transpose",
    lambda x, axes: np.transpose(x, axes),
    lambda dldy, y, x, axes: (np.transpose(dldy, None if axes is None else np.argsort(axes)),),
)


def add(a, b):
    """Add."""
    return Add.apply(a, b)


def mul(a, b):
    """Multiply."""
    return Mul.apply(a, b)


def matmul(a, b):
    """Multiply matrices."""
    return MatMul.apply(a, b)


def relu(x):
    """Cut off below 0."""
    return Relu.apply(x)


def exp(x):
    """Exponentiate."""
    return Exp.apply(x)


def tanh(x):
    """Squash."""
    return Tanh.apply(x)


def sum_of(x, axis=None, keepdims=False):
    """Sum."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)


def mean(x, axis=None, keepdims=False):
    """Average."""
    y = sum_of(x, axis, keepdims)
    return mul(y, np.size(y.value) / np.size(x.value))


def reshape(x, shape):
    """Read in another shape."""
    return Reshape.apply(x, shape=shape)


def transpose(x, axes=None):
    """Reorder axes."""
    return Transpose.apply(x, axes=axes)


for thing in (Node, Constant, Parameter, Operation, topological_order, unbroadcast, Add, Mul, MatMul, Relu, Exp, Tanh):
    answers.reference(thing)
for thing in (Sum, Reshape, Transpose, add, mul, matmul, relu, exp, tanh, sum_of, mean, reshape, transpose):
    answers.reference(thing)
