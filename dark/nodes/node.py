"""The nodes of a computational graph: `Node`, and its two kinds of leaf, `Constant` and `Parameter`."""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.checks import brief
from dark.errors import GradientError
from dark.nodes import gradient_hooks
from dark.nodes.backward import backward
from dark.nodes.changes import array_for_user
from dark.nodes.grad_mode import versions
from dark.nodes.graph import topological_order
from dark.nodes.node_checks import check_assigned, check_copyable, check_name, check_settable, initial_gradient
from dark.nodes.operators import Operators
from dark.nodes.values import as_constant, as_differentiable, as_gradient, value_of
from dark.typing import ArrayLike, Gradient, Value


class Node(Operators):
    """A value in a computational graph, and its gradient.

    A node computed by an operation knows that operation and its inputs; one created by the user is a leaf.
    Comparisons, also ``==`` with a number or an array, compare values as NumPy does; ``x == y`` of two nodes
    asks whether they are the same object, and ``np.equal(x, y)`` compares their values.

    Parameters
    ----------
    value : float, array of float, or nested lists of numbers
        One real number (integers become floats), or an array, which is copied; lists become one.
    name : str, optional
        Shown in pictures and error messages.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10)
    >>> fx = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
    >>> fx.backward()
    >>> fx.value, x.grad
    (205.0, 40.0)
    """

    __slots__ = ("_grad", "_hooks", "_saved", "_value", "_version", "inputs", "module_calls", "name", "op", "settings")
    requires_grad: bool = True  # whether `backward` computes a gradient for this node
    op: type[Any] | None  # the operation that computed the value; None for a leaf
    inputs: tuple[Node, ...]  # its inputs; empty for a leaf
    settings: dict[str, Any] | None
    name: str | None
    _saved: Any
    _coerce = staticmethod(as_differentiable)
    register_hook = gradient_hooks.register

    def __init__(self, value: ArrayLike, name: str | None = None, **pytorch: Any) -> None:
        self._value = self._coerce(value, type(self).__name__)
        self._version = versions.now  # to detect values that change after they were used
        self._grad = self.op = self.settings = None
        self.inputs = ()
        self.name = name if name is None and not pytorch else check_name(name, type(self).__name__, pytorch)

    @property
    def value(self) -> Value:
        """The value computed in the forward pass, a float or an array; an array of a result is read-only.

        The value of a leaf can be set, and its array written into, but not between a forward pass and its `backward`.
        """
        return array_for_user(self) if type(self._value) is np.ndarray else value_of(self)

    @value.setter
    def value(self, value: ArrayLike) -> None:
        check_settable(self)
        if value is not self._value:  # it is the same array after `x.value -= step`
            self._value = self._coerce(value, type(self).__name__)
        self._version, self._seen = versions.advance(), None

    @property
    def grad(self) -> Any:
        """The gradient computed by `backward`, in the shape of the value; None before.

        Leaves accumulate it over passes; results hold the one of the last pass, unless they are large and have no name,
        see `dark.nodes.keeps_grad`. It is a Node after ``backward(create_graph=True)``.
        """
        g, value = self._grad, self._value
        if type(g) is float and type(value) is np.ndarray:  # an array of equal elements is stored as one float
            self._grad = g = np.full(value.shape, g, value.dtype)
        return g

    @grad.setter
    def grad(self, gradient: ArrayLike | None) -> None:
        if gradient is None:
            self._grad = None
            return
        gradient = check_assigned(gradient, self)
        self._grad = gradient if isinstance(gradient, Node) else as_gradient(gradient, self._value)

    @property
    def saved(self) -> Any:
        """The values that the operation saved for the backward pass; None if it saved nothing."""
        return getattr(self, "_saved", None)

    def backward(self, gradient: ArrayLike | None = None, create_graph: bool = False, **pytorch: Any) -> None:
        """Compute the gradient of this node with respect to every node it was computed from (backpropagation).

        Parameters
        ----------
        gradient : float, array or Node, optional
            The derivative of the final quantity with respect to this node, in the shape of its value;
            1 if not given, which needs a node with one element.
        create_graph : bool, default False
            Compute the gradients as nodes, so that they can be differentiated again.

        Notes
        -----
        With `create_graph`, the gradients refer to the graph and the graph to them: a reference cycle,
        freed only by the garbage collector. In a loop, `dark.grad` and `dark.hvp` need less memory.

        Examples
        --------
        >>> import dark
        >>> x = dark.Parameter(2)
        >>> (x**3).backward(create_graph=True)
        >>> first, x.grad = x.grad, None
        >>> first.backward()
        >>> first.value, x.grad
        (12.0, 12.0)
        """
        gradient = initial_gradient(self, gradient, pytorch)
        if isinstance(gradient, Node):
            gradient = gradient if create_graph else gradient._value
        elif create_graph:
            gradient = Constant(as_gradient(gradient, self._value))  # a copy: the caller may change his array
        backward(self, gradient, create_graph)

    def zero_grad(self) -> None:
        """Set the gradient of this node and of all nodes it was computed from to 0; None remains None."""
        for node in topological_order(self) if self.inputs else (self,):
            if node._grad is not None:
                node._grad = 0.0

    def detach(self) -> Constant:
        """Return a copy of the value as a `Constant`, detached from the graph."""
        value = value_of(self)
        return Constant(value.copy() if type(value) is np.ndarray else value, self.name)

    def __format__(self, spec: str) -> str:
        return format(value_of(self), spec) if spec else repr(self)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        operation = f", operation={self.op.label()}" if self.op is not None else ""
        grad = f", grad={brief(self.grad)}" if self.grad is not None else ""
        return f"{type(self).__name__}{name}(value={brief(value_of(self))}{operation}{grad})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the function and the fields with which `copy` and `pickle` rebuild a leaf."""
        check_copyable(self)
        return _leaf, (type(self), self._value, self.name, self.requires_grad, self.grad)


class Constant(Node):
    """A node that does not require grad.

    Examples
    --------
    >>> Constant(2)
    Constant(value=2.0)
    """

    __slots__ = ()
    requires_grad = False
    _coerce = staticmethod(as_constant)

    @property
    def grad(self) -> None:
        """None: a constant has no gradient."""
        return None

    @grad.setter
    def grad(self, gradient: ArrayLike | None) -> None:
        if gradient is not None:
            raise GradientError(
                f"{self}: a Constant does not require grad; its grad cannot be set to {gradient!r}.",
                "a Parameter.",
                "make it a Parameter if it is to be trained.",
            )


class Parameter(Node):
    """A trainable leaf; `backward` accumulates into its `grad` until that is cleared.

    Parameters
    ----------
    value, name
        See `Node`.
    requires_grad : bool, default True
        False freezes the parameter: no gradient is computed for it.

    Examples
    --------
    >>> x = Parameter(3, name="x")
    >>> x.value = x.value - 0.5
    >>> x
    Parameter 'x'(value=2.5)
    """

    __slots__ = ("requires_grad",)

    def __init__(self, value: ArrayLike, name: str | None = None, requires_grad: bool = True, **pytorch: Any) -> None:
        super().__init__(value, name, **pytorch)
        self.requires_grad = requires_grad


def _leaf(kind: type[Any], value: Value, name: str | None, requires_grad: bool, grad: Gradient) -> Any:
    """Return a leaf from the fields that `Node.__reduce__` saved."""
    leaf = kind(value, name)
    if kind is Parameter:
        leaf.requires_grad = requires_grad
    if grad is not None:
        leaf.grad = grad
    return leaf
