"""What one call of a function did: its graph, what Python read and computed beside it; and how two calls differ."""

import numpy as np

from dark.checks import brief
from dark.nodes import Node
from dark.nodes.leaves import PYTHON_NUMBER


class Recorder:
    """Listens to one call of a function: what `dark.nodes.changes` tells, and the results that need no gradient."""

    def __init__(self, inputs):
        self.inputs, self.why = inputs, None
        self.origins = {}  # constant result: (operation, inputs, settings)
        self.order = []  # of the results of operations that are not of dark, which may draw numbers
        self.repeats, self.effects = [], []  # (function, arguments, result), (node, function, arguments)

    def refuse(self, why):
        """Remember the first reason why the call cannot be replayed."""
        self.why = self.why or why

    def read(self, node):
        """Refuse: Python may have computed something from the value."""
        self.refuse(f"the value of {described(node, self.inputs)} was read")

    def applied(self, node):
        """Remember in which order operations that are not of dark were applied."""
        if not node.op.trusted:
            self.order.append(node)

    def made(self, result, inputs, op, settings, saved):
        """Remember how a result that does not require grad was made."""
        self.origins[result] = (op, inputs, settings or None)
        if not op.trusted:
            self.order.append(result)

    def repeat(self, function, arguments):
        """Call a function, and remember the call; only an array can be found again in the graph."""
        result = function(*[x._value if isinstance(x, Node) else x for x in arguments])
        self.repeats.append((function, arguments, result))
        if type(result) is not np.ndarray or not result.ndim:
            self.refuse(f"{_name(function)} returned {brief(result)}, which Python used")
        return result

    def effect(self, node, function, arguments):
        """Remember what was done with what the operation of a node saved."""
        self.effects.append((node, function, arguments))


class Graph:
    """The graph of one call, with the results that need no gradient, every input before the nodes that use it."""

    def __init__(self, recorder, root):
        self.root, self.inputs, self.repeats = root, recorder.inputs, recorder.repeats
        self.effects, self.why, self.origins = recorder.effects, recorder.why, recorder.origins
        self.known = {id(n._value): ("input", k) for k, n in enumerate(self.inputs) if type(n._value) is np.ndarray}
        self.known |= {id(result): ("repeat", k) for k, (_, _, result) in enumerate(self.repeats)}
        self.order = self._ordered(root)
        self.at = {n: k for k, n in enumerate(self.order)}
        self.own = [n for n in recorder.order if n in self.at]
        self.refuse_what_is_lost()

    def made(self, node):
        """Return operation, inputs and settings of a result; None of a leaf."""
        return (node.op, node.inputs, node.settings) if node.op is not None else self.origins.get(node)

    def _ordered(self, root):
        order, seen, waiting = [], set(), [root]
        for _, arguments, _ in self.repeats:
            waiting += [n for n in arguments if isinstance(n, Node)]
        while waiting:
            node = waiting.pop()
            if node is None:
                order.append(waiting.pop())
            elif node not in seen:
                seen.add(node)
                made = self.made(node)
                waiting += (node, None, *(made[1] if made else ()))
        return order

    def refuse_what_is_lost(self):
        """Refuse a graph with a hook, or with the result of a repeated call that is not in it."""
        used, places = set(), [self.at[n] for n in self.own]
        if places != sorted(places):
            self.why = self.why or f"{described(self.own[0])} may draw numbers, in another order than a replay"
        for node in self.order:
            made = self.made(node)
            used |= set(self.references(made[2] if made else node._value))
            if node.op is not None and getattr(node, "_hooks", None):
                self.why = self.why or f"{described(node)} has a hook"
        for _, arguments, _ in self.repeats:
            used |= set(self.references(arguments))
        for k, (function, _, _) in enumerate(self.repeats):
            if ("repeat", k) not in used and not self.why:
                self.why = f"Python used what {_name(function)} returned"
        for node, function, _ in self.effects:
            if node not in self.at and not self.why:
                self.why = f"{_name(function)} belongs to a node outside of the graph"

    def copied(self):
        """Return the same graph with other results, which the program may empty; leaves and inputs are shared."""
        new = {}
        for n in self.order:
            made = self.made(n)
            if made is None:
                new[n] = n
                continue
            new[n] = copy = object.__new__(type(n))
            copy._value, copy._version, copy.name, copy._grad = n._value, n._version, n.name, None
            copy._saved, copy.op, copy.inputs, copy.settings = n.saved, n.op, (), n.settings
            inputs = tuple([new[m] for m in made[1]])
            if n.op is None:
                self.origins[copy] = (made[0], inputs, made[2])
            else:
                copy.inputs = inputs
        recorder = Recorder(self.inputs)
        recorder.order = [new[n] for n in self.own]
        recorder.origins = {n: made for n, made in self.origins.items() if n not in new}
        in_new = [tuple([new.get(x, x) if isinstance(x, Node) else x for x in c[1]]) for c in self.repeats]
        recorder.repeats = [(c[0], arguments, c[2]) for c, arguments in zip(self.repeats, in_new)]
        recorder.effects = [(new[n], function, arguments) for n, function, arguments in self.effects]
        return Graph(recorder, new[self.root])

    def references(self, value):
        """Yield what settings or arguments refer to: inputs of the function, results of repeated calls."""
        if type(value) is np.ndarray and id(value) in self.known:
            yield self.known[id(value)]
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ():
            yield from self.references(part)


