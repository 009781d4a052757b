"""A recorded graph as straight-line code: the operations' own functions, forward, then backward from 1."""

import operator

import numpy as np

from dark.nodes import Node, fast, value_of
from dark.nodes.grad_mode import Switch
from dark.nodes.gradient import cast_gradient, expand
from dark.nodes.graph import walk
from dark.nodes.leaves import constant
from dark.nodes.node_checks import initial_gradient
from dark.operations.arrays.reductions import Mean, Sum
from dark.recording.compiled import compiled
from dark.recording.guards import Guards
from dark.recording.recorder import Graph
from dark.recording.rules import Changed, as_before, derivative_rule, name_of, same_kind, value_rule
from dark.recording.source import Tape
from dark.recording.trace import same_bits, traced


class Program:
    """One recording of a function: what a replay computes, and the graph behind it.

    Attributes
    ----------
    guards : Guards
        What the recording depends on.

    Parameters
    ----------
    graph, before : Graph
        Of the call that is the recording, and of the one before.
    """

    guards: Guards

    def __init__(self, graph: Graph, before: Graph) -> None:
        leaves = [n for n in walk(graph.root, leaves=True) if n.op is None and n.requires_grad]
        others = [n for n in graph.order if graph.made(n) is None and n not in leaves and n not in graph.inputs]
        self.leaves, self.constants = tuple(leaves), [n for n in others if n in before.at]
        self.graph = graph = graph.copied()
        self.root, tape = graph.root, Tape()
        tape.in_order = bool(graph.own)
        self._env: dict = {}
        for k, n in enumerate(graph.inputs):
            self._env[n] = tape.argument(f"x{k + 1}", n._value)
        self.outside = (*self.leaves, *self.constants)
        for n in self.outside:
            self._env[n] = tape.argument(n.name or ("p" if n.requires_grad else "c"), n._value)
        self.hoisted = [k for k, call in enumerate(graph.repeats) if not self._depends(call[1])]
        made = {k: tape.argument(name_of(graph.repeats[k][0]), graph.repeats[k][2]) for k in self.hoisted}
        self._made = made
        self._saved: dict = {}
        for n in graph.order:
            if graph.made(n) is not None:
                self._forward(tape, n)
            elif n not in self._env:
                self._env[n] = self._resolved(tape, n._value)
        table = self._backward(tape)
        effects = [self._saved[n] for n, _, _ in graph.effects]
        results = [table[n] for n in self.leaves]
        self.run, self.source = compiled(tape, self._env[graph.root], results, effects)
        self._env, self._made, self._saved = {}, {}, {}
        for n in graph.order:
            if graph.made(n) is not None:
                n._value, n._saved = _hollow(n._value), None

    def _depends(self, arguments):
        """Return whether a repeated call needs a result of the graph."""
        if any(isinstance(n, Node) and n not in self.graph.inputs for n in arguments):
            return True
        found = [k for kind, k in self.graph.references(arguments) if kind == "repeat"]
        return any(self._depends(self.graph.repeats[k][1]) for k in found)

    def _resolved(self, tape, value):
        """Return settings with variables in place of arrays that belong to one call."""
        if type(value) is np.ndarray and id(value) in self.graph.known:
            kind, k = self.graph.known[id(value)]
            return self._env[self.graph.inputs[k]] if kind == "input" else self._repeated(tape, k)
        if isinstance(value, Node):
            return self._env[value]
        if type(value) in (tuple, list):
            return type(value)([self._resolved(tape, part) for part in value])
        return {k: self._resolved(tape, part) for k, part in value.items()} if isinstance(value, dict) else value

    def _repeated(self, tape, k):
        if k not in self._made:
            function, arguments, result = self.graph.repeats[k]
            arguments = [self._resolved(tape, x) for x in arguments]
            self._made[k] = tape.call(as_before(function, result), *arguments)
        return self._made[k]

    def _forward(self, tape, n):
        op, inputs, settings = self.graph.made(n)
        settings = {k: self._resolved(tape, v) for k, v in (settings or {}).items()}
        rule, x = value_rule(op, type(n._value)), [self._env[m] for m in inputs]
        if any(True for _ in tape.variables_in(settings)):  # what it returns may have another shape
            rule = as_before(rule, n._value, op.saves)
        if op.saves:
            values = n._value, n.saved
            self._env[n], self._saved[n] = tape.record_several(2, rule, x, settings, values)
        else:
            self._env[n] = self._apart(tape, op, op._f, x, settings, n._value)
            if self._env[n] is None:
                self._env[n] = tape.record(rule, x, settings, n._value)

    def _apart(self, tape, op, rule, x, settings, value):
        """Return the variable of a rule that is taken apart; None if it stays whole."""
        if not op.trusted or op.saves or not (op.elementwise or op in (Sum, Mean)):
            return None
        found = traced(tape, rule, x, settings)
        if type(tape.value(found)) is np.float64:
            found = tape.call(float, found)
        return found if found is not None and (value is None or same_bits(tape.value(found), value)) else None

    def _backward(self, tape):
        """Write the backward pass; in every step that of `dark.nodes.fast`, so that all roundings are the same."""
        table = {self.root: initial_gradient(self.root, None)}
        for n in walk(self.root, leaves=False)[::-1]:
            dldy, y, x = table[n], self._env[n], [self._env[m] for m in n.inputs]
            is_short = fast.ENABLED and n.op.elementwise_vjps is not None
            if type(tape.value(dldy)) is float is not type(n._value) and not (is_short and _are_alike(n)):
                dldy = tape.call(expand, dldy, n)
            needed = [k for k, m in enumerate(n.inputs) if m.requires_grad]
            sent = self._derivatives(tape, n, needed, dldy, y, x)
            if is_short and not n.settings and type(n._value) is float:
                needed = needed[::-1]  # as `fast` adds them
            for k in needed:
                m = n.inputs[k]
                g = sent[k] if _fits(tape.value(sent[k]), m._value) else tape.call(cast_gradient, sent[k], m, n)
                table[m] = tape.call(_adding(tape.value(table[m]), tape.value(g)), table[m], g) if m in table else g
        return table

    def _derivatives(self, tape, n, needed, dldy, y, x):
        op, settings = n.op, {k: self._resolved(tape, v) for k, v in (n.settings or {}).items()}
        if not op.trusted or op.vjps is None:
            saved = self._saved.get(n)
            return tape.record_several(len(x), derivative_rule(n), (dldy, y, saved, settings, *x), {})
        if op.saves:
            settings["saved"] = self._saved[n]
        for k in needed:
            tape.labels[op.vjps[k]] = f"{op.label()}_vjp{k if len(op.vjps) > 1 else ''}"
        return {k: self._derivative(tape, op, op.vjps[k], (dldy, y, *x), settings) for k in needed}

    def _derivative(self, tape, op, vjp, given, settings):
        found = self._apart(tape, op, vjp, given, settings, None)
        return tape.record(vjp, given, settings) if found is None else found

    def call(self, inputs, made):
        """Run the program for the values of the inputs; append what repeated calls return to `made`."""
        known: dict = {}
        for k in self.hoisted:
            function, arguments, result = self.graph.repeats[k]
            known[k] = function(*[self._value(x, inputs, known) for x in arguments])
            made.append((k, known[k]))
            if not same_kind(known[k], result):
                raise Changed
        return self.run(*inputs, *[n._value for n in self.outside], *known.values())

    def rebuilt(self, inputs, made):
        """Return the root of the recorded graph, with new nodes and values, for these inputs and repeated calls."""
        graph, made, env = self.graph, dict(made), dict(zip(self.graph.inputs, map(constant, inputs)))
        for n in graph.order:
            if n in env:
                continue
            if graph.made(n) is None:
                belongs_to_one_call = type(n._value) is np.ndarray and id(n._value) in graph.known
                env[n] = constant(self._now(n._value, env, made)) if belongs_to_one_call else n
                continue
            op, before, settings = graph.made(n)
            settings = {k: self._now(v, env, made) for k, v in (settings or {}).items()}
            with Switch(recording=n.op is not None):
                env[n] = op.apply(*[env[m] for m in before], **settings)
            env[n].name = n.name
        return env[graph.root]

    def _now(self, x, env, made):
        """Return a setting with the arrays of this call."""
        if type(x) is np.ndarray and id(x) in self.graph.known:
            kind, k = self.graph.known[id(x)]
            if kind == "input":
                return env[self.graph.inputs[k]]._value
            if k not in made:
                function, arguments, _ = self.graph.repeats[k]
                made[k] = function(*[value_of(self._now(a, env, made)) for a in arguments])
            return made[k]
        if isinstance(x, Node):
            return env[x]
        return type(x)([self._now(part, env, made) for part in x]) if type(x) in (tuple, list) else x

    def _value(self, x, inputs, known):
        if isinstance(x, Node):
            return inputs[self.graph.inputs.index(x)]
        if type(x) is np.ndarray and id(x) in self.graph.known:
            kind, k = self.graph.known[id(x)]
            return inputs[k] if kind == "input" else known[k]
        return x


def _adding(a, b):
    """Return the function that adds two gradients of one node."""
    return np.add if type(a) is type(b) is np.ndarray else operator.add


def _fits(g, value):
    is_array = type(g) is np.ndarray and type(value) is np.ndarray
    return type(g) is float or (is_array and g.shape == value.shape and g.dtype == value.dtype)


def _are_alike(n):
    return all(type(m._value) is np.ndarray and m._value.shape == n.shape for m in n.inputs)


def _hollow(value):
    """Return an array of the same shape and dtype that takes no memory."""
    return np.broadcast_to(np.zeros((), value.dtype), value.shape) if type(value) is np.ndarray else value
