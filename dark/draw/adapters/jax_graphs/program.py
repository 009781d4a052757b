"""A jaxpr as a flat program of leaves and steps; those in the bodies of loops and conditions are for pictures only."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# The primitives that only call another jaxpr, and the parameter that holds it.
CALLS = {
    "jit": "jaxpr", "pjit": "jaxpr", "remat2": "jaxpr", "checkpoint": "jaxpr",
    "closed_call": "call_jaxpr", "core_call": "call_jaxpr",
}  # fmt: skip
BODIES = ("scan", "while", "cond", "shard_map")  # these have frames


class Leaf(NamedTuple):
    """An argument, a captured array or a literal."""

    slot: int
    name: str | None
    role: str
    aval: Any
    value: Any  # None for an argument


@dataclass(frozen=True)
class Step:
    """An application of a primitive; an output that is not used has no slot."""

    operation: str
    equation: Any  # None for what a body starts from
    inputs: tuple[int, ...]
    outputs: tuple[int | None, ...]
    path: tuple[str, ...]
    runs: bool = True  # False in the body of a loop or a condition, which runs as a whole
    ends: tuple[int, ...] = field(default=())  # the results of its bodies
    labels: tuple[str, ...] = ()  # of these


class Program:
    """The leaves and steps of a closed jaxpr, in topological order.

    `arguments` are name and role of each argument, `captured` those of arrays that a function holds, by their ids.
    """

    def __init__(self, closed: Any, arguments: list[tuple[str | None, str]], captured: dict[int, tuple[str, str]]):
        self.avals: list[Any] = []
        self.leaves: list[Leaf] = []
        self.steps: list[Step] = []
        self.captured, self.frames = captured, Counter[tuple[str, ...]]()
        known = zip(closed.jaxpr.invars, arguments, strict=True)
        self.arguments = [self._leaf(variable.aval, name, role) for variable, (name, role) in known]
        self.results = self._inline(closed.jaxpr, self._arrays(closed.jaxpr, closed.consts) + self.arguments, (), True)

    def run(self, arguments: Any, offsets: Any = None) -> dict[int, Any]:
        """Compute the values of all slots; `offsets` are added to some of them."""
        values = {leaf.slot: leaf.value for leaf in self.leaves} | dict(zip(self.arguments, arguments))
        offsets = offsets or {}
        values = {slot: value + offsets[slot] if slot in offsets else value for slot, value in values.items()}
        for step in self.steps:
            if not step.runs:
                continue
            primitive = step.equation.primitive
            given = primitive.get_bind_params(step.equation.params)
            functions, settings = given if isinstance(given, tuple) else ((), given)  # before JAX 0.8, a tuple
            found = primitive.bind(*functions, *[values[slot] for slot in step.inputs], **settings)
            found = found if primitive.multiple_results else [found]
            for slot, value in ((slot, value) for slot, value in zip(step.outputs, found) if slot is not None):
                values[slot] = value + offsets[slot] if slot in offsets else value
        return values

    def needed(self) -> set[int]:
        """Return the slots that the results depend on, and the arguments."""
        needed = {*self.results, *self.arguments}
        for step in reversed(self.steps):
            if needed.intersection(step.outputs):
                needed.update(step.inputs, step.ends)
        return needed

    def computed(self) -> list[int]:
        """Return the slots of the arguments and of the values that a run computes."""
        return self.arguments + [slot for step in self.steps if step.runs for slot in step.outputs if slot is not None]

    def _slot(self, aval):
        self.avals.append(aval)
        return len(self.avals) - 1

    def _leaf(self, aval, name=None, role="constant", value=None):
        self.leaves.append(Leaf(self._slot(aval), name, role, aval, value))
        return self.leaves[-1].slot

    def _arrays(self, jaxpr, arrays):
        """Add the arrays that a jaxpr holds."""
        known = [self.captured.get(id(array), (None, "constant")) for array in arrays]
        triples = zip(jaxpr.constvars, known, arrays)
        return [self._leaf(v.aval, name, role, array) for v, (name, role), array in triples]

    def _inline(self, jaxpr, given, path, runs):
        """Add the equations of a jaxpr, whose captured arrays and arguments are in the slots `given`."""
        slots = dict(zip([*jaxpr.constvars, *jaxpr.invars], given))
        flags = [v for e in jaxpr.eqns for v in e.outvars if _makes_a_number_of_a_bool(e)]
        for equation in jaxpr.eqns:
            inputs = tuple([self._input(slots, variable) for variable in equation.invars])
            scopes = str(equation.source_info.name_stack).split("/")  # of `jax.named_scope`
            here = (*path, *filter(None, scopes))
            name = equation.primitive.name
            inner = equation.params.get(CALLS.get(name))
            if inner is not None:
                called = equation.params.get("name")
                outputs = self._called(inner, inputs, (*here, called) if called else here, runs)
            else:
                dropped = [type(variable).__name__ == "DropVar" for variable in equation.outvars]
                ends = []
                if name in BODIES:
                    here = self._frame(here, name)
                    is_flag = any(flag is equation.invars[0] for flag in flags)
                    ends = self._bodies(equation, inputs, here, is_flag)
                outputs = tuple([None if d else self._slot(v.aval) for d, v in zip(dropped, equation.outvars)])
                slots_of_ends, labels = zip(*ends) if ends else ((), ())
                step = Step(operation_of(equation), equation, inputs, outputs, here, runs, slots_of_ends, labels)
                self.steps.append(step)
            slots |= dict(zip(equation.outvars, outputs))
        return [self._input(slots, variable) for variable in jaxpr.outvars]

    def _called(self, inner, inputs, path, runs):
        """Add the equations of a jaxpr that is called; return the slots of its results."""
        inner, arrays = (inner.jaxpr, inner.consts) if hasattr(inner, "consts") else (inner, ())
        return self._inline(inner, [*self._arrays(inner, arrays), *inputs], path, runs)

    def _bodies(self, equation, inputs, path, is_flag):
        """Add the bodies of a loop or a condition, as steps that do not run; return their results, with labels."""
        params, name = equation.params, equation.primitive.name
        if name == "cond":
            branches = params["branches"]
            names = ("if_false", "if_true") if is_flag else [f"branch_{k}" for k in range(len(branches))]
            return [
                (slot, word.replace("_", " "))
                for word, branch in list(zip(names, branches))[:: -1 if is_flag else 1]
                for slot in self._called(branch, inputs[1:], (*path, word), False)
            ]
        if name == "while":
            a, b = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
            carry = self._entries("carry", params["body_jaxpr"], b - a, inputs[b:], path)
            condition = self._called(params["cond_jaxpr"], [*inputs[:a], *carry], (*path, "condition"), False)
            body = self._called(params["body_jaxpr"], [*inputs[a:b], *carry], (*path, "body"), False)
            return [(slot, "while") for slot in condition] + [(slot, "next") for slot in body]
        if name == "scan":
            a, b = params["num_consts"], params["num_consts"] + params["num_carry"]
            carry = self._entries("carry", params["jaxpr"], a, inputs[a:b], path)
            slices = self._entries("slice", params["jaxpr"], b, inputs[b:], path)
            results = self._called(params["jaxpr"], [*inputs[:a], *carry, *slices], path, False)
            return [(slot, "next" if k < b - a else "of each step") for k, slot in enumerate(results)]
        shards = self._entries("shard", params["jaxpr"], 0, inputs, path)
        return [(slot, "of each shard") for slot in self._called(params["jaxpr"], shards, path, False)]

    def _entries(self, operation, inner, start, inputs, path):
        """Add what a body starts from: the variables of its jaxpr from a position on."""
        variables = getattr(inner, "jaxpr", inner).invars[start:]
        slots = [self._slot(variable.aval) for variable in variables[: len(inputs)]]
        self.steps += [Step(operation, None, (k,), (slot,), path, False) for k, slot in zip(inputs, slots)]
        return slots

    def _frame(self, path, name):
        self.frames[(*path, name)] += 1
        count = self.frames[(*path, name)]
        return (*path, name if count == 1 else f"{name}_{count}")

    def _input(self, slots, variable):
        """Return the slot of a variable; a literal is a new constant."""
        if hasattr(variable, "val"):
            return self._leaf(variable.aval, value=variable.val)
        return slots[variable]


def operation_of(equation: Any) -> str:
    """Return the name of an equation's operation: the function's, if it has a derivative of its own."""
    name = equation.primitive.name
    if name.startswith("custom_") and "call_jaxpr" in equation.params:
        name = equation.params["call_jaxpr"].jaxpr.debug_info.func_name or name
    return name


def _makes_a_number_of_a_bool(equation):
    """Return whether an equation makes the index of `jax.lax.cond` from its predicate."""
    return equation.primitive.name == "convert_element_type" and str(equation.invars[0].aval.dtype) == "bool"
