"""One computation, written with different operations: `addmm` is a matrix product and a sum."""

from functools import cache
from typing import NamedTuple

from dark.draw.findings.facts import Facts
from dark.draw.findings.leaves import VIEWS
from dark.draw.graph.quotient import users_of

NEGATIVE_LOG_LIKELIHOOD = "nll_loss"  # which is matched with a cross-entropy, and is only the end of one

# What each operation may be written with; views of an array count as nothing.
PARTS = {
    "linear": ("matmul", "add"),
    "cross_entropy": ("log_softmax", NEGATIVE_LOG_LIKELIHOOD),
    NEGATIVE_LOG_LIKELIHOOD: ("take", "gather", "index", "neg", "sub", "mean"),
    "log_softmax": ("softmax", "log", "logsumexp", "sub"),
    "softmax": ("exp", "sum", "max", "sub", "div", "logsumexp"),
    "logsumexp": ("exp", "sum", "log", "max", "sub", "add"),
    "log_sum_exp": ("logsumexp",),
    "mse_loss": ("sub", "square", "mean"),
    "mean": ("sum", "div"),
    "square": ("pow", "mul"),
    "sub": ("add", "neg"),
    "neg": ("mul",),
    "div": ("mul", "pow"),
}


class Written(NamedTuple):
    """The nodes of both graphs, by their positions, that belong to a pair which both write differently."""

    first: frozenset
    second: frozenset


def written_differently(
    first: list[Facts],
    second: list[Facts],
    partners: dict[int, int],
    found: dict[tuple[int, int], list[tuple[str, str]]],
) -> dict[tuple[int, int], Written]:
    """Find the pairs that compute the same from the same nodes, with other operations between.

    `partners` are the positions of the matched nodes, `found` the differences of each pair. A value that one graph does
    not know counts as equal only if the graphs agree in all numbers that both know, their results among them.
    """
    back = {j: i for i, j in partners.items()}
    off = {pair for pair, differences in found.items() if any(kind != "structure" for kind, _ in differences)}
    ends = len(first) - 1, len(second) - 1
    both_known = {(i, j) for i, j in partners.items() if first[i].value is not None and second[j].value is not None}
    all_agree = not off and ends in both_known
    users = [users_of([facts.inputs for facts in side]) for side in (first, second)]
    written = {}
    taken: tuple[set[int], set[int]] = (set(), set())
    for i, j in partners.items():
        mine, theirs = _between(first, i, partners, users[0]), _between(second, j, back, users[1])
        if not (all_agree or (i, j) in both_known) or mine is None or theirs is None or (i, j) in off:
            continue
        edge = {(k, partners[k]) for k in mine[1]}
        nodes = Written(frozenset(mine[0] - taken[0]), frozenset(theirs[0] - taken[1]))
        if not any(nodes) or edge & off or {k for _, k in edge} != theirs[1] or first[i].shape != second[j].shape:
            continue
        if _one_spelling(_operations(first, mine[0] | {i}), _operations(second, theirs[0] | {j})):
            written[i, j] = nodes
            taken[0].update(nodes.first)
            taken[1].update(nodes.second)
    return written


def _between(side, top, partners, users):
    """Return the nodes down to the matched ones, and these; None if they serve others, or are parameters."""
    inside, edge, waiting = set(), set(), list(side[top].inputs)
    while waiting:
        k = waiting.pop()
        if k in partners:
            edge.add(k)
        elif side[k].node.role == "parameter":
            return None
        elif k not in inside:
            inside.add(k)
            waiting += side[k].inputs
    outside = [k for k in inside if side[k].node.operation and not inside.issuperset({*users[k]} - {top})]
    return None if outside else (inside, edge)


def _operations(side, nodes):
    """Return the operations of some nodes, without views and leaves."""
    names = {side[k].node.operation.lower(): side[k].operation for k in nodes}
    return frozenset(name if name == NEGATIVE_LOG_LIKELIHOOD else names[name] for name in names) - {"", *VIEWS}


def _one_spelling(mine, theirs):
    """Return whether the operations of one side may be written with operations of the other."""
    mine, theirs = mine - theirs, theirs - mine
    if not (mine and theirs):
        return not (mine or theirs)
    return any(one <= set(PARTS) and other <= _parts_of(one) for one, other in ((mine, theirs), (theirs, mine)))


@cache
def _parts_of(operations):
    """Return the operations with their parts, the parts of these, and so on."""
    more = operations.union(*(PARTS.get(each, ()) for each in operations))
    return more if more == operations else _parts_of(more)
