"""From the tape of one call to a program: the operations' own functions, forward, then backward from 1."""

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
from dark.recording.tape import Call, Tape, Variable, as_variable, is_same, kind_of, label, mapped, plain, write

SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-40, -1e-40, 0.5, -3.7, 2.0, 88.0, -88.0)


class Program:
    """A recording: `run` takes inputs and `leaves`, and returns the value and the gradients of `parameters`.

    The leaves are the variables of nodes that are the same in each call.
    """

    def __init__(self, function, tape, leaves):
        self.guards = Guards(function, tape, leaves)
        self.tape, self.made, self._calls, self._now, self._checked = tape, {}, [], {}, {}
        root, results = tape.root.node, [v for v in tape.order if v.made]
        for v in tape.order:
            v.calls = self._calls
        self._now = {v: as_variable(v.value, v.calls) for v in {*tape.order} - {*tape.inputs, *leaves, *results}}
        for place, v in enumerate(results):
            self._forward(place, v)
        table = self._backward(root)
        self.leaves = [v.node for v in leaves]
        self.parameters = tuple([n for n in walk(root, leaves=True) if n in table and n.op is None])
        effects = [Call(call.function, self._of(call.arguments), {}) for call in tape.effects]
        found = self._of(tape.root), [table[n] for n in self.parameters]
        self.run, self.source = compiled([*tape.inputs, *leaves], self._calls, effects, *found)
        self._calls, self._now = [], {}
        for out in [out for v in results for out in v.made.outs]:
            out.value = out.node = out.calls = None

    def _of(self, x):
        """Return arguments or settings with the program's variables in place of those of the tape."""
        return mapped(x, lambda v: self._now.get(v, v) if isinstance(v, Variable) else v)

    def _forward(self, place, v):
        op, (x, settings) = v.made.function, self._of((v.made.arguments, v.made.settings))
        is_operation, rule, values = isinstance(op, type), op, [out.value for out in v.made.outs]
        if is_operation:
            varies = Call(op, (), settings).uses
            self._now[v], self._now[v.made.outs[1]] = None if varies else self._apart(op, op._f, x, settings), None
            if self._now[v] is not None:
                return
            if op.trusted and not op.saves and not varies:
                rule, values = op._f if type(v.value) is np.ndarray else _number(op), values[:1]
            else:
                rule = lambda *x, **settings: op._value_and_saved(x, settings)
        draws = not is_operation or not op.trusted
        if draws or varies:
            rule = self._kept(rule, (place, op), kind_of(v.value))
        self._now.update(zip(v.made.outs, write(self._calls, rule, x, settings, values, label(op), draws)))

    def _kept(self, function, key, kind):
        """Return a function whose results `graph` takes; one of another kind than in the recording is an error."""

        def kept(*arguments, **settings):
            self.made[key] = found = function(*arguments, **settings)
            if kind_of(found[0] if type(found) is tuple else found) != kind:
                raise TypeError("not what was recorded")
            return found

        return kept

    def _apart(self, op, rule, arguments, settings):
        """Return what a rule computes, taken apart into functions of NumPy; None if it stays whole."""
        if not op.trusted or op.saves or not (op.elementwise or op in (Sum, Mean)):
            return None
        arguments, mark = [as_variable(x, self._calls) for x in arguments], len(self._calls)
        kinds = [kind_of(x.value)[::2] + (np.ndim(x.value),) if isinstance(x, Variable) else x for x in arguments]
        key = rule, str(kinds), str(settings)
        if key not in self._checked:
            tries = len(SPECIAL) if any(type(plain(x)) is float for x in arguments) else 1
            self._checked[key] = all(is_traceable(rule, arguments, settings, k) for k in range(tries))
        found = as_variable(rule(*arguments, **settings), self._calls) if self._checked[key] else None
        if found is not None and is_same(plain(found), rule(*map(plain, arguments), **settings)):
            return write(self._calls, float, (found,)) if type(plain(found)) is np.float64 else found
        del self._calls[mark:]
        return None

    def _backward(self, root):
        """Write the backward pass; each step is that of `dark.nodes.fast`, so that all roundings are the same."""
        table = {root: as_variable(initial_gradient(root, None), self._calls)}
        for n in walk(root, leaves=False)[::-1]:
            dldy, needed = table[n], [k for k, m in enumerate(n.inputs) if m.requires_grad]
            is_short, kind = fast.ENABLED and n.op.elementwise_vjps is not None, type(n._value)
            are_alike = is_short and all(type(m._value) is np.ndarray and m.shape == n.shape for m in n.inputs)
            if type(plain(dldy)) is float and kind is np.ndarray and not are_alike:
                dldy = write(self._calls, np.broadcast_to, (write(self._calls, n.dtype.type, (dldy,)), n.shape))
            if is_short and not n.settings and kind is float:
                needed.reverse()
            for k, g in zip(needed, self._derivatives(n, needed, dldy)):
                m, g = n.inputs[k], self._cast(g, n.inputs[k])
                table[m] = table[m] + g if m in table else g
        return table

    def _derivatives(self, n, needed, dldy):
        """Return the gradients of the inputs that need one: by rules that are taken apart, or in one call."""
        op, made, found = n.op, self.tape.of(n).made, []
        settings, y, saved, *x = self._of([made.settings, *made.outs, *made.arguments])
        if not op.trusted or op.vjps is None:
            given, values = (dldy, y, saved, settings, *x), [n.inputs[k]._value for k in needed]
            return write(self._calls, _whole_vjp(n, needed), given, None, values, f"{label(op)}_vjp")
        settings = {**settings, "saved": saved} if op.saves else settings
        for k in needed:
            name, given = f"{label(op)}_vjp{k if len(op.vjps) > 1 else ''}", (dldy, y, *x)
            g = None if Call(op, (), settings).uses else self._apart(op, op.vjps[k], given, settings)
            found.append(write(self._calls, op.vjps[k], given, settings, name=name) if g is None else g)
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
        return g if g.dtype == m.dtype else write(self._calls, np.ndarray.astype, (g, m.dtype))

    def graph(self, inputs, made):
        """Return the root of the recorded graph with all nodes, from inputs and what the replay has made already."""
        nodes, tape = dict(zip(self.tape.inputs, inputs)), Tape(inputs, made)
        for v in self.tape.order:
            if v.made is None:
                nodes.setdefault(v, v.node)
                continue
            function, x = v.made.function, mapped(v.made.arguments, lambda x: nodes[x] if isinstance(x, Variable) else x)
            settings = mapped(v.made.settings, lambda x: nodes[x]._value if isinstance(x, Variable) else x)
            with Switch(recorder=tape, recording=v.made.requires_grad):
                is_operation = isinstance(function, type)
                nodes[v] = function.apply(*x, **settings) if is_operation else constant(tape.repeat(function, x))
        return nodes[self.tape.root]


def is_traceable(rule, arguments, settings, k):
    """Return whether a rule that is taken apart has the bits of the whole one, for special numbers in some order."""

    def special(n, x):
        pairs = np.tile(SPECIAL, len(SPECIAL)) if n % 2 else np.repeat(SPECIAL, len(SPECIAL))
        values = np.roll(pairs, k * (2 * n + 1)).astype(getattr(x, "dtype", float))
        return values.reshape((1,) * (x.ndim - 1) + (-1,)) if type(x) is np.ndarray else type(x)(values[0])

    try:
        with np.errstate(all="ignore"):
            x = [special(n, x.value) if isinstance(x, Variable) else x for n, x in enumerate(arguments)]
            given = [Variable(v, []) if isinstance(x, Variable) else v for v, x in zip(x, arguments)]
            return is_same(plain(rule(*given, **settings)), rule(*x, **settings))
    except ArithmeticError:  # a replay raises it, too, and the function is called
        return True
    except Exception:
        return False


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
