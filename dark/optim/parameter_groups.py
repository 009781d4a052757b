"""Parameter groups: the first argument of an optimizer, checked and converted to one form."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from dark.checks import describe
from dark.errors import ShapeError, UsageError
from dark.nodes import Node, Parameter
from dark.typing import Array, Group

Params: TypeAlias = Iterable[Parameter | tuple[str, Parameter] | dict[str, Any]]


def as_groups(params: Params, who: str) -> list[Group]:
    """Return the first argument of an optimizer as a list of groups, dictionaries."""
    _check_iterable(params, who)
    groups: list[Any] = list(params)
    if not groups:
        raise _no_parameters(who, "the list of parameters is empty")
    return groups if isinstance(groups[0], dict) else [{"params": groups}]


def as_group(group: Group, who: str, defaults: dict[str, Any]) -> Group:
    """Return a complete group: parameters as a tuple, names apart, missing options from the defaults."""
    if not isinstance(group, dict) or "params" not in group:
        raise UsageError(
            f"{who}: {describe(group)} is not a parameter group.",
            'a dictionary with parameters under "params".',
            '{"params": layer.parameters(), "lr": 0.01}, and the same for every group.',
        )
    params = group["params"]
    if isinstance(params, Parameter):
        params = [params]
    _check_iterable(params, who)
    members, names = _split_names(list(params), who)
    for p in members:
        if not isinstance(p, Parameter):
            raise UsageError(
                f"{who}: cannot optimize {describe(p)}.",
                "a Parameter, or a pair (name, Parameter).",
                "dark.Parameter(value); for a module, module.parameters()",
            )
    complete = {**defaults, **group, "params": members}
    return {**complete, "param_names": names} if names else complete


def _split_names(params: list[Any], who: str) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Split pairs (name, parameter) into two tuples."""
    named = [isinstance(p, tuple) for p in params]
    if not any(named):
        return tuple(params), ()
    if not all(named) or any(len(p) != 2 for p in params):
        raise UsageError(
            f"{who}: all parameters or none must have a name, but {sum(named)} of {len(params)} have one.",
            "pairs (name, Parameter) for all parameters, or for none of them.",
            "module.named_parameters() or module.parameters()",
        )
    return tuple(p for _, p in params), tuple(name for name, _ in params)


def _check_iterable(params: object, who: str) -> None:
    """Raise if parameters are given as a single node, a module, a set or a dictionary."""
    if isinstance(params, Node):
        wrong, try_ = "must be a list, got a single node", f"{who}([x])"
    elif hasattr(params, "parameters"):
        wrong, try_ = f"must be given, got the {type(params).__name__} itself", "module.parameters()"
    elif isinstance(params, (set, frozenset)):
        wrong, try_ = "must have a fixed order, got a set", "a list of the same parameters"
    elif isinstance(params, (dict, str)) or not is_iterable(params):
        wrong, try_ = f"must be an iterable, got {describe(params)}", "module.parameters(), or a list of Parameters"
    else:
        return
    raise UsageError(f"{who}: parameters {wrong}.", "Parameters in a fixed order, or groups of them.", try_)


def is_iterable(values: object) -> bool:
    """Return whether an object can be iterated over; an array or tensor of no dimension cannot."""
    return hasattr(values, "__iter__") and getattr(values, "ndim", 1) != 0


def check_compatible(group: Group, groups: list[Group], who: str) -> None:
    """Raise if a new group has a duplicate parameter, or names where the other groups have none."""
    seen = {p for other in groups for p in other["params"]}
    for p in group["params"]:
        if p in seen:
            raise UsageError(
                f"{who}: a parameter must be in one group only once, but {p} is a duplicate.",
                "each parameter once, in one group.",
                "dict.fromkeys(parameters), which drops duplicates.",
            )
        seen.add(p)
    if any(("param_names" in group) != ("param_names" in other) for other in groups):
        raise UsageError(
            f"{who}: all groups or none must have names, but only some have.",
            "names for the parameters of all groups, or for none of them.",
            "module.named_parameters() or module.parameters() for all groups.",
        )


def check_trainable(groups: list[Group], who: str) -> None:
    """Raise unless at least one parameter requires a gradient."""
    members = [p for group in groups for p in group["params"]]
    if not members:
        raise _no_parameters(who, "every group is empty")
    if not any(p.requires_grad for p in members):
        raise _no_parameters(who, f"all {len(members)} are frozen")


def wrong_shape(p: Parameter, name: str, array: Array) -> ShapeError:
    """Return the error for a state whose shape differs from its parameter's shape."""
    problem = f"{name} of {p} must have the shape of its value, {p.shape}, got {array.shape}."
    return ShapeError(problem, "equal shapes.", "a new optimizer, or a value of the old shape.")


def describe_groups(groups: list[Group], who: str) -> str:
    """Return a description of an optimizer: for each group the size and the options, in one line."""
    lines = [f"{who}("]
    for i, group in enumerate(groups):
        n = len(group["params"])
        options = ", ".join(f"{name}={v}" for name, v in group.items() if name not in ("params", "param_names"))
        size = sum(p.size for p in group["params"])
        lines.append(f"  group {i}: {n} parameter{'s' * (n != 1)}, {size:,} numbers; {options}")
    return "\n".join([*lines, ")"])


def _no_parameters(who: str, reason: str) -> UsageError:
    return UsageError(
        f"{who}: no parameter to optimize; {reason}.",
        "at least one Parameter that requires a gradient.",
        "call module.parameters() again if the generator is exhausted; p.requires_grad = True unfreezes one.",
    )
