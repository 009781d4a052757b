"""What a recording depends on beside the arguments: parameters, modules, and the variables that a function names."""

import inspect

from dark.nn import Module
from dark.nn.module_calls import structure
from dark.nodes.values import shape_of


class Guards:
    """The state in which a recording was made; `hold` tells whether it is still so.

    Parameters
    ----------
    function : callable
        What was recorded.
    program : Program
        The recording.
    graph : Graph
        From which it was made.
    """

    def __init__(self, function, program, graph):
        self.changed = ""
        self._leaves = [[n, n._value, n.requires_grad] for n in program.outside]
        self._names, self._cells = _variables(function)
        self._outside = self._seen_outside()
        self._modules = [*self._modules_of(graph)]
        self._hooks = [m._hooks for m in self._modules if m._hooks is not None]
        moved = {function.__self__ for _, function, _ in program.graph.effects if hasattr(function, "__self__")}
        buffers = [(m, name, a) for m in self._modules if m not in moved for name, a in m.named_buffers(recurse=False)]
        self._buffers = [(m, name, a, a.tobytes()) for m, name, a in buffers]
        self._structure, self._attributes = structure.now, self._seen_attributes()

    def _modules_of(self, graph):
        found = [v for v in self._outside if isinstance(v, Module)]
        for n in graph.order:
            found += [module for module, _ in getattr(n, "module_calls", ())]
        return dict.fromkeys(m for module in found for m in module.modules())

    def _seen_attributes(self):
        return [[(k, v) for k, v in vars(m).items() if k not in m._buffers] for m in self._modules]

    def _seen_outside(self):
        cells = [_contents(cell) for cell in self._cells]
        return [*cells, *[names.get(name) for names, name in self._names]]

    def hold(self):
        """Return whether everything is as it was; `changed` names what is not."""
        self.changed = self._first_change()
        return not self.changed

    def _first_change(self):
        for leaf in self._leaves:
            n, value, requires_grad = leaf
            if n._value is not value or n.requires_grad is not requires_grad:
                if n.requires_grad is not requires_grad or _kind(n._value) != _kind(value):
                    return f"{n.name or 'a parameter'} has another shape, dtype or requires_grad"
                leaf[1] = n._value
        for seen, now in zip(self._outside, self._seen_outside()):
            if seen is not now and not _same(seen, now):
                return "a variable that the function names has another value"
        for hooks in self._hooks:
            if hooks.count():
                return "a module has a hook"
        if self._structure != structure.now:
            for module, before, now in zip(self._modules, self._attributes, self._seen_attributes()):
                if len(before) != len(now) or not all(a == b and _same(v, w) for (a, v), (b, w) in zip(before, now)):
                    return f"an attribute of {type(module).__name__} has changed"
            self._structure = structure.now
        for module, name, array, content in self._buffers:
            if getattr(module, name, None) is not array or array.tobytes() != content:
                return f"the buffer {name} of {type(module).__name__} has changed"
        return ""


def _kind(value):
    return type(value), shape_of(value), getattr(value, "dtype", None)


def _same(a, b):
    return a is b or (type(a) is type(b) and isinstance(a, (int, float, str)) and a == b)


def _contents(cell):
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None


def _variables(function):
    """Return the global names, each with its dict, and the cells that a function uses."""
    function = inspect.unwrap(getattr(function, "__func__", function))
    code = getattr(function, "__code__", None)
    if code is None:
        return [], ()
    names = [(function.__globals__, name) for name in code.co_names if name in function.__globals__]
    return names, function.__closure__ or ()
