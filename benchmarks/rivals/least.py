"""A minimal engine: what the guarantees of a graph cost in Python, without any other feature.

A failed backward pass changes nothing; a value that was modified after its use is an error; gradients have the shape
and dtype of their values and share no memory; labels and shapes are checked; the optimizer notices a new value.
Names, drawing, scalars, broadcasting, second derivatives, threads and parameter groups are missing: it runs only three
workloads.
"""

from functools import lru_cache
from itertools import cycle

import numpy as np
from numpy import ndarray

from benchmarks.rivals.tools import whole_training

NA = dict.fromkeys(("A3", "A4r", "A4g", "A5", "A6", "S1", "S2"), "–")
NOW = [0]  # the clock of changes


class Node:
    """A value with its gradient rules and inputs; a leaf has neither."""

    __slots__ = ("grad", "inputs", "kept", "rules", "stamp", "takes", "value")


def node(value, rules=None, inputs=(), kept=None, takes=True):
    n = object.__new__(Node)
    n.value, n.rules, n.inputs, n.kept = value, rules, inputs, kept
    n.grad, n.stamp, n.takes = None, NOW[0], takes
    return n


def leaf(array, takes=True):
    if type(array) is not ndarray or array.dtype.kind != "f":
        raise TypeError("an array of floats")
    return node(array, takes=takes)


TANH = (lambda d, y, x: (1.0 - y * y) * d,)
EXP = (lambda d, y, x: d * y,)
NEG = (lambda d, y, x: -d,)
MUL = (lambda d, y, a, b: d * b, lambda d, y, a, b: d * a)
ADD = (lambda d, y, a, b: d, lambda d, y, a, b: d)
ADD_ONE = (lambda d, y, x: d,)
DIV = (lambda d, y, a, b: d / b, lambda d, y, a, b: -d * y / b)
MEAN = (lambda d, y, x: d / x.size,)
RELU = (lambda d, y, x: d * (x > 0),)
LINEAR = (
    lambda d, y, x, w, b: d.dot(w.T),
    lambda d, y, x, w, b: x.T.dot(d),
    lambda d, y, x, w, b: ones(len(d), d.dtype).dot(d),
)


@lru_cache
def ones(n, dtype):
    return np.ones(n, dtype)


def linear(x, w, b):
    u, v, c = x.value, w.value, b.value
    if (
        not type(u) is type(v) is type(c) is ndarray
        or v.ndim != 2
        or c.shape != v.shape[1:]
        or u.shape[1:] != v.shape[:1]
    ):
        raise ValueError("shapes")
    y = u.dot(v)
    y += c
    return node(y, LINEAR, (x, w, b))


def relu(x):
    y = np.zeros(x.value.shape, x.value.dtype)
    return node(np.maximum(x.value, y, out=y), RELU, (x,))


def cross_entropy(x, target):
    u = x.value
    if type(target) is not ndarray or target.dtype.kind not in "iu" or u.ndim != 2 or target.shape != u.shape[:1]:
        raise ValueError("labels")
    labels = np.array(target, np.intp)
    if np.maximum.reduce(labels.view(np.uintp)) >= u.shape[1]:
        raise ValueError("labels")
    u = np.ascontiguousarray(u.T)
    d = u - np.maximum.reduce(u, axis=0)
    e, at = np.exp(d), labels * len(labels) + np.arange(len(labels))
    sums = ones(len(e), e.dtype).dot(e)
    loss = np.add.reduce(np.log(sums) - d.take(at)) * (1.0 / len(labels))
    return node(loss, CROSS_ENTROPY, (x,), (e, sums, at))


def _back(d, y, x, e, sums, at):
    c = np.asarray(d * (1.0 / len(at)), x.dtype)
    g = e * (c / sums)
    g.reshape(-1)[at] -= c
    return np.ascontiguousarray(g.T)


CROSS_ENTROPY = (_back,)


def backward(root):
    order, seen, waiting = [], set(), [root]
    while waiting:
        n = waiting.pop()
        if n is None:
            order.append(waiting.pop())
        elif n not in seen:
            seen.add(n)
            waiting += (n, None)
            for m in n.inputs:
                if m.rules is not None and m not in seen:
                    waiting.append(m)
    table, shared = {root: type(root.value)(1.0)}, set()
    for n in reversed(order):
        send(n, table[n], table, shared)
    for n in shared:
        table[n] = np.array(table[n])
    for n, g in table.items():
        if n.rules is None and n.grad is not None:
            table[n] = n.grad + g
    for n, g in table.items():
        n.grad = g


