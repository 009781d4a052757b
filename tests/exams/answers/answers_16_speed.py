"""Answers of module 16, speed: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.

The reference has a plain engine of its own, with the names of the students': its operations are classes whose rules
are `_f` and `_df`, a value may be a view of another, and whoever wants to measure or to record one replaces
`Operation.apply`.
"""

from time import perf_counter

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
        """Keep the first piece; add up in an array of our own."""
        order, own = topological_order(self), set()
        for node in order:
            node.grad = node.grad if node.op is None else None
        self.grad = np.ones(np.shape(self.value))
        for node in reversed(order):
            for n, piece in zip(node.inputs, node.op.differentiate(node) if node.op else ()):
                if not isinstance(n, Constant):
                    receive(n, unbroadcast(piece, np.shape(n.value)), own)


def receive(n, piece, own):
    """Accumulate; `own` are the nodes whose gradient is a sum that was made here."""
    if n.grad is None:
        n.grad = piece
    elif n in own and isinstance(n.grad, np.ndarray):
        np.add(n.grad, piece, out=n.grad)
    else:
        n.grad = n.grad + piece
        own.add(n)


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


# profile


@answers.reference
def new_bytes(results, known):
    """Compare the owners of the memory."""
    owners, total = {owner_of(each) for each in known if isinstance(each, np.ndarray)}, 0
    for each in results:
        if isinstance(each, np.ndarray) and owner_of(each) not in owners:
            owners.add(owner_of(each))
            total += each.size * each.itemsize
    return total


def owner_of(array):
    """Return the id of the array that has the memory."""
    while array.base is not None:
        array = array.base
    return id(array)


@answers.reference
class Profile:
    """A table of calls."""

    def __init__(self, clock=perf_counter):
        self.clock, self.rows = clock, {}

    def measured(self, method, phase):
        """Go around a method."""

        def run(cls, *args, **settings):
            start = self.clock()
            result = method(cls, *args, **settings)
            self.note((cls.__name__, phase), self.clock() - start, result, [n for n in args if isinstance(n, Node)])
            return result

        return run

    def note(self, key, seconds, result, nodes):
        """Add to a row."""
        known = [n.value for n in nodes] + [n.grad for n in nodes] + [each.value for n in nodes for each in n.inputs]
        made = [result.value] if isinstance(result, Node) else result
        calls, total, size = self.rows.get(key, (0, 0.0, 0))
        self.rows[key] = [calls + 1, total + seconds, size + new_bytes(made, known)]

    def __enter__(self):
        self.kept = {name: vars(Operation)[name] for name in ("apply", "differentiate")}
        for name, method in self.kept.items():
            phase = "forward" if name == "apply" else "backward"
            setattr(Operation, name, classmethod(self.measured(method.__func__, phase)))
        return self

    def __exit__(self, *error):
        for name, method in self.kept.items():
            setattr(Operation, name, method)


# fused


def cross_entropy_of(logits, classes):
    """Compute row by row."""
    rows = [np.logaddexp.reduce(row) - row[k] for row, k in zip(logits, classes)]
    return sum(rows) / len(rows)


def cross_entropy_rule(dldy, y, logits, classes):
    """Compare the probabilities with one-hot rows."""
    p = np.exp(logits - np.logaddexp.reduce(logits, axis=1)[:, None])
    return (p - np.eye(logits.shape[1])[classes]) * dldy / len(logits), None


def affine_rule(dldy, y, x, w, b):
    """Multiply by matrices."""
    return np.matmul(dldy, w), np.matmul(np.transpose(dldy), x), np.ones(len(dldy)) @ dldy


CrossEntropy = answers.reference(operation("CrossEntropy", cross_entropy_of, cross_entropy_rule))
Affine = answers.reference(operation("Affine", lambda x, w, b: np.matmul(x, np.transpose(w)) + b, affine_rule))


@answers.reference
def fused_cross_entropy(logits, classes):
    """Compute one node."""
    return CrossEntropy.apply(logits, classes)


@answers.reference
def affine(x, w, b):
    """Compute one node."""
    return Affine.apply(x, w, b)


