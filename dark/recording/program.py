"""Compile the tape of a call to a program: the operations' own functions, forward, then backward from 1."""

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
from dark.recording.source import compiled
from dark.recording.tape import Tape, Variable, as_variable, bits, kind_of, label, mapped, plain, write


class Program:
    """A recording: `run` takes inputs and `leaves`, and returns the value and the gradients of `parameters`."""

    def __init__(self, tape, leaves, guards):
        self.guards, self.tape, self.made, self._calls = guards, tape, {}, tape.program
        self.leaves, root = [v.node for v in leaves], tape.root.node
        for place, call in enumerate(tape.calls):
            self._forward(place, call)
        table = self._backward(root)
        self.parameters = tuple([n for n in walk(root, leaves=True) if n in table and n.op is None])
        results = [tape.root, [table[n] for n in self.parameters]]
        self.run, self.source = compiled([*tape.inputs, *leaves], self._calls, results)
        for out in [out for call in tape.calls for out in call.outs]:
            out.value = out.node = out.call = None  # the memory of the recorded call
        self._calls.clear()

    def _forward(self, place, call):
        """Write an operation: taken apart, as a function, or with its results kept, if another call could differ."""
        op, y, is_operation = call.function, call.outs[0], isinstance(call.function, type)
        kind, x = kind_of(y.value), (call.arguments, call.settings)
        if is_operation and op.trusted and not op.saves:
            if self._apart(op._f, *x, y) is None:
                rule = op._f if kind[0] is np.ndarray else _number(op._f)
                write(self._calls, rule, *x, y, label(op))
            return

        def kept(*x, **settings):
            self.made[place, op] = y, saved = op._value_and_saved(x, settings) if is_operation else (op(*x), None)
            if kind_of(y) != kind:
                raise TypeError("not what was recorded")
            return y, saved

        write(self._calls, kept, *x, call.outs, label(op))
        self._calls[-1].draws = not is_operation or not op.trusted

    def _apart(self, rule, arguments, settings, out=None):
        """Write the computation of a rule, taken apart into functions of NumPy; return None if it stays whole."""
        mark, is_result = len(self._calls), out is not None
        try:
            found = as_variable(rule(*arguments, **settings), self._calls)
            expected = out.value if is_result else rule(*map(plain, arguments), **mapped(settings, plain))
            if is_result and type(found.value) is np.float64:  # a node has a float in its place
                found = write(self._calls, float, [found])
            if bits(plain(found)) == bits(expected) and not (is_result and found.call is not self._calls[-1]):
                if is_result:
                    out.call, found.call.outs = found.call, out
                return found
        except Exception:  # it does what can only be done with values
            pass
        del self._calls[mark:]

    def _backward(self, root):
        """Write the backward pass in the steps of `dark.nodes.fast`, so that all roundings are the same."""
        table, own = {root: as_variable(initial_gradient(root, None), self._calls)}, set()
        for n in walk(root, leaves=False)[::-1]:
            dldy, needed, kind = table[n], [k for k, m in enumerate(n.inputs) if m.requires_grad], type(n._value)
            is_short = fast.ENABLED and n.op.elementwise_vjps is not None
            are_alike = is_short and all(type(m._value) is np.ndarray and m.shape == n.shape for m in n.inputs)
            if type(plain(dldy)) is float and kind is np.ndarray and not are_alike:
                dldy = write(self._calls, np.broadcast_to, (write(self._calls, n.dtype.type, (dldy,)), n.shape))
            needed = needed[::-1] if is_short and not n.settings and kind is float else needed
            for k, g in zip(needed, self._derivatives(n, needed, dldy)):
                m, given = n.inputs[k], kind_of(plain(g))[:3]
                if given != kind_of(m._value)[:3] and (given[0] is not float or type(m._value) is not np.ndarray):
                    g = write(self._calls, cast_gradient, (g, _like(m), _like(n)))
                v, before = plain(g), plain(table.get(m))
                if m in own and type(v) is type(before) is np.ndarray and v.strides != before.strides:
                    g = write(self._calls, _in_order, (g, table[m]))  # it is added in place
                if m in table or _is_own(v, plain(dldy), n.op):
                    own.add(m)
                table[m] = table[m] + g if m in table else g
        return table

    def _derivatives(self, n, needed, dldy):
        """Return the gradients of the inputs that need one: by rules that are taken apart, or in one call."""
        op, call, found, name = n.op, self.tape.of(n).made, [], f"{label(n.op)}_vjp"
        if op.trusted and op.vjps is not None:
            x, settings = (dldy, call.outs[0], *call.arguments), dict(call.settings)
            settings |= {"saved": call.outs[1]} if op.saves else {}
            for k in needed:
                g, numbered = self._apart(op.vjps[k], x, settings), f"{name}{k or ''}"
                found.append(write(self._calls, op.vjps[k], x, settings, None, numbered) if g is None else g)
            return found
        inputs, node = [_like(m) for m in n.inputs], _like(n)

        def vjp(dldy, y, saved, settings, *x):
            given = [SimpleNamespace(**{**vars(m), "_value": value}) for m, value in zip(inputs, x)]
            now = SimpleNamespace(**{**vars(node), "_value": y}, inputs=given, settings=settings, saved=saved)
            sent = enumerate(zip(op.differentiate(now, dldy), given))
            return [expand(cast_gradient(g, m, now), m) for k, (g, m) in sent if k in needed]

        x = dldy, *call.outs, call.settings, *call.arguments  # an operation of a user is not called an extra time
        values = vjp(*mapped(x, plain)) if op.trusted else [n.inputs[k]._value for k in needed]
        outs = [Variable(v, f"g{len(self._calls)}_{k}") for k, v in enumerate(values)]
        return write(self._calls, vjp, x, None, outs, name)

    def graph(self, inputs, made):
        """Return the root of the recorded graph with all nodes, from inputs and the results of the replay."""
        tape, given = Tape(inputs, made), dict(zip(self.tape.inputs, inputs))
        nodes = {v: given.get(v, v.node) for v in self.tape.order if v.made is None}
        for call in self.tape.calls:
            op, x = call.function, mapped(call.arguments, lambda x: nodes.get(x, x) if isinstance(x, Variable) else x)
            settings = mapped(call.settings, lambda x: nodes[x]._value if isinstance(x, Variable) else x)
            with Switch(recorder=tape, recording=call.requires_grad):
                y = call.function.apply(*x, **settings) if isinstance(op, type) else constant(tape.repeat(op, x))
            nodes[call.outs[0]] = y
        return nodes[self.tape.root]


def _like(n):
    """Return a substitute for a node in rules that read its shape and dtype, or whether it requires grad."""
    fields = {name: getattr(n, name) for name in ("shape", "ndim", "dtype", "requires_grad", "op", "name")}
    value = n._value if n.shape == () else np.broadcast_to(np.zeros((), n.dtype), n.shape)
    return SimpleNamespace(_value=value, **fields)


def _is_own(g, dldy, op):
    """Return whether a further gradient is added to this one in place, as `dark.nodes.fast` decides."""
    base, of_dldy = getattr(g, "base", None), (dldy, getattr(dldy, "base", None))
    is_new = g is not dldy if base is None else op.vjps is not None and g.flags.writeable
    return op.trusted and is_new and (base is None or not any(base is other for other in of_dldy))


def _in_order(g, before):
    """Return an array in the memory order of another one."""
    return np.positive(g, out=np.empty_like(before))


@functools.cache
def _number(rule):
    """Return a rule for numbers, whose result is checked."""
    return lambda *x, **settings: y if type(y := rule(*x, **settings)) is float else as_result(y, "recorded")
