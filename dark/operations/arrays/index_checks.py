"""Checks of the index in ``x[index]``, and its conversion to flat indices."""

import math
import operator

import numpy as np

from dark.checks import brief, describe, without_grad
from dark.errors import IndexingError
from dark.nodes import Node, value_of
from dark.nodes.changes import repeated
from dark.nodes.comparisons import ADVICE, SameNode
from dark.nodes.values import as_array, is_single_bool


def as_index(index, who):
    """Return a valid index that cannot change later: arrays are copied, nodes replaced by their values.

    >>> as_index((0, slice(1, None), [True, False]), "getitem")
    (0, slice(1, None, None), array([ True, False]))
    """
    if type(index) is tuple:
        return tuple([_entry(i, who) for i in index])
    return _entry(index, who)


def _entry(i, who):
    if type(i) is int or type(i) is bool or i is None or i is Ellipsis:
        return i
    if type(i) is slice:
        return slice(*[None if end is None else _as_integer(end, who) for end in (i.start, i.stop, i.step)])
    i = repeated(np.array, i) if isinstance(i, Node) and i.ndim else i
    value = value_of(i)
    if hasattr(type(value), "__array__") and not isinstance(value, (np.ndarray, np.generic, SameNode)):
        # of another library
        i = value = as_array(without_grad(value, who, "the index"), who, "the index")
    if isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim):
        return _array(value, who)
    return bool(value) if is_single_bool(value) else _as_integer(i, who)


def _array(value, who):
    try:
        is_array = isinstance(value, np.ndarray)
        indices = repeated(np.array, value) if is_array else np.array(value) if value else np.empty(0, int)
    except ValueError:  # nested lists of different lengths
        raise _invalid_index(value, who) from None
    if indices.dtype.kind not in "iub":
        raise _invalid_index(value, who)
    return indices


def _as_integer(i, who):
    value = value_of(i)
    if value is not i and type(value) is float and value.is_integer():
        return int(value)  # a node stores an integer as a float
    try:
        return operator.index(value)
    except TypeError:
        raise _invalid_index(value, who) from None


def _invalid_index(value, who):
    return IndexingError(
        f"{who}: {describe(value)} is not a valid index.",
        "integers, slices, None, ..., integer arrays, or bool masks.",
        ADVICE if isinstance(value, SameNode) else "int(...) or .astype(int).",
    )


def format_index(index):
    """Return an index as it is written in brackets; large arrays are abbreviated.

    >>> format_index((0, slice(1, None), Ellipsis, np.array([2, 3])))
    '[0, 1:, ..., array([2, 3])]'
    """
    return "[" + ", ".join(map(_format_entry, index if type(index) is tuple else (index,))) + "]"


def _format_entry(i):
    if type(i) is slice:
        start, stop, step = ("" if end is None else str(end) for end in (i.start, i.stop, i.step))
        return f"{start}:{stop}" + (f":{step}" if step else "")
    return "..." if i is Ellipsis else brief(i)


def may_repeat(index):
    """Return whether an index may select an element more than once: only integer arrays can.

    >>> may_repeat((0, slice(2), np.array([True]))), may_repeat(np.array([0, 0]))
    (False, True)
    """
    entries = index if type(index) is tuple else (index,)
    return any(isinstance(i, np.ndarray) and i.dtype.kind != "b" for i in entries)


def flat_indices(index, shape):
    """Return the indices of the selected elements in the flattened array.

    Only the axes up to the last one that is indexed are looked up; the rest is added. So selecting rows of a
    large table costs in proportion to the rows selected.

    >>> flat_indices(np.array([1, 1]), (2, 3))
    array([[3, 4, 5],
           [3, 4, 5]])
    """
    entries = index if type(index) is tuple else (index,)
    has_ellipsis = any(i is Ellipsis for i in entries)
    named = len(shape) if has_ellipsis else sum([_axes_named(i) for i in entries])
    head, tail = shape[:named], shape[named:]
    size = math.prod(tail)
    indices = np.arange(math.prod(head)).reshape(head)[index] * size
    return indices.reshape(indices.shape + (1,) * len(tail)) + np.arange(size).reshape(tail)


def _axes_named(i):
    if i is None or type(i) is bool:
        return 0
    return i.ndim if isinstance(i, np.ndarray) and i.dtype.kind == "b" else 1
