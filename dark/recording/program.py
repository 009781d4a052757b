"""From the tape of one call to a program: the operations' own functions, forward, then backward from 1."""

from functools import lru_cache

import numpy as np

from dark.nodes import Node, Parameter, fast
from dark.nodes.broadcasting import unbroadcast
from dark.nodes.grad_mode import Switch, versions
from dark.nodes.gradient import cast_gradient, expand
from dark.nodes.graph import walk
from dark.nodes.leaves import constant
from dark.nodes.node_checks import initial_gradient
from dark.nodes.values import as_result, shape_of
from dark.operations.arrays.reductions import Mean, Sum
from dark.recording.guards import Guards
from dark.recording.source import compiled
from dark.recording.tape import Call, Tape, Variable, is_same, kind_of, label, mapped, plain, variable, write

SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-40, -1e-40, 0.5, -3.7, 2.0, 88.0, -88.0)


class Program:
    """A recording: `run` takes inputs and `leaves`, and returns the value and the gradients of `parameters`.

    The leaves are those of the tape that are the same nodes in each call.
    """

    def __init__(self, function, tape, leaves):
        self.guards = Guards(function, tape, leaves)
        self.tape, self.made, self._calls, self._now, self.leaves = tape, {}, [], {}, [v.node for v in leaves]
        given, results, root = {*tape.inputs, *leaves}, [v for v in tape.order if v.made], tape.root.node
        for v in tape.order:
            v.calls = self._calls
            if not v.made and v not in given:
                self._now[v] = variable(v.value, self._calls)
        for place, v in enumerate(results):
            self._forward(place, v)
        table = self._backward(root)
        self.parameters = tuple([n for n in walk(root, leaves=True) if n.op is None and n in table])
        effects = [Call(call.function, self._current(call.arguments), {}) for call in tape.effects]
        result = self._current(tape.root), [table[n] for n in self.parameters]
        self.run, self.source = compiled([*tape.inputs, *leaves], self._calls, effects, *result)
        self._calls, self._now = [], {}
        for out in [out for v in results for out in v.made.outs]:
            out.value = out.node = out.calls = None

    def _current(self, x):
        """Return arguments or settings with the program's variables in place of those of the tape."""
        return mapped(x, lambda v: self._now.get(v, v) if isinstance(v, Variable) else v)

    def _forward(self, place, v):
        op, x, settings = v.made.function, self._current(v.made.arguments), self._current(v.made.settings)
        if not isinstance(op, type):
            rule = self._kept(op, (place, op), v.value)
            (self._now[v],) = write(self._calls, rule, x, None, [v.value], label(op), draws=True)
            return
        self._now[v.made.outs[1]], varies = None, bool(Call(op, (), settings).uses)
        found = None if varies else self._apart(op, op._f, x, settings, v.value)
        if found is not None:
            self._now[v] = found
        elif op.trusted and not op.saves and not varies:
            rule = op._f if type(v.value) is np.ndarray else _number(op)
            (self._now[v],) = write(self._calls, rule, x, settings, [v.value], label(op))
        else:
            rule = lambda *x, **settings: op._value_and_saved(x, settings)
            rule = self._kept(rule, (place, op), v.value) if varies or not op.trusted else rule
            outs = write(self._calls, rule, x, settings, [out.value for out in v.made.outs], label(op), not op.trusted)
            self._now.update(zip(v.made.outs, outs))

    def _kept(self, function, key, value):
        """Return a function whose results are kept for `graph`; they must be of the kind that was recorded."""
        kind = kind_of(value)

        def kept(*arguments, **settings):
            self.made[key] = found = function(*arguments, **settings)
            if kind_of(found[0] if type(found) is tuple else found) != kind:
                raise TypeError("not what was recorded")
            return found

        return kept

    def _apart(self, op, rule, arguments, settings, value=None):
        """Return what a rule computes, taken apart into functions of NumPy; None if it stays whole."""
        mark, arguments = len(self._calls), [variable(x, self._calls) for x in arguments]
        try:
            if op.trusted and not op.saves and (op.elementwise or op in (Sum, Mean)):
                if _can_be_traced(rule, tuple(map(_kind, arguments)), tuple(settings.items())):
                    found = variable(rule(*arguments, **settings), self._calls)
                    found = write(self._calls, float, (found,)) if type(plain(found)) is np.float64 else found
                    if value is None or is_same(plain(found), value):
                        return found
        except Exception:  # also of a setting that has no hash
            pass
        del self._calls[mark:]
        return None

    def _backward(self, root):
        """Write the backward pass; each step is that of `dark.nodes.fast`, so that all roundings are the same."""
        table = {root: variable(initial_gradient(root, None), self._calls)}
        for n in walk(root, leaves=False)[::-1]:
            dldy, needed = table[n], [k for k, m in enumerate(n.inputs) if m.requires_grad]
            is_short, is_array = fast.ENABLED and n.op.elementwise_vjps is not None, type(n._value) is np.ndarray
            are_alike = is_short and all(type(m._value) is np.ndarray and m.shape == n.shape for m in n.inputs)
            if type(plain(dldy)) is float and is_array and not are_alike:
                dldy = write(self._calls, np.broadcast_to, (write(self._calls, n.dtype.type, (dldy,)), n.shape))
            if is_short and not n.settings and type(n._value) is float:
                needed.reverse()
            for k, g in zip(needed, self._derivatives(n, needed, dldy)):
                m, g = n.inputs[k], self._cast(g, n.inputs[k])
                table[m] = table[m] + g if m in table else g
        return table

    def _derivatives(self, n, needed, dldy):
        """Return the gradients of the inputs that need one: by rules that are taken apart, or in one call."""
        op, made, found = n.op, self.tape.of(n).made, []
        settings, (y, *x) = self._current(made.settings), self._current([made.outs[0], *made.arguments])
        if not op.trusted or op.vjps is None:
            given, values = (dldy, y, self._current(made.outs[1]), settings, *x), [n.inputs[k]._value for k in needed]
            return write(self._calls, _whole_vjp(n, needed), given, None, values, f"{label(op)}_vjp")
        settings = {**settings, "saved": self._current(made.outs[1])} if op.saves else settings
        for k in needed:
            name = f"{label(op)}_vjp{k if len(op.vjps) > 1 else ''}"
            g = self._apart(op, op.vjps[k], (dldy, y, *x), settings)
            found.append(write(self._calls, op.vjps[k], (dldy, y, *x), settings, name=name) if g is None else g)
        return found

    def _cast(self, g, m):
        """Return a gradient in the shape and dtype of an input, as `cast_gradient` does."""
        value, shape = plain(g), m.shape
        if kind_of(value) == kind_of(m._value) or (type(value) is float and type(m._value) is np.ndarray):
            return g
        if shape_of(value) != shape:
            g = write(self._calls, unbroadcast if shape_of(value) else np.broadcast_to, (g, shape))
        if not shape:
            return write(self._calls, type(m._value), (g,))
        return g if plain(g).dtype == m.dtype else write(self._calls, np.ndarray.astype, (g, m.dtype))

    def graph(self, inputs, made):
        """Return the root of the recorded graph with all nodes, from inputs and what the replay has made already."""
        nodes, tape = dict(zip(self.tape.inputs, inputs)), Tape(inputs, made)
        for v in self.tape.order:
            if v.made is None:
                nodes.setdefault(v, v.node)
                continue
            function, x = v.made.function, mapped(v.made.arguments, lambda x: nodes[x] if x in nodes else x)
            settings = mapped(v.made.settings, lambda x: nodes[x]._value if isinstance(x, Variable) else x)
            with Switch(recorder=tape, recording=v.made.requires_grad):
                is_operation = isinstance(function, type)
                nodes[v] = function.apply(*x, **settings) if is_operation else constant(tape.repeat(function, x))
        return nodes[self.tape.root]


