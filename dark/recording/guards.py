"""What a recording depends on beside the arguments: parameters, modules, and the variables that a function names."""

import inspect
import operator
import types

from dark.nn import Module
from dark.nn.module_calls import structure
from dark.recording.tape import kind_of


class Guards:
    """The state in which a recording was made; `changed` tells what is no longer so."""

    def __init__(self, function, tape, leaves):
        function, self._leaves = inspect.unwrap(getattr(function, "__func__", function)), [v.node for v in leaves]
        self._space, names = getattr(function, "__globals__", {}), getattr(function, "__code__", None)
        self._names = [name for name in getattr(names, "co_names", ()) if name in self._space]
        self._cells = [c for c in getattr(function, "__closure__", None) or () if c != types.CellType()]
        modules = [x for x in self._variables() if isinstance(x, Module)]
        modules += [module for v in tape.order for module, _ in getattr(v.node, "module_calls", ())]
        self._modules = list(dict.fromkeys(m for module in modules for m in module.modules()))
        moved = [getattr(call.function, "__self__", None) for call in tape.effects]
        self._still = [m for m in self._modules if m._buffers and m not in moved]
        self._seen = self._values(), self._trained(), self._buffers(), self._variables(), self._attributes()
        self._structure = structure.now

    def _values(self):
        return [n._value for n in self._leaves]

    def _trained(self):
        return [n.requires_grad for n in self._leaves]

    def _buffers(self):
        return [array.tobytes() for m in self._still for _, array in m.named_buffers(recurse=False)]

    def _variables(self):
        return [*[cell.cell_contents for cell in self._cells], *map(self._space.get, self._names)]

    def _attributes(self):
        return [x for m in self._modules for item in vars(m).items() if item[0] not in m._buffers for x in item]

    def changed(self):
        """Return in words what has changed since the recording; None if nothing has."""
        values, trained, buffers, variables, attributes = self._seen
        now = self._values()
        if any(map(operator.is_not, values, now)) and [*map(kind_of, values)] != [*map(kind_of, now)]:
            return "a parameter has another shape or dtype"
        if trained != self._trained():
            return "a parameter has another requires_grad"
        if buffers != self._buffers():
            return "a buffer of a module has another value"
        if not _are_same(variables, self._variables()):
            return "a variable that the function names has another value"
        if any(m._hooks is not None and m._hooks.count() for m in self._modules):
            return "a module has a hook"
        if self._structure != structure.now and not _are_same(attributes, self._attributes()):
            return "an attribute of a module has another value"
        self._structure, self._seen = structure.now, (now, *self._seen[1:])
        return None


def _are_same(before, now):
    """Return whether all are the same objects, or equal numbers and texts."""
    different = [(a, b) for a, b in zip(before, now) if a is not b]
    are_equal = [type(a) is type(b) and isinstance(a, (int, float, str)) and a == b for a, b in different]
    return len(before) == len(now) and all(are_equal)
