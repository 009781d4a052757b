"""Comparisons of nodes: elementwise, of the values, as NumPy's; ``x == y`` of two nodes compares the objects.

They record nothing: a comparison has no gradient.
"""

import operator
from collections.abc import Callable
from numbers import Number
from typing import Any, NoReturn

import numpy as np

from dark.errors import DarkError, OperationError, ShapeError
from dark.nodes.values import NodeBase, numpy_scalar, operand, shape_of, value_of
from dark.typing import Value

ADVICE = "np.equal(x, y), or x.value == y.value, to compare the values; x is y to compare the objects."

# The ufuncs that look at values alone: comparisons and predicates, and the sign, whose derivative is 0.
OF_VALUES = {
    np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal,
    np.sign, np.isnan, np.isfinite, np.isinf,
}  # fmt: skip


class SameNode:
    """Whether two nodes are the same object: the result of ``x == y`` and, negated, of ``x != y``.

    Python's `if`, `not`, `in` and `list.index` ask for its truth, so that lists, sets and dicts can hold
    nodes. NumPy would compare the values: so whatever takes it for an array or a number is refused.

    >>> import dark
    >>> x, y = dark.Parameter(1), dark.Parameter(1)
    >>> x == y
    False (two nodes are compared as objects)
    >>> x in [y, x], [y, x].index(x), "same" if x == x else "different"
    (True, 1, 'same')
    """

    __slots__ = ("_sign", "_truth")

    def __init__(self, truth: bool, sign: str) -> None:
        self._truth = truth
        self._sign = sign

    def __bool__(self) -> bool:
        return self._truth

    def __repr__(self) -> str:
        return f"{self._truth} (two nodes are compared as objects)"

    def __eq__(self, other: object) -> bool:
        return self._truth == bool(other) if isinstance(other, (bool, SameNode)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._truth)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise OperationError(
            f"x {self._sign} y: two nodes are compared as objects; the result, {self._truth}, is not an array.",
            "a comparison of values, where numbers, a mask or an index are needed.",
            ADVICE,
        )

    value = property(_refuse)  # which `as_value` looks for
    __array__ = __array_ufunc__ = __array_function__ = _refuse  # of NumPy's functions, arithmetic and indices
    __float__ = __int__ = __index__ = __complex__ = __neg__ = __pos__ = __abs__ = __invert__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __pow__ = __matmul__ = __and__ = __or__ = __xor__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = __rmatmul__ = __rand__ = __ror__ = __rxor__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = _refuse
    all = any = sum = mean = astype = item = _refuse


def of_values(function: Callable[..., Any], who: str, *inputs: Any, **settings: Any) -> Any:
    """Call a comparison with the values of its inputs; at least one is a node."""
    values = [value_of(x) if isinstance(x, NodeBase) else _checked(x, who) for x in inputs]
    if float in map(type, values):  # it has the dtype float64 in a node, and none as a Python number
        values = [numpy_scalar(v) if _is_float64(x) else v for x, v in zip(inputs, values)]
    try:
        return function(*values, **settings)
    except ValueError as error:
        if isinstance(error, DarkError) or not any(map(shape_of, values)):
            raise
        shapes = " and ".join(str(shape_of(v)) for v in values)
        raise ShapeError(
            f"{who}: shapes {shapes} do not match.",
            "shapes that are equal, or that broadcast: aligned at the right, each pair equal or 1.",
            "print the shapes; an axis of length 1, x[:, None], may be missing.",
        ) from None


def _checked(x: Any, who: str) -> Value:
    """Return an input as a value; a NumPy scalar as it is, since its dtype counts."""
    value = operand(x, who)
    return x if isinstance(x, np.generic) else value


def _is_float64(x: object) -> bool:
    return isinstance(x, NodeBase) and x._version >= 0  # a negative one marks Python numbers, see `leaves`


def _order(function: Callable[..., Any], sign: str) -> Callable[[Any, Any], Any]:
    """Return the method of nodes for one of the signs ``<``, ``<=``, ``>``, ``>=``."""

    def compare(self: Any, other: Any) -> Any:
        if type(other) is float or type(other) is int:
            return function(value_of(self), other)
        a, b = value_of(self), value_of(other)
        if type(a) is type(b) and (type(a) is float or b.dtype.kind in "fiub"):  # only to be faster
            try:
                return function(a, b)
            except ValueError:
                pass
        return of_values(function, sign, self, other)

    return compare


less, less_equal = _order(operator.lt, "<"), _order(operator.le, "<=")
greater, greater_equal = _order(operator.gt, ">"), _order(operator.ge, ">=")


def _equality(function: Callable[..., Any], identity: Callable[..., bool], sign: str) -> Callable[[Any, object], Any]:
    """Return the method of nodes for ``==`` or ``!=``."""

    def compare(self: Any, other: object) -> Any:
        if type(other) is float or type(other) is int:
            return function(value_of(self), other)
        if isinstance(other, NodeBase):
            return SameNode(identity(self, other), sign)
        if isinstance(other, (Number, list, tuple)) or hasattr(type(other), "__array__"):
            return of_values(function, sign, self, other)
        return NotImplemented  # None or a string, say: Python compares the objects

    return compare


equal, not_equal = _equality(operator.eq, operator.is_, "=="), _equality(operator.ne, operator.is_not, "!=")


def contains(self: Any, element: Any) -> bool:
    """Return whether an element of the value equals a number, as in ``2.0 in x``."""
    return bool(np.any(of_values(operator.eq, "in", self, element)))
