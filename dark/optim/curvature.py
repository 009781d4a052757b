"""The memory of L-BFGS: the last changes of parameters and gradient, and the direction that follows from them."""

from copy import deepcopy
from typing import Any

import numpy as np

from dark.checks import describe, integer
from dark.errors import ShapeError, UsageError
from dark.nodes import Parameter
from dark.typing import Array, Group, Shape, State

LEAST_CURVATURE = 1e-10  # of a change that is remembered
COUNTS = {"func_evals": 0, "n_iter": 0}
VECTORS, LISTS, NUMBERS = ("d", "prev_flat_grad"), ("old_dirs", "old_stps"), ("t", "H_diag", "prev_loss")


def remember(memory: State, gradient: Array, history_size: int) -> None:
    """Add the last changes of the gradient and of the parameters to a memory; its lists are replaced by new ones.

    A memory has PyTorch's names: the direction ``d`` and its factor ``t`` of the last step, the gradient before it, the
    changes of the gradient (``old_dirs``) and of the parameters (``old_stps``), and ``ro``, 1 over their dot products.
    """
    if memory["n_iter"] == 1:
        memory.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
        return
    if len(memory["d"]) != len(gradient):
        raise ShapeError(
            f"LBFGS: parameters and memory must have equal sizes, not {len(gradient)} and {len(memory['d'])}.",
            "parameters of the same shapes in each step.",
            "a new optimizer after a change of shapes.",
        )
    y, s = gradient - memory["prev_flat_grad"], memory["d"] * memory["t"]
    curvature = y @ s
    if curvature > LEAST_CURVATURE:
        for name, new in (("old_dirs", y), ("old_stps", s), ("ro", 1.0 / curvature)):
            memory[name] = [*memory[name], new][-history_size:]
        memory["H_diag"] = curvature / (y @ y)


def direction(memory: State, gradient: Array) -> Array:
    """Return minus the gradient, multiplied by the estimate of the inverse Hessian: the two-loop recursion."""
    history = [*zip(memory["old_dirs"], memory["old_stps"], memory["ro"])]
    q, factors = -gradient, []
    for y, s, ro in reversed(history):
        factors.append((s @ q) * ro)
        q -= factors[-1] * y
    d: Array = q * memory["H_diag"]
    for (y, s, ro), factor in zip(history, reversed(factors)):
        d += (factor - (y @ d) * ro) * s
    return d


def check_memory(optimizer: Any, p: Parameter, state: State, group: Group) -> State:
    """Return a saved state, as new arrays and numbers."""
    names, members = state.keys() - {"al"}, group["params"]
    complete = {*COUNTS, *VECTORS, *LISTS, *NUMBERS, "ro"}
    if p is not members[0] or names not in (set(COUNTS), complete):
        raise UsageError(
            f"LBFGS: the saved state must fit, but parameter {members.index(p)} has {', '.join(sorted(names))}.",
            f"a state of parameter 0 with {', '.join(sorted(complete))}.",
            "load the state of an LBFGS of the same parameters.",
        )
    size, dtype = sum(m.size for m in members), np.result_type(*(m.dtype for m in members))
    loaded: State = {name: integer(np.asarray(state[name]).item(), "LBFGS", name, 0) for name in COUNTS}
    if names == set(COUNTS):
        return loaded
    loaded |= {name: _array(name, state[name], (), float).item() for name in NUMBERS}
    loaded |= {name: _array(name, state[name], (size,), dtype) for name in VECTORS}
    loaded |= {name: [_array(name, v, (size,), dtype) for v in state[name]] for name in LISTS}
    loaded["ro"] = [_array("ro", v, (), float).item() for v in state["ro"]]
    lengths = [len(loaded[name]) for name in (*LISTS, "ro")]
    if len(set(lengths)) > 1:
        raise UsageError(
            f"LBFGS: the saved old_dirs, old_stps and ro must be equally long, not {', '.join(map(str, lengths))}.",
            "lists of the same length.",
            "the result of state_dict() of an LBFGS.",
        )
    return loaded


def _array(name: str, saved: Any, shape: Shape, dtype: Any) -> Array:
    """Return a saved vector or number as a new array."""
    try:
        array = np.asarray(saved).astype(dtype)
    except (TypeError, ValueError):
        problem = f"LBFGS: the saved {name} must be numbers, got {describe(saved)}."
        raise UsageError(problem, "numbers.", "the result of state_dict() of an LBFGS.") from None
    if array.shape != shape:
        raise ShapeError(
            f"LBFGS: the saved {name} must have shape {shape}, got {array.shape}.",
            f"shape {shape}, as the parameters together.",
            "load the state of an LBFGS of the same parameters.",
        )
    return array


def plain_memory(memory: State) -> State:
    """Return a copy of a memory with Python's numbers."""
    plain: State = {name: float(v) if name in NUMBERS else v for name, v in memory.items()}
    if "ro" in plain:
        plain["ro"] = [float(v) for v in plain["ro"]]
    return deepcopy(plain)
