"""The differences of two graphs that are aligned: in structure, values and gradients."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dark.draw.findings.alignment import align, in_order
from dark.draw.findings.facts import Facts, short
from dark.draw.findings.spellings import written_differently

KINDS = ("structure", "value", "gradient")


@dataclass(frozen=True)
class Pair:
    """A node of a graph and its partner in the other; None for a node that has no partner."""

    first: Facts | None
    second: Facts | None
    places: tuple[int | None, int | None]  # their positions in both graphs
    differences: tuple[tuple[str, str], ...] = ()  # one of `KINDS`, and a phrase
    # The kinds of the differences that begin here: the values of all inputs agree, or the gradients of all users.
    begins: tuple[str, ...] = ()
    # The nodes of each graph with which this one is written, where the other graph writes it differently.
    parts: tuple[tuple[Facts, ...], tuple[Facts, ...]] = ((), ())

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the differences."""
        return tuple(kind for kind, _ in self.differences)


def pairs_of(
    first: list[Facts], second: list[Facts], names: tuple[str, str], rtol: float, atol: float
) -> tuple[Pair, ...]:
    """Return the pairs of two graphs in topological order, with their differences; see `compare`."""
    partners = align(first, second)
    rows = in_order(first, second, partners)
    back = {theirs: mine for mine, theirs in partners.items()}
    passed = all(any(facts.grad is not None for facts in side) for side in (first, second))
    found = {}
    for row in rows:
        if None in row:
            found[row] = [("structure", f"only in {names[row[0] is None]}")]
            continue
        a, b = first[row[0]], second[row[1]]
        mine, theirs = _known_inputs(first, row[0], partners), _known_inputs(second, row[1], back)
        same_inputs = mine is None or theirs is None or {partners[k] for k in mine} == theirs
        found[row] = [*_structure(a, b, same_inputs), *_numbers(a, b, names, rtol, atol, passed)]
    begins = _beginnings(first, second, rows, found)
    written = written_differently(first, second, partners, found)
    parts = [{k for nodes in written.values() for k in nodes[side]} for side in (0, 1)]
    return tuple(
        Pair(
            None if i is None else first[i],
            None if j is None else second[j],
            (i, j),
            () if (i, j) in written else tuple(found[i, j]),
            tuple(kind for kind in ("value", "gradient") if (i, j) in begins[kind]),
            (tuple(first[k] for k in sorted(mine)), tuple(second[k] for k in sorted(theirs))),
        )
        for i, j in rows
        if i not in parts[0] and j not in parts[1]
        for mine, theirs in [written.get((i, j), ((), ()))]
    )


def _beginnings(first, second, rows, found):
    """Return for values and gradients the rows where differences begin, as far as both graphs have them.

    A value that one graph does not know may differ if that of an input does, and a gradient if that of a node that
    uses it does, or a value that it is computed with.
    """
    place = [{row[side]: row for row in rows if row[side] is not None} for side in (0, 1)]
    graphs = first, second
    inputs = {
        row: [place[s][k] for s in (0, 1) if row[s] is not None for k in graphs[s][row[s]].inputs] for row in rows
    }
    users: dict[Any, list[Any]] = {row: [] for row in rows}
    for row in rows:
        for below in inputs[row]:
            users[below].append(row)
    differs = {kind: {row for row in rows if any(k == kind for k, _ in found[row])} for kind in KINDS}
    known = {row: None not in row and all(graphs[s][row[s]].value is not None for s in (0, 1)) for row in rows}
    values, grads = set(differs["value"]), set(differs["gradient"])
    for row in rows:
        if not known[row] and any(below in values for below in inputs[row]):
            values.add(row)
    starts = {row for row in differs["value"] if not any(below in values for below in inputs[row])}
    for row in reversed(rows):
        known_grad = None not in row and all(graphs[s][row[s]].grad is not None for s in (0, 1))
        if not known_grad and any(user in grads | values for user in users[row]):
            grads.add(row)
    ends = {row for row in differs["gradient"] if not any(user in grads or user in values for user in users[row])}
    return {"value": starts, "gradient": ends}


def _structure(a, b, same_inputs):
    if a.operation != b.operation:
        return [("structure", f"{a.node.operation or a.node.role} and {b.node.operation or b.node.role}")]
    if _shapes_differ(a, b):
        return [("structure", f"shape {a.shape} and {b.shape}")]
    return [] if same_inputs else [("structure", "other inputs")]


def _numbers(a, b, names, rtol, atol, passed):
    """Return the differences of values and gradients; `passed` is whether both graphs had a backward pass."""
    if _shapes_differ(a, b):
        return []
    found = [*_difference("value", a.value, b.value, rtol, atol), *_difference("gradient", a.grad, b.grad, rtol, atol)]
    one_misses = (a.grad is None) != (b.grad is None) and not (a.grad_is_unknown or b.grad_is_unknown)
    is_leaf = not a.node.operation and "constant" not in (a.node.role, b.node.role)
    if passed and one_misses and is_leaf:  # frameworks other than dark do not keep the gradients of results
        found.append(("gradient", f"only in {names[a.grad is None]}"))
    return found


def _shapes_differ(a, b):
    return a.shape is not None and b.shape is not None and tuple(a.shape) != tuple(b.shape)


def _difference(kind, a, b, rtol, atol):
    """Return how two arrays of one shape differ: by the largest difference, in % of the largest element, too."""
    if a is None or b is None:
        return []
    if a.shape != b.shape:
        return [(kind, f"shape {a.shape} and {b.shape}")]
    with np.errstate(all="ignore"):
        a, b = (x.astype(complex if x.dtype.kind == "c" else float) for x in (a, b))
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        if same.all():
            return []
        finite = np.isfinite(a) & np.isfinite(b)
        if not (same | finite).all():
            return [(kind, f"{short(a)} and {short(b)}" if a.ndim == 0 else "NaN or infinite in one of them")]
        largest = max(np.abs(a[finite]).max(initial=0.0), np.abs(b[finite]).max(initial=0.0))
        gap = float(np.abs(a - b)[finite].max(initial=0.0))
    if gap <= atol + rtol * largest:
        return []
    if a.ndim == 0:
        return [(kind, f"{short(a)} and {short(b)}")]
    return [(kind, f"off by {gap:.3g} ({100 * gap / largest:.2g} %)")]


def _known_inputs(side, k, partners):
    """Return the nearest nodes below that have a partner; None if a leaf without one is reached."""
    found, waiting, seen = set(), list(side[k].inputs), set()
    while waiting:
        below = waiting.pop()
        if below in partners:
            found.add(below)
        elif not side[below].inputs:
            return None
        elif below not in seen:
            seen.add(below)
            waiting += side[below].inputs
    return found
