"""One call of a function that is being differentiated: variables in, a node out, gradients back.

A seed is the gradient that a backward pass starts from. `differentiable` says whether the results are nodes, which can
be differentiated again, or values.
"""

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from dark.checks import describe, integer
from dark.errors import ShapeError, UsageError
from dark.nodes import Constant, Node, Parameter, gradients, mode, value_of
from dark.nodes.changes import refuse_recording
from dark.nodes.leaves import as_input
from dark.nodes.values import as_value


@contextmanager
def tracing(who, f, argument, x, settings, also=()):
    """Call `f` with variables in place of the arguments it is differentiated with respect to; yield a `Trace`.

    A variable is always a new node, even where a node was passed in: the derivative with respect to the
    argument differs from that with respect to the node if `f` uses the node in another way, too.
    """
    nodes_in, is_recording = any(isinstance(v, Node) for v in (*x, *settings.values(), *also)), mode.recording
    differentiable = is_recording and (nodes_in or bool(mode.variables))
    before, variables = mode.set(recording=True, variables=mode.variables), []
    try:
        chosen = argument if isinstance(argument, tuple) else (argument,)
        variables = [_variable(who, x, k, differentiable) for k in chosen]
        mode.set(variables=(*mode.variables, *variables))
        replaced = dict(zip(chosen, variables))
        y = call_for_node(who, f, [replaced[k] if k in replaced else _constant(v) for k, v in enumerate(x)], settings)
        differentiable = differentiable or (is_recording and _depends_on_others(y, variables))
        yield Trace(who, y, variables, differentiable, nodes_in, isinstance(argument, tuple))
    finally:
        for n in variables:
            if n.op is None:
                n.requires_grad = False  # no other code refers to it
        mode.set(**before)


@dataclass(frozen=True)
class Trace:
    """The result of a call, and its variables."""

    who: str  # the public function that was called, for error messages
    y: Node
    variables: list  # that the function is differentiated with respect to
    differentiable: bool  # whether the derivatives must be nodes, because they may be differentiated again
    nodes_in: bool  # whether an argument was a node
    is_tuple: bool  # whether a tuple of arguments was named, so that a tuple is returned

    def gradients(self, create_graph):
        """Compute the gradient of the result, a single element, with respect to every variable."""
        if self.y.size != 1:
            raise ShapeError(
                f"{self.who}: the function must return a single element, got shape {self.y.shape}.",
                "a single element.",
                "return its sum or mean, or use dark.jacobian for the derivative of every element.",
            )
        refuse_recording("it computes gradients")
        found = gradients(self.y, as_seed(np.ones(self.y.shape), create_graph), self.variables, create_graph)
        return [as_seed(zeros_like(v), create_graph) if g is None else g for v, g in zip(self.variables, found)]

    def seeds(self, directions):
        """Check the shapes of the directions, and return them as seeds."""
        for n, v in zip(self.variables, directions):
            if np.shape(value_of(v)) != n.shape:
                problem = f"{self.who}: a direction must have the point's shape {n.shape}, got {np.shape(value_of(v))}."
                raise ShapeError(problem, "two equal shapes.", "print both shapes.")
        return [as_seed(v, self.differentiable) for v in directions]

    def as_result(self, y):
        """Return a node if an argument was a node or the result is differentiable, else a float or an array."""
        if self.differentiable:
            return y if isinstance(y, Node) else Constant(y)
        return Constant(value_of(y)) if self.nodes_in else value_of(y)

    def as_results(self, ys):
        """Return one result for each variable, as a tuple if a tuple of arguments was named."""
        ys = tuple(self.as_result(y) for y in ys)
        return ys if self.is_tuple else ys[0]


def _depends_on_others(y, variables):
    """Return whether a node was computed from a leaf that requires grad and is none of the variables."""
    seen, found = set(variables), [y]
    for node in found:  # which grows
        if node.requires_grad and node not in seen:
            if node.op is None:
                return True
            seen.add(node)
            found += node.inputs
    return False


def call_for_node(who, f, x, settings):
    """Call a function, and raise unless it returns a node."""
    y = f(*x, **settings)
    if not isinstance(y, Node):
        raise UsageError(
            f"{who}: the function must return a node, got {describe(y)}.",
            "a node, computed from its inputs.",
            "use arithmetic operators and the functions of dark inside it.",
        )
    return y


def point_and_direction(who, f, x, v):
    """Return a point and a direction as tuples, one entry per argument, and the arguments they belong to."""
    is_tuple = isinstance(x, tuple)
    points, directions = (x, v) if is_tuple else ((x,), (v,))
    if not isinstance(directions, tuple) or len(points) != len(directions):
        raise UsageError(
            f"{who}: each of {len(points)} arguments needs a direction, got {len(v) if isinstance(v, tuple) else 1}.",
            "a direction for each argument.",
            f"{who}(f, (a, b), (direction_of_a, direction_of_b))",
        )
    argument = tuple(range(len(points))) if is_tuple else 0
    check_arguments(f, argument, who)
    return points, directions, argument


def check_arguments(f, argument, who):
    """Raise unless `f` is callable and `argument` holds distinct indices of positional arguments."""
    if not callable(f):
        problem = f"{who}: {describe(f)} is not callable."
        raise UsageError(problem, "a function of nodes.", f"{who}(f), without calling f.")
    chosen = argument if isinstance(argument, tuple) else (argument,)
    for k in chosen:
        integer(k, who, "argument", 0, advice="argument=0, or argument=(0, 1).")
    if not chosen or len(set(chosen)) < len(chosen):
        raise UsageError(
            f"{who}: invalid argument={argument!r}.",
            "the index of a positional argument, from 0, or a tuple of distinct indices.",
            "argument=0",
        )


def _constant(x):
    """Return floats and floating-point arrays as a constant, anything else unchanged."""
    floats = isinstance(x, (float, np.floating)) or (isinstance(x, np.ndarray) and x.dtype.kind == "f")
    return as_input(x, "constant") if floats else x


def _variable(who, arguments, k, differentiable):
    if k >= len(arguments):
        raise UsageError(
            f"{who}: no positional argument {k}; the function was called with {len(arguments)} positional arguments.",
            "the index of a positional argument, from 0.",
            "pass the arguments to differentiate with respect to by position, not by keyword.",
        )
    x = arguments[k]
    if not isinstance(x, Node):
        return Parameter(as_value(x, who))
    if not (differentiable and x.requires_grad):
        return Parameter(x.value, x.name)
    copy = x * 1.0
    copy.name = x.name
    return copy


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
