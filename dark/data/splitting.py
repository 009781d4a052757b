"""Split a dataset into random parts, stratified by class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dark.checks import brief, integer
from dark.data.combined import Subset
from dark.data.dataset import Dataset
from dark.data.dataset_checks import as_array, checked_length
from dark.errors import ShapeError, UsageError, ValueTypeError, missing_extra

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def split(
    dataset: Dataset,
    fractions: Sequence[float],
    *,
    labels: ArrayLike | None = None,
    stratify: bool = True,
    seed: int = 0,
) -> tuple[Subset, ...]:
    """Split a dataset into stratified parts: disjoint, together the whole dataset, each in random order.

    Parameters
    ----------
    dataset : Dataset
        To get indices only, pass an array of labels and use the `indices` of the parts.
    fractions : sequence of float, or of int
        The fraction of each part, positive and summing to 1; or the sizes, summing to the number of items.
    labels : array, shape (n,), optional
        The class of each item: integers, bools, strings, or integral floats. Default: the dataset's `targets` (of a
        `TensorDataset` the last array), or a one-dimensional array itself.
    stratify : bool, default True
        Preserve the class proportions in every part; needs scikit-learn and labels.

    Notes
    -----
    Sizes are the fractions of n, rounded by the largest remainder method. Stratified parts are drawn one after the
    other by scikit-learn's `train_test_split`: with two parts, each class is divided in proportion, rounded up or
    down; with p parts, rounding errors add up to less than p items. If a part has fewer items than there are classes,
    the rarest classes are drawn together, as one.

    Examples
    --------
    >>> labels = np.array([0] * 6 + [1] * 4)
    >>> train, test = split(labels, (0.5, 0.5))
    >>> np.bincount(labels[train.indices]), np.bincount(labels[test.indices])
    (array([3, 2]), array([3, 2]))
    """
    n = checked_length(dataset, "split")
    generator = np.random.default_rng(integer(seed, "split", "seed", 0, wide=True))
    sizes = part_sizes(n, fractions)
    if stratify:
        parts = _stratified_parts(_classes(dataset, labels, n, len(sizes)), sizes, generator)
    else:
        parts = np.split(generator.permutation(n), np.cumsum(sizes)[:-1])
    return tuple([Subset(dataset, indices) for indices in parts])


def part_sizes(n, fractions):
    """Convert fractions, or sizes, into sizes that sum to n."""
    given = as_array(fractions, "split", "fractions")
    if given.ndim != 1 or not given.size or given.dtype.kind not in "iuf":
        problem = f"split: fractions must be a nonempty sequence of numbers, got {brief(fractions)}."
        raise ValueTypeError(problem, "a sequence of numbers, one per part.", "(0.8, 0.2)")
    has_wrong_sum = given.sum() != n if given.dtype.kind in "iu" else not math.isclose(given.sum(), 1)
    if has_wrong_sum:
        raise UsageError(
            f"split: {given.tolist()} must sum to 1 or {n}, but sum to {given.sum():g}.",
            f"fractions that sum to 1, or sizes that sum to {n}.",
            "1 minus the other fractions for the last part.",
        )
    ideal = given * n if given.dtype.kind == "f" else given
    sizes = np.floor(ideal + 1e-9).astype(int)  # 0.29 · 100 is 28.999999999999996
    remainder = n - sizes.sum()
    sizes[np.argsort(sizes - ideal, kind="stable")[:remainder]] += 1
    if not given.min() > 0 or not sizes.all():
        problem = f"split: every part needs an item, but {given.tolist()} gives parts of {sizes.tolist()} items."
        raise UsageError(problem, "at least one item in each part.", "a larger fraction, or omit that part.")
    return sizes.tolist()


def _stratified_parts(classes, sizes, generator):
    """Return the indices of each part; the parts are drawn one after the other."""
    try:
        from sklearn.model_selection import train_test_split
    except ImportError:
        raise missing_extra("scikit-learn", "lab") from None
    parts, rest = [], generator.permutation(len(classes))
    for size in sizes[:-1]:
        others = len(rest) - size
        pooled, seed = _pool_rare_classes(classes[rest], min(size, others)), int(generator.integers(2**32))
        part, rest = train_test_split(rest, train_size=size, test_size=others, stratify=pooled, random_state=seed)
        parts.append(part)
    return [*parts, rest]


def _pool_rare_classes(classes, limit):
    """Merge the rarest classes, so that at most `limit` remain and each has two members, as scikit-learn demands."""
    _, codes, counts = np.unique(classes, return_inverse=True, return_counts=True)
    if len(counts) <= limit and counts.min() >= 2:
        return codes
    kept = [k for k in np.argsort(-counts, kind="stable") if counts[k] >= 2][: limit - 1]
    merged = np.zeros(len(counts), dtype=int)  # 0: the pool
    merged[kept] = np.arange(1, len(kept) + 1)
    codes = merged[codes]
    if np.count_nonzero(codes == 0) == 1:  # too few for a class of its own: count it as the largest class
        codes[codes == 0] = 1
    return codes


def _classes(dataset, labels, n, parts):
    """Return the class of each item, and check that every class has enough members."""
    if labels is None:
        is_flat = isinstance(dataset, (np.ndarray, list)) and np.ndim(dataset[0]) == 0
        labels = dataset if is_flat else getattr(dataset, "targets", None)
    if labels is None:
        raise UsageError(
            f"split: {type(dataset).__name__} has no targets to stratify by.",
            "labels, one per item.",
            "labels=…, or stratify=False for a split that ignores classes.",
        )
    labels = as_array(labels, "split", "labels")
    if labels.shape != (n,):
        raise ShapeError(
            f"split: expected one label for each of {n} items, got labels of shape {labels.shape}.",
            f"shape ({n},).",
            "labels.argmax(axis=1) for one-hot labels; stratify=False if they are not classes.",
        )
    if labels.dtype.kind not in "biuUST" and not (labels.dtype.kind == "f" and np.all(labels == np.round(labels))):
        raise ValueTypeError(
            f"split: labels of dtype {labels.dtype} are not class labels.",
            "integers, bools, strings, or integral floats.",
            "stratify=False for continuous targets.",
        )
    classes, counts = np.unique(labels, return_counts=True)
    if counts.min() < parts:
        k = int(counts.argmin())
        raise UsageError(
            f"split: each class must have at least {parts} members, but {classes[k].item()!r} has {counts[k]}.",
            f"at least {parts} members in every class.",
            "more items of that class, fewer parts, or stratify=False.",
        )
    return labels
