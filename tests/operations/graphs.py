"""Random graphs of arrays as data: composed of all operations, evaluated by any framework."""

from dataclasses import dataclass, field

import numpy as np

import dark
from tests.operations.cases import OPERATIONS, arity

SHAPES = [(), (3,), (2, 3), (3, 3), (2, 1), (1, 3), (2, 2, 3)]
LARGEST = 40  # numbers in a result
STEEPEST = 70  # slope; a right angle in degrees has 57
NUDGE, CURVED = 1e-3, 3e-5  # a second difference above CURVED, with a step of NUDGE, means a kink nearby


@dataclass
class Graph:
    """Leaves, and steps `(operation, inputs, settings)`; an input is the index of an entry, or a constant.

    Entries are the leaves, then the results of the steps; `values` holds the value of each.
    """

    leaves: list
    steps: list = field(default_factory=list)
    values: list = field(default_factory=list)

    def __str__(self):
        lines = [f"{k}: {v!r}" for k, v in enumerate(self.leaves)]
        lines += [f"{len(self.leaves) + k}: {op.__name__}{inputs} {s}" for k, (op, inputs, s) in enumerate(self.steps)]
        return "\n".join(lines)

    def run(self, leaves, apply=lambda op, x, settings: op.apply(*x, **settings)):
        """Compute the last entry from other leaves, with the operations of any framework."""
        made = list(leaves)
        for op, inputs, settings in self.steps:
            made.append(apply(op, [made[i] if type(i) is int else i for i in inputs], settings))
        return made[-1]

    def add(self, op, *inputs, **settings):
        """Append a step; return the index of its result."""
        self.steps.append((op, inputs, settings))
        self.values.append(op.apply(*self.inputs(inputs), **settings).value)
        return len(self.values) - 1

    def inputs(self, inputs):
        return [self.values[i] if type(i) is int else i for i in inputs]


def is_smooth(op, x, settings):
    """Return whether an operation accepts these values, and its result is small and smooth within a small distance."""
    rng = np.random.default_rng(0)
    if op.__module__.endswith(("inverses", "determinants")) and np.linalg.cond(x[0]).max() > 100:
        return False  # the matrix is nearly singular
    for _ in range(3):  # a kink may be hidden in one direction
        nudges = [NUDGE * rng.uniform(0.2, 1, np.shape(v)) * rng.choice((-1, 1), np.shape(v)) for v in x]
        sides = [[v + sign * d for v, d in zip(x, nudges)] for sign in (0, 1, -1)]
        try:
            here, up, down = [np.asarray(op.apply(*side, **settings).value) for side in sides]
        except dark.errors.ShapeError:
            return False
        if not 0 < here.size <= LARGEST or not np.isfinite([here, up, down]).all():
            return False
        if np.abs(up + down - 2 * here).max() > CURVED or np.abs(up - down).max() > STEEPEST * 2 * NUDGE:
            return False
    return True


def compose(picks, shapes, seed):
    """Compose a graph from drawn picks `(name of an operation, one number for each choice)`.

    Inputs are brought into the domain of the operation, and into the shape that its sample asks for.
    """
    rng = np.random.default_rng(seed)
    leaves = [rng.uniform(-2, 2, shape) if shape else float(rng.uniform(-2, 2)) for shape in shapes]
    graph = Graph(leaves, [], list(leaves))
    for name, *choices in picks:
        op = OPERATIONS[name]
        first, second, sample = choices
        samples = [s for s in op.samples if all(np.prod(shape) for shape in s[0])] or [((), {})]
        wanted, settings = samples[sample % len(samples)]
        inputs = arity(op) if wanted == () else len(wanted)
        chosen = [(first + k * (1 + second % 3)) % len(graph.values) for k in range(inputs)]
        if wanted == ():
            wanted = common_shapes([np.shape(graph.values[i]) for i in chosen])
        inputs = [into_domain(graph, shaped(graph, i, s), op, k) for k, (i, s) in enumerate(zip(chosen, wanted))]
        if is_smooth(op, graph.inputs(inputs), settings):
            graph.add(op, *inputs, **settings)
    collect(graph)
    return graph


def common_shapes(shapes):
    """Return shapes that broadcast: the given ones, or the first for all."""
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return [shapes[0]] * len(shapes)
    return shapes


def shaped(graph, entry, shape):
    """Bring an entry to a shape, by slicing, or by repeating elements with an offset."""
    have, want = np.size(graph.values[entry]), int(np.prod(shape))
    if np.shape(graph.values[entry]) == shape:
        return entry
    entry = graph.add(dark.Reshape, entry, shape=(-1,))
    entry = graph.add(dark.GetItem, entry, index=np.arange(want) % have)
    if want > have:
        entry = graph.add(dark.Add, entry, np.sin(np.arange(want)))
    return graph.add(dark.Reshape, entry, shape=shape)


def into_domain(graph, entry, op, k):
    """Squash an entry into the domain of the k-th input of an operation, if it is outside."""
    low, high = op.domain[min(k, len(op.domain) - 1)]
    value = np.asarray(graph.values[entry])
    if (value >= low).all() and (value <= high).all():
        return entry
    pressed = graph.add(dark.Mul, graph.add(dark.Tanh, entry), (high - low) / 2)
    return graph.add(dark.Add, pressed, (high + low) / 2)


def collect(graph):
    """Sum all unused entries, each with its own weight."""
    used = {i for _, inputs, _ in graph.steps for i in inputs if type(i) is int}
    total = 0.0
    for k in [k for k in range(len(graph.values)) if k not in used]:
        part = graph.add(dark.Sum, k, axis=None, keepdims=False)
        part = graph.add(dark.Mul, part, 1.0 / (1.0 + k))
        total = graph.add(dark.Add, part, total)
