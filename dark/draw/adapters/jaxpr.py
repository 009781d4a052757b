"""JAX's graph: a jaxpr, or a function that is traced with example arguments."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from dark.draw.adapters.jaxpr_program import Program
from dark.draw.graph.graph_record import GraphNode, path_of


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
