"""What one call of a function computes, as a list of calls in order of time; and how two such lists differ."""

import operator

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from dark.checks import brief, describe
from dark.nodes import Node
from dark.nodes.leaves import PYTHON_NUMBER, constant
from dark.nodes.values import shape_of

SIGNS = {operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.ne: "!=",
         operator.neg: "-"}  # fmt: skip
OF_FLOATS = dict(zip((np.add, np.subtract, np.multiply, np.true_divide, np.not_equal, np.negative), SIGNS))
sum_all = np.add.reduce  # one object, with one name


class Variable(NDArrayOperatorsMixin):
    """A value of a recording. What NumPy's functions and Python's operators make of it is written down as a call."""

    shape, dtype, ndim = (property(operator.attrgetter(f"value.{name}")) for name in ("shape", "dtype", "ndim"))
    __hash__ = object.__hash__

    def __init__(self, value, calls=None, name=None, node=None, place=None):
        self.value, self.calls, self.name, self.node, self.place, self.made = value, calls, name, node, place, None

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        """Write down an elementwise function or the sum of all elements; a rule that does more is not taken apart."""
        if method == "reduce" and ufunc is np.add and settings == {"axis": None, "keepdims": False}:
            return write(self.calls, sum_all, inputs, {"axis": None}, name="sum_all")
        if method != "__call__" or settings or ufunc.nout != 1 or ufunc.signature:
            return NotImplemented
        of_floats = {type(plain(x)) for x in inputs} <= {float, int, bool}
        return write(self.calls, OF_FLOATS[ufunc] if of_floats else ufunc, inputs)

    def __bool__(self, *_):
        raise TypeError("a value that a replay has yet to compute was read")

    __array__ = __bool__


class Call:
    """One line of a list: `outs`, the variables that a function computes from variables and constants."""

    def __init__(self, function, arguments, settings, name=None, draws=False):
        self.function, self.arguments, self.settings, self.outs = function, tuple(arguments), settings, ()
        self.name, self.draws, self.uses = name or label(function), draws, []  # draws: in each replay, in order
        mapped((self.arguments, settings), lambda x: isinstance(x, Variable) and self.uses.append(x))


def write(calls, function, arguments, settings=None, values=None, name=None, draws=False):
    """Add a call to a list, and return its variable, or those of the values; of constants alone, return the value."""
    call = Call(function, [as_variable(x, calls) for x in arguments], settings or {}, name, draws)
    made = [function(*mapped(call.arguments, plain), **mapped(call.settings, plain))] if values is None else values
    if values is None and not call.uses:
        return as_variable(made[0], calls)
    calls.append(call)
    call.returns_list = values is not None
    call.outs = tuple([Variable(v, calls) for v in made])
    for out in call.outs:
        out.made = call
    return call.outs[0] if values is None else call.outs


def as_variable(x, calls):
    """Return a variable for an array, and anything else as it is."""
    return Variable(x, calls, "constant") if type(x) is np.ndarray else x


def plain(x):
    """Return the value of a variable, and anything else as it is."""
    return x.value if isinstance(x, Variable) else x


def mapped(x, f):
    """Return lists, tuples and dicts with `f` of each of their parts."""
    if type(x) in (tuple, list):
        return type(x)([mapped(part, f) for part in x])
    return {k: mapped(part, f) for k, part in x.items()} if type(x) is dict else f(x)


