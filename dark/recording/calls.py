"""The arguments of a call: what varies from call to call, and what a recording depends on."""

import numpy as np

from dark.nodes import Constant, Node
from dark.nodes.grad_mode import Switch
from dark.nodes.leaves import PYTHON_NUMBER, constant
from dark.recording.recorder import Recorder


class Call:
    """The arguments of one call: the values that vary, and what the recording depends on."""

    __slots__ = ("_function", "_given", "_settings", "is_attached", "key", "nodes", "values")

    def __init__(self, function, arguments, settings):
        self._function, self._settings, self.is_attached, self.nodes = function, settings, False, []
        self._given = given = (*arguments, *settings.values()) if settings else arguments
        self.values, key = [], [*settings]
        for x in given:
            is_strong = isinstance(x, np.float64) or (type(x) is Constant and x._version != PYTHON_NUMBER)
            if type(x) is Constant:
                x = x._value
            kind = type(x)
            if kind is np.ndarray and x.ndim and x.dtype.kind in "fiub" and x.dtype.isnative:
                self.values.append(x)
                key.append((x.shape, x.dtype))
            elif kind is float or isinstance(x, np.floating):
                self.values.append(x if kind is not np.float64 else float(x))
                key.append((is_strong, kind))
            else:
                self.is_attached |= isinstance(x, Node) and x.op is not None
                key.append((kind, x) if isinstance(x, (int, str, bool, type(None))) else _Same(x))
        self.key = tuple(key)

    def eager(self, recorder=None):
        """Call the function, with what varies as constants; a recorder is told which these are."""
        given, values = [], iter(self.values)
        for x, kind in zip(self._given, self.key[len(self._settings) :]):
            if type(kind) is tuple and isinstance(kind[0], (tuple, bool)):
                value = next(values)
                is_weak = type(value) is float and not kind[0]
                x = constant(value.view() if type(value) is np.ndarray else value, PYTHON_NUMBER if is_weak else None)
                self.nodes.append(x)
            given.append(x)
        if isinstance(recorder, Recorder):
            recorder.inputs = self.nodes
        count = len(given) - len(self._settings)
        with Switch(recorder=recorder):
            return self._function(*given[:count], **dict(zip(self._settings, given[count:])))


class _Same:
    """An object as a key: equal to itself only."""

    def __init__(self, x):
        self._x = x

    def __eq__(self, other):
        return isinstance(other, _Same) and other._x is self._x

    def __hash__(self):
        return id(self._x)
