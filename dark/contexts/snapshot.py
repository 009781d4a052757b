"""`Snapshot`: the modules of a network and their attributes, to notice what was changed between two calls."""

from itertools import chain, starmap
from operator import is_

import numpy as np

from dark.nn import Function, Module
from dark.nodes import Parameter


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
        """Return this snapshot, up to date with what a call of the module has changed."""
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
