"""Parameter groups: what an optimiser is given, checked once and brought into one form."""

from dark.errors import UsageError
from dark.nodes import Node, Parameter
from dark.nodes.values import describe


def as_groups(params, who):
    """Make a list of groups of what an optimiser was given.

    Parameters
    ----------
    params : iterable
        Parameters, pairs (name, Parameter), or dictionaries, each with parameters under ``"params"``
        and the options in which they differ.
    who : str
        The optimiser, for messages.

    Returns
    -------
    list of dict

    Raises
    ------
    UsageError
        If it is nothing of the kind, or empty.
    """
    _refuse_what_is_no_list(params, who)
    groups = list(params)
    if not groups:
        raise _nothing(who, "the list of parameters is empty")
    return groups if isinstance(groups[0], dict) else [{"params": groups}]


def as_group(group, who, defaults):
    """Make a whole group of a dictionary: parameters as a tuple, names apart, options filled in.

    Raises
    ------
    UsageError
        If something in it is no Parameter, only some have names, or an option is unknown.
    """
    if not isinstance(group, dict) or "params" not in group:
        raise UsageError(
            f"{who}: {describe(group)} is no parameter group.",
            'a dictionary with parameters under "params".',
            '{"params": layer.parameters(), "lr": 0.01}, and the same for every group.',
        )
    params = group["params"]
    if isinstance(params, Parameter):
        params = [params]
    _refuse_what_is_no_list(params, who)
    members, names = _without_names(list(params), who)
    for p in members:
        if not isinstance(p, Parameter):
            raise UsageError(
                f"{who}: can train no {describe(p)}.",
                "a Parameter, or a pair (name, Parameter).",
                "make it a Parameter; of a module take module.parameters()",
            )
    whole = {**defaults, **group, "params": members}
    return {**whole, "param_names": names} if names else whole


def _without_names(params, who):
    """Split pairs (name, parameter) into two tuples."""
    named = [isinstance(p, tuple) for p in params]
    if not any(named):
        return tuple(params), ()
    if not all(named) or any(len(p) != 2 for p in params):
        raise UsageError(
            f"{who}: {sum(named)} of {len(params)} parameters come with a name.",
            "pairs (name, Parameter) for all of them, or for none.",
            "module.named_parameters() or module.parameters()",
        )
    return tuple(p for _, p in params), tuple(name for name, _ in params)


def _refuse_what_is_no_list(params, who):
    """Refuse a single node, a module, a set or a dictionary where parameters are to be listed."""
    if isinstance(params, Node):
        wrong, try_ = f"{who}: got one node in place of a list of them", f"{who}([x])"
    elif hasattr(params, "parameters"):
        wrong, try_ = f"{who}: got a {type(params).__name__} in place of its parameters", "module.parameters()"
    elif isinstance(params, (set, frozenset)):
        wrong, try_ = f"{who}: got a set, whose order changes from segment to segment", "a list of the same parameters"
    elif isinstance(params, (dict, str)) or not hasattr(params, "__iter__"):
        wrong, try_ = f"{who}: got {describe(params)}", "module.parameters(), or a list of Parameters"
    else:
        return
    raise UsageError(f"{wrong}.", "Parameters in a fixed order, or groups of them.", try_)


def refuse_what_cannot_join(group, groups, who):
    """Refuse a group with a parameter twice, or with names where the others have none.

    Raises
    ------
    UsageError
    """
    seen = {p for other in groups for p in other["params"]}
    for p in group["params"]:
        if p in seen:
            raise UsageError(
                f"{who}: {p} is there twice.",
                "each parameter in one place of one group.",
                "leave it out of one of them; dict.fromkeys(parameters) drops what comes again.",
            )
        seen.add(p)
    if any(("param_names" in group) != ("param_names" in other) for other in groups):
        raise UsageError(
            f"{who}: some groups come with names, others without.",
            "names for the parameters of all groups, or of none.",
            "module.named_parameters() or module.parameters() for all of them.",
        )


def refuse_nothing_to_train(groups, who):
    """Refuse groups in which no parameter can be moved.

    Raises
    ------
    UsageError
    """
    members = [p for group in groups for p in group["params"]]
    if not members:
        raise _nothing(who, "every group is empty")
    if not any(p.requires_grad for p in members):
        raise _nothing(who, f"all {len(members)} are frozen")


def _nothing(who, reason):
    return UsageError(
        f"{who}: no parameter to train; {reason}.",
        "at least one Parameter that takes a gradient.",
        "list module.parameters() again if it was a generator used before; p.requires_grad = True thaws one.",
    )
