"""The state of an optimiser as plain data, in the shape that PyTorch gives it, and back."""

import numpy as np

from dark.errors import UsageError
from dark.optim.parameter_groups import as_group
from dark.optim.parameter_vector import wrong_shape
from dark.optim.vector_store import copied

ONLY_PYTORCHS = {"foreach", "fused", "capturable", "differentiable"}  # how PyTorch computes, not what


def pack(optimizer):
    """Copy an optimiser's state into plain data; see `Optimizer.state_dict`."""
    order = [p for group in optimizer.param_groups for p in group["params"]]
    number = {p: i for i, p in enumerate(order)}
    groups = [
        {
            **{name: list(v) if name == "param_names" else v for name, v in group.items() if name != "params"},
            "params": [number[p] for p in group["params"]],
        }
        for group in optimizer.param_groups
    ]
    state, packed = optimizer.state, {}
    for group in optimizer.param_groups:
        blank = optimizer.initial_state(group)
        for p in group["params"]:
            if p in state:  # what is asked for from now on counts as not yet begun
                begun = {name: np.full(p.shape, start, p.dtype) for name, start in blank.items()} | copied(state[p])
                packed[number[p]] = begun if optimizer.counts_steps else without_step(begun)
    return {"state": packed, "param_groups": groups}


def without_step(state):
    """Leave the step out of a state."""
    return {name: v for name, v in state.items() if name != "step"}


def unpack(optimizer, saved):
    """Check a saved state and return groups and states of parameters; see `Optimizer.load_state_dict`.

    Raises
    ------
    UsageError
        If it is no such state, or one of other groups or of another kind of optimiser.
    ShapeError
        If something in it has another shape than its parameter.
    """
    who = type(optimizer).__name__
    if not _is_state(saved):
        raise UsageError(
            f"{who}: this is no saved state of an optimiser.",
            'a dictionary with "state" and "param_groups", a list of groups with their "params".',
            "what optimizer.state_dict() gave.",
        )
    mine, theirs = optimizer.param_groups, saved["param_groups"]
    sizes = [len(group["params"]) for group in mine], [len(group["params"]) for group in theirs]
    if sizes[0] != sizes[1]:
        raise UsageError(
            f"{who}: the saved groups hold {sizes[1]} parameters, the groups here {sizes[0]}.",
            "groups of the same sizes.",
            "build the optimiser as it was when its state was saved.",
        )
    groups = [_merged(group, other, optimizer) for group, other in zip(mine, theirs)]
    states = {}
    for group, other in zip(groups, theirs):
        for p, i in zip(group["params"], other["params"]):
            state = saved["state"].get(i, saved["state"].get(str(i)))  # JSON makes text of the numbers
            state = {name: v for name, v in (state or {}).items() if v is not None}
            if state:
                states[p] = _checked(p, state, group, optimizer)
    return groups, states


def _is_state(saved):
    """Say whether something has the form of a state: a dict of dicts, and a list of groups."""
    if not (isinstance(saved, dict) and {"state", "param_groups"} <= saved.keys()):
        return False
    states, groups = saved["state"], saved["param_groups"]
    if not (isinstance(states, dict) and all(isinstance(state, dict) for state in states.values())):
        return False
    return isinstance(groups, (list, tuple)) and all(isinstance(g, dict) and "params" in g for g in groups)


def _merged(mine, theirs, optimizer):
    """Return a group with my parameters and the saved options."""
    who = type(optimizer).__name__
    options = {name: v for name, v in theirs.items() if name != "params" and name not in ONLY_PYTORCHS}
    later = {name for name, v in optimizer.defaults.items() if isinstance(v, bool)}  # PyTorch added these by and by
    missing = optimizer.defaults.keys() - options.keys() - later
    if missing:
        raise UsageError(
            f"{who}: a saved group has no {', '.join(sorted(missing))}.",
            f"the options of {who}: {', '.join(optimizer.defaults)}.",
            "load the state of the same kind of optimiser.",
        )
    names = {"param_names": tuple(options.pop("param_names"))} if "param_names" in options else {}
    kept = {"param_names": mine["param_names"]} if "param_names" in mine else {}
    group = {**as_group({**options, "params": mine["params"]}, who, optimizer.defaults), **kept, **names}
    optimizer.check(group)
    return group


def _checked(p, state, group, optimizer):
    """Return the saved state of one parameter as a step and arrays of its own."""
    who, needed = type(optimizer).__name__, set(optimizer.initial_state(group))
    names = state.keys() - {"step"}
    counts = not optimizer.counts_steps or "step" in state
    if not needed <= names or names - needed - set(optimizer.state_names) or not counts:
        raise UsageError(
            f"{who}: a parameter's saved state holds {', '.join(sorted(state))}.",
            f"{', '.join(sorted(needed | ({'step'} if optimizer.counts_steps else set())))}.",
            "load the state of the same kind of optimiser.",
        )
    arrays = {name: np.asarray(state[name]).astype(p.dtype) for name in names}
    for name, array in arrays.items():
        if array.shape != p.shape:
            raise wrong_shape(p, name, array)
    return {"step": int(state.get("step", 1)), **arrays}
