"""The calls of one run of a function, in order of time, and their differences from another run's calls."""

from operator import add, attrgetter, mul, ne, neg, sub, truediv

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from dark.nodes import Node
from dark.nodes.leaves import PYTHON_NUMBER, constant

SIGNS = {add: "+", sub: "-", mul: "*", truediv: "/", ne: "!=", neg: "-"}
OF_FLOATS = dict(zip((np.add, np.subtract, np.multiply, np.true_divide, np.not_equal, np.negative), SIGNS))
sum_all = np.add.reduce  # one object, with one name


class Variable(NDArrayOperatorsMixin):
    """A value of a recording; calls of NumPy's functions and Python's operators on it are recorded."""

    shape, dtype, ndim = (property(attrgetter(f"value.{name}")) for name in ("shape", "dtype", "ndim"))
    __hash__ = object.__hash__

    def __init__(self, value, name, calls=None, node=None, place=None, key=None):
        self.value, self.name, self.calls, self.node, self.place, self.key = value, name, calls, node, place, key
        self.made = self.call = None  # what made it in the recorded call, and in the program

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        """Record an elementwise function or the sum of all elements; a rule that does more is not taken apart."""
        if method == "reduce" and ufunc is np.add and settings == {"axis": None, "keepdims": False}:
            return write(self.calls, sum_all, inputs, {"axis": None}, name="sum_all")
        if method != "__call__" or settings or ufunc.nout != 1 or ufunc.signature:
            return NotImplemented
        of_floats = {type(plain(x)) for x in inputs} <= {float, int, bool}
        return write(self.calls, OF_FLOATS[ufunc] if of_floats else ufunc, inputs)

    __array__ = __bool__ = None  # what needs the value itself is not taken apart


class Call:
    """One line of a list: `outs`, one variable or a list, is what a function computes from variables and constants."""

    def __init__(self, function, arguments, settings, outs=None, name=None):
        self.function, self.arguments, self.settings, self.outs = function, tuple(arguments), settings, outs
        self.name, self.uses, self.draws = name or label(function), variables((arguments, settings)), False
        self.is_ufunc, self.requires_grad = isinstance(function, np.ufunc), False  # draws: in each replay, and in order


def write(calls, function, arguments, settings=None, outs=None, name=None):
    """Add a call to a list, and return its variable; it is computed now, unless the variables of its results exist."""
    call = Call(function, [as_variable(x, calls) for x in arguments], settings or {}, outs, name)
    if outs is None:
        value = function(*mapped(call.arguments, plain), **mapped(call.settings, plain))
        if not call.uses:
            return as_variable(value, calls)
        call.outs = Variable(value, f"t{len(calls)}")
    for out in variables(call.outs):
        out.calls, out.call = calls, call
    calls.append(call)
    return call.outs


def as_variable(x, calls):
    """Return a variable for an array (a view: so a gradient that is constant is copied), anything else as it is."""
    return Variable(x.view(), "constant", calls) if type(x) is np.ndarray else x


def plain(x):
    """Return the value of a variable, and anything else as it is."""
    return x.value if isinstance(x, Variable) else x


def mapped(x, f):
    """Return lists, tuples and dicts with `f` of each of their parts."""
    if type(x) in (tuple, list):
        return type(x)([mapped(part, f) for part in x])
    return {k: mapped(part, f) for k, part in x.items()} if type(x) is dict else f(x)


def variables(x):
    """Return all variables in lists, tuples and dicts."""
    parts = list[object]()
    mapped(x, parts.append)
    return [part for part in parts if isinstance(part, Variable)]


