"""JAX's graph: a jaxpr, or a function that is traced with example arguments."""

from typing import Any

import numpy as np

from dark.draw.adapters.jax_graphs.functions import member_name, result_name, trace
from dark.draw.adapters.jax_graphs.program import Program
from dark.draw.adapters.module_paths import constants_in_modules
from dark.draw.adapters.settings import in_words
from dark.draw.graph.graph_record import GraphNode, Result, path_of
from dark.errors import DrawingError

# Settings that say how a result is stored or computed, and not what it is.
LEFT_OUT = (
    "accuracy", "body_nconsts", "cond_nconsts", "indices_are_sorted", "is_stable", "linear", "num_carry", "num_consts",
    "out_sharding", "precision", "preferred_element_type", "sharding", "unique_indices", "unroll", "weak_type",
)  # fmt: skip


def nodes(jaxpr: Any, *arguments: Any, model: Any = None, keywords: dict[str, Any] | None = None) -> list[GraphNode]:
    """Return the graph of a jaxpr, or of a function that is traced with example arguments.

    With arguments (arrays, numbers, or nested dicts, lists and tuples of them; what is neither does not vary) the graph
    has values, and gradients if the first result is a real number that JAX can differentiate. Members of a dict, list
    or object are parameters, named without the argument: `w` for ``params['w']``; other arguments are inputs. Functions
    under `jax.jit` are modules, and so are the blocks of `jax.named_scope` and the bodies of loops and conditions. Of
    several results each is a node of its own. `model` is not used: JAX's parameters are arguments, or attributes of an
    object that can be called.
    """
    import jax

    closed = jaxpr if hasattr(jaxpr, "eqns") else getattr(jaxpr, "jaxpr", jaxpr)
    captured: dict[int, tuple[str, str]] = {}
    if hasattr(closed, "eqns"):
        if not hasattr(closed, "consts"):
            closed = jax.extend.core.ClosedJaxpr(closed, [None] * len(closed.constvars))
        known, results = _names_in(closed.jaxpr)
        arrays = jax.tree_util.tree_leaves((arguments, keywords))
    else:
        closed, known, arrays, captured, results = trace(jax, _function(jaxpr), arguments, keywords or {})
    program = Program(closed, known, captured)
    values, grads = _values(jax, program, arrays) if arrays or not known else ({}, {})
    return constants_in_modules(_nodes(program, values, grads, results))


def _function(thing):
    if callable(thing):
        return thing
    raise DrawingError(
        f"draw: {type(thing).__name__} of JAX does not know how it was computed.",
        "a function with example arguments, or a jaxpr.",
        "dark.draw(function, x), or dark.draw(jax.make_jaxpr(function)(x))",
    )


def _names_in(jaxpr):
    """Return name and role of each argument of a jaxpr, and the names of its results, as far as JAX kept them."""
    info, count = jaxpr.debug_info, len(jaxpr.invars)
    names = [*(info.arg_names or ()), *[""] * count][:count]
    pairs = [member_name(name) for name in names]
    places = [*(getattr(info, "result_paths", None) or ()), *[""] * len(jaxpr.outvars)][: len(jaxpr.outvars)]
    results = [result_name(str(place).removeprefix("result")) for place in places]
    return [(name, "parameter" if is_member else "input") for name, is_member in pairs], results


def _nodes(program, values, grads, results):
    needed, places, found = program.needed(), {}, []
    for leaf in program.leaves:
        if leaf.slot in needed:
            name, path = leaf.name, path_of(leaf.name or "")[:-1]
            value = values.get(leaf.slot, leaf.value)
            known = _known(leaf.aval, value) | {"grad": _grad(grads, leaf.slot)}
            found.append(GraphNode(leaf.slot, name=name, role=leaf.role, path=path, **known))
            places[leaf.slot] = leaf.slot, ""
    for step in program.steps:
        if needed.intersection(step.outputs):
            found.append(_operation(step, program, needed, values, grads, places))
    if len(results) > 1:
        for k, slot in enumerate(program.results):
            place, label = places[slot]
            name, labels = results[k] or f"[{k}]", (label,) if label else ()
            known = _known(program.avals[slot], values.get(slot)) | {"inputs": (place,), "labels": labels}
            found.append(GraphNode(("output", k), "output", name, **known))
    return found


