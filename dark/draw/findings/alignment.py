"""The alignment of two graphs: which of their nodes correspond."""

from difflib import SequenceMatcher
from typing import Any

import numpy as np

from dark.draw.findings.facts import Facts
from dark.draw.findings.leaves import (
    leaves_of_one_name,
    match_equal_parameters,
    match_leaves_of_pairs,
    parameters_below,
    signature,
)

MOST_CELLS = 250_000  # of a table of pairs; longer sequences are first divided at what both have in common
LAST = {"linear": "add"}  # the last operation of one that may be written with several


def align(first: list[Facts], second: list[Facts]) -> dict[int, int]:
    """Match the nodes of two graphs.

    Leaves with the same name belong together, then parameters with equal values and gradients, then results in
    topological order: by operation, shape, module, value and the parameters that they use, with the largest total
    similarity (Needleman and Wunsch, Journal of Molecular Biology 48, 1970). Other leaves follow from the operations
    that use them.
    """
    pairs = leaves_of_one_name(first, second)
    match_equal_parameters(first, second, pairs)
    mine, theirs = ([k for k, facts in enumerate(side) if facts.node.operation] for side in (first, second))
    for i, j in _aligned(first, second, mine, theirs, pairs):
        pairs[i] = j
    match_leaves_of_pairs(first, second, pairs)
    roots = len(first) - 1, len(second) - 1
    if roots[0] not in pairs and roots[1] not in pairs.values():
        pairs[roots[0]] = roots[1]
    return pairs


def in_order(first, second, pairs):
    """Return all nodes as (position in the first, in the second), None without a partner; leaves before their users."""
    mine, theirs = leaves_near_users(first), leaves_near_users(second)
    back = {j: i for i, j in pairs.items()}
    rows, done, place = [], set(), 0
    for i in mine:
        if i not in pairs:
            rows.append((i, None))
            continue
        if pairs[i] in done:
            continue
        while place < len(theirs) and theirs[place] != pairs[i]:
            j = theirs[place]
            if j not in done and j not in back:
                rows.append((None, j))
                done.add(j)
            elif j not in done:  # matched, but later in the first graph
                break
            place += 1
        rows.append((i, pairs[i]))
        done.add(pairs[i])
    rows += [(None, j) for j in theirs if j not in done and j not in back]
    return rows


def _aligned(first, second, mine, theirs, pairs):
    """Yield pairs of results; long sequences are divided where operation, shape and module agree."""
    if len(mine) * len(theirs) <= MOST_CELLS:
        yield from _best_path(first, second, mine, theirs, pairs)
        return
    keys = [
        [(side[k].operation, side[k].shape, side[k].node.path) for k in ks]
        for side, ks in ((first, mine), (second, theirs))
    ]
    head, tail = _common(*keys)
    yield from zip(mine[:head], theirs[:head])
    yield from zip(mine[len(mine) - tail :], theirs[len(theirs) - tail :])
    ends = len(mine) - tail, len(theirs) - tail
    i = j = head
    middle = keys[0][head : ends[0]], keys[1][head : ends[1]]
    for start, other, size in SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
        start, other = start + head, other + head
        between = mine[i:start], theirs[j:other]
        if len(between[0]) * len(between[1]) <= MOST_CELLS:
            yield from _best_path(first, second, *between, pairs)
        yield from zip(mine[start : start + size], theirs[other : other + size])
        i, j = start + size, other + size


def _common(mine, theirs):
    """Return how many elements two lists have in common at their beginning, and of the rest at their end."""
    shortest = min(len(mine), len(theirs))
    head = next((k for k in range(shortest) if mine[k] != theirs[k]), shortest)
    most = shortest - head
    return head, next((k for k in range(most) if mine[-1 - k] != theirs[-1 - k]), most)


def _best_path(first, second, mine, theirs, pairs):
    """Yield the pairs with the largest total similarity, in the order of both sequences."""
    if not mine or not theirs:
        return
    scores = _similarities(first, second, mine, theirs, pairs)
    n, m = scores.shape
    best = np.zeros((n + 1, m + 1))
    for i in range(n - 1, -1, -1):
        row, below, score = best[i], best[i + 1], scores[i]
        for j in range(m - 1, -1, -1):
            row[j] = max(below[j], row[j + 1], score[j] + below[j + 1] if score[j] > 0 else 0.0)
    i = j = 0
    while i < n and j < m:
        if scores[i, j] > 0 and best[i, j] == scores[i, j] + best[i + 1, j + 1]:
            yield mine[i], theirs[j]
            i, j = i + 1, j + 1
        elif best[i, j] == best[i + 1, j]:
            i += 1
        else:
            j += 1


def _similarities(first, second, mine, theirs, pairs):
    """Return how similar each pair of results is; 0 for one that must not be matched."""
    a, b = [first[i] for i in mine], [second[j] for j in theirs]
    operation, shape = (_equal(a, b, lambda facts, name=name: getattr(facts, name)) for name in ("operation", "shape"))
    path = _equal(a, b, lambda facts: facts.node.path or object())  # outside of all modules nothing agrees
    left, right = (np.array([signature(facts.value) for facts in side], dtype=float) for side in (a, b))
    with np.errstate(all="ignore"):
        values = np.isclose(left[:, None], right, rtol=1e-4, atol=1e-9).all(axis=2)
    parameters = np.zeros(values.shape, dtype=bool)
    users: dict[int, list[int]] = {}
    for j, facts in enumerate(b):
        for leaf in parameters_below(second, facts):
            users.setdefault(leaf, []).append(j)
    for i, facts in enumerate(a):
        for leaf in parameters_below(first, facts):
            parameters[i, users.get(pairs.get(leaf), [])] = True
    scores = 3.0 * operation + 1.0 * shape + 0.5 * path + 2.0 * values + 3.0 * parameters
    pairs_of_names = [[(x.operation, y.operation) for y in b] for x in a]
    ends = np.array([[LAST.get(x) == y or LAST.get(y) == x for x, y in row] for row in pairs_of_names])
    roots = np.outer([i == len(first) - 1 for i in mine], [j == len(second) - 1 for j in theirs])
    allowed = operation | (parameters & shape) | (values & shape) | roots
    return np.where(allowed, scores + roots + ends, 0.0)


def _equal(a, b, read):
    codes: dict[Any, int] = {}
    left, right = (np.array([codes.setdefault(read(facts), len(codes)) for facts in side]) for side in (a, b))
    return left[:, None] == right


def leaves_near_users(side):
    """Return the positions of the nodes, each leaf right before the first operation that uses it."""
    order, seen = [], set()
    for k, facts in enumerate(side):
        if facts.node.operation or k == len(side) - 1:
            order += [i for i in dict.fromkeys(facts.inputs) if not side[i].node.operation and i not in seen]
            seen.update(facts.inputs)
            order.append(k)
            seen.add(k)
    return order
