"""`recorded`: a function whose graph is compared in two calls, and replayed in all later ones."""

import functools
import inspect
import threading
import types
import warnings
from typing import Any

import numpy as np

from dark.errors import ValueTypeError
from dark.nn import Module
from dark.nn.module_calls import structure
from dark.nodes import Constant, Node, Operation, gradients, mode
from dark.nodes.grad_mode import Switch, versions
from dark.nodes.leaves import PYTHON_NUMBER, constant
from dark.recording.program import Program
from dark.recording.tape import Tape, kind_of


class RecordingWarning(UserWarning):
    """A function is not replayed, since it does not do the same in each call."""


class Replay(Operation, trusted=True, saves=True, elementwise=False):
    """A graph that was replayed: its gradients were computed together with its value."""

    function_name = "recorded"

    @classmethod
    def _gradients(op, node, dldy, y, x):
        program, inputs, made, found = node._saved
        if found is not None and y is not node and mode.is_default and dldy == 1.0:
            node._saved = program, inputs, made, None  # the arrays belong to the parameters from now on
            return found
        return gradients(op.opened(node), dldy, node.inputs, create_graph=y is node)

    @classmethod
    def opened(op, node: Node) -> Node:
        """Return the result of a replay with the recorded graph behind it, for pictures and other gradients."""
        return node._saved[0].graph(*node._saved[1:3])


class recorded:
    """A function of arrays whose graph is recorded once, and replayed in later calls: the same bits in less time.

    The first two calls of a signature (shapes and dtypes of arrays, values of all else) run as ever, and their graphs
    are compared. If they are the same, later calls build no nodes. If they differ, or Python has read a value, all
    calls run as ever, after one warning. A recording starts anew when a parameter has another shape or
    `requires_grad`, a module another attribute, such as its mode, or a variable that the function names another
    value. What else Python computes counts as constant, if it is the same in two calls.

    The function returns one node with one element, such as a loss; inside, each array and each float is a `Constant`.
    `source` is the program that was made last, and `refused` has the reasons why calls are not replayed.

    >>> import dark
    >>> w = dark.Parameter([1.0, 2.0])
    >>> loss_of = recorded(lambda x: dark.mean((w * x) ** 2))
    >>> for k in range(3):
    ...     loss_of(np.array([1.0, k])).backward()
    >>> w.grad
    array([ 3., 10.])
    """

    def __init__(self, function: Any) -> None:
        if not callable(function):
            raise ValueTypeError(f"recorded: {function!r} is not a function.", "a function.", "recorded(loss_of)")
        self._function, self._lock, self._count = function, threading.RLock(), 0
        self._found: dict[Any, Any] = {}  # by signature: a first tape, a program, or a refusal
        self.source, self.refused = "", list[str]()
        functools.update_wrapper(self, function)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        """Return the node that the function returns."""
        if mode.recorder is not None:  # inside another function that is being recorded
            return self._function(*arguments, **settings)
        given = [_argument(x) for x in (*arguments, *settings.values())]
        key, inputs = (*settings, *[kind for _, kind, _ in given]), [x for x, _, varies in given if varies]
        values, count = [x for x, _, _ in given], len(arguments)

        def call(recorder=None):
            with Switch(recorder=recorder):
                return self._function(*values[:count], **dict(zip(settings, values[count:])))

        if not mode.is_default or mode.is_differentiating or any(isinstance(x, Node) and x.op for x in values):
            return call()
        with self._lock:
            found = self._found.get(key)
            if isinstance(found, Program) and found.guards.hold():
                return _replayed(found, inputs, call)
            return call() if isinstance(found, str) else self._recorded(key, found, Tape(inputs), call)

    def _recorded(self, key, before, tape, call):
        """Call the function with a tape; the second time, compare the two, and make the program."""
        before = before if isinstance(before, Tape) else None
        if before is None and self._count == 32:  # memory and time would be lost
            self._refuse(None, f"arguments or what it uses have changed, and it was recorded {self._count} times")
            return call()
        root = call(tape)
        if isinstance(root, Node) and not root.requires_grad:  # as long as all parameters are frozen, say
            return root
        self._found[key], self._count = tape, self._count + (before is None)
        if why := tape.finish(root, before):
            self._refuse(key, why)
        elif before is not None:
            leaves = [b for a, b in zip(before.order, tape.order) if a.node is b.node]
            try:
                with np.errstate(all="ignore"):  # the function has warned of it
                    self._found[key] = program = Program(tape, leaves, Guards(self._function, tape, leaves))
                self.source = program.source
            except Exception as error:
                self._refuse(key, f"its graph cannot be computed again: {type(error).__name__}: {error}")
        return root

    def _refuse(self, key, why):
        if self._found.get(key) != why:
            self._found[key], name = why, getattr(self._function, "__qualname__", repr(self._function))
            self.refused.append(why)
            expected = "Expected: the same graph in each call of the same shapes."
            advice = "Try: give what changes as an argument; or leave out dark.recorded."
            message = f"recorded: {name} is not replayed: {why}.\n  {expected}\n  {advice}"
            warnings.warn(message, RecordingWarning, stacklevel=4)