def _operation(step, program, needed, values, grads, places):
    """Return the node of a step; one of several results has them all."""
    used = [k for k, slot in enumerate(step.outputs) if slot in needed]
    shown = range(len(step.outputs)) if len(used) > 1 else used
    names = _result_names(step.equation)
    parts, own = [], step.outputs[used[0]]
    for k in shown:
        slot, name = step.outputs[k], names[k] if k < len(names) else f"[{k}]"
        aval = step.equation.outvars[k].aval if slot is None else program.avals[slot]
        parts.append(Result(name, **_known(aval, values.get(slot))))
        if slot is not None:
            places[slot] = own, name if len(shown) > 1 else ""
    ends = [places[slot] for slot in step.inputs]
    labels = (*(label for _, label in ends), *step.labels)
    first = step.outputs[shown[0]]
    return GraphNode(
        own, step.operation, shape=parts[0].shape, dtype=parts[0].dtype, value=parts[0].value,
        grad=_grad(grads, first), path=step.path, extras=_extras(step.equation),
        inputs=(*(i for i, _ in ends), *(places[slot][0] for slot in step.ends)),
        labels=labels if any(labels) else (), results=tuple(parts) if len(parts) > 1 else (),
    )  # fmt: skip


def _result_names(equation):
    """Return the names of the results of a scan."""
    if equation is None or equation.primitive.name != "scan":
        return []
    kept, count = equation.params["num_carry"], len(equation.outvars)
    names = [f"carry {k}" * (kept > 1) or "carry" for k in range(kept)]
    return names + [f"stacked {k}" * (count - kept > 1) or "stacked" for k in range(count - kept)]


def _known(aval, value):
    """Return shape, dtype and value of a slot; a length with a name stays."""
    shape = tuple([int(n) if isinstance(n, (int, np.integer)) else str(n) for n in getattr(aval, "shape", ())])
    dtype = str(getattr(aval, "dtype", ""))
    is_known = (
        value is not None and "key" not in dtype and hasattr(value, "__array__") | isinstance(value, (int, float))
    )
    return {"shape": shape, "dtype": dtype, "value": np.asarray(value) if is_known else None}


def _grad(grads, slot):
    return None if slot not in grads else np.asarray(grads[slot])


def _values(jax, program, arguments):
    """Return the values of all slots, and the gradients of the first result with respect to them."""
    if any(isinstance(argument, jax.ShapeDtypeStruct) for argument in arguments) or not program.results:
        return {}, {}
    root = program.avals[program.results[0]]
    if root.shape != () or not np.issubdtype(root.dtype, np.floating):
        return jax.jit(program.run)(arguments), {}
    numbers = [k for k in program.computed() if jax.dtypes.issubdtype(program.avals[k].dtype, np.floating)]
    zeros = {slot: jax.numpy.zeros(program.avals[slot].shape, program.avals[slot].dtype) for slot in numbers}

    def result_and_values(offsets, arguments):
        values = program.run(arguments, offsets)
        return values[program.results[0]], values

    try:
        grads, values = jax.jit(jax.grad(result_and_values, has_aux=True))(zeros, arguments)
    except (TypeError, ValueError):  # a loop, or another primitive, that JAX does not differentiate
        return jax.jit(program.run)(arguments), {}
    return values, grads


def _extras(equation):
    """Return where an equation was written, and its settings."""
    if equation is None:
        return {}
    from jax.extend import source_info_util

    settings = {name: value for name, value in equation.params.items() if not _is_code(value)}
    shown = {name: value for name, value in settings.items() if name not in LEFT_OUT}
    dimensions = shown.pop("dimension_numbers", None)
    if equation.primitive.name == "dot_general":
        contract, batch = dimensions
        pairs = {"contract": contract, "batch": batch}
        shown = {name: _pair(axes) for name, axes in pairs.items() if any(axes)} | shown
    plain = (bool, int, float, str, tuple)
    settings = {name: value if isinstance(value, plain) else str(value) for name, value in settings.items()}
    extras = {"source": source_info_util.summarize(equation.source_info)}
    brief = in_words(shown)
    return extras | ({"settings": settings} if settings else {}) | ({"brief": brief} if brief else {})


def _pair(axes):
    return " · ".join(str(tuple(map(int, part))) for part in axes)


def _is_code(value):
    """Return whether a parameter of an equation is a function or a jaxpr, or holds one."""
    if isinstance(value, (tuple, list)):
        return any(map(_is_code, value))
    return value is None or hasattr(value, "eqns") or (callable(value) and not isinstance(value, type))
