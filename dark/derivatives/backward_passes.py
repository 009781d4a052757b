"""Backward passes with given seeds: vector-Jacobian products, and Jacobians row by row.

A seed is the gradient that a backward pass starts from. `differentiable` says whether the results are nodes,
which can be differentiated again, or values.
"""

import numpy as np

from dark.nodes import Constant, Node, gradients, value_of
from dark.nodes.values import as_value


def jacobians(y, variables, differentiable):
    """Compute the Jacobian of `y` with respect to each variable."""
    seeds = _unit_seeds(y, differentiable) if y.requires_grad else ()
    rows = [gradients(y, seed, variables, differentiable) for seed in seeds]
    return [_stack_rows([row[k] for row in rows], y, v) for k, v in enumerate(variables)]


def vjp(ys, seeds, targets, differentiable):
    """Compute the vector-Jacobian products of several results, summed: one for each target."""
    sums = [zeros_like(target) for target in targets]
    for y, seed in zip(ys, seeds):
        if y is not None:
            for k, g in enumerate(gradients(y, seed, targets, differentiable)):
                sums[k] = sums[k] if g is None else sums[k] + g
    return sums


def as_seed(g, differentiable):
    """Return a gradient as a node if the pass computes with nodes, else as a value."""
    g = g if isinstance(g, Node) else Constant(g)
    return g if differentiable else value_of(g)


def _unit_seeds(y, differentiable):
    """Yield, for each element of `y`, a seed that is 1 there and 0 elsewhere."""
    for k in range(y.size):
        seed = np.zeros(y.size)
        seed[k] = 1.0
        yield as_seed(seed.reshape(y.shape), differentiable)


def _stack_rows(rows, y, v):
    """Stack the gradients of the elements of `y` with respect to one variable to a Jacobian."""
    if all(row is None for row in rows):
        return as_value(np.zeros(y.shape + v.shape, v.dtype), "jacobian")
    rows = [zeros_like(v) if row is None else row for row in rows]
    return np.reshape(np.stack(rows), y.shape + v.shape) if y.shape else rows[0]


def zeros_like(v):
    """Return the gradient with respect to a variable that the result does not depend on."""
    return as_value(np.zeros(v.shape, v.dtype), "grad")
