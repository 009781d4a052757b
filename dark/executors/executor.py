"""`Executor`: a loss as an object that is computed from a context; `SumExecutor`: a sum of executors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any, Self

from dark.checks import describe, integer, is_bool, members
from dark.contexts import Context
from dark.errors import OperationError, UsageError, ValueTypeError
from dark.executors import reduction
from dark.executors.expression import Expression, Term
from dark.executors.reduction import elementwise_loss
from dark.nn import Loss
from dark.nodes import Node


class Executor(Expression, ABC):
    """Base class of losses that are computed from a context; they can be added, subtracted and scaled.

    A subclass defines ``call(self, context, **kwargs)``, which returns a number; or one loss for each example, and is
    decorated with `Executor.reduce_loss`. The object is called: ``executor(context, **kwargs)``.

    Each of ``a + b``, ``a - b``, ``-a``, ``2 * a``, ``a / 2`` and ``sum([a, b])`` is a new executor; `a` and `b` stay
    as they are. A factor is a real number or a function of the step, such as `linear`; together they are the `weight`.
    The `name` of a term in formulas and reports is by default the name of the class.

    Parameters
    ----------
    fn : Loss or callable, optional
        A loss of `dark.nn`. It is copied with ``reduction="none"``, and can be used in `call` as `self.fn`.

    Examples
    --------
    >>> class Distance(Executor):
    ...     def call(self, context, *, x, **kwargs):
    ...         return abs(x)
    >>> class Square(Executor):
    ...     def call(self, context, *, x, **kwargs):
    ...         return x * x
    >>> loss = 2 * Distance() - Square() / 4
    >>> loss
    2 * Distance - 0.25 * Square
    >>> loss(None, x=4.0).item(), loss.values()
    (4.0, {'Distance': 4.0, 'Square': 16.0})
    """

    players: tuple[str, ...] = ()  # the models whose loss it is, such as "generator"; a context refuses it for others
    _fn: Loss | None = None
    _given_batch_size: int | None = None
    _measured_batch_size: int | None = None
    _parts: tuple[Term, ...] = ()  # the terms of a sum, in the `call` that has just returned
    _is_recorded = True  # whether a training that records replays `call` as a whole

    reduce_loss = staticmethod(reduction.reduce_loss)
    reduce = staticmethod(reduction.reduce_loss)

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Refuse a class without `call`, with an error that names the method to define."""
        if cls.__abstractmethods__:
            raise OperationError(
                f"{cls.__name__} must define call.",
                "a method call(self, context, **kwargs) that returns the loss.",
                f"define it in class {cls.__name__}.",
            )
        return super().__new__(cls)

    def __init__(self, fn: Loss | Callable[..., Any] | None = None) -> None:
        self._fn = elementwise_loss(fn, type(self).__name__)

    @property
    def fn(self) -> Any:
        """The loss that the executor was built with, with ``reduction="none"``; None without one."""
        return self._fn

    @property
    def global_batch_size(self) -> int | None:
        """The number of examples by which losses are divided: the one that was set, else that of the last call."""
        return self._measured_batch_size if self._given_batch_size is None else self._given_batch_size

    @global_batch_size.setter
    def global_batch_size(self, size: int) -> None:
        self._given_batch_size = integer(size, type(self).__name__, "global_batch_size", 1)

    @property
    def is_reduced(self) -> bool:
        """Whether the value is divided by the global batch size, so that the values of parts of a batch add up.

        It is if `call` is decorated with `reduce_loss`, and of a sum if all terms are. A class whose `call` ensures it
        in another way, such as by that of its base class, has the attribute ``is_reduced = True``.
        """
        return getattr(type(self).call, "is_reduced", False)

    def measure(self, context: Any, count: int) -> int:
        """Return the size of the global batch of a call with `count` examples; called by `reduce_loss`."""
        if self._given_batch_size is not None:
            return self._given_batch_size
        size = getattr(context, "global_batch_size", None)
        self._measured_batch_size = count if size is None else size
        return self._measured_batch_size

    @abstractmethod
    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the loss from a context, without the weight: ``call(self, context, **kwargs)`` of a subclass."""

    def __call__(self, context: Context, **kwargs: Any) -> Node:
        """Return the weighted loss, a node of shape ().

        The keyword arguments are those of `call`, such as ``fake=…, real=…, condition=…, training=…``.
        """
        value, self._last = self.evaluate(context, **kwargs)
        return value

    def evaluate(self, context: Context, **kwargs: Any) -> tuple[Node, Term]:
        """Return the weighted loss and the tree of its terms in this call; `values` is unchanged."""
        recordings = getattr(context, "recordings", None)
        call = self.call if recordings is None or not self._is_recorded else recordings[self]
        value = reduction.as_scalar(call(context, **kwargs), self.name)
        weight = self.weight.of(context, self.name)
        term = Term(self.name, weight, float(value.value), self.weight.text, self._parts)
        return (value if weight == 1.0 else value * weight), term

    def _with_batch_size(self, size):
        """Return a copy with a size of the global batch."""
        new = self._copy()
        new.global_batch_size = size
        return new

    def __add__(self, other: Executor | int) -> Executor:
        if isinstance(other, Executor):
            return SumExecutor((self, other))
        if isinstance(other, Real) and not is_bool(other) and other == 0:  # where `sum` begins
            return self._copy()
        raise ValueTypeError(
            f"executor + {describe(other)} is not defined.",
            "another executor.",
            "an executor whose call returns this value; or add it to the result, executor(context) + value.",
        )

    __radd__ = __add__

    def __sub__(self, other: Executor | int) -> Executor:
        return self + (-other if isinstance(other, Executor) else other)

    def __rsub__(self, other: int) -> Executor:
        return -self + other


class SumExecutor(Executor):
    """The sum of executors, each with its own weight; ``a + b`` is one.

    A sum without a weight and without a name of its own is replaced by its terms. A size of the global batch that is
    set for the sum holds for all terms, and for terms that are added later. The terms are then copies: the executors
    that were added stay as they are.
    """

    _is_recorded = False  # each term is

    def __init__(self, executors: Iterable[Executor]) -> None:
        super().__init__()
        given = members(executors, "SumExecutor", "executors", "a list of executors.", "SumExecutor([a, b]).")
        for member in given:
            if not isinstance(member, Executor):
                raise ValueTypeError(
                    f"SumExecutor: terms must be executors, got {describe(member)}.",
                    "executors.",
                    "SumExecutor([a, b]).",
                )
        if not given:
            raise UsageError("SumExecutor: it must have a term.", "at least one executor.", "SumExecutor([a, b]).")
        self._executors: tuple[Executor, ...] = tuple(part for member in given for part in _terms_of(member))
        sizes = {member._given_batch_size for member in (*given, *self._executors)} - {None}
        if len(sizes) == 1:
            self.global_batch_size = sizes.pop()

    @property
    def executors(self) -> tuple[Executor, ...]:
        """The terms."""
        return self._executors

    @property
    def global_batch_size(self) -> int | None:
        """The number of examples by which losses are divided; setting it sets it for all terms."""
        return self._executors[0].global_batch_size if self._given_batch_size is None else self._given_batch_size

    @global_batch_size.setter
    def global_batch_size(self, size: int) -> None:
        self._given_batch_size = integer(size, self.name, "global_batch_size", 1)
        self._executors = tuple(member._with_batch_size(size) for member in self._executors)

    @property
    def is_reduced(self) -> bool:
        """Whether all terms are divided by the global batch size."""
        return all(member.is_reduced for member in self._executors)

    def call(self, context: Context, **kwargs: Any) -> Node:
        """Return the sum of the weighted terms, without the weight of the sum."""
        evaluated = [member.evaluate(context, **kwargs) for member in self._executors]
        self._parts = tuple([term for _, term in evaluated])
        total, *others = [value for value, _ in evaluated]
        for value in others:
            total = total + value
        return total


def _terms_of(executor):
    """Return the terms of a sum that has neither a weight nor a name of its own, and any other executor itself."""
    is_plain = type(executor) is SumExecutor and executor.weight.is_one and "name" not in vars(executor)
    return executor.executors if is_plain else (executor,)
