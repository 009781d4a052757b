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
        self._space = getattr(function, "__globals__", {})
        names = getattr(getattr(function, "__code__", None), "co_names", ())
        self._names = [name for name in names if name in self._space]
        self._cells = [c for c in getattr(function, "__closure__", None) or () if c != types.CellType()]
        modules = [x for x in self._variables() if isinstance(x, Module)]
        modules += [module for v in tape.order for module, _ in getattr(v.node, "module_calls", ())]
        self._modules = list(dict.fromkeys(m for module in modules for m in module.modules()))
        moved = [getattr(call.function, "__self__", None) for call in tape.effects]
        self._still = [m for m in self._modules if m._buffers and m not in moved]
        self._values, self._structure = [n._value for n in self._leaves], structure.now
        self._seen, self._attributes_seen = self._state(), self._attributes()

    def _variables(self):
        return [*[cell.cell_contents for cell in self._cells], *map(self._space.get, self._names)]

    def _attributes(self):
        return [x for m in self._modules for item in vars(m).items() if item[0] not in m._buffers for x in item]

    def _state(self):
        buffers = [array.tobytes() for m in self._still for _, array in m.named_buffers(recurse=False)]
        return {
            "a parameter has another requires_grad": [n.requires_grad for n in self._leaves],
            "a variable that the function names has another value": self._variables(),
            "a module has a hook": [m._hooks is not None and m._hooks.count() > 0 for m in self._modules],
            "a buffer of a module has another value": buffers,
        }

    def changed(self):
        """Return in words what has changed since the recording; None if nothing has."""
        values = [n._value for n in self._leaves]
        if any(map(operator.is_not, values, self._values)):
            if [*map(kind_of, values)] != [*map(kind_of, self._values)]:
                return "a parameter has another shape or dtype"
            self._values = values
        found = [why for why, now in self._state().items() if not are_same(self._seen[why], now)]
        if self._structure != structure.now and not are_same(self._attributes_seen, self._attributes()):
            found.append("an attribute of a module has another value")
        self._structure = structure.now
        return found[0] if found else None


def are_same(before, now):
    """Return whether all are the same objects, or equal numbers and texts."""
    plain = (int, float, str, bytes)
    different = [(a, b) for a, b in zip(before, now) if a is not b]
    return len(before) == len(now) and all(
        type(a) is type(b) and isinstance(a, plain) and a == b for a, b in different
    )