# vectorized


@answers.reference
def moved(images, moves):
    """Choose from images with a margin."""
    n, height, width = images.shape
    down, right = (np.clip(moves[:, k], -size, size) for k, size in enumerate((height, width)))
    wide = np.zeros((n, 3 * height, 3 * width))
    wide[:, height : 2 * height, width : 2 * width] = images
    rows, columns = np.arange(height, 2 * height) - down[:, None], np.arange(width, 2 * width) - right[:, None]
    return wide[np.arange(n)[:, None, None], rows[:, :, None], columns[:, None, :]]


# buffers


@answers.reference
def views_of(buffer, parameters):
    """Slice a buffer."""
    found, start = [], 0
    for p in parameters:
        stop = start + np.size(p.value)
        found.append(buffer[start:stop].reshape(np.shape(p.value)))
        start = stop
    return found


@answers.reference
class FlatAdam:
    """Adam, piece by piece, in views."""

    def __init__(self, parameters, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
        self.parameters, self.lr, self.betas, self.eps, self.count = list(parameters), lr, betas, eps, 0
        self.values = np.concatenate([np.ravel(p.value) for p in self.parameters])
        self.gradients, self.means, self.squares, self.work = np.zeros((4, self.values.size))
        self.views = views_of(self.values, self.parameters)
        self.pieces = views_of(self.gradients, self.parameters)
        for p, view in zip(self.parameters, self.views):
            p.value = view

    def step(self):
        """Collect, then update by parts that are small."""
        for p in self.parameters:
            if p.grad is None:
                raise ValueError(p)
        for p, view, piece in zip(self.parameters, self.views, self.pieces):
            np.copyto(view, p.value)
            np.copyto(piece, p.grad)
            p.value = view
        self.count += 1
        for start in range(0, self.values.size, 512):
            self.update(slice(start, start + 512))

    def update(self, part):
        """Update some numbers."""
        (beta1, beta2), g = self.betas, self.gradients[part]
        self.means[part] += (1 - beta1) * (g - self.means[part])
        self.squares[part] += (1 - beta2) * (g * g - self.squares[part])
        root = np.sqrt(self.squares[part] / (1 - beta2**self.count)) + self.eps
        self.values[part] -= self.lr * self.means[part] / (1 - beta1**self.count) / root

    def zero_grad(self):
        """Forget the gradients."""
        for p in self.parameters:
            p.grad = None


# predictions


@answers.prediction("16.0a")
def megabytes_of_two_calls(dark):
    """2 * x reads 8 MB and writes 8, and adding 1 reads 8 and writes 8. The sum of both is four times x."""
    return 4 * np.zeros(1_000_000).nbytes / 1e6


@answers.prediction("16.1a")
def bytes_of_a_sum_rule(dark):
    """Both pieces are the array that came in: no memory is new. So nobody may write into a piece."""
    dldy = np.ones(1000)
    return dark.new_bytes(dark.Add._df(dldy, None, dldy, dldy), [dldy])


@answers.prediction("16.2a")
def gradient_of_the_wrong_class(dark):
    """The probabilities are 1/2 each. Only the right class has 1 less: -1/2 there, 1/2 here."""
    logits = dark.Parameter(np.zeros((1, 2)))
    dark.fused_cross_entropy(logits, np.array([1])).backward()
    return float(logits.grad[0, 0])


@answers.prediction("16.2b")
def axes_of_chosen_pixels(dark):
    """The places are broadcast to (32, 8, 8), with a pixel for each. Each image has its own rows and columns."""
    images = np.zeros((32, 8, 8))
    return images[np.zeros((32, 1, 1), int), np.zeros((32, 8, 1), int), np.zeros((32, 1, 8), int)].ndim


@answers.prediction("16.3a")
def arrays_of_five_uses(dark):
    """The first piece is kept, the second makes the sum, and three more are added into that: one array."""
    return 1


@answers.prediction("16.3b")
def calls_on_a_flat_buffer(dark):
    """56 calls for four parameters are 14 for each. The buffer is like a single parameter: 14."""
    return 56 // 4
