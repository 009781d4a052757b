"""One run of a function whose derivative is taken: variables in, a node out, gradients back."""

from contextlib import contextmanager
from dataclasses import dataclass
from threading import local

import numpy as np

from dark.derivatives.passes import seed_of, zero_of
from dark.errors import ShapeError, UsageError
from dark.nodes import Constant, Node, Parameter, gradients, mode, value_of
from dark.nodes.values import as_value


class Place(local):
    """Where a thread is: inside a function whose derivative is taken, or not."""

    inside = False


place = Place()


@contextmanager
def run(who, f, argument, x, settings, also=()):
    """Call `f` with variables in place of the arguments that it is differentiated by; yield a `Run`.

    What was given as a node comes back as a node. A variable is a node of its own also then, so that
    the derivative by an argument is not mixed up with that by the node which was given for it.
    """
    given = any(isinstance(v, Node) for v in (*x, *settings.values(), *also))
    linked = mode.recording and (given or place.inside)
    before, outside = mode.turn(recording=True), place.inside
    place.inside = True
    try:
        chosen = argument if isinstance(argument, tuple) else (argument,)
        variables = [_variable(who, _argument(who, x, k), linked) for k in chosen]
        changed = dict(zip(chosen, variables))
        y = result_of(who, f, [changed[k] if k in changed else _other(v) for k, v in enumerate(x)], settings)
        yield Run(who, y, variables, linked, given, isinstance(argument, tuple))
    finally:
        place.inside = outside
        mode.turn(**before)


@dataclass(frozen=True)
class Run:
    """What a run made.

    Attributes
    ----------
    who : str
        The derivative that was asked for; its name stands in errors.
    y : Node
        What the function returned.
    variables : list of Node
        What it is differentiated by.
    linked : bool
        Whether the answer is to be differentiated again.
    given : bool
        Whether an argument was a node.
    several : bool
        Whether a tuple of arguments was asked for.
    """

    who: str
    y: Node
    variables: list
    linked: bool
    given: bool
    several: bool

    def gradients(self, create_graph):
        """Compute the gradient of the one number by every variable."""
        if self.y.size != 1:
            raise ShapeError(
                f"{self.who}: the function returned an array of shape {self.y.shape}.",
                "one number.",
                "return the sum or the mean of it, or ask dark.jacobian for the slope of each number.",
            )
        found = gradients(self.y, seed_of(np.ones(self.y.shape), create_graph), self.variables, create_graph)
        return [seed_of(zero_of(v), create_graph) if g is None else g for v, g in zip(self.variables, found)]

    def seeds(self, directions):
        """Check the directions against the variables."""
        for n, v in zip(self.variables, directions):
            if np.shape(value_of(v)) != n.shape:
                raise ShapeError(
                    f"{self.who}: a direction of shape {np.shape(value_of(v))} at a point of shape {n.shape}.",
                    "two equal shapes.",
                    "one number for each number in x.",
                )
        return [seed_of(v, self.linked) for v in directions]

    def plain(self, answer):
        """Give an answer as a node where nodes were given, else as a number or an array."""
        if self.linked:
            return answer if isinstance(answer, Node) else Constant(answer)
        return Constant(value_of(answer)) if self.given else value_of(answer)

    def give(self, answers):
        """Give one answer for each variable, in a tuple if several were asked for."""
        answers = tuple(self.plain(answer) for answer in answers)
        return answers if self.several else answers[0]


def result_of(who, f, x, settings):
    """Call a function that must return a node."""
    y = f(*x, **settings)
    if not isinstance(y, Node):
        raise UsageError(
            f"{who}: the function returned {y!r} ({type(y).__name__}).",
            "a node, computed from its inputs.",
            "use the functions of dark or arithmetic signs inside it.",
        )
    return y


def pair(who, f, x, v):
    """Bring a point and a direction, or tuples of them, into tuples; say which arguments they stand for."""
    several = isinstance(x, tuple)
    points, directions = (x, v) if several else ((x,), (v,))
    if not isinstance(directions, tuple) or len(points) != len(directions):
        raise UsageError(
            f"{who}: {len(points)} arguments and {len(v) if isinstance(v, tuple) else 1} directions.",
            "a direction for each argument.",
            f"{who}(f, (a, b), (direction_of_a, direction_of_b))",
        )
    argument = tuple(range(len(points))) if several else 0
    check(f, argument, who)
    return points, directions, argument


def check(f, argument, who):
    """Refuse what is no function, and what does not number its arguments."""
    if not callable(f):
        raise UsageError(
            f"{who}: {f!r} ({type(f).__name__}) is no function.",
            "a function of nodes.",
            f"{who}(f), without calling f.",
        )
    chosen = argument if isinstance(argument, tuple) else (argument,)
    if not chosen or not all(type(k) is int and k >= 0 for k in chosen) or len(set(chosen)) < len(chosen):
        raise UsageError(
            f"{who}: argument={argument!r} does not name arguments.",
            "the place of an argument, counted from 0, or a tuple of places, each once.",
            "argument=0",
        )


def _argument(who, x, k):
    if k >= len(x):
        raise UsageError(
            f"{who}: there is no argument {k}; the function was called with {len(x)} by place.",
            "the place of an argument, counted from 0.",
            "give what is differentiated by its place, not by its name.",
        )
    return x[k]


def _other(x):
    """Make an argument that is not differentiated by: a constant of floats, anything else as it is."""
    floats = isinstance(x, (float, np.floating)) or (isinstance(x, np.ndarray) and x.dtype.kind == "f")
    return Constant(x) if floats else x


def _variable(who, x, linked):
    if not isinstance(x, Node):
        return Parameter(as_value(x, who))
    if not (linked and x.requires_grad):
        return Parameter(x.value, x.name)
    copy = x * 1.0
    copy.name = x.name
    return copy
