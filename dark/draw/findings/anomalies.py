"""The first operations that make a NaN or an infinite number, in the values or in the gradients."""

from collections.abc import Collection

import numpy as np

from dark.draw.findings.facts import Facts, Finding

TESTS = {"nan": ("NaN", np.isnan), "inf": ("infinite", np.isinf)}


def find_anomalies(facts: list[Facts], kind: str, grads: dict[int, np.ndarray]) -> list[Finding]:
    """Return where NaNs or infinite numbers begin: in the values, else in the gradients that are known, by position.

    The nodes are in topological order; `kind` is "nan" or "inf".
    """
    name, test = TESTS[kind]
    bad = {k for k, each in enumerate(facts) if each.value is not None and test(each.value).any()}
    found = []
    for k in sorted(bad):
        below, unknown = _known_below(facts, k)
        if not bad.intersection(below):
            found.append(Finding(k, "value", name, _of_values(facts, k, below, unknown, test, name)))
    return found or _in_gradients(facts, grads, name, test)


def _of_values(facts, k, below, unknown, test, name):
    value = facts[k].value
    count = f"{int(test(value).sum())} of {value.size} elements" if value.ndim else "it"
    words = f"{count} {'are' if value.ndim else 'is'} {name}"
    if not facts[k].node.operation:
        return f"{words}: in the data"
    infinite = [i for i in below if name == "NaN" and np.isinf(facts[i].value).any()]
    words += "; its inputs are infinite" if infinite else "; its inputs are finite" if below else ""
    return words + (f", as far as known ({', '.join(facts[i].title for i in unknown[:3])} not)" if unknown else "")


def _in_gradients(facts, grads, name, test):
    """Return the nodes whose gradient is the first in the backward pass that is not finite."""
    bad = {k for k, grad in grads.items() if test(grad).any()}
    users = users_of(facts)
    found = []
    for k in sorted(first_in_backward(facts, bad, grads.keys()), reverse=True):
        makers = " or ".join(dict.fromkeys(facts[user].title for user in users[k])) or "the start"
        is_known = users[k] and all(user in grads for user in users[k])
        words = f"its gradient is {name}, from the derivative of {makers}" + (", whose own gradient is not" * is_known)
        found.append(Finding(k, "gradient", f"gradient {name}", words))
    return found


def first_in_backward(facts: list[Facts], bad: set[int], known: Collection[int]) -> set[int]:
    """Return those of some nodes, by position, that no other of them precedes in the backward pass.

    Where the gradients of the nodes that use one are not `known`, as in PyTorch, it counts if no other of them is used
    later, in another module.
    """
    users = users_of(facts)
    used_at = {k: min(users[k], default=k) if not facts[k].node.operation else k for k in bad}
    last = max(bad, key=used_at.__getitem__, default=-1)
    first = set()
    for k in bad:
        if users[k] and not any(user in known for user in users[k]):
            same_module = facts[k].node.path == facts[last].node.path != ()
            if k == last or same_module:
                first.add(k)
        elif not bad.intersection(users[k]):
            first.add(k)
    return first


def users_of(facts):
    """Return for each node the positions of the nodes that use it."""
    users: list[list[int]] = [[] for _ in facts]
    for k, each in enumerate(facts):
        for i in dict.fromkeys(each.inputs):
            users[i].append(k)
    return users


def _known_below(facts, k):
    """Return the nearest nodes below whose values are known, and those on the way whose values are not."""
    known, unknown, waiting = [], [], list(facts[k].inputs)
    seen = set()
    while waiting:
        i = waiting.pop()
        if i in seen:
            continue
        seen.add(i)
        if facts[i].value is not None:
            known.append(i)
        else:
            unknown.append(i)
            waiting += facts[i].inputs
    return known, unknown