class Tape:
    """The recorder of one call: `dark.nodes` tells it what is computed, repeated, done as an effect and read.

    What a replay has `made` already is handed out and not computed, so that nothing is drawn twice.
    """

    def __init__(self, inputs, made=()):
        self.why, self.effects, self.order, self.count, self._made, self._known = None, [], [], 0, dict(made), {}
        self.inputs = [self._add(n, n._value, f"x{k + 1}", is_given=True) for k, n in enumerate(inputs)]

    def _add(self, node, value, name, is_given):
        self.order.append(Variable(value, None, name, node, len(self.order)))
        self._known[id(node)] = self.order[-1]
        if is_given and type(value) is np.ndarray:
            self._known[id(value)] = self.order[-1]
        return self.order[-1]

    def of(self, x):
        """Return the variable of a node or an array of this call; that of a leaf is new when it is used first."""
        if not isinstance(x, Node):
            return self._known.get(id(x), x) if type(x) is np.ndarray else x
        found = self._known.get(id(x), None if x.requires_grad else self._known.get(id(x._value)))
        if found is None and x.op is not None:
            self.refuse(f"{self.described(x)} was computed before the call")
        name = x.name or ("p" if x.requires_grad else "constant")
        return self._add(x, x._value, name, is_given=False) if found is None else found

    def applied(self, op, inputs, settings, node, value, saved):
        """Write down an operation, or a function that is called again in each replay."""
        call = Call(op, mapped(inputs, self.of), mapped(settings, self.of))
        result = self._add(node, value, None, is_given=not isinstance(op, type))
        call.outs = result, Variable(saved, place=-result.place)
        result.made, call.requires_grad, self.count = call, node.op is not None, self.count + 1

    def computed(self, op, x, settings):
        """Return the value of an operation, and what it saves."""
        return self._made.get((self.count, op)) or op._value_and_saved(x, settings)

    def repeat(self, function, arguments):
        """Call a function, and write it down; only an array can be found again as a setting."""
        x = [n._value if isinstance(n, Node) else n for n in arguments]
        result = (self._made.get((self.count, function)) or (function(*x),))[0]
        if type(result) is not np.ndarray or not result.ndim:
            self.refuse(f"{label(function)} returned {brief(result)}, which Python used")
        self.applied(function, arguments, {}, constant(result), result, None)
        return result

    def effect(self, node, function, arguments):
        """Write down what was done with what the operation of a node saved."""
        self.effects.append(Call(function, (self.of(node).made.outs[1], *mapped(arguments, self.of)), {}))

    def read(self, node):
        """Refuse: Python may have computed something from the value."""
        self.refuse(f"the value of {self.described(node)} was read")

    def refuse(self, why):
        """Remember the first reason why the call cannot be replayed."""
        self.why = self.why or why

    def compared(self, x):
        """Return what must be the same in two calls: of an input nothing, of a parameter that it is the same object."""
        call = x if isinstance(x, Call) else x.made
        if call:
            return mapped((call.function, call.arguments, call.settings), bits)
        if x.place < len(self.inputs) or x.node.requires_grad:
            return x.node.requires_grad and id(x.node)
        return bits(x.value), x.node._version == PYTHON_NUMBER

    def described(self, node):
        """Return what a node is, in words; its value is not read."""
        v, name = self._known.get(id(node)), f" {node.name!r}" if node.name else ""
        if v is not None and v.place < len(self.inputs):
            return f"argument {v.place + 1}"
        op = node.op if v is None or v.made is None else v.made.function
        shape = f" of shape {node.shape}" if node.shape else ""
        return f"a {type(node).__name__}{name}{shape}" if op is None else f"the result{name} of {label(op)}"

    def finish(self, root):
        """Return why the call cannot be replayed, whatever the next one does; None if it can."""
        if not isinstance(root, Node):
            self.refuse(f"it returned {describe(root)}, not a node")
        elif root.size != 1:
            self.refuse(f"it returned a node of shape {root.shape}, not one number")
        self.root, made = self.of(root), [v for v in self.order if v.made]
        used = {x for call in (*[v.made for v in made], *self.effects) for x in call.uses}
        for v in made:
            if getattr(v.node, "_hooks", None):
                self.refuse(f"{self.described(v.node)} has a hook")
            if v not in used and not isinstance(v.made.function, type):
                self.refuse(f"Python used what {label(v.made.function)} returned")
        return self.why


def difference(first, second):
    """Return in words how the tapes of two calls differ; None if they are the same."""
    for k, (a, b) in enumerate(zip(first.order, second.order)):
        if first.compared(a) != second.compared(b):
            return f"node {k}, {second.described(b.node)}, is not the same in two calls"
    ends = [(len(t.order), t.root.place, [t.compared(call) for call in t.effects]) for t in (first, second)]
    return None if ends[0] == ends[1] else "it computes more in one call than in the next, or returns something else"


def bits(x):
    """Return what is compared of a value: its bits, those of all NaNs being equal; of a variable, its place."""
    if isinstance(x, Variable):
        return Variable, x.place
    if not isinstance(x, (np.ndarray, np.generic, float)):
        return type(x), x
    a = np.array(x)
    if a.dtype.kind == "f":
        a[np.isnan(a)] = np.nan
    return type(x), a.shape, a.dtype, a.tobytes()


def label(function):
    """Return the name of an operation or a function."""
    return function.label() if hasattr(function, "label") else getattr(function, "__name__", "call")


def kind_of(value):
    """Return type, shape and dtype."""
    return type(value), shape_of(value), getattr(value, "dtype", None)
