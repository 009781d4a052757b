"""What may stand in the brackets of ``x[...]``: checked at the door, and turned into places in memory order."""

import math
import operator

import numpy as np

from dark.checks import brief, describe
from dark.errors import IndexingError
from dark.nodes.values import value_of


def checked(index, who):
    """Return an index that NumPy takes and that nobody changes later: arrays are copied, nodes are read.

    Raises
    ------
    IndexingError
        For anything that means no place, such as a float.

    Examples
    --------
    >>> checked((0, slice(1, None), [True, False]), "getitem")
    (0, slice(1, None, None), array([ True, False]))
    """
    if type(index) is tuple:
        return tuple([_entry(i, who) for i in index])
    return _entry(index, who)


def _entry(i, who):
    if type(i) is int or type(i) is bool or i is None or i is Ellipsis:
        return i
    if type(i) is slice:
        return slice(*[None if end is None else _whole(end, who) for end in (i.start, i.stop, i.step)])
    value = value_of(i)
    if isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim):
        return _array(value, who)
    return bool(value) if isinstance(value, np.bool_) else _whole(i, who)


def _array(value, who):
    try:
        places = np.array(value) if len(value) or isinstance(value, np.ndarray) else np.empty(0, int)
    except ValueError:  # a list of lists of different lengths
        raise _no_index(value, who) from None
    if places.dtype.kind not in "iub":
        raise _no_index(value, who)
    return places


def _whole(i, who):
    value = value_of(i)
    if value is not i and type(value) is float and value.is_integer():
        return int(value)  # a node makes a float of its integer
    try:
        return operator.index(value)
    except TypeError:
        raise _no_index(value, who) from None


def _no_index(value, who):
    return IndexingError(
        f"{who}: {describe(value)} is no index.",
        "integers, slices, None, ..., arrays of integers, or masks (arrays of True and False).",
        "convert floats with int(...) or .astype(int).",
    )


def shown(index):
    """Write an index as it stands between brackets; of a large array, type and shape.

    Examples
    --------
    >>> shown((0, slice(1, None), Ellipsis, np.array([2, 3])))
    '[0, 1:, ..., array([2, 3])]'
    """
    return "[" + ", ".join(map(_shown, index if type(index) is tuple else (index,))) + "]"


def _shown(i):
    if type(i) is slice:
        start, stop, step = ("" if end is None else str(end) for end in (i.start, i.stop, i.step))
        return f"{start}:{stop}" + (f":{step}" if step else "")
    return "..." if i is Ellipsis else brief(i)


def may_repeat(index):
    """Say whether an index may name a place twice: only arrays of integers do.

    Examples
    --------
    >>> may_repeat((0, slice(2), np.array([True]))), may_repeat(np.array([0, 0]))
    (False, True)
    """
    entries = index if type(index) is tuple else (index,)
    return any(isinstance(i, np.ndarray) and i.dtype.kind != "b" for i in entries)


def places_in_memory(index, shape):
    """Number the places that an index names, row by row through an array of that shape.

    The axes at the end that the index leaves whole are numbered by addition, so that choosing rows of
    a large table costs what is chosen.

    Parameters
    ----------
    index : as in ``x[index]``
        Checked.
    shape : tuple of int
        The shape of `x`.

    Returns
    -------
    array of int, the shape of ``x[index]``

    Examples
    --------
    >>> places_in_memory(np.array([1, 1]), (2, 3))
    array([[3, 4, 5],
           [3, 4, 5]])
    """
    entries = index if type(index) is tuple else (index,)
    whole = any(i is Ellipsis for i in entries)
    named = len(shape) if whole else sum([_axes_named(i) for i in entries])
    head, tail = shape[:named], shape[named:]
    size = math.prod(tail)
    places = np.arange(0, math.prod(head) * size, size or 1).reshape(head)[index]
    return places.reshape(places.shape + (1,) * len(tail)) + np.arange(size).reshape(tail)


def _axes_named(i):
    if i is None or type(i) is bool:
        return 0
    return i.ndim if isinstance(i, np.ndarray) and i.dtype.kind == "b" else 1
