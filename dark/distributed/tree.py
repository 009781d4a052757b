"""The fixed tree: the order in which the arrays of all shards are added, whoever computes them.

Floating-point addition is not associative: ``(a + b) + c`` and ``a + (b + c)`` may differ in the last bit. So every sum
over shards follows one binary tree, which depends on the number of shards alone:

    8 shards      0+1   2+3   4+5   6+7
                    \\   /       \\   /
                   0…3           4…7
                       \\        /
                         0 … 7

A process adds the parts of the tree that it has complete, and sends their sums; whoever receives them adds the rest.
Each addition has the same two operands wherever it is made, so the result has the same bits.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dark.checks import describe
from dark.errors import ShapeError, UsageError, ValueTypeError


def merge(sums: Mapping[tuple[int, int], Any], shards: int) -> dict[tuple[int, int], Any]:
    """Add the sums of neighboring subtrees, wherever both are present; return the largest sums, in ascending order.

    A sum over a range of shards has the key (start, stop), stop excluded; a single shard has (n, n + 1). If no
    shard is missing, the result is the sum of all, ``(0, shards)``.

    >>> merge({(0, 1): 1.0, (1, 2): 2.0, (2, 3): 4.0}, shards=4)
    {(0, 2): 3.0, (2, 3): 4.0}
    >>> merge({(0, 2): 3.0, (2, 3): 4.0, (3, 4): 8.0}, shards=4)
    {(0, 4): 15.0}
    """

    def visit(start, stop):
        if (start, stop) in sums:
            return {(start, stop): sums[start, stop]}
        if stop - start == 1:
            return {}
        middle = start + _left_half(stop - start)
        found = visit(start, middle) | visit(middle, stop)
        halves = (start, middle), (middle, stop)
        if found.keys() == set(halves):
            return {(start, stop): found[halves[0]] + found[halves[1]]}
        return found

    return visit(0, shards)


def tree_sum(arrays: Sequence[Any]) -> Any:
    """Add arrays, or numbers, one for each shard, in the order of the fixed tree: the whole algorithm in one process.

    >>> tree_sum([1e16, 1.0, -1e16, 1.0]), 1e16 + 1.0 - 1e16 + 1.0
    (0.0, 1.0)
    """
    arrays = _checked(arrays)
    return merge({(n, n + 1): array for n, array in enumerate(arrays)}, len(arrays))[0, len(arrays)]


def _checked(arrays):
    """Return the arrays of `tree_sum` as a list."""
    if not isinstance(arrays, Iterable) or isinstance(arrays, (str, bytes, Mapping)) or not getattr(arrays, "ndim", 1):
        raise ValueTypeError(
            f"tree_sum: {describe(arrays)} is not a sequence of arrays.",
            "arrays or numbers, one for each shard.",
            "tree_sum([first, second]); a single array is [array].",
        )
    found = list(arrays)
    for x in found:
        if not hasattr(x, "__add__") or type(x) in (list, tuple, bytes, str):
            problem = f"tree_sum: {describe(x)} is not an array."
            raise ValueTypeError(problem, "arrays or numbers, one for each shard.", "np.array(…)")
    if not found:
        raise UsageError(
            "tree_sum: the sequence must not be empty.", "at least one array, for one shard.", "[np.zeros(n)]"
        )
    shapes = list(dict.fromkeys(tuple(getattr(x, "shape", ())) for x in found))
    if len(shapes) > 1:
        problem = f"tree_sum: all arrays must have the same shape, got {', '.join(map(str, shapes))}."
        raise ShapeError(problem, "one shape.", "print the shapes.")
    return found


def _left_half(count):
    """Return the largest power of two below a count: the number of shards in the left subtree."""
    return 1 << (count - 1).bit_length() - 1
