"""Where gradients vanish or explode: the nodes whose gradients are too small or too large, and where that begins."""

import numpy as np

from dark.draw.findings.anomalies import first_in_backward, users_of
from dark.draw.findings.facts import Facts, Finding, root_mean_square


def find_flow(facts: list[Facts], grads: dict[int, np.ndarray], low: float, high: float) -> list[Finding]:
    """Return the nodes whose known gradients have a root mean square below `low` or above `high`, last node first.

    It begins at a node if the gradients of all nodes that use it are not, as far as they are known.
    """
    sizes = {k: root_mean_square(grad) for k, grad in grads.items()}
    users, found = users_of(facts), []
    for sign, word, bound in (("below", "vanishing", low), ("above", "exploding", high)):
        bad = {k for k, size in sizes.items() if _verdict(size, low, high) == word}
        first = first_in_backward(facts, bad, sizes.keys())
        found += [
            Finding(k, "gradient", f"{sign} {bound:.3g}", _words(facts, k, sizes, users), k in first) for k in bad
        ]
    return sorted(found, key=lambda finding: -finding.place)


def flow_rows(facts, grads, low, high):
    """Return one row for each module in which a gradient is known: its gradients, and whether they vanish or explode.

    A module's own gradient is that of the last of its results; for its parameters, the root mean square of all.
    """
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
