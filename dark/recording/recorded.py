"""`recorded`: a function whose graph is compared in two calls, and replayed in all later ones."""

from __future__ import annotations

import functools
import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.nodes import Node, mode
from dark.nodes.grad_mode import versions
from dark.nodes.leaves import constant
from dark.recording.calls import Call
from dark.recording.guards import Guards
from dark.recording.program import Program
from dark.recording.recorder import Graph, Recorder, difference
from dark.recording.replay import Fed, Replay, Run

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_SIGNATURES, MOST_CHANGES = 32, 8


class RecordingWarning(UserWarning):
    """A function is not replayed, since it does not do the same in each call."""


class Recorded:
    """A function that is replayed once two calls have computed the same graph; made by `recorded`.

    Attributes
    ----------
    source : str
        The program of the signature that was recorded last; empty before.
    refused : list of str
        Why calls are not replayed, one sentence for each signature.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = _checked(function)
        self._lock = threading.RLock()
        self._programs: dict[Any, Program] = {}
        self._graphs: dict[Any, Graph] = {}
        self._refused: dict[Any, str] = {}
        self._changes: dict[Any, int] = {}
        self.source = ""
        functools.update_wrapper(self, function)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Bind a method that is decorated."""
        return self if instance is None else functools.partial(self, instance)

    def graph(self, node: Node) -> Node:
        """Return a result of a replay with the whole graph behind it, computed anew: for pictures, and to look inside.

        Raises
        ------
        ValueTypeError
            If the node is not the result of a replay.
        """
        if getattr(node, "op", None) is not Replay:
            raise ValueTypeError(
                f"graph: {describe(node)} is not the result of a replay.",
                "what a recorded function returns from its third call on.",
                "dark.draw(node): the graph of any other node is there.",
            )
        return node._saved.graph()

    @property
    def refused(self) -> list[str]:
        """Why calls are not replayed."""
        return list(self._refused.values())

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        """Return the node that the function returns."""
        if mode.recorder is not None:  # inside another function that is being recorded
            return self._function(*arguments, **settings)
        call = Call(self._function, arguments, settings)
        if not mode.is_default or mode.is_differentiating or call.is_attached:
            return call.eager()
        with self._lock:
            program = self._programs.get(call.key)
            if program is not None and not program.guards.hold():
                program = self._programs.pop(call.key)
                self._changes[call.key] = count = self._changes.get(call.key, 0) + 1
                if count > MOST_CHANGES:
                    self._refuse(call.key, f"what it uses has changed {count} times: {program.guards.changed}")
                program = None
            if program is not None:
                return self._replay(program, call)
            return call.eager() if call.key in self._refused else self._record(call)

    def _replay(self, program, call):
        now, made = versions.now, []
        try:
            value, found, saved = program.call(call.values, made)
        except Exception:  # whatever it is, the function itself tells, or knows better
            return call.eager(Fed(program.graph.repeats, made))
        for (_, function, arguments), each in zip(program.graph.effects, saved):
            function(each, *arguments)
        node = object.__new__(Node)
        node._value, node._grad, node._version, node.op = value, None, now, Replay
        node.inputs, node.settings, node.name = program.leaves, None, None
        node._saved = Run(program, call.values, made, found)
        return node

    def _record(self, call):
        if len(self._programs) + len(self._graphs) + len(self._refused) > MOST_SIGNATURES:
            if MOST_SIGNATURES not in self._refused:
                self._graphs.clear()
                self._refuse(MOST_SIGNATURES, f"it is called with more than {MOST_SIGNATURES} kinds of arguments")
            return call.eager()
        recorder = Recorder([])
        root = call.eager(recorder)
        if isinstance(root, Node) and not root.requires_grad:  # as long as all parameters are frozen, say
            return root
        graph, before = _graph_of(recorder, root), self._graphs.pop(call.key, None)
        why = graph.why or (before and difference(before, graph))
        if why is None and before is None:
            self._graphs[call.key] = graph
        elif why is None:
            try:
                with np.errstate(all="ignore"):  # the function has warned of it
                    program = Program(graph, before)
                program.guards = Guards(self._function, program, graph)
                self._programs[call.key], self.source = program, program.source
            except Exception as error:
                why = f"its graph cannot be computed again: {type(error).__name__}: {error}"
        if why is not None:
            self._refuse(call.key, why)
        return root

    def _refuse(self, key, why):
        self._refused[key] = why
        name = getattr(self._function, "__qualname__", repr(self._function))
        warnings.warn(
            f"recorded: {name} is not replayed: {why}.\n"
            "  Expected: the same graph in each call of the same shapes.\n"
            "  Try: give what changes as an argument; or leave out dark.recorded.",
            RecordingWarning,
            stacklevel=4,
        )


def _checked(function):
    if not callable(function):
        raise ValueTypeError(
            f"recorded: {describe(function)} is not a function.",
            "a function of arrays that returns one node.",
            "recorded(lambda x, y: cross_entropy(model(x), y))",
        )
    return function


def _graph_of(recorder, root):
    """Return the graph of a call; one that cannot be replayed, whatever the next call does, says why."""
    if not isinstance(root, Node):
        recorder.refuse(f"it returned {describe(root)}, not a node")
        root = constant(0.0)
    elif root.size != 1:
        recorder.refuse(f"it returned a node of shape {root.shape}, not one number")
    return Graph(recorder, root)


def recorded(function: Callable[..., Any]) -> Recorded:
    """Record the graph of a function once, and replay it in later calls, with the same bits in less time.

    Parameters
    ----------
    function : callable
        Of arrays; it returns one node with one element, such as a loss. Inside, each array and each float is a
        `Constant`. Everything else is computed with nodes and parameters.

    Returns
    -------
    Recorded
        A callable with the same arguments, which returns a node: `backward` works as before. `source` is the program,
        `refused` says why calls are not replayed.

    Raises
    ------
    ValueTypeError
        If `function` cannot be called.

    Notes
    -----
    The first two calls of a signature (shapes and dtypes of arrays, values of all else) run as they would anyway, and
    their graphs are compared. If they are the same, later calls compute values and gradients without building nodes.
    If they differ, or Python has read a value, all calls of the signature run as before, after one warning. A
    recording starts anew when a parameter has another shape or `requires_grad`, when a module in it changes (its mode,
    its layers), and when a variable that the function names has another value. What else Python computes and is the
    same in two calls counts as constant.

    Examples
    --------
    >>> import dark
    >>> w = dark.Parameter([1.0, 2.0])
    >>> loss_of = recorded(lambda x: dark.mean((w * x) ** 2))
    >>> for k in range(3):
    ...     loss_of(np.array([1.0, k])).backward()
    >>> w.grad
    array([ 3., 10.])
    >>> loss_of.refused
    []
    """
    return Recorded(function)