class Tape:
    """The recorder of a call: `dark.nodes` reports each computation and repetition, and why a call cannot be replayed.

    What a replay has `made` already is taken and not computed, so that nothing is drawn twice.
    """

    def __init__(self, inputs, made=()):
        self.why, self.order, self.calls, self.program = None, [], [], []  # program: the calls of a replay
        self._made, self._known = dict(made), {}
        self.inputs = [self._add(n, n._value, f"x{k + 1}", "argument") for k, n in enumerate(inputs)]

    def _add(self, node, value, name, key):
        v = self._known[id(node)] = Variable(value, name, self.program, node, len(self.order), key)
        if type(value) is np.ndarray and not node.requires_grad:
            self._known[id(value)] = v
        self.order.append(v)
        return v

    def of(self, x):
        """Return the variable of a node or an array of this call; a leaf gets a new one when it is used first."""
        if not isinstance(x, Node):
            return self._known.get(id(x), x) if type(x) is np.ndarray else x
        found = self._known.get(id(x), None if x.requires_grad else self._known.get(id(x._value)))
        if found is not None:
            return found
        if x.op is not None:
            self.refuse(f"{self.described(x)} was computed before the call")
        name = x.name if x.name and x.name.isidentifier() else "p"
        key = id(x) if x.requires_grad else (bits(x._value), x._version == PYTHON_NUMBER)
        return self._add(x, x._value, f"{name}_{len(self.order)}", key)

    def applied(self, op, inputs, settings, node, value, saved):
        """Record an operation, or a function that is called again in each replay."""
        call = Call(op, mapped(inputs, self.of), mapped(settings, self.of))
        self.calls.append(call)
        count, key = len(self.calls), mapped((op, call.arguments, call.settings), bits)
        y, saved = self._add(node, value, f"y{count}", key), Variable(saved, f"saved{count}", self.program)
        call.outs, y.made, saved.place, call.requires_grad = [y, saved], call, -count, node.op is not None

    def computed(self, op, x, settings):
        """Return the value of an operation, and the values it saves."""
        return self._made.get((len(self.calls), op)) or op._value_and_saved(x, settings)

    def repeat(self, function, arguments, effect_of=None):
        """Call a function, and record the call; an effect's function takes the saved values of a node's operation."""
        if effect_of is not None:
            arguments = self.of(effect_of).made.outs[1], *arguments
        x = [n._value if isinstance(n, Node) else plain(n) for n in arguments]
        y = (self._made.get((len(self.calls), function)) or (function(*x),))[0]
        if effect_of is None and not np.ndim(y):
            self.refuse(f"Python used what {label(function)} returned")  # only an array is found again
        self.applied(function, arguments, {}, constant(y), y, None)
        return y

    def refuse(self, why):
        """Remember the first reason why the call cannot be replayed."""
        self.why = self.why or why

    def described(self, node):
        """Describe a node in words; its value is not read."""
        v, name = self._known.get(id(node)), f" {node.name!r}" if node.name else ""
        if v is not None and v.place < len(self.inputs):
            return f"argument {v.place + 1}"
        op = v.made.function if v is not None and v.made else node.op
        return f"the result{name} of {label(op)}" if op else f"a {type(node).__name__}{name} of shape {node.shape}"

    def finish(self, root, before):
        """Return the reason why the call cannot be replayed: its own, or a difference from an earlier call; or None."""
        if not isinstance(root, Node) or root.size != 1:
            self.refuse(f"it returned a {type(root).__name__} of shape {np.shape(root)}, not a node of one element")
        self.root = self.of(root)
        for k, (a, b) in enumerate(zip(before.order, self.order) if before else ()):
            if a.key != b.key:
                self.refuse(f"node {k}, {self.described(b.node)}, is not the same in two calls")
        if before and (len(before.order), before.root.place) != (len(self.order), self.root.place):
            self.refuse("it computes more in one call than in the next, or returns something else")
        return self.why


def bits(x):
    """Return the key to compare a value by: its bits, equal for all NaNs; of a variable, its place."""
    if isinstance(x, Variable):
        return Variable, x.place
    if not isinstance(x, (np.ndarray, np.generic, float)):
        return type(x), x
    a = np.array(x)
    if a.dtype.kind == "f":
        a[np.isnan(a)] = np.nan
    return kind_of(x), a.tobytes()


def label(function):
    """Return the name of an operation or a function."""
    return function.label() if hasattr(function, "label") else getattr(function, "__name__", "call")


def kind_of(value):
    """Return the properties of a value that are the same in all calls: type, shape, dtype and order in memory."""
    return (type(value), value.shape, value.dtype, value.strides) if hasattr(value, "strides") else (type(value),)
