"""The leaves of two graphs that belong together: by name, by value and gradient, or by the operations that use them."""

from collections import Counter

import numpy as np

VIEWS = ("transpose", "reshape", "expand", "broadcast_in_dim", "squeeze", "unsqueeze")


def leaves_of_one_name(first, second):
    """Return the positions of leaves whose name is the only one of its kind in both graphs."""
    named: list[dict[str, int]] = [{}, {}]
    for side, found in zip((first, second), named):
        counts = Counter(facts.node.name for facts in side if not facts.node.operation)
        for k, facts in enumerate(side):
            if facts.node.name and not facts.node.operation and counts[facts.node.name] == 1:
                found[facts.node.name] = k
    return {i: named[1][name] for name, i in named[0].items() if name in named[1]}


def match_equal_parameters(first, second, pairs):
    """Match the parameters whose values and gradients are those of exactly one parameter in each graph."""
    taken = set(pairs.values())
    mine = [k for k, facts in enumerate(first) if facts.node.role == "parameter" and k not in pairs]
    theirs = [k for k, facts in enumerate(second) if facts.node.role == "parameter" and k not in taken]
    equal = np.array([[_same_parameter(first[i], second[j]) for j in theirs] for i in mine], dtype=bool)
    equal = equal.reshape(len(mine), len(theirs))
    for i, j in zip(*np.nonzero(equal)):
        if equal[i].sum() == equal[:, j].sum() == 1:
            pairs[mine[i]] = theirs[j]


def _same_parameter(a, b):
    known = [(x, y) for x, y in ((a.value, b.value), (a.grad, b.grad)) if x is not None and y is not None]
    return (
        a.value is not None
        and b.value is not None
        and all(x.shape == y.shape and np.allclose(x, y, rtol=1e-4, atol=1e-9, equal_nan=True) for x, y in known)
    )


def match_leaves_of_pairs(first, second, pairs):
    """Match leaves by the operations that use them: first equal values, then equal roles, shapes and order."""
    taken = set(pairs.values())
    for i, j in list(pairs.items()):
        mine = [k for k in _leaves_below(first, first[i]) if k not in pairs]
        theirs = [k for k in _leaves_below(second, second[j]) if k not in taken]
        for fits in (_same_leaf, lambda a, b: a.shape == b.shape and len({a.node.name, b.node.name} - {None}) < 2):
            for k in mine:
                partner = next((t for t in theirs if t not in taken and fits(first[k], second[t])), None)
                if k not in pairs and partner is not None:
                    pairs[k] = partner
                    taken.add(partner)


def _same_leaf(a, b):
    if a.value is None or b.value is None or a.shape != b.shape:
        return False
    mine, theirs = (np.array(signature(facts.value), dtype=float) for facts in (a, b))
    return bool(np.allclose(mine, theirs, rtol=1e-4, equal_nan=True))


def _leaves_below(side, facts):
    """Return the leaves that an operation uses, directly or as a transposed or reshaped view."""
    found = []
    for k in facts.inputs:
        while side[k].operation in VIEWS and side[k].inputs:
            k = side[k].inputs[0]
        if not side[k].node.operation:
            found.append(k)
    return found


def parameters_below(side, facts):
    """Return the parameters that an operation uses, directly or as a view."""
    return [k for k in _leaves_below(side, facts) if side[k].node.role == "parameter"]


def signature(value):
    """Return numbers that agree for equal arrays: size, sum, sum with alternating weights, and largest magnitude."""
    if value is None or not value.size:
        return (np.nan,) * 4
    flat = np.abs(value).astype(float).ravel()
    with np.errstate(all="ignore"):
        return value.size, flat.sum(), (flat * np.linspace(1.0, 2.0, flat.size)).sum(), flat.max()
