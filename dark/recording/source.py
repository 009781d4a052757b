"""A list of calls as Python source: one line for each, in the order in which they were recorded."""

import keyword

import numpy as np


class Variable:
    """A variable of the program, with the value that it had in the recording."""

    __slots__ = ("name", "value")

    def __init__(self, name, value):
        self.name, self.value = name, value


class Tape:
    """Calls in the order of their recording; a call without variables is a constant."""

    kind = Variable

    def __init__(self):
        self.names = set(keyword.kwlist)
        self._count, self._named = {}, {}
        self.in_order = False  # whether calls may draw numbers, so that their order counts
        self.labels = {}  # names of functions in the source
        self.arguments, self.steps = [], []  # ((variables), function, arguments, settings)

    def argument(self, name, value):
        """Return the variable of an argument of the program."""
        self.arguments.append(Variable(self._unused(name), value))
        return self.arguments[-1]

    def call(self, function, *arguments, **settings):
        """Record one call, and compute it."""
        return self.record(function, arguments, settings)

    def record(self, function, arguments, settings, value=...):
        """Record one call; its value is computed unless it is known."""
        if value is ...:
            value = function(*map(self.value, arguments), **{k: self.value(v) for k, v in settings.items()})
        if not any(True for _ in self.variables_in((arguments, settings))):
            return value
        out = Variable(f"t{len(self.steps)}", value)
        self.steps.append(((out,), function, arguments, settings))
        return out

    def record_several(self, count, function, arguments, settings, values=...):
        """Record one call that returns several values."""
        if values is ...:
            values = function(*map(self.value, arguments), **{k: self.value(v) for k, v in settings.items()})
        outs = tuple([Variable(f"t{len(self.steps)}_{k}", v) for k, v in zip(range(count), values)])
        self.steps.append((outs, function, arguments, settings))
        return outs

    def mark(self):
        """Return the number of calls, for `undo`."""
        return len(self.steps)

    def undo(self, mark):
        """Forget the calls since a mark."""
        del self.steps[mark:]

    def value(self, x):
        """Return the value of a variable in the recording; of lists, tuples and dicts those of their parts."""
        if isinstance(x, Variable):
            return x.value
        if type(x) in (tuple, list):
            return type(x)([self.value(part) for part in x])
        return {k: self.value(part) for k, part in x.items()} if type(x) is dict else x

    def replaced(self, x, others):
        """Return arguments or settings with other variables in place of some."""
        if isinstance(x, Variable):
            return others.get(x, x)
        if type(x) in (tuple, list):
            return type(x)([self.replaced(part, others) for part in x])
        return {k: self.replaced(part, others) for k, part in x.items()} if type(x) is dict else x

    def variables_in(self, x):
        """Yield the variables in lists, tuples and dicts."""
        if isinstance(x, Variable):
            yield x
        elif isinstance(x, (tuple, list, dict)):
            for part in x.values() if isinstance(x, dict) else x:
                yield from self.variables_in(part)

    def _unused(self, name):
        name = name if name.isidentifier() else "".join(c if c.isalnum() else "_" for c in f"_{name}")
        found = self._numbered(name, lambda text: text in self.names or (text[0] == "t" and text[1:2].isdigit()))
        self.names.add(found)
        return found

    def _numbered(self, name, is_taken):
        """Return a name, with the next number behind it if it is taken."""
        found = name
        while is_taken(found):
            self._count[name] = k = self._count.get(name, 1) + 1
            found = f"{name}_{k}"
        return found

    def named(self, name, value, space):
        """Return a name under which the program finds a function or a constant."""
        name = name if name.isidentifier() and not keyword.iskeyword(name) else "call"
        if id(value) not in self._named:  # the space keeps the value, and so its id
            self._named[id(value)] = found = self._numbered(name, lambda text: text in self.names or text in space)
            space[found] = value
        return self._named[id(value)]

    def text(self, x, space):
        """Return the text of an argument."""
        if isinstance(x, Variable):
            return x.name
        if type(x) in (int, bool, str, type(None)) or (type(x) is float and x - x == 0.0):
            return repr(x)
        if type(x) in (tuple, list):
            parts = ", ".join(self.text(part, space) for part in x)
            return f"[{parts}]" if type(x) is list else f"({parts},)" if len(x) == 1 else f"({parts})"
        if type(x) is dict:
            return "{" + ", ".join(f"{k!r}: {self.text(v, space)}" for k, v in x.items()) + "}"
        is_number = isinstance(x, (np.ndarray, np.generic, float))
        return self.named("constant" if is_number else type(x).__name__.lower(), x, space)
