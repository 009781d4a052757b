"""Splitting a dataset into parts in which every class has its share."""

import math

import numpy as np

from dark.data.dataset_checks import checked_length, whole
from dark.data.subset import Subset
from dark.errors import ShapeError, UsageError, ValueTypeError


def split(dataset, fractions, *, labels=None, stratify=True, seed=0):
    """Deal the items of a dataset into parts, each class in proportion.

    Parameters
    ----------
    dataset : Dataset
        What to split. An array of labels is a dataset too; the `indices` of its parts are then what you want.
    fractions : sequence of float, or of int
        The share of each part, above 0 and summing to 1; or the sizes, summing to the number of items.
    labels : array, shape (n,), optional
        The class of each item: integers, booleans, strings, or floats that are whole. If not given, the dataset's
        `targets` (of a `TensorDataset` the last array), or a flat array itself.
    stratify : bool, default True
        Give every part its share of every class. Without it, no labels are needed.
    seed : int, default 0
        0 or more; the same seed gives the same parts.

    Returns
    -------
    tuple of Subset
        One for each fraction; disjoint, together everything, each in random order.

    Raises
    ------
    UsageError
        If the fractions do not fit, a part would be empty, a class has fewer members than there are parts, or
        there are no labels.
    ShapeError
        If there is not one label for each item.
    ValueTypeError
        If the labels are no classes.

    Notes
    -----
    The sizes are the shares of n rounded by largest remainder. With sizes s and n_k items of class k, part j gets
    n_k s_j / n of them, rounded up or down; a choice of ups and downs that meets all sizes exactly always exists
    (a flow in a network with whole capacities has a whole solution) and is found by augmenting paths.

    References
    ----------
    L. H. Cox, "A constructive procedure for unbiased controlled rounding", JASA 82 (1987).

    Examples
    --------
    >>> labels = np.array([0] * 6 + [1] * 4)
    >>> train, test = split(labels, (0.5, 0.5))
    >>> np.bincount(labels[train.indices]), np.bincount(labels[test.indices])
    (array([3, 2]), array([3, 2]))
    """
    n = checked_length(dataset, "split")
    generator = np.random.default_rng(whole(seed, "split", "seed"))
    sizes = part_sizes(n, fractions)
    kinds = _labels_of(dataset, labels, n) if stratify else np.zeros(n, dtype=np.intp)
    classes, counts = np.unique(kinds, return_counts=True)
    if stratify and counts.min() < len(sizes):
        k = int(counts.argmin())
        raise UsageError(
            f"split: class {classes[k].item()!r} has {counts[k]} members for {len(sizes)} parts.",
            f"at least {len(sizes)} members in every class.",
            "more of that class, fewer parts, or stratify=False.",
        )
    return tuple([Subset(dataset, indices) for indices in _dealt(kinds, classes, shares(counts, sizes), generator)])


def part_sizes(n, fractions):
    """Turn fractions, or sizes, into sizes that sum to n.

    Examples
    --------
    >>> part_sizes(1797, (0.8, 0.2))
    [1438, 359]
    """
    given = np.asarray(fractions)
    if given.ndim != 1 or not given.size or given.dtype.kind not in "iuf":
        raise ValueTypeError(
            f"split: fractions are {fractions!r}.", "a list of numbers, one for each part.", "(0.8, 0.2)"
        )
    wrong_sum = given.sum() != n if given.dtype.kind in "iu" else not math.isclose(given.sum(), 1)
    if wrong_sum:
        raise UsageError(
            f"split: {given.tolist()} sum to {given.sum():g}.",
            f"fractions that sum to 1, or sizes that sum to {n}.",
            "give every part its share, the last one 1 less the others.",
        )
    ideal = given * n if given.dtype.kind == "f" else given
    sizes = np.floor(ideal + 1e-9).astype(int)  # 0.29 · 100 is 28.999999999999996
    left = n - sizes.sum()
    sizes[np.argsort(sizes - ideal, kind="stable")[:left]] += 1
    if not given.min() > 0 or not sizes.all():
        raise UsageError(
            f"split: parts of {sizes.tolist()} items from {given.tolist()}.",
            "at least one item in each part.",
            "a larger fraction, or leave that part out.",
        )
    return sizes.tolist()


def shares(counts, sizes):
    """Say how many members of each class go into each part.

    Parameters
    ----------
    counts : array of int, shape (classes,)
        The members of each class.
    sizes : sequence of int, shape (parts,)
        The size of each part, with the same sum.

    Returns
    -------
    array of int, shape (classes, parts)
        Row sums are the counts, column sums the sizes; each number is the proportional one rounded up or down.

    Examples
    --------
    >>> shares([5, 5], [7, 3])
    array([[3, 2],
           [4, 1]])
    """
    product = np.outer(np.asarray(counts, dtype=object), sizes)  # Python's integers, which do not overflow
    floor, rest = (product // sum(sizes)).astype(int), (product % sum(sizes)).astype(float)
    room = (np.asarray(sizes) - floor.sum(axis=0)).tolist()
    up = np.zeros_like(floor)

    def place(k, tried):
        """Round up one more number of row k, others making room where they can."""
        for j in np.argsort(-rest[k], kind="stable").tolist():
            if not rest[k, j] or up[k, j] or j in tried:
                continue
            tried.add(j)
            if room[j]:
                room[j] -= 1
            else:
                mover = next((other for other in np.flatnonzero(up[:, j]).tolist() if place(other, tried)), None)
                if mover is None:
                    continue
                up[mover, j] = 0
            up[k, j] = 1
            return True
        return False

    for k, missing in enumerate((np.asarray(counts) - floor.sum(axis=1)).tolist()):
        for _ in range(missing):
            found = place(k, set())
            assert found, "a flow with whole capacities has a whole solution"
    return floor + up


def _dealt(kinds, classes, table, generator):
    """Give the indices of each part: the members of each class shuffled and dealt, then each part shuffled."""
    hands = [[] for _ in range(table.shape[1])]
    for kind, row in zip(classes, table):
        members = generator.permutation(np.flatnonzero(kinds == kind))
        for hand, dealt in zip(hands, np.split(members, np.cumsum(row)[:-1])):
            hand.append(dealt)
    return [generator.permutation(np.concatenate(hand)) for hand in hands]


def _labels_of(dataset, labels, n):
    if labels is None:
        flat = isinstance(dataset, (np.ndarray, list)) and np.ndim(dataset[0]) == 0
        labels = dataset if flat else getattr(dataset, "targets", None)
    if labels is None:
        raise UsageError(
            f"split: {type(dataset).__name__} does not say the classes of its items.",
            "labels, one for each item.",
            "labels=…, or stratify=False for parts without regard to classes.",
        )
    labels = np.asarray(labels)
    if labels.shape != (n,):
        raise ShapeError(
            f"split: labels of shape {labels.shape} for {n} items.",
            f"shape ({n},).",
            "labels.argmax(axis=1), if they are one-hot; stratify=False, if they are no classes.",
        )
    if labels.dtype.kind not in "biuUST" and not (labels.dtype.kind == "f" and np.all(labels == np.round(labels))):
        raise ValueTypeError(
            f"split: labels of type {labels.dtype} that are no classes.",
            "integers, booleans, strings, or floats that are whole.",
            "stratify=False for numbers that are measured.",
        )
    return labels
