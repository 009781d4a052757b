"""Gradients of several numbers, and from several nodes, as numbers or as nodes."""

import numpy as np

from dark.nodes import Constant, Node, gradients


def matrices(y, variables, linked):
    """Compute the derivative of every number in `y` by every number in each variable."""
    rows = [gradients(y, seed, variables, linked) for seed in _unit_seeds(y, linked)] if y.requires_grad else []
    return [_matrix([row[k] for row in rows], y, v, linked) for k, v in enumerate(variables)]


def pull(ys, seeds, targets, linked):
    """Send a seed back from each of `ys`, and add up what arrives at each target."""
    sums = [zero_of(target) for target in targets]
    for y, seed in zip(ys, seeds):
        if y is not None:
            for k, g in enumerate(gradients(y, seed, targets, linked)):
                sums[k] = sums[k] if g is None else sums[k] + g
    return sums


def seed_of(g, linked):
    """Make what a pass starts from: a node where the gradients are to be nodes."""
    g = g if isinstance(g, Node) else Constant(g)
    return g if linked else g.value


def _unit_seeds(y, linked):
    """Yield, for each number in `y`, a gradient that is 1 there and 0 elsewhere."""
    for k in range(y.size):
        seed = np.zeros(y.size)
        seed[k] = 1.0
        yield seed_of(seed.reshape(y.shape), linked)


def _matrix(rows, y, v, linked):
    """Stack what each number in `y` sent to one variable."""
    if all(row is None for row in rows):
        return Constant(np.zeros(y.shape + v.shape, v.dtype)).value
    rows = [zero_of(v) if row is None else row for row in rows]
    return np.reshape(np.stack(rows), y.shape + v.shape) if y.shape else rows[0]


def zero_of(v):
    """Make the gradient of a variable that nothing depends on."""
    return Constant(np.zeros(v.shape, v.dtype)).value