def _replayed(program, inputs, call):
    """Return the node of a replay; if the replay raises, the function itself is called."""
    program.made = made = dict[Any, Any]()
    try:
        value, found = program.run(*[n._value for n in inputs], *[n._value for n in program.leaves])
    except Exception:
        return call(Tape(inputs, made))
    node = object.__new__(Node)
    node._value, node._grad, node._saved, node._version = value, None, (program, inputs, made, found), versions.now
    node.op, node.inputs, node.settings, node.name = Replay, program.parameters, None, None
    return node


def _argument(x):
    """Return an argument, its key in a recording, and whether the value varies: then it is a `Constant`."""
    is_weak = type(x) is float or (type(x) is Constant and x._version == PYTHON_NUMBER)
    value = x._value if type(x) is Constant else x
    if type(value) is np.ndarray and value.ndim and value.dtype.kind in "fiub" and value.dtype.isnative:
        return constant(value.view()), (value.shape, value.strides, value.dtype), True
    if isinstance(value, (float, np.floating)):
        value = float(value) if isinstance(value, float) else value
        return constant(value, PYTHON_NUMBER if is_weak else None), (type(value), is_weak), True
    is_plain = isinstance(x, (int, str, type(None)))
    return x, (type(x), x) if is_plain else types.MethodType(id, x), False  # equal for the same object, which it keeps


class Guards:
    """The state in which a recording was made; `hold` returns whether it is unchanged."""

    def __init__(self, function, tape, leaves):
        f, self._leaves = inspect.unwrap(getattr(function, "__func__", function)), [v.node for v in leaves]
        self._space, names = getattr(f, "__globals__", {}), getattr(getattr(f, "__code__", None), "co_names", ())
        self._names = [name for name in names if name in self._space]
        self._cells = [c for c in getattr(f, "__closure__", None) or () if c != types.CellType()]
        used = [m for v in tape.order for m, _ in getattr(v.node, "module_calls", ())]
        used += [x for x in self._variables() if isinstance(x, Module)]
        self._modules = list(dict.fromkeys(m for module in used for m in module.modules()))
        moved = [getattr(call.function, "__self__", None) for call in tape.calls]
        self._still = [m for m in self._modules if m._buffers and m not in moved]
        self._values, self._structure = [n._value for n in self._leaves], structure.now
        self._before = self._state(), self._attributes()

    def _variables(self):
        return [*[cell.cell_contents for cell in self._cells], *map(self._space.get, self._names)]

    def _state(self):
        hooks = [m._hooks is not None and m._hooks.count() > 0 for m in self._modules]
        buffers = [array.tobytes() for m in self._still for _, array in m.named_buffers(recurse=False)]
        return [*[n.requires_grad for n in self._leaves], *hooks, *buffers, *self._variables()]

    def _attributes(self):
        return [x for m in self._modules for item in vars(m).items() if item[0] not in m._buffers for x in item]

    def hold(self):
        """Return whether nothing has changed; a parameter may have another value of the same shape."""
        values, old, (state, attributes) = [n._value for n in self._leaves], self._values, self._before
        is_same = not any(a is not b for a, b in zip(values, old)) or [*map(kind_of, values)] == [*map(kind_of, old)]
        is_same = is_same and (self._structure == structure.now or are_same(attributes, self._attributes()))
        if is_same := is_same and are_same(state, self._state()):
            self._values, self._structure = values, structure.now
        return is_same


def are_same(before, now):
    """Return whether all are the same objects, or equal numbers and texts."""
    others = [(a, b) for a, b in zip(before, now) if a is not b] if len(before) == len(now) else [(None, now)]
    return all(type(a) is type(b) and isinstance(a, (int, float, str, bytes)) and a == b for a, b in others)
