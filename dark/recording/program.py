"""From the tape of one call to a program: the operations' own functions, forward, then backward from 1."""

import functools
from types import SimpleNamespace

import numpy as np

from dark.nodes import fast
from dark.nodes.grad_mode import Switch
from dark.nodes.gradient import cast_gradient, expand
from dark.nodes.graph import walk
from dark.nodes.leaves import constant
from dark.nodes.node_checks import initial_gradient
from dark.nodes.values import as_result
from dark.operations.arrays.reductions import Mean, Sum
from dark.recording.source import compiled
from dark.recording.tape import Call, Tape, Variable, as_variable, bits, kind_of, label, mapped, plain, write


class Program:
    """A recording: `run` takes inputs and `leaves`, and returns the value and the gradients of `parameters`."""

    def __init__(self, tape, leaves, guards):
        self.guards, self.tape, self.made, self._calls, root = guards, tape, {}, [], tape.root.node
        given, results = {*tape.inputs, *leaves}, [v for v in tape.order if v.made]
        self._now = {v: v if v in given else as_variable(v.value, self._calls) for v in tape.order}
        for v in tape.order:
            v.calls = self._calls
        for place, v in enumerate(results):
            self._forward(place, v)
        table, self.leaves = self._backward(root), [v.node for v in leaves]
        self.parameters = tuple([n for n in walk(root, leaves=True) if n in table and n.op is None])
        for call in tape.effects:
            write(self._calls, call.function, self._of(call.arguments), None, (), draws=True)
        found = self._of(tape.root), [table[n] for n in self.parameters]
        self.run, self.source = compiled([*tape.inputs, *leaves], self._calls, *found)
        self._calls, self._now = [], {}
        for out in [out for v in results for out in v.made.outs]:
            out.value = out.node = out.calls = None  # the memory of the recorded call

    def _of(self, x):
        """Return arguments or settings with the program's variables in place of those of the tape."""
        return mapped(x, lambda v: self._now[v] if isinstance(v, Variable) else v)

    def _forward(self, place, v):
        """Write an operation: taken apart, as a function of numbers, or in one call whose results are kept."""
        op, x, settings = v.made.function, self._of(v.made.arguments), self._of(v.made.settings)
        is_operation, kind, found = isinstance(op, type), kind_of(v.value), None
        if is_operation and op.trusted and not op.saves:
            found = self._apart(op, op._f, x, settings)
            if found is None and not Call(op, (), settings).uses:
                rule = op._f if kind[0] is np.ndarray else _number(op._f)
                found = write(self._calls, rule, x, settings, name=label(op))

        def kept(*x, **settings):
            self.made[place, op] = y, saved = op._value_and_saved(x, settings) if is_operation else (op(*x), None)
            if kind_of(y) != kind:
                raise TypeError("not what was recorded")
            return y, saved

        if found is None:
            values, draws = [out.value for out in v.made.outs], not is_operation or not op.trusted
            found = write(self._calls, kept, x, settings, values, label(op), draws)
        self._now.update(zip(v.made.outs, found if type(found) is tuple else (found, None)))

    def _apart(self, op, rule, arguments, settings):
        """Return what a rule computes, taken apart into functions of NumPy; None if it stays whole."""
        mark = len(self._calls)
        try:
            if op.trusted and not op.saves and (op.elementwise or op in (Sum, Mean)):
                found = as_variable(rule(*arguments, **settings), self._calls)
                expected = rule(*map(plain, arguments), **mapped(settings, plain))
                if bits(plain(found)) == bits(expected):
                    return write(self._calls, float, (found,)) if type(expected) is np.float64 else found
        except Exception:  # it does what can only be done with values
            pass
        del self._calls[mark:]
        return None

    def _backward(self, root):
        """Write the backward pass; each step is that of `dark.nodes.fast`, so that all roundings are the same."""
        table = {root: as_variable(initial_gradient(root, None), self._calls)}
        for n in walk(root, leaves=False)[::-1]:
            dldy, needed, kind = table[n], [k for k, m in enumerate(n.inputs) if m.requires_grad], type(n._value)
            is_short = fast.ENABLED and n.op.elementwise_vjps is not None
            are_alike = is_short and all(type(m._value) is np.ndarray and m.shape == n.shape for m in n.inputs)
            if type(plain(dldy)) is float and kind is np.ndarray and not are_alike:
                dldy = write(self._calls, np.broadcast_to, (write(self._calls, n.dtype.type, (dldy,)), n.shape))
            if is_short and not n.settings and kind is float:
                needed.reverse()
            for k, g in zip(needed, self._derivatives(n, needed, dldy)):
                m, given = n.inputs[k], kind_of(plain(g))
                if given != kind_of(m._value) and (given[0] is not float or type(m._value) is not np.ndarray):
                    cast = functools.partial(cast_gradient, n=_like(m, n.op), node=_like(n, n.op))
                    g = write(self._calls, cast, (g,), name="cast_gradient")
                table[m] = table[m] + g if m in table else g
        return table

    def _derivatives(self, n, needed, dldy):
        """Return the gradients of the inputs that need one: by rules that are taken apart, or in one call."""
        op, made, found = n.op, self.tape.of(n).made, []
        settings, y, saved, *x = self._of([made.settings, *made.outs, *made.arguments])
        if op.trusted and op.vjps is not None:
            settings = {**settings, "saved": saved} if op.saves else settings
            for k in needed:
                g, name = self._apart(op, op.vjps[k], (dldy, y, *x), settings), f"{label(op)}_vjp{k or ''}"
                found.append(write(self._calls, op.vjps[k], (dldy, y, *x), settings, name=name) if g is None else g)
            return found
        alike, name = [vars(_like(m, op)) for m in n.inputs], n.name

        def vjp(dldy, y, saved, settings, *x):
            inputs = [SimpleNamespace(**{**like, "_value": value}) for like, value in zip(alike, x)]
            node = SimpleNamespace(op=op, inputs=inputs, settings=settings, saved=saved, _value=y, name=name)
            sent = op.differentiate(node, dldy)
            return [expand(cast_gradient(sent[k], inputs[k], node), inputs[k]) for k in needed]

        values = [n.inputs[k]._value for k in needed]
        return write(self._calls, vjp, (dldy, y, saved, settings, *x), None, values, f"{label(op)}_vjp")

    def graph(self, inputs, made):
        """Return the root of the recorded graph with all nodes, from inputs and what the replay has made already."""
        tape, given = Tape(inputs, made), dict(zip(self.tape.inputs, inputs))
        nodes = {v: given.get(v, v.node) for v in self.tape.order if v.made is None}
        for v, call in [(v, v.made) for v in self.tape.order if v.made]:
            x = mapped(call.arguments, lambda x: nodes[x] if isinstance(x, Variable) else x)
            settings = mapped(call.settings, lambda x: nodes[x]._value if isinstance(x, Variable) else x)
            with Switch(recorder=tape, recording=call.requires_grad):
                f, is_operation = call.function, isinstance(call.function, type)
                nodes[v] = f.apply(*x, **settings) if is_operation else constant(tape.repeat(f, x))
        return nodes[self.tape.root]


def _like(m, op):
    """Return what stands for an input of an operation: its shape and dtype, and whether it requires grad."""
    value = m._value if m.shape == () else np.broadcast_to(np.zeros((), m.dtype), m.shape)
    return SimpleNamespace(
        _value=value, shape=m.shape, ndim=m.ndim, dtype=m.dtype, requires_grad=m.requires_grad, op=op, name=m.name
    )


@functools.cache
def _number(f):
    """Return a function of numbers, whose result is checked."""

    def number(*x, **settings):
        y = f(*x, **settings)
        return y if type(y) is float else as_result(y, "recorded")

    return number
