"""Where NaNs, infinite numbers, and gradients that are too small or too large begin."""

from collections.abc import Collection

import numpy as np

from dark.draw.findings.facts import Facts, Finding, root_mean_square
from dark.draw.graph.quotient import users_of

TESTS = {"nan": ("NaN", np.isnan), "inf": ("infinite", np.isinf)}


def find_anomalies(facts: list[Facts], kind: str, grads: dict[int, np.ndarray]) -> list[Finding]:
    """Return where NaNs ("nan") or infinite numbers ("inf") begin: in the values, else in the gradients."""
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
    users = users_of([each.inputs for each in facts])
    found = []
    for k in sorted(first_in_backward(facts, bad, grads.keys()), reverse=True):
        makers = " or ".join(dict.fromkeys(facts[user].title for user in users[k])) or "the start"
        is_known = bool(users[k]) and all(user in grads for user in users[k])
        words = f"its gradient is {name}, from the derivative of {makers}" + (", whose own gradient is not" * is_known)
        found.append(Finding(k, "gradient", f"gradient {name}", words))
    return found


def first_in_backward(facts: list[Facts], bad: set[int], known: Collection[int]) -> set[int]:
    """Return those of some nodes, by position, that no other of them precedes in the backward pass.

    Where the gradients of the nodes that use one are not `known`, as in PyTorch, it counts if no other of them is used
    later, in another module.
    """
    users = users_of([each.inputs for each in facts])
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


def find_flow(facts: list[Facts], grads: dict[int, np.ndarray], low: float, high: float) -> list[Finding]:
    """Return the nodes, from the last, whose known gradients have a root mean square below `low` or above `high`."""
    sizes = {k: root_mean_square(grad) for k, grad in grads.items()}
    users, found = users_of([each.inputs for each in facts]), []
    for sign, word, bound in (("below", "vanishing", low), ("above", "exploding", high)):
        bad = {k for k, size in sizes.items() if _verdict(size, low, high) == word}
        first = first_in_backward(facts, bad, sizes.keys())
        found += [
            Finding(k, "gradient", f"{sign} {bound:.3g}", _words(facts, k, sizes, users), k in first) for k in bad
        ]
    return sorted(found, key=lambda finding: -finding.place)


def flow_rows(facts, grads, low, high):
    """Return for each module the gradients of its last result and of its parameters, and if they vanish or explode."""
    modules: dict[tuple[str, ...], list[int]] = {}
    for k, each in enumerate(facts):
        if k in grads:
            modules.setdefault(each.node.path, []).append(k)
    rows = []
    for path, places in modules.items():
        results = [k for k in places if facts[k].node.operation]
        parameters = [grads[k] for k in places if facts[k].node.role == "parameter"]
        sizes = [root_mean_square(grads[results[-1]]) if results else None, _of_all(parameters)]
        words = dict.fromkeys(_verdict(size, low, high) for size in sizes if size is not None)
        numbers = ("" if size is None else f"{size:.3g}" for size in sizes)
        rows.append((".".join(path) or "outside", *numbers, " ".join(filter(None, words))))
    return rows


def _verdict(size, low, high):
    if size < low:
        return "vanishing"
    return "" if size <= high else "exploding"  # also NaN


def _of_all(arrays):
    if not arrays:
        return None
    total = sum(array.size for array in arrays)
    largest = max(root_mean_square(array) for array in arrays)
    if not 0 < largest < np.inf:
        return largest
    return largest * np.sqrt(sum(array.size * (root_mean_square(array) / largest) ** 2 for array in arrays) / total)


def _words(facts, k, sizes, users):
    if sizes[k] == 0:
        return "gradient is 0"
    before = max((sizes[user] for user in users[k] if user in sizes), default=0.0)
    words = f"gradient rms {sizes[k]:.3g}"
    if not facts[k].node.operation or not 0 < before < np.inf:
        return words
    return f"{words}, {sizes[k] / before:.2g} × that of {' or '.join(facts[user].title for user in users[k][:2])}"
