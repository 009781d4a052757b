"""The nodes of a graph: `Node`, and its two kinds of leaf, `Constant` and `Parameter`."""

import numpy as np

from dark.errors import GradientError, OperationError, near_misses
from dark.nodes.backward import backward
from dark.nodes.graph import topological_order
from dark.nodes.mode import clock
from dark.nodes.values import as_value

SIGNS: dict = {}  # "+" -> the function that builds its operation; filled as operations are defined
UFUNCS: dict = {}  # numpy.add -> the operation that is NumPy's function on nodes


class Node:
    """A value in a graph, and the place where its gradient arrives.

    A node made by an operation knows that operation and its inputs; a node made by hand is a leaf.

    Parameters
    ----------
    value : float
        One real number. Integers become floats.
    name : str, optional
        Stands in pictures and error messages.

    Attributes
    ----------
    op : type[Operation] or None
        What computed the value; None for a leaf.
    inputs : tuple of Node
        What it was computed from; empty for a leaf.
    value : float
        The number computed forward. Of a leaf it may be set; of a result it follows from the inputs.
    grad : float, Node or None
        What came back in `backward`; None before the first one. Leaves add up what every backward
        pass brings; results show the last pass. A Node after ``backward(create_graph=True)``.

    Raises
    ------
    ValueTypeError
        If `value` is not one real number.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10)
    >>> fx = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
    >>> fx.backward()
    >>> fx.value, x.grad
    (205.0, 40.0)
    """

    __slots__ = ("_stamp", "_value", "grad", "inputs", "name", "op", "settings")
    requires_grad = True

    def __init__(self, value, name=None):
        self._value = as_value(value, type(self).__name__)
        self._stamp = clock.now
        self.grad = self.op = self.settings = None
        self.inputs = ()
        self.name = name

    @property
    def value(self):
        """The number computed forward."""
        return self._value

    @value.setter
    def value(self, value):
        if self.op is not None:
            raise GradientError(
                f"{self}: the value of a result cannot be set; it follows from its inputs.",
                "a new value for a leaf.",
                "set the value of a Parameter and compute the result again.",
            )
        self._value = as_value(value, type(self).__name__)
        self._stamp = clock.tick()

    def backward(self, gradient=1.0, create_graph=False):
        """Send a gradient back from this node to every node it was computed from.

        Parameters
        ----------
        gradient : float or Node, default 1.0
            The derivative of the final quantity with respect to this node.
        create_graph : bool, default False
            Compute the gradients as nodes, so that they can be differentiated again.

        Raises
        ------
        GradientError
            If no node here takes a gradient, or a value was changed since it was used.

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
        if not isinstance(gradient, Node):
            gradient = as_value(gradient, "backward")
            if create_graph:
                gradient = Constant(gradient)
        elif not create_graph:
            gradient = gradient.value
        backward(self, gradient, create_graph)

    def zero_grad(self):
        """Set every gradient at and below this node to 0; a node that has none yet keeps None."""
        for node in topological_order(self):
            if node.grad is not None:
                node.grad = 0.0

    def detach(self):
        """Return the value as a `Constant`, cut off from the graph."""
        return Constant(self._value, self.name)

    def __repr__(self):
        name = f" {self.name!r}" if self.name else ""
        fields = f"value={self._value!r}"
        if self.op is not None:
            fields += f", operation={self.op.label()}"
        if self.grad is not None:
            fields += f", grad={self.grad!r}"
        return f"{type(self).__name__}{name}({fields})"

    def __format__(self, spec):
        return format(self._value, spec) if spec else repr(self)

    def __float__(self):
        return float(self._value)

    def __int__(self):
        return int(self._value)

    def __bool__(self):
        return bool(self._value)

    # Arithmetic signs build the graph. `==` stays identity, so that nodes can be keys and members.
    def __add__(self, other):
        return SIGNS["+"](self, other)

    def __radd__(self, other):
        return SIGNS["+"](other, self)

    def __sub__(self, other):
        return SIGNS["-"](self, other)

    def __rsub__(self, other):
        return SIGNS["-"](other, self)

    def __mul__(self, other):
        return SIGNS["*"](self, other)

    def __rmul__(self, other):
        return SIGNS["*"](other, self)

    def __truediv__(self, other):
        return SIGNS["/"](self, other)

    def __rtruediv__(self, other):
        return SIGNS["/"](other, self)

    def __pow__(self, other):
        return SIGNS["**"](self, other)

    def __rpow__(self, other):
        return SIGNS["**"](other, self)

    def __neg__(self):
        return SIGNS["neg"](self)

    def __pos__(self):
        return self

    def __abs__(self):
        return SIGNS["abs"](self)

    # Comparisons look at values and build nothing: they have no gradient.
    def __lt__(self, other):
        return self._value < value_of(other)

    def __le__(self, other):
        return self._value <= value_of(other)

    def __gt__(self, other):
        return self._value > value_of(other)

    def __ge__(self, other):
        return self._value >= value_of(other)

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        if ufunc in COMPARISONS and method == "__call__":
            return ufunc(*map(value_of, inputs), **settings)
        if ufunc not in UFUNCS or method != "__call__":
            raise OperationError(
                f"numpy.{ufunc.__name__} does not work on nodes.",
                "a NumPy function that is also an operation here.",
                f"use {near_misses(ufunc.__name__, [u.__name__ for u in UFUNCS])}.",
            )
        return UFUNCS[ufunc].apply(*inputs, **settings)


def result(value, op, inputs, settings=None):
    """Make the node that an operation computed, without checking again what was checked at the door."""
    node = _new(Node)
    node._value = value
    node._stamp = clock.now
    node.grad = None
    node.op = op
    node.inputs = inputs
    node.settings = settings
    node.name = None
    return node


_new = object.__new__
COMPARISONS = {np.less, np.less_equal, np.greater, np.greater_equal, np.sign, np.isnan, np.isfinite}


def value_of(x):
    """Return the value of a node, and anything else as it is."""
    return x._value if isinstance(x, Node) else x


class Constant(Node):
    """A leaf that takes no gradient, or a result computed from such leaves alone.

    Examples
    --------
    >>> Constant(2)
    Constant(value=2.0)
    """

    __slots__ = ()
    requires_grad = False

    @property
    def grad(self):
        """None: nothing is sent back to a constant."""
        return None

    @grad.setter
    def grad(self, gradient):
        if gradient is not None:
            raise GradientError(
                f"{self}: a constant takes no gradient, and was given {gradient!r}.",
                "a Parameter.",
                "make it a Parameter if it is to be trained.",
            )


class Parameter(Node):
    """A leaf that is to be optimised: its gradient adds up until it is cleared.

    Parameters
    ----------
    value : float
        The starting value.
    name : str, optional
        Stands in pictures and error messages.
    requires_grad : bool, default True
        False freezes it: no gradient is computed for it.

    Examples
    --------
    >>> x = Parameter(3, name="x")
    >>> x.value = x.value - 0.5
    >>> x
    Parameter 'x'(value=2.5)
    """

    __slots__ = ("requires_grad",)

    def __init__(self, value, name=None, requires_grad=True):
        super().__init__(value, name)
        self.requires_grad = requires_grad
