"""The arguments of a module's backward hooks: the gradients of all its inputs together, and of its outputs.

Operations have one result, so several nodes are joined by two kinds of node: a `Join` that depends on all of them, and
a `Part` for each, which depends on the join. In a backward pass all parts are visited before the join.
"""

import warnings
from typing import Any

import numpy as np

from dark.checks import describe
from dark.errors import GradientError, UsageError
from dark.nn.module_repr import one_line_repr
from dark.nodes import Constant, Node, Operation, mode, value_of
from dark.nodes.gradient_hooks import replacement
from dark.nodes.values import read_only


class Join(Operation, elementwise=False):
    """A node that depends on several others, and sends to them the gradients of its parts."""

    @staticmethod
    def _f(*x, key, places):
        return 0.0

    @classmethod
    def _gradients(op, node, dldy, y, x):
        found = _of_the_pass(node)
        grads = [found.get(place) for place in node.settings["places"]]
        return [_zeros(n) if g is None else g for n, g in zip(node.inputs, grads)]


class Part(Operation, elementwise=False):
    """One of the nodes that were joined, with its value; its gradient is kept until the join is visited."""

    @staticmethod
    def _f(join, key, place, value):
        return value

    @classmethod
    def _gradients(op, node, dldy, y, x):
        _of_the_pass(node)[node.settings["place"]] = dldy
        return (0.0,)


def _of_the_pass(node):
    """Return the gradients of the parts of a join, by their places, in the backward pass that is running."""
    if mode.gathered is None:
        raise GradientError(
            f"{node.op.label()}: its gradients are known during a backward pass only.",
            "a call by the backward pass.",
            "remove the backward hooks of the module and compute the result again, to differentiate node by node.",
        )
    return mode.gathered.setdefault(node.settings["key"], {})


def joined(values, see):
    """Return a tuple whose nodes wait for each other's gradient in a backward pass.

    `see` is called with a tuple of the gradients, once these are complete; None for what has none. It returns None, or
    a tuple that replaces them, in which None is a gradient of zeros. Values that are not nodes are passed on.
    """
    places = [k for k, value in enumerate(values) if isinstance(value, Node) and value.requires_grad]
    if not places or not mode.recording:
        return values
    key = object()  # of the gradients, in the dict of the pass

    def hook(dldy):
        found = mode.gathered.get(key, {})
        grads = see(tuple([read_only(found.get(place)) for place in range(len(values))]))
        if grads is not None:
            mode.gathered[key] = dict(enumerate(grads))

    join = Join.apply(*[values[place] for place in places], key=key, places=places)
    join.register_hook(hook)
    passed = list(values)
    for place in places:
        passed[place] = Part.apply(join, key=key, place=place, value=value_of(values[place]))
    return type(values)._make(passed) if hasattr(values, "_make") else tuple(passed)  # a named tuple, or a plain one


class ModuleGradients:
    """The gradients of a single call of a module."""

    def __init__(self, module, hooks):
        self.module, self.hooks = module, hooks
        self.inputs: tuple[Any, ...] = ()
        self.require_grad = False

    def of_inputs(self, args):
        """Return the positional arguments, joined."""
        passed = joined(args, self._see_inputs)
        self.inputs, self.require_grad = args, passed is not args
        return passed

    def of_outputs(self, result):
        """Return the result, joined."""
        if isinstance(result, tuple):
            return joined(result, self._see_outputs)
        if not isinstance(result, Node) and mode.recording:
            warnings.warn(
                f"{type(self.module).__name__}: its backward hooks are not called, as it returned {describe(result)}.\n"
                "  Expected: a node, or a tuple of nodes.\n"
                "  Try: hooks of the modules inside it, or node.register_hook.",
                stacklevel=4,  # the caller of the module
            )
        return joined((result,), self._see_outputs)[0]

    def _see_outputs(self, grads):
        mode.gathered[self] = grads
        if not self.require_grad:
            self._call(tuple([None] * len(self.inputs)))

    def _see_inputs(self, grads):
        """Return the gradients after the hooks, which are not called if the pass did not come through the outputs."""
        if self in mode.gathered:
            zeros = [_zeros(x) if g is None and isinstance(x, Node) else g for x, g in zip(self.inputs, grads)]
            return self._call(tuple(zeros))
        return None

    def _call(self, grads):
        try:
            for hook in self.hooks:
                found = hook(self.module, grads, mode.gathered[self])
                if found is not None:
                    grads = self._checked(found, grads)
        except Exception as error:
            error.add_note(f"in a backward hook of {one_line_repr(self.module)}")
            raise
        return grads

    def _checked(self, found, grads):
        """Return a hook's result as gradients of the inputs."""
        who, n = f"register_full_backward_hook: the hook of {type(self.module).__name__}", len(grads)
        if not isinstance(found, (tuple, list)) or len(found) != n:
            given = f"{len(found)} gradients" if isinstance(found, (tuple, list)) else describe(found)
            raise UsageError(
                f"{who} must return None or {n} gradient{'s' * (n != 1)}, got {given}.",
                f"None, or a tuple of {n}: one gradient for each positional argument.",
                "return (gradient,), with the comma that makes it a tuple.",
            )
        for k, (new, old) in enumerate(zip(found, grads)):
            if new is not None and old is None:
                raise UsageError(
                    f"{who} must return None for argument {k}, which has no gradient.",
                    "None at this position: the argument is not a node, or no argument requires grad.",
                    "return None, to leave the gradients as they are.",
                )
        places = zip(found, grads, self.inputs)
        return tuple([new if new is None else replacement(new, old, x, mode.create_graph) for new, old, x in places])


def _zeros(n):
    """Return a gradient of zeros for a node."""
    zeros = Constant(np.zeros(n.shape, n.dtype))
    return zeros if mode.create_graph else value_of(zeros)
