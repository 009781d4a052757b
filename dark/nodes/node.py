"""The nodes of a graph: `Node`, and its two kinds of leaf, `Constant` and `Parameter`."""

import numpy as np

from dark.errors import GradientError, OperationError, ShapeError
from dark.nodes.backward import backward
from dark.nodes.graph import topological_order
from dark.nodes.mode import clock, mode
from dark.nodes.protocols import FUNCTIONS, SIGNS, call_function, call_ufunc, value_of
from dark.nodes.sending import fitted
from dark.nodes.values import as_trained, as_value, brief, describe, own_gradient, shape_of


class Node:
    """A value in a graph, and the place where its gradient arrives.

    A node made by an operation knows that operation and its inputs; a node made by hand is a leaf.

    Parameters
    ----------
    value : float or array of float
        One real number (integers become floats), or an array, which is copied.
    name : str, optional
        Stands in pictures and error messages.

    Attributes
    ----------
    op : type[Operation] or None
        What computed the value; None for a leaf.
    inputs : tuple of Node
        What it was computed from; empty for a leaf.
    value : float or array
        What was computed forward. Of a leaf it may be set; of a result it follows from the inputs.
    grad : float, array, Node or None
        What came back in `backward`, in the shape of the value; None before the first one. Leaves add
        up what every backward pass brings; results show the last pass, if they hold at most
        `dark.nodes.sending.SHOWN` numbers or have a name. A Node after ``backward(create_graph=True)``.

    Raises
    ------
    ValueTypeError
        If `value` is neither a real number nor an array of floats.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10)
    >>> fx = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
    >>> fx.backward()
    >>> fx.value, x.grad
    (205.0, 40.0)
    """

    __slots__ = ("_grad", "_saved", "_seen", "_stamp", "_value", "inputs", "name", "op", "settings")
    requires_grad = True
    _door = staticmethod(as_trained)

    def __init__(self, value, name=None):
        self._value = self._door(value, type(self).__name__)
        self._stamp = clock.now
        self._grad = self.op = self.settings = None
        self.inputs = ()
        self.name = name

    @property
    def grad(self):
        """What came back in `backward`; None before the first one."""
        g, value = self._grad, self._value
        if type(g) is float and type(value) is np.ndarray:  # one number for a whole array, until somebody looks
            self._grad = g = np.full(value.shape, g, value.dtype)
        return g

    @grad.setter
    def grad(self, gradient):
        if gradient is None:
            self._grad = None
            return
        if not isinstance(gradient, Node):
            gradient = as_value(gradient, "grad")
        shape = shape_of(gradient)
        if shape and shape != self.shape:
            raise ShapeError(
                f"grad: a gradient of shape {shape} for {self}, of shape {self.shape}.",
                "the shape of the value, or one number for all of it.",
                "p.grad = None, or p.zero_grad(), takes a gradient away.",
            )
        self._grad = gradient if isinstance(gradient, Node) else own_gradient(gradient, self._value)

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
        if value is not self._value:  # `x.value -= step` has changed the array in its place
            self._value = self._door(value, type(self).__name__)
        self._stamp = clock.tick()

    @property
    def saved(self):
        """What the operation saved for its derivative; None if nothing, or if no graph was recorded."""
        return getattr(self, "_saved", None)

    @property
    def shape(self):
        """The shape of the value; of a number, the empty one."""
        return getattr(self._value, "shape", ())

    @property
    def ndim(self):
        """How many axes the value has."""
        return len(self.shape)

    @property
    def size(self):
        """How many numbers the value holds."""
        return getattr(self._value, "size", 1)

    @property
    def dtype(self):
        """The type of the numbers, as NumPy names it."""
        return getattr(self._value, "dtype", np.dtype(float))

    def backward(self, gradient=None, create_graph=False):
        """Send a gradient back from this node to every node it was computed from.

        Parameters
        ----------
        gradient : float, array or Node, optional
            The derivative of the final quantity with respect to this node, in the shape of its value;
            1 if not given, which serves a node that holds one number.
        create_graph : bool, default False
            Compute the gradients as nodes, so that they can be differentiated again.

        Raises
        ------
        GradientError
            If no node here takes a gradient, a value was changed since it was used, or the node
            holds many numbers and no gradient is given.
        ShapeError
            If `gradient` has another shape than the value.

        Notes
        -----
        Gradients that are nodes refer to the graph, and the graph to them: Python frees such a circle only
        when its garbage collector runs. In a loop `dark.grad` and `dark.hvp`, which leave nothing behind,
        need less memory.

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
        gradient = self._seed(gradient)
        if create_graph and not isinstance(gradient, Node):
            gradient = Constant(own_gradient(gradient, self._value))  # the caller may write into his array later
        elif not create_graph and isinstance(gradient, Node):
            gradient = gradient._value
        backward(self, gradient, create_graph)

    def _seed(self, gradient):
        if gradient is None:
            if type(self._value) is not np.ndarray:
                return type(self._value)(1.0)
            if self.size != 1:
                raise GradientError(
                    f"backward: the root is {describe(self._value)}, and no gradient was given.",
                    "a root that holds one number, or a gradient of the root's shape.",
                    "backward from the sum or the mean of it, or backward(gradient=...).",
                )
            return np.ones_like(self._value)
        if not isinstance(gradient, Node):
            gradient = as_value(gradient, "backward")
        if shape_of(gradient) != self.shape:
            raise ShapeError(
                f"backward: a gradient of shape {shape_of(gradient)} for a root of shape {self.shape}.",
                "two equal shapes.",
                f"np.broadcast_to(gradient, {self.shape}), if one number is meant for all.",
            )
        return fitted(gradient, self, self)

    def zero_grad(self):
        """Set every gradient at and below this node to 0; a node that has none yet keeps None."""
        for node in topological_order(self) if self.inputs else (self,):
            if node._grad is not None:
                node._grad = 0.0

    def detach(self):
        """Return a copy of the value as a `Constant`, cut off from the graph; later changes do not reach it."""
        value = self._value
        return Constant(value.copy() if type(value) is np.ndarray else value, self.name)

    def __repr__(self):
        name = f" {self.name!r}" if self.name else ""
        fields = f"value={brief(self._value)}"
        if self.op is not None:
            fields += f", operation={self.op.label()}"
        if self.grad is not None:
            fields += f", grad={brief(self.grad)}"
        return f"{type(self).__name__}{name}({fields})"

    def __reduce__(self):
        """Copy or save a leaf; a result without its graph would be another thing."""
        if self.op is not None:
            raise GradientError(
                f"{self}: a result cannot be copied or pickled, for its graph would come along.",
                "a leaf.",
                "copy x.detach(), or save the Parameters and compute the result again.",
            )
        return _leaf, (type(self), self._value, self.name, self.requires_grad, self.grad)

    def __format__(self, spec):
        return format(self._value, spec) if spec else repr(self)

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def item(self):
        """Return the one number that the node holds, as a Python float.

        Raises
        ------
        ShapeError
            If it holds several.
        """
        if mode.differentiating:
            raise OperationError(
                f"{self}: a derivative that is to be differentiated again made a node a plain number.",
                "arithmetic signs and NumPy's functions in _df, which work on nodes.",
                "np.cos(x) in place of math.cos(x), and no float(x).",
            )
        value = self._value
        if type(value) is float:
            return value
        if type(value) is np.ndarray and value.size != 1:
            raise ShapeError(
                f"item: the value is {describe(value)}.", "one number.", "choose one by its place, x[0, 0]."
            )
        return value.item()

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

    def __matmul__(self, other):
        return SIGNS["@"](self, other)

    def __rmatmul__(self, other):
        return SIGNS["@"](other, self)

    def __getitem__(self, index):
        return SIGNS["[]"](self, index)

    def __len__(self):
        if not self.ndim:
            raise ShapeError("len: the node holds one number.", "an array.", "x.size counts the numbers.")
        return len(self._value)

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    @property
    def T(self):
        """The node with its axes in reverse order."""
        return FUNCTIONS[np.transpose](self)

    def sum(self, axis=None, keepdims=False):
        """Add up along axes; see `dark.sum`."""
        return FUNCTIONS[np.sum](self, axis, keepdims)

    def mean(self, axis=None, keepdims=False):
        """Average along axes; see `dark.mean`."""
        return FUNCTIONS[np.mean](self, axis, keepdims)

    def max(self, axis=None, keepdims=False):
        """Take the largest along axes; see `dark.max`."""
        return FUNCTIONS[np.max](self, axis, keepdims)

    def min(self, axis=None, keepdims=False):
        """Take the smallest along axes; see `dark.min`."""
        return FUNCTIONS[np.min](self, axis, keepdims)

    def prod(self, axis=None, keepdims=False):
        """Multiply along axes; see `dark.prod`."""
        return FUNCTIONS[np.prod](self, axis, keepdims)

    def var(self, axis=None, *, ddof=0, keepdims=False):
        """Compute the variance along axes; see `dark.var`."""
        return FUNCTIONS[np.var](self, axis, ddof=ddof, keepdims=keepdims)

    def std(self, axis=None, *, ddof=0, keepdims=False):
        """Compute the standard deviation along axes; see `dark.std`."""
        return FUNCTIONS[np.std](self, axis, ddof=ddof, keepdims=keepdims)

    def cumsum(self, axis=None):
        """Add up as one goes along an axis; see `dark.cumsum`."""
        return FUNCTIONS[np.cumsum](self, axis)

    def clip(self, min=None, max=None):
        """Replace what lies beyond a bound by the bound; see `dark.clip`."""
        return FUNCTIONS[np.clip](self, min, max)

    def dot(self, other):
        """Multiply matrices or vectors; see `dark.dot`."""
        return FUNCTIONS[np.dot](self, other)

    def take(self, indices, axis=None):
        """Choose slices along an axis; see `dark.take`."""
        return FUNCTIONS[np.take](self, indices, axis)

    def repeat(self, repeats, axis=None):
        """Repeat each slice along an axis; see `dark.repeat`."""
        return FUNCTIONS[np.repeat](self, repeats, axis)

    def astype(self, dtype):
        """Give the numbers another type of float; the gradient comes back in the type they had.

        Raises
        ------
        ValueTypeError
            If the type is none of floats.

        Examples
        --------
        >>> import dark
        >>> dark.Parameter(np.ones(2)).astype(np.float32).dtype
        dtype('float32')
        """
        return FUNCTIONS[np.ndarray.astype](self, dtype)

    def reshape(self, *shape):
        """Arrange the same numbers in another shape; see `dark.reshape`."""
        return FUNCTIONS[np.reshape](self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes):
        """Reorder the axes; see `dark.transpose`."""
        return FUNCTIONS[np.transpose](self, (axes[0] if len(axes) == 1 else axes) or None)

    def flatten(self):
        """Arrange all numbers in one row."""
        return FUNCTIONS[np.reshape](self, -1)

    ravel = flatten

    def squeeze(self, axis=None):
        """Leave out axes of length 1; see `dark.squeeze`."""
        return FUNCTIONS[np.squeeze](self, axis)

    def swapaxes(self, axis1, axis2):
        """Exchange two axes; see `dark.swapaxes`."""
        return FUNCTIONS[np.swapaxes](self, axis1, axis2)

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
        return call_ufunc(ufunc, method, inputs, settings)

    def __array_function__(self, function, types, arguments, settings):
        return call_function(function, arguments, settings)

    def __array__(self, dtype=None, copy=None):
        raise OperationError(
            "numpy: a node cannot be made an array, for the graph would be lost.",
            "the value of the node.",
            "x.value; or dark.stack([...]) to join nodes.",
        )


def _leaf(kind, value, name, requires_grad, grad):
    """Make a leaf again from what `Node.__reduce__` kept of it."""
    leaf = kind(value, name)
    if kind is Parameter:
        leaf.requires_grad = requires_grad
    if grad is not None:
        leaf.grad = grad
    return leaf


def constant(value):
    """Make a `Constant` of a value that needs no check."""
    node = _new(Constant)
    node._value = value
    node._stamp = clock.now
    node._grad = node.op = node.settings = node.name = None
    node.inputs = ()
    return node


def result(value, op, inputs, settings=None):
    """Make the node that an operation computed, without checking again what was checked at the door."""
    node = _new(Node)
    node._value = value
    node._stamp = clock.now
    node._grad = None
    node.op = op
    node.inputs = inputs
    node.settings = settings
    node.name = None
    return node


_new = object.__new__


class Constant(Node):
    """A leaf that takes no gradient, or a result computed from such leaves alone.

    Examples
    --------
    >>> Constant(2)
    Constant(value=2.0)
    """

    __slots__ = ()
    requires_grad = False
    _door = staticmethod(as_value)

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
    value : float or array of float
        The starting value; an array is copied.
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
