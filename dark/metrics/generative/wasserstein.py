"""Sliced Wasserstein distance of two sets of points: the mean over directions of the distance of their projections."""

import numpy as np

CHUNK = 32  # directions projected at once


def sliced_distance(a, b, directions):
    """Return the mean over directions, unit vectors in rows, of the Wasserstein distance of the projections of points.

    Examples
    --------
    >>> points = np.array([[0.0, 0.0], [2.0, 0.0]])
    >>> sliced_distance(points, points + [3.0, 4.0], np.eye(2))
    3.5
    """
    chunks = np.array_split(directions, range(CHUNK, len(directions), CHUNK))
    return float(np.concatenate([distances(chunk @ a.T, chunk @ b.T) for chunk in chunks]).mean())


def distances(a, b):
    """Return the Wasserstein distance of order 1 of each row of a (k, n) and of b (k, m); an array (k,).

    It is the mean distance of the sorted numbers; of different counts n and m, the area between their quantile
    functions, which are constant on intervals with bounds i / n and j / m.

    Examples
    --------
    >>> distances(np.array([[0.0, 4.0]]), np.array([[1.0]]))
    array([2.])
    """
    a, b = np.sort(a), np.sort(b)
    n, m = a.shape[1], b.shape[1]
    if n == m:
        return np.abs(a - b).mean(axis=1)
    starts = np.union1d(np.arange(n) * m, np.arange(m) * n)  # in units of 1 / (n m)
    widths = np.diff(starts, append=n * m) / (n * m)
    return np.abs(a[:, starts // m] - b[:, starts // n]) @ widths


def unit_directions(dimensions, count, seed):
    """Return random unit vectors in rows, an array (count, dimensions)."""
    directions = np.random.default_rng(seed).normal(size=(count, dimensions))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)
