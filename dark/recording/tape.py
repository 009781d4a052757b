"""What one call of a function computes, as a list of calls in order of time; and how two such lists differ."""

import operator

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from dark.checks import brief, describe
from dark.nodes import Node
from dark.nodes.leaves import PYTHON_NUMBER, constant
from dark.nodes.values import shape_of

FLOATS = {np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul, np.true_divide: operator.truediv,
          np.not_equal: operator.ne, np.greater: operator.gt, np.less: operator.lt}  # fmt: skip
sum_all = np.add.reduce  # one object


class Variable(NDArrayOperatorsMixin):
    """A value of a recording. What NumPy's functions and Python's operators make of it is written down as a call."""

    __hash__ = object.__hash__

    def __init__(self, value, calls=None, name=None, node=None, place=None):
        self.value, self.calls, self.name, self.node, self.place = value, calls, name, node, place
        self.made = None  # the call that computes it

    shape, dtype, ndim, size = [property(operator.attrgetter(f"value.{x}")) for x in ("shape", "dtype", "ndim", "size")]

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        """Write down a call; a rule that does anything else with a variable raises, and is not taken apart."""
        if method == "reduce" and ufunc is np.add and settings == {"axis": None, "keepdims": False}:
            return write(self.calls, sum_all, inputs, {"axis": None}, name="sum_all")
        if method != "__call__" or settings or ufunc.nout != 1:
            return NotImplemented
        are_floats = {type(plain(x)) for x in inputs} <= {float, int, bool}
        return write(self.calls, FLOATS[ufunc] if are_floats else ufunc, inputs)

    def __bool__(self, *_):
        raise TypeError("a value that a replay has yet to compute was read")

    __array__ = __bool__


class Call:
    """One line of a list: variables that a function computes from variables and constants."""

    def __init__(self, function, arguments, settings, name=None, draws=False):
        self.function, self.arguments, self.settings, self.outs = function, tuple(arguments), settings, ()
        self.name, self.draws = name or getattr(function, "__name__", "call"), draws  # draws: in this order, always
        self.uses = []
        mapped((self.arguments, settings), lambda x: self.uses.append(x) if isinstance(x, Variable) else None)


def write(calls, function, arguments, settings=None, values=None, name=None, draws=False):
    """Add a call to a list; return its variable, or variables with these values; or the value of constants."""
    call = Call(function, [variable(x, calls) for x in arguments], settings or {}, name, draws)
    made = [function(*mapped(call.arguments, plain), **mapped(call.settings, plain))] if values is None else values
    if values is None and not call.uses:
        return variable(made[0], calls)
    call.outs = tuple([Variable(v, calls) for v in made])
    for out in call.outs:
        out.made = call
    calls.append(call)
    return call.outs[0] if values is None else call.outs