def difference(first, second):
    """Return in words how the graphs of two calls differ; None if they are the same."""
    for k, (a, b) in enumerate(zip(first.order, second.order)):
        where, made, other = f"node {k}, {described(b, second.inputs)}", first.made(a), second.made(b)
        if (made is None) != (other is None) or (made and made[0] is not other[0]):
            return f"{where}, was {described(a, first.inputs)} in the call before"
        if made is None:
            if not _same_leaf(a, b, first, second):
                return f"{where}, is not the same in two calls"
        elif [first.at[n] for n in made[1]] != [second.at[n] for n in other[1]]:
            return f"{where}, has other inputs than in the call before"
        elif not _same(made[2] or {}, other[2] or {}, first, second):
            return f"{where}, has a setting that differs from call to call"
    if len(first.order) != len(second.order):
        return f"the graph has {len(first.order)} nodes in one call and {len(second.order)} in the next"
    for mine, theirs, what in ((first.repeats, second.repeats, 1), (first.effects, second.effects, 2)):
        if len(mine) != len(theirs):
            return "a function that is called beside the graph is called more often in one call than in the next"
        for a, b in zip(mine, theirs):
            calls = [(c[0], c[1]) if what == 1 else c for c in (a, b)]
            if not _same(*calls, first, second):
                return f"{_name(a[what - 1])} is called with other arguments from call to call"
    return None


def _same_leaf(a, b, first, second):
    if a is b:
        return True
    inputs = [next((k for k, n in enumerate(g.inputs) if n is x), None) for x, g in ((a, first), (b, second))]
    if a.requires_grad or b.requires_grad or inputs != [None, None]:
        return inputs[0] is not None and inputs[0] == inputs[1]
    of_python = (a._version == PYTHON_NUMBER) == (b._version == PYTHON_NUMBER)
    return of_python and _same(a._value, b._value, first, second)


def _same(a, b, first, second):
    """Return whether two settings, arguments or values are the same: bit for bit, or the same reference."""
    if isinstance(a, Node) and isinstance(b, Node):
        return first.at[a] == second.at[b]
    if a is b and id(a) not in first.known:
        return True
    if type(a) is not type(b):
        return False
    if type(a) is np.ndarray:
        mine, theirs = first.known.get(id(a)), second.known.get(id(b))
        return mine == theirs and (mine is not None or _bits(a) == _bits(b))
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(_same(x, y, first, second) for x, y in zip(a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_same(a[k], b[k], first, second) for k in a)
    if isinstance(a, (float, np.floating)):
        return a.hex() == b.hex() if isinstance(a, float) else a.tobytes() == b.tobytes()
    return bool(a == b)


def _bits(a):
    return a.shape, a.dtype, a.tobytes()


def described(node, inputs=()):
    """Return what a node is, in words; its value is not read."""
    for k, n in enumerate(inputs):
        if n is node:
            return f"argument {k + 1}"
    name = f" {node.name!r}" if node.name else ""
    if node.op is None:
        return f"a {type(node).__name__}{name}" + (f" of shape {node.shape}" if node.shape else "")
    return f"the result{name} of {node.op.label()}"


def _name(function):
    return getattr(function, "__qualname__", repr(function))
