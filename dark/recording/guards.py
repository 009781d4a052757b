"""What a recording depends on beside the arguments: parameters, modules, and the variables that a function names."""

import inspect
import operator
import types

from dark.nn import Module
from dark.nn.module_calls import structure
from dark.recording.tape import kind_of


class Guards:
    """The state in which a recording was made; `hold` returns whether it is still so."""

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
        """Return whether nothing has changed; another value of a parameter is none, but of another shape or dtype."""
        values, before, (state, attributes) = [n._value for n in self._leaves], self._values, self._before
        if any(map(operator.is_not, values, before)) and [*map(kind_of, values)] != [*map(kind_of, before)]:
            return False
        if self._structure != structure.now and not are_same(attributes, self._attributes()):
            return False
        self._values, self._structure = values, structure.now
        return are_same(state, self._state())


def are_same(before, now):
    """Return whether all are the same objects, or equal numbers and texts."""
    others = [(a, b) for a, b in zip(before, now) if a is not b]
    are_equal = [type(a) is type(b) and isinstance(a, (int, float, str, bytes)) and a == b for a, b in others]
    return len(before) == len(now) and all(are_equal)