def send(n, d, table, shared):
    given = [d, n.value]
    for m in n.inputs:
        if m.stamp > n.stamp:
            raise ValueError("changed")
        given.append(m.value)
    if n.kept is not None:
        given += n.kept
    for m, rule in zip(n.inputs, n.rules):
        if not m.takes:
            continue
        g, v = rule(*given), m.value
        if type(g) is not ndarray:
            g = np.full(v.shape, g, v.dtype)
        elif g.dtype is not v.dtype or g.shape != v.shape:
            raise ValueError("shapes")
        if m not in table:
            table[m] = g
            if g is d or g.base is not None:
                shared.add(m)
        elif m in shared:
            table[m] = table[m] + g
            shared.remove(m)
        else:
            table[m] += g


class Adam:
    """All parameters in one vector."""

    def __init__(self, parameters, lr):
        self.parameters, self.lr, self.t = parameters, lr, 0
        ends = np.cumsum([0, *(p.value.size for p in parameters)])
        self.w = np.concatenate([p.value.ravel() for p in parameters])
        self.m, self.v, self.g, self.a = (np.zeros_like(self.w) for _ in range(4))
        places = [(slice(i, j), p.value.shape) for i, j, p in zip(ends, ends[1:], parameters)]
        self.shown = [self.w[place].reshape(shape) for place, shape in places]
        self.rooms = [self.g[place].reshape(shape) for place, shape in places]
        for p, view in zip(parameters, self.shown):
            p.value = view

    def step(self):
        """Move the parameters along their gradients."""
        for p, shown, room in zip(self.parameters, self.shown, self.rooms):
            g = p.grad
            if p.value is not shown:
                shown[...] = p.value
                p.value = shown
            if g is None or g.shape != room.shape or g.dtype is not room.dtype:
                raise ValueError("gradient")
            room[...] = g
        NOW[0] += 1
        for p in self.parameters:
            p.stamp = NOW[0]
        self.t += 1
        w, g, m, v, a = self.w, self.g, self.m, self.v, self.a
        root = (1 - 0.999**self.t) ** 0.5
        np.multiply(np.subtract(g, m, out=a), 0.1, out=a)
        np.add(m, a, out=m)
        np.multiply(np.multiply(g, g, out=a), 0.001, out=a)
        np.add(np.multiply(v, 0.999, out=v), a, out=v)
        np.add(np.sqrt(v, out=a), 1e-8 * root, out=a)
        np.multiply(np.divide(m, a, out=a), self.lr * root / (1 - 0.9**self.t), out=a)
        np.subtract(w, a, out=w)


def A1(spec):
    """Run the elementwise chain and back."""
    parameters = x, y, z = [leaf(spec[name].copy()) for name in "xyz"]

    def binary(f, rules, a, b):
        return node(f(a.value, b.value), rules, (a, b))

    def step():
        for p in parameters:
            p.grad = None
        t, minus = node(np.tanh(x.value), TANH, (x,)), node(-z.value, NEG, (z,))
        e, ty = node(np.exp(minus.value), EXP, (minus,)), binary(np.multiply, MUL, t, y)
        u = binary(np.add, ADD, ty, e)
        uu = binary(np.multiply, MUL, u, u)
        q = node(1.0 + uu.value, ADD_ONE, (uu,))
        r = binary(np.divide, DIV, u, q)
        loss = node(float(np.add.reduce(r.value)) / r.value.size, MEAN, (r,))
        backward(loss)
        return loss.value

    return step, lambda: [p.grad for p in parameters]


def trained(spec):
    """Make the step that trains a perceptron on one batch, and its logits."""
    parameters = [leaf(array.copy()) for pair in spec["params"] for array in pair]
    optimizer = Adam(parameters, spec["lr"])

    def logits(x):
        x = leaf(x, takes=False)
        for k, (w, b) in enumerate(zip(parameters[::2], parameters[1::2])):
            x = linear(relu(x) if k else x, w, b)
        return x

    def step(x, labels):
        for p in parameters:
            p.grad = None
        loss = cross_entropy(logits(x), labels)
        backward(loss)
        optimizer.step()
        return loss.value.item()

    return step, lambda x: logits(x).value


def A2(spec):
    """Train a perceptron with Adam, one batch a step."""
    batches, (step, _) = cycle(spec["batches"]), trained(spec)
    return lambda: step(*next(batches)), None


def E1(spec):
    """Train a perceptron to a target accuracy on the test set; return the number of epochs."""
    return whole_training(spec, lambda: trained(spec)), None