def variable(x, calls):
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
    """The recorder of one call: `dark.nodes` tells it of operations, of values that Python reads, and of effects.

    What a replay has `made` already is handed out instead of computed, so that nothing is drawn twice.
    """

    def __init__(self, inputs, made=()):
        self.why, self.effects, self.order, self.count, self._made, self._known = None, [], [], 0, dict(made), {}
        self.inputs = [self._add(n, n._value, f"x{k + 1}") for k, n in enumerate(inputs)]

    def _add(self, node, value, name=None, belongs_to_call=True):
        self.order.append(Variable(value, None, name, node, len(self.order)))
        self._known[id(node)] = self.order[-1]
        if belongs_to_call and type(value) is np.ndarray:
            self._known[id(value)] = self.order[-1]  # as a setting
        return self.order[-1]

    def of(self, node):
        """Return the variable of a node; that of a leaf is new when it is used first."""
        found = self._known.get(id(node), self._known.get(id(node._value)) if node.op is None else None)
        if found is None and node.op is not None:
            self.refuse(f"{self.described(node)} was computed before the call")
        name = node.name or ("p" if node.requires_grad else "constant")
        return self._add(node, node._value, name, False) if found is None else found

    def _refer(self, x):
        return self.of(x) if isinstance(x, Node) else self._known.get(id(x), x) if type(x) is np.ndarray else x

    def _write(self, function, arguments, settings, node, *values):
        call = Call(function, mapped(arguments, self._refer), mapped(settings, self._refer))
        result = self._add(node, values[0], None, not isinstance(function, type))
        call.outs = (result, *[Variable(v, place=-result.place) for v in values[1:]])
        result.made, call.requires_grad, self.count = call, node.op is not None, self.count + 1

    def applied(self, op, inputs, settings, node, saved):
        """Write down an operation."""
        self._write(op, inputs, settings, node, node._value, saved)

    def computed(self, op, x, settings):
        """Return the value of an operation, and what it saves."""
        made = self._made.get((self.count, op))
        return op._value_and_saved(x, settings) if made is None else made

    def repeat(self, function, arguments):
        """Call a function, and write it down; only an array can be found again as a setting."""
        result = self._made.get((self.count, function))
        if result is None:
            result = function(*[x._value if isinstance(x, Node) else x for x in arguments])
        if type(result) is not np.ndarray or not result.ndim:
            self.refuse(f"{label(function)} returned {brief(result)}, which Python used")
        self._write(function, arguments, {}, constant(result), result)
        return result

    def effect(self, node, function, arguments):
        """Write down what was done with what the operation of a node saved."""
        self.effects.append(Call(function, (self.of(node).made.outs[1], *mapped(arguments, self._refer)), {}))

    def read(self, node):
        """Refuse: Python may have computed something from the value."""
        self.refuse(f"the value of {self.described(node)} was read")

    def refuse(self, why):
        """Remember the first reason why the call cannot be replayed."""
        self.why = self.why or why

    def described(self, node):
        """Return what a node is, in words; its value is not read."""
        v = self._known.get(id(node))
        if v is not None and v.place < len(self.inputs):
            return f"argument {v.place + 1}"
        name, op = f" {node.name!r}" if node.name else "", node.op if v is None or v.made is None else v.made.function
        shape = f" of shape {node.shape}" if node.shape else ""
        return f"a {type(node).__name__}{name}{shape}" if op is None else f"the result{name} of {label(op)}"

    def finish(self, root):
        """Return why the call cannot be replayed, whatever the next call does; None if it can."""
        if not isinstance(root, Node) or root.size != 1:
            shape = f"a node of shape {root.shape}, not one number" if isinstance(root, Node) else None
            self.refuse(f"it returned {shape or describe(root) + ', not a node'}")
            return self.why
        self.root = self.of(root)
        made = [v for v in self.order if v.made]
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
        where, made, other = f"node {k}, {second.described(b.node)},", a.made, b.made
        if (made and made.function) != (other and other.function):
            return f"{where} was {first.described(a.node)} in the call before"
        if not made and k >= len(first.inputs) and not _is_same_leaf(a.node, b.node):
            return f"{where} is not the same in two calls"
        if made and not is_same(made.arguments, other.arguments):
            return f"{where} has other inputs than in the call before"
        if made and not is_same(made.settings, other.settings):
            return f"{where} has a setting that differs from call to call"
    ends = [(len(t.order), t.root, [(call.function, call.arguments) for call in t.effects]) for t in (first, second)]
    return None if is_same(*ends) else "it computes more in one call than in the next, or returns something else"


def _is_same_leaf(a, b):
    are_of_python = (a._version == PYTHON_NUMBER) == (b._version == PYTHON_NUMBER)
    return a is b or (not (a.requires_grad or b.requires_grad) and are_of_python and is_same(a._value, b._value))


def is_same(a, b):
    """Return whether two values are the same: bit for bit (NaNs whatever their payload), or one variable."""
    if a is b or type(a) is not type(b):
        return a is b
    if isinstance(a, Variable):
        return a.place == b.place
    if isinstance(a, dict):
        return [*a] == [*b] and is_same([*a.values()], [*b.values()])
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(is_same, a, b))
    if not isinstance(a, (np.ndarray, np.generic, float)):
        return bool(a == b)
    return _bits(np.array(a)) == _bits(np.array(b))


def _bits(a):
    if a.dtype.kind == "f":
        a[np.isnan(a)] = np.nan
    return a.shape, a.dtype, a.tobytes()


def label(function):
    """Return the name of an operation or a function."""
    return function.label() if isinstance(function, type) else getattr(function, "__name__", "call")


def kind_of(value):
    """Return type, shape and dtype."""
    return type(value), shape_of(value), getattr(value, "dtype", None)