def _kind(x):
    """Return what decides how a rule goes on: the dtype and the number of axes of a variable, or a constant."""
    if not isinstance(x, Variable):
        return None, str(x), x  # the text tells 0.0 from -0.0
    return (float, 0, None) if type(x.value) is float else (x.dtype, x.ndim, None)


@lru_cache(maxsize=1024)
def _can_be_traced(rule, kinds, settings):
    """Return whether a rule that is taken apart has the bits of the whole one, also for zeros, infinities and NaN."""
    for k in range(len(SPECIAL)):
        values = [_special(*kind, k * (2 * n + 1) + n) for n, kind in enumerate(kinds)]
        given = [v if kind[0] is None else Variable(v, []) for v, kind in zip(values, kinds)]
        try:
            with np.errstate(all="ignore"):
                expected = rule(*values, **dict(settings))
        except ArithmeticError:  # as a replay will
            continue
        try:
            with np.errstate(all="ignore"):
                if not is_same(plain(rule(*given, **dict(settings))), expected):
                    return False
        except Exception:
            return False
    return True


def _special(dtype, ndim, constant, k):
    if dtype is None:
        return constant
    values = np.roll(SPECIAL, k).astype(dtype)
    if ndim:
        return values.reshape((1,) * (ndim - 1) + (-1,))
    return float(values[0]) if dtype is float else values[0]


def _number(op):
    """Return a function of an operation on numbers, whose result is checked."""

    def number(*x, **settings):
        y = op._f(*x, **settings)
        return y if type(y) is float else as_result(y, op.label())

    return number


def _whole_vjp(n, needed):
    """Return the derivatives of an operation as one function, by its `differentiate`, which needs a node."""
    op, name, kinds = n.op, n.name, [m.requires_grad for m in n.inputs]

    def vjp(dldy, y, saved, settings, *x):
        inputs = tuple([Parameter(0.0, requires_grad=kind) for kind in kinds])
        for leaf, value in zip(inputs, x):
            leaf._value = value
        node = new_node(op, inputs, settings or None, y, saved, versions.now, name)
        sent = op.differentiate(node, dldy)
        found = [expand(cast_gradient(sent[k], inputs[k], node), inputs[k]) for k in needed]
        return found if found[1:] else found[0]

    return vjp


def new_node(op, inputs, settings, value, saved, version, name=None):
    """Return a result as an operation makes it."""
    node = object.__new__(Node)
    node._value, node._grad, node._saved, node._version, node.name = value, None, saved, version, name
    node.op, node.inputs, node.settings = op, inputs, settings
    return node
