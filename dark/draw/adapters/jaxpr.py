"""JAX's graph: a jaxpr, or a function that is traced with example arguments, as a flat program of leaves and steps."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from dark.draw.graph.graph_record import GraphNode, path_of

# The primitives that only call another jaxpr, and the parameter that holds it.
CALLS = {
    "jit": "jaxpr", "pjit": "jaxpr", "remat2": "jaxpr", "checkpoint": "jaxpr",
    "closed_call": "call_jaxpr", "core_call": "call_jaxpr",
}  # fmt: skip


class Leaf(NamedTuple):
    """An argument, a captured array or a literal."""

    slot: int
    name: str | None
    role: str
    aval: Any
    value: Any  # None for an argument


class Step(NamedTuple):
    """An application of a primitive; an output that is not used has no slot."""

    equation: Any
    inputs: tuple[int, ...]
    outputs: tuple[int | None, ...]
    path: tuple[str, ...]


class Program:
    """The leaves and steps of a closed jaxpr, in topological order."""

    def __init__(self, closed):
        self.avals, self.leaves, self.steps = [], [], []
        names = closed.jaxpr.debug_info.arg_names or ()
        arguments = []
        for k, variable in enumerate(closed.jaxpr.invars):
            name, is_member = member_name(names[k] if k < len(names) else "")
            arguments.append(self._leaf(variable.aval, name, "parameter" if is_member else "input"))
        self.arguments = arguments
        captured = [self._leaf(v.aval, None, "constant", c) for v, c in zip(closed.jaxpr.constvars, closed.consts)]
        self.results = self._inline(closed.jaxpr, captured + arguments, ())

    def run(self, arguments, offsets=None):
        """Compute the values of all slots; `offsets` are added to some of them."""
        values = {leaf.slot: leaf.value for leaf in self.leaves} | dict(zip(self.arguments, arguments))
        offsets = offsets or {}
        values = {slot: value + offsets[slot] if slot in offsets else value for slot, value in values.items()}
        for step in self.steps:
            primitive = step.equation.primitive
            given = primitive.get_bind_params(step.equation.params)
            functions, settings = given if isinstance(given, tuple) else ((), given)  # before JAX 0.8, a tuple
            found = primitive.bind(*functions, *[values[slot] for slot in step.inputs], **settings)
            found = found if primitive.multiple_results else [found]
            for slot, value in ((slot, value) for slot, value in zip(step.outputs, found) if slot is not None):
                values[slot] = value + offsets[slot] if slot in offsets else value
        return values

    def needed(self):
        """Return the slots that the results depend on."""
        needed = set(self.results)
        for step in reversed(self.steps):
            if needed.intersection(step.outputs):
                needed.update(step.inputs)
        return needed

    def _slot(self, aval):
        self.avals.append(aval)
        return len(self.avals) - 1

    def _leaf(self, aval, name=None, role="constant", value=None):
        self.leaves.append(Leaf(self._slot(aval), name, role, aval, value))
        return self.leaves[-1].slot

    def _inline(self, jaxpr, given, path):
        """Add the equations of a jaxpr, whose captured arrays and arguments are in the slots `given`."""
        slots = dict(zip([*jaxpr.constvars, *jaxpr.invars], given))
        for equation in jaxpr.eqns:
            inputs = tuple([self._input(slots, variable) for variable in equation.invars])
            scopes = str(equation.source_info.name_stack).split("/")  # of `jax.named_scope`
            here = (*path, *filter(None, scopes))
            inner = equation.params.get(CALLS.get(equation.primitive.name))
            if inner is not None:
                name = equation.params.get("name")
                inner, arrays = (inner.jaxpr, inner.consts) if hasattr(inner, "consts") else (inner, ())
                captured = [self._leaf(v.aval, value=array) for v, array in zip(inner.constvars, arrays)]
                outputs = self._inline(inner, [*captured, *inputs], (*here, name) if name else here)
            else:
                dropped = [type(variable).__name__ == "DropVar" for variable in equation.outvars]
                outputs = tuple([None if d else self._slot(v.aval) for d, v in zip(dropped, equation.outvars)])
                self.steps.append(Step(equation, inputs, outputs, here))
            slots |= dict(zip(equation.outvars, outputs))
        return [self._input(slots, variable) for variable in jaxpr.outvars]

    def _input(self, slots, variable):
        """Return the slot of a variable; a literal is a new constant."""
        if hasattr(variable, "val"):
            return self._leaf(variable.aval, value=variable.val)
        return slots[variable]


def member_name(argument):
    """Return the dotted name of an argument, and whether it is a member of a dict, list or object.

    >>> member_name("params['layer1']['w']"), member_name("model.layers[0].weight"), member_name("x")
    (('layer1.w', True), ('layers.0.weight', True), ('x', False))
    """
    parts = re.findall(r"\.(\w+)|\['?([^'\]]+)'?\]", argument or "")
    dotted = ".".join(a or b for a, b in parts)
    return dotted or argument or None, bool(parts)


def nodes(jaxpr: Any, *arguments: Any, model: Any = None) -> Iterator[GraphNode]:
    """Yield the graph of a jaxpr, or of a function that is traced with example arguments.

    With arguments (arrays, or nested dicts, lists and tuples of them) the graph has values, and gradients if the first
    result is a real number that JAX can differentiate. Members of a dict, list or object are parameters, named without
    the argument: `w` for ``params['w']``; other arguments are inputs. Functions under `jax.jit` are modules, and so are
    the blocks of `jax.named_scope`. `model` is not used: JAX's parameters are arguments.
    """
    import jax

    closed = jaxpr
    if not hasattr(jaxpr, "eqns"):
        closed = jax.make_jaxpr(jaxpr)(*arguments)
    elif not hasattr(jaxpr, "consts"):
        closed = jax.extend.core.ClosedJaxpr(jaxpr, [None] * len(jaxpr.constvars))
    program = Program(closed)
    values, grads = _values(jax, program, jax.tree_util.tree_leaves(arguments)) if arguments else ({}, {})
    needed = program.needed()
    for leaf in program.leaves:
        if leaf.slot in needed:
            value = values.get(leaf.slot, leaf.value)
            yield _node(
                leaf.slot, leaf.aval, value, grads, name=leaf.name, role=leaf.role, path=path_of(leaf.name or "")[:-1]
            )
    for step in program.steps:
        for slot in step.outputs:
            if slot in needed:
                fields = {"operation": _operation(step.equation), "inputs": step.inputs, "path": step.path}
                yield _node(slot, program.avals[slot], values.get(slot), grads, **fields, extras=_extras(step.equation))


def _node(slot, aval, value, grads, **fields):
    return GraphNode(
        id=slot,
        shape=tuple(getattr(aval, "shape", ())),
        dtype=str(getattr(aval, "dtype", "")),
        value=None if value is None or "key" in str(aval.dtype) else np.asarray(value),  # not a key of jax.random
        grad=None if slot not in grads else np.asarray(grads[slot]),
        **fields,
    )


def _values(jax, program, arguments):
    """Return the values of all slots, and the gradients of the first result with respect to them."""
    if any(isinstance(argument, jax.ShapeDtypeStruct) for argument in arguments):
        return {}, {}
    root = program.avals[program.results[0]]
    if root.shape != () or not np.issubdtype(root.dtype, np.floating):
        return jax.jit(program.run)(arguments), {}
    numbers = [leaf.slot for leaf in program.leaves if leaf.role != "constant"]
    numbers += [slot for step in program.steps for slot in step.outputs if slot is not None]
    numbers = [slot for slot in numbers if jax.dtypes.issubdtype(program.avals[slot].dtype, np.floating)]
    zeros = {slot: jax.numpy.zeros(program.avals[slot].shape, program.avals[slot].dtype) for slot in numbers}

    def result_and_values(offsets, arguments):
        values = program.run(arguments, offsets)
        return values[program.results[0]], values

    try:
        grads, values = jax.jit(jax.grad(result_and_values, has_aux=True))(zeros, arguments)
    except (TypeError, ValueError):  # a loop, or another primitive, that JAX does not differentiate
        return jax.jit(program.run)(arguments), {}
    return values, grads


def _operation(equation):
    """Return the name of an equation's operation: that of the function, if it has a derivative of its own."""
    name = equation.primitive.name
    if name.startswith("custom_") and "call_jaxpr" in equation.params:
        name = equation.params["call_jaxpr"].jaxpr.debug_info.func_name or name
    return name


def _extras(equation):
    from jax.extend import source_info_util

    return {"source": source_info_util.summarize(equation.source_info)}
