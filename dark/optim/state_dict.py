"""The state of an optimizer as plain data in PyTorch's format, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import number
from dark.errors import UsageError
from dark.nodes import Parameter
from dark.optim.parameter_groups import as_group, wrong_shape
from dark.typing import Group, State

if TYPE_CHECKING:
    from dark.optim.optimizer import Optimizer

PYTORCH_ONLY = {"foreach", "fused", "capturable", "differentiable"}  # options of PyTorch's implementations


def pack(optimizer: Optimizer) -> dict[str, Any]:
    """Return a copy of an optimizer's state as plain data; see `Optimizer.state_dict`."""
    order = [p for group in optimizer.param_groups for p in group["params"]]
    index = {p: i for i, p in enumerate(order)}
    state, packed, groups = optimizer.state, {}, []
    for group in optimizer.param_groups:
        options = {name: list(v) if name == "param_names" else v for name, v in group.items() if name != "params"}
        groups.append({**options, "params": [index[p] for p in group["params"]]})
        initial = optimizer.initial_state(group)
        for p in group["params"]:
            if p in state:  # a state that an option has just made necessary has its initial value
                full = {name: np.full(p.shape, v, p.dtype) for name, v in initial.items()} | copy_state(state[p])
                packed[index[p]] = {name: v for name, v in full.items() if name != "step" or optimizer.counts_steps}
    return {"state": packed, "param_groups": groups}


def copy_state(state: State) -> State:
    """Copy the state of a parameter."""
    return {name: np.array(v) if isinstance(v, np.ndarray) else v for name, v in state.items()}


def unpack(
    optimizer: Optimizer, saved: Any, check_state: Callable[[Any, Parameter, State, Group], State]
) -> tuple[list[Group], dict[Parameter, State]]:
    """Check a saved state and return groups and the states of parameters; see `Optimizer.load_state_dict`.

    ``check_state(optimizer, p, state, group)`` returns the state of a parameter.
    """
    who = type(optimizer).__name__
    if not _is_state_dict(saved):
        raise UsageError(
            f"{who}: the argument of load_state_dict must be the state_dict of an optimizer.",
            'a dictionary with "state" and "param_groups", a list of groups with their "params".',
            "the result of optimizer.state_dict().",
        )
    mine, theirs = optimizer.param_groups, saved["param_groups"]
    sizes = [len(group["params"]) for group in mine], [len(group["params"]) for group in theirs]
    if sizes[0] != sizes[1]:
        raise UsageError(
            f"{who}: saved and own groups must be of equal sizes, but have {sizes[1]} and {sizes[0]} parameters.",
            "groups of the same sizes.",
            "build the optimizer as it was when its state was saved.",
        )
    groups = [_merge(group, other, optimizer) for group, other in zip(mine, theirs)]
    states = {}
    for group, other in zip(groups, theirs):
        for p, i in zip(group["params"], other["params"]):
            state = saved["state"].get(i, saved["state"].get(str(i)))  # JSON has strings as keys
            state = {name: v for name, v in (state or {}).items() if v is not None}
            if state:
                states[p] = check_state(optimizer, p, state, group)
    return groups, states


def _is_state_dict(saved: object) -> bool:
    """Return whether an object has the form of a state_dict: a dict of dicts, and a list of groups."""
    if not (isinstance(saved, dict) and {"state", "param_groups"} <= saved.keys()):
        return False
    states, groups = saved["state"], saved["param_groups"]
    if not (isinstance(states, dict) and all(isinstance(state, dict) for state in states.values())):
        return False
    return isinstance(groups, (list, tuple)) and all(isinstance(g, dict) and "params" in g for g in groups)


def _merge(mine: Group, theirs: Group, optimizer: Optimizer) -> Group:
    """Return a group with the optimizer's parameters and the saved options."""
    who = type(optimizer).__name__
    options = {name: v for name, v in theirs.items() if name != "params" and name not in PYTORCH_ONLY}
    optional = {name for name, v in optimizer.defaults.items() if isinstance(v, bool)}  # missing in older PyTorch
    missing = optimizer.defaults.keys() - options.keys() - optional
    if missing:
        raise UsageError(
            f"{who}: a saved group must have all options, but has no {', '.join(sorted(missing))}.",
            f"the options of {who}: {', '.join(optimizer.defaults)}.",
            "load the state of the same kind of optimizer.",
        )
    saved_names = {"param_names": tuple(options.pop("param_names"))} if "param_names" in options else {}
    own_names = {"param_names": mine["param_names"]} if "param_names" in mine else {}
    group = as_group({**options, "params": mine["params"]}, who, optimizer.defaults)
    group = {**group, **own_names, **saved_names}
    optimizer.check(group)
    return group


def check_state(optimizer: Optimizer, p: Parameter, state: State, group: Group) -> State:
    """Return the saved state of a parameter, checked, as a step, numbers, and new arrays."""
    who, numbers = type(optimizer).__name__, optimizer.initial_numbers.keys()
    needed, counted = {*optimizer.initial_state(group), *numbers}, {"step"} if optimizer.counts_steps else set()
    if not needed | counted <= state.keys() or state.keys() - needed - {"step", *optimizer.state_names}:
        raise UsageError(
            f"{who}: the saved state of a parameter must match the optimizer, but has {', '.join(sorted(state))}.",
            f"{', '.join(sorted(needed | counted))}.",
            "load the state of the same kind of optimizer.",
        )
    arrays = {name: np.asarray(v).astype(p.dtype) for name, v in state.items() if name not in {"step", *numbers}}
    for name, array in arrays.items():
        if array.shape != p.shape:
            raise wrong_shape(p, name, array)
    return {"step": int(state.get("step", 1)), **{name: number(state[name], who, name) for name in numbers}, **arrays}
