"""`StepCache`: within a step, equal calls of a model are computed once; `Snapshot` notices its changes."""

from collections import deque
from itertools import chain, starmap
from operator import is_

import numpy as np

from dark.nn import Function, Module
from dark.nodes import Node, Parameter, changed_since, mode, value_of, version

PLAIN = (int, float, str, bytes, bool, type(None), np.generic)


class NotComparable(Exception):
    """An argument whose later changes would not be noticed."""


def kept(argument):
    """Return the kept form of an argument: a copy of an array, and a node itself if it requires grad.

    It is an array, a node, a number or a string, or a list, tuple or dict of these; others raise `NotComparable`.
    """
    if isinstance(argument, Node):
        if argument.requires_grad:
            return argument
        argument = value_of(argument)
    if isinstance(argument, np.ndarray):
        return argument.copy()
    if isinstance(argument, PLAIN):
        return argument
    if type(argument) in (list, tuple):
        return type(argument)([kept(item) for item in argument])
    if type(argument) is dict:
        return {name: kept(value) for name, value in argument.items()}
    raise NotComparable


def is_equal(argument, before, version):
    """Return whether an argument equals one that was kept at a version of the values, see `dark.nodes.version`.

    Two nodes are equal if they are the same node and it requires grad, or if neither does and their values are equal.
    """
    if isinstance(argument, Node):
        if argument.requires_grad:
            return argument is before and not changed_since([argument], version)
        argument = value_of(argument)
    if type(argument) is not type(before):
        return False
    if isinstance(argument, np.ndarray):
        same_kind = argument.dtype == before.dtype and argument.shape == before.shape
        return same_kind and bool((argument == before).all())
    if isinstance(argument, (list, tuple)):
        return len(argument) == len(before) and False not in [is_equal(a, b, version) for a, b in zip(argument, before)]
    if isinstance(argument, dict):
        return list(argument) == list(before) and all(
            is_equal(value, before[name], version) for name, value in argument.items()
        )
    return isinstance(argument, PLAIN) and argument == before


MOST = 16  # results that are kept


class Call:
    """A call of a module: its arguments, the state of the module, and the result.

    `conditions` must be equal for an equal result: whether a graph is recorded, the modes of the modules, and which
    parameters require grad.
    """

    def __init__(self, module, conditions, inputs, settings):
        self.module, self.conditions = module, conditions
        self.inputs, self.settings = kept(inputs), settings and kept(settings)
        self.version = version()

    def finish(self, snapshot, result):
        """Store the result, and the buffers as the call left them."""
        self.result, self.buffers = result, snapshot.buffers()
        return self

    def answers(self, snapshot, conditions, inputs, settings):
        """Return whether a call of the same module would have the same result."""
        return (
            self.conditions == conditions
            and not changed_since(snapshot.parameters, self.version)
            and is_equal(inputs, self.inputs, self.version)
            and (not (settings or self.settings) or is_equal(settings, self.settings, self.version))
            and (not self.buffers or all(map(np.array_equal, self.buffers, snapshot.buffers())))
        )


class StepCache:
    """The results of the latest calls of models within a step.

    A call is answered from here if its arguments are equal, and neither the modes, the parameters nor, in evaluation
    mode, the buffers of the module have changed since. A call with an argument that cannot be compared is computed
    each time. In a function that is being recorded (`dark.recorded`), whose values will be others in a replay, only
    the same objects are equal.
    """

    def __init__(self):
        self._calls: deque[Call] = deque(maxlen=MOST)
        self._recorder, self._recorded = None, {}

    def clear(self):
        """Forget all results."""
        self._calls.clear()
        self._recorder, self._recorded = None, {}

    def forget(self, module):
        """Forget the results of a module."""
        self._calls = deque((call for call in self._calls if call.module is not module), maxlen=MOST)

    def call(self, snapshot, modes, inputs, settings):
        """Call a module in these modes, or return the result of an equal call; and whether it was computed now."""
        module = snapshot.modules[0]
        if mode.is_differentiating:  # inside `dark.grad`, where a result belongs to one pass alone
            return module(*inputs, **settings), True
        if mode.recorder is not None:
            return self._in_recording(module, modes, inputs, settings)
        conditions = mode.recording, modes, [p.requires_grad for p in snapshot.parameters]
        for call in self._calls:
            if call.module is module and call.answers(snapshot, conditions, inputs, settings):
                return call.result, False
        try:
            call = Call(module, conditions, inputs, settings)
        except NotComparable:
            return module(*inputs, **settings), True
        result = module(*inputs, **settings)
        self._calls.append(call.finish(snapshot, result))
        return result, True

    def _in_recording(self, module, modes, inputs, settings):
        if self._recorder is not mode.recorder:
            self._recorder, self._recorded = mode.recorder, {}
        parts = [*inputs, *settings.items()]
        given = [x for part in parts for x in (part if isinstance(part, (list, tuple)) else [part])]
        key = module, *modes, *map(id, given)
        is_new = key not in self._recorded
        if is_new:  # the objects are kept, so that their ids stay their own
            self._recorded[key] = module(*inputs, **settings), given
        return self._recorded[key][0], is_new


class Snapshot:
    """The modules, the parameters and all attributes of a network at one moment."""

    def __init__(self, module):
        self._module = module
        self.modules = list(module.modules())
        self.parameters = [p for m in self.modules for p in m.parameters(recurse=False)]
        self._is_open = any(isinstance(m, Function) for m in self.modules)  # its parameters are another object's
        self._found = [vars(m) for m in self.modules]
        self._remember()

    def _remember(self):
        self._sizes = list(map(len, self._found))
        self._attributes = list(self._now())
        self._arrays = [(value, value.copy()) for value in self._attributes if isinstance(value, np.ndarray)]

    def _now(self):
        """Return an iterator of the attributes of all modules."""
        return chain.from_iterable(map(dict.values, self._found))

    def is_current(self):
        """Return whether every attribute of every module still is the same object, and every array has the same bytes.

        So a buffer that was changed in place is noticed.
        """
        if self._is_open and len(self.parameters) != len(list(self._module.parameters())):
            return False
        if self._sizes != list(map(len, self._found)) or not all(map(is_, self._now(), self._attributes)):
            return False
        return all(starmap(has_same_bytes, self._arrays))

    def buffers(self):
        """Return copies of the buffers of the modules in evaluation mode; those in training mode only update theirs."""
        return [b.copy() for m in self.modules if not m.training for b in m.buffers(recurse=False)]

    def refreshed(self):
        """Return this snapshot, up to date with the changes by a call of the module."""
        if self.is_current():
            return self
        changed = [b for a, b in zip(self._attributes, self._now()) if a is not b]
        if self._sizes != list(map(len, self._found)) or any(isinstance(b, (Module, Parameter)) for b in changed):
            return Snapshot(self._module)
        self._remember()
        return self


def has_same_bytes(array, before):
    """Return whether an array has the values, dtype and shape of one before; NaN equals NaN."""
    if array.dtype != before.dtype or array.shape != before.shape:
        return False
    return np.array_equal(array, before) or (array.dtype != object and array.tobytes() == before.tobytes())
