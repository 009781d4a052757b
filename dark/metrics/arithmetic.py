"""The signs between metrics: what they have in common is that each gives a function and its operands."""

import operator
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass


class Algebra(ABC):
    """What signs, an index and methods of the result can be applied to; how, `_applied` says.

    Examples
    --------
    >>> class Word(Algebra):
    ...     def _applied(self, function, *operands, **options):
    ...         return function.__name__, operands[-1]
    >>> Word() + 3, 2 // Word() == ("floordiv", Word())
    (('add', 3), False)
    """

    __array_ufunc__ = None  # array + metric is ours, not an array of metrics
    __iter__ = None  # an index gives a metric and never ends
    __contains__ = None

    @abstractmethod
    def _applied(self, function, *operands, **options):
        """Return what a function of operands, one of which this is, stands for."""

    def __add__(self, other):
        return self._applied(operator.add, self, other)

    def __radd__(self, other):
        return self._applied(operator.add, other, self)

    def __sub__(self, other):
        return self._applied(operator.sub, self, other)

    def __rsub__(self, other):
        return self._applied(operator.sub, other, self)

    def __mul__(self, other):
        return self._applied(operator.mul, self, other)

    def __rmul__(self, other):
        return self._applied(operator.mul, other, self)

    def __truediv__(self, other):
        return self._applied(operator.truediv, self, other)

    def __rtruediv__(self, other):
        return self._applied(operator.truediv, other, self)

    def __floordiv__(self, other):
        return self._applied(operator.floordiv, self, other)

    def __rfloordiv__(self, other):
        return self._applied(operator.floordiv, other, self)

    def __mod__(self, other):
        return self._applied(operator.mod, self, other)

    def __rmod__(self, other):
        return self._applied(operator.mod, other, self)

    def __pow__(self, other):
        return self._applied(operator.pow, self, other)

    def __rpow__(self, other):
        return self._applied(operator.pow, other, self)

    def __neg__(self):
        return self._applied(operator.neg, self)

    def __getitem__(self, index):
        return self._applied(operator.itemgetter(index), self)

    def __getattr__(self, name):
        # No method that a result has begins with an underscore; IPython asks for such names, and gets nothing built.
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}.")
        frame = sys._getframe(1)
        method = Method(name, f"{frame.f_code.co_filename}:{frame.f_lineno}")
        return lambda *args, **kwargs: self._applied(method, self, *args, **kwargs)


@dataclass(frozen=True)
class Method:
    """A method that a result will have: called when there is one.

    Examples
    --------
    >>> Method("upper", "here.py:3")("ab")
    'AB'
    """

    name: str
    place: str

    def __call__(self, result, *args, **kwargs):
        """Call the method of a result."""
        method = getattr(result, self.name, None)
        if method is None:
            raise AttributeError(
                f"Metric result of type '{type(result).__name__}' has no attribute '{self.name}'.\n"
                f"  Expected: a method that it has.\n"
                f"  Try: look at {self.place}, where '{self.name}' is asked for."
            )
        return method(*args, **kwargs)
