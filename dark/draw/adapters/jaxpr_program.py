"""A jaxpr as a flat program: leaves and steps on numbered slots, with the functions that it only calls inlined."""

import re
from typing import Any, NamedTuple

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
            here = (*path, *_scopes(equation))
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

    Examples
    --------
    >>> member_name("params['layer1']['w']"), member_name("model.layers[0].weight"), member_name("x")
    (('layer1.w', True), ('layers.0.weight', True), ('x', False))
    """
    parts = re.findall(r"\.(\w+)|\['?([^'\]]+)'?\]", argument or "")
    dotted = ".".join(a or b for a, b in parts)
    return dotted or argument or None, bool(parts)


def _scopes(equation):
    """Return the blocks of `jax.named_scope` that an equation was recorded in."""
    names = str(equation.source_info.name_stack).split("/")
    return tuple(name for name in names if name)
