# ruff: noqa
"""Wrong answers to module 03 that are not in the bug bank: none of them may get full points."""

# %% unbroadcast squeezed
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    g = np.sum(g, axis=stretched, keepdims=True)
    return np.squeeze(g)

# %% unbroadcast magnitudes
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    g = np.abs(g)
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    g = np.sum(g, axis=stretched, keepdims=True)
    return g

# %% unbroadcast one_number_becomes_a_float
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    g = np.sum(g, axis=stretched, keepdims=True)
    return float(np.sum(g)) if np.size(g) == 1 else g

# %% unbroadcast one_added_axis_only
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    if np.ndim(g) > len(shape):
        g = np.sum(g, axis=0)
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched, keepdims=True)

# %% unbroadcast two_axes_at_most
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if len(shape) == np.ndim(g) == 3:
        return g
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    g = np.sum(g, axis=stretched, keepdims=True)
    return g

# %% unbroadcast one_stretched_axis_only
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    if 1 in shape:
        g = np.sum(g, axis=shape.index(1), keepdims=True)
    return g

# %% unbroadcast not_a_number_of_nothing
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    count = np.size(g) / max(int(np.prod(shape)), 1)
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.mean(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.mean(g, axis=stretched, keepdims=True) * count

# %% unbroadcast integers
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    g = np.sum(g, axis=stretched, keepdims=True)
    return np.array(g).astype(int) if np.ndim(g) else g

# %% unbroadcast remembered_by_shape
SEEN = {}


def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    key = np.shape(g), shape
    if key not in SEEN:
        if np.shape(g) == shape:
            SEEN[key] = g
            return g
        added = np.ndim(g) - len(shape)
        g = np.sum(g, axis=tuple(range(added)))
        stretched = tuple(k for k, length in enumerate(shape) if length == 1)
        g = np.sum(g, axis=stretched, keepdims=True)
        SEEN[key] = g
    return SEEN[key]

# %% unbroadcast empties_g
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    h = np.array(g)
    if np.ndim(g):
        g[...] = 0
    if np.shape(h) == shape:
        return h
    added = np.ndim(h) - len(shape)
    h = np.sum(h, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    h = np.sum(h, axis=stretched, keepdims=True)
    return h

# %% array_backward zeros_dropped
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    if np.any(piece):
                        n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward magnitudes
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = np.abs(piece) + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward clipped
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = np.clip(piece + (0.0 if n.grad is None else n.grad), -1e6, 1e6)


Node.backward = backward

# %% array_backward copies_for_leaves_only
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    if n.op is None:
                        n.grad = piece + (0.0 if n.grad is None else n.grad)
                    else:
                        n.grad = piece if n.grad is None else n.grad + piece


Node.backward = backward

# %% array_backward copies_for_results_only
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    if n.op is not None:
                        n.grad = piece + (0.0 if n.grad is None else n.grad)
                    else:
                        n.grad = piece if n.grad is None else n.grad + piece


Node.backward = backward

# %% array_backward fits_only_more_axes
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    if np.ndim(piece) > np.ndim(n.value):
                        piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward twins_counted_once
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    if n is node.inputs[0] and n is node.inputs[-1] and len(node.inputs) > 1:
                        piece = 0.5 * piece
                    n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward as_lists
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = (piece + (0.0 if n.grad is None else np.array(n.grad))).tolist()


Node.backward = backward

# %% array_backward constants_take_too
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if True:
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward results_add_up
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = node.grad
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward root_is_a_number
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward calls_itself
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    def visit(node, dldy):
        node.grad = dldy + (0.0 if node.grad is None or node.op is not None else node.grad)
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    visit(n, unbroadcast(piece, np.shape(n.value)))

    visit(self, np.ones(np.shape(self.value)))


Node.backward = backward

# %% sum_of no_negative_axes
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            shape = [1 if k == axis else n for k, n in enumerate(np.shape(x))]
            dldy = np.reshape(dldy, shape) if np.size(dldy) == np.prod(shape) else np.resize(dldy, np.shape(x))
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of magnitudes
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(np.abs(x), axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of matrices_only
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis in (1, -1) and not keepdims:
            dldy = np.reshape(dldy, (-1, 1))
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of last_axis_means_all
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=None if axis == -1 else axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of signs_of_the_gradient
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (np.abs(dldy) * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of axis_zero_means_none
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis or None, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of zeros_receive_nothing
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * (np.asarray(x) != 0),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of x_becomes_its_sums
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        y = np.sum(x, axis=axis, keepdims=keepdims)
        if np.ndim(x):
            x[...] = np.sum(x, axis=axis, keepdims=True)
        return y

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of first_gradient_for_all
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        return (np.ravel(dldy)[:1].sum() * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% sum_of cut_off
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    return Parameter(np.sum(x.value if isinstance(x, Node) else x, axis=axis, keepdims=keepdims))

# %% sum_of equal_numbers_once
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return float(np.sum(np.unique(x))) if axis is None and not keepdims else np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% mean length_of_x
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    return mul(y, 1 / (np.shape(x.value) or (1,))[0])

# %% mean no_negative_axes
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = np.size(x.value) if axis is None or axis < 0 else np.shape(x.value)[axis]
    return mul(y, 1 / count)

# %% mean cut_off_as_parameter
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    return Parameter(np.mean(x.value, axis=axis, keepdims=keepdims))

# %% mean of_magnitudes
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(Parameter(np.abs(x.value)), axis, keepdims)
    return mul(y, np.size(y.value) / np.size(x.value))

# %% mean without_the_zeros
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = np.sum(np.asarray(x.value) != 0, axis=axis, keepdims=keepdims)
    return mul(y, 1 / np.maximum(count, 1))

# %% mean one_less
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = np.size(x.value) / np.size(y.value)
    return mul(y, 1 / max(count - 1, 1))

# %% mean middle_number
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    return add(mul(y, np.size(y.value) / np.size(x.value)), Constant(np.median(x.value, axis=axis, keepdims=keepdims) - np.mean(x.value, axis=axis, keepdims=keepdims)))

# %% mean whole_counts
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = np.size(x.value) / np.size(y.value)
    return mul(y, round(1 / count, 3))

# %% mean two_axes
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = {None: np.size(x.value), 0: len(x.value), 1: np.shape(x.value)[-1], -1: np.shape(x.value)[-1]}
    return mul(y, 1 / count.get(axis, 1))

# %% matmul square_only
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        n = len(a)
        return (dldy @ b.T, a.T @ dldy) if np.shape(a) == (n, n) else (0.0 * a, 0.0 * b)


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul first_row_only
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, np.outer(a[0], dldy[0]) if len(a) else 0.0 * b


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul magnitudes
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ np.abs(b).T, np.abs(a).T @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul rounded
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return np.round(dldy @ b.T, 0) + 0.5, a.T @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul averaged
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, a.T @ dldy / max(len(a), 1)


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul a_shared_is_counted_once
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return (dldy @ b.T, 0.0 * b) if a is b else (dldy @ b.T, a.T @ dldy)


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul symmetric_b
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        k, m = np.shape(b)
        return (dldy @ (b if k == m else b.T)), a.T @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul empty_fails
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return np.stack([np.stack([row @ column for column in b.T]) for row in a])

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, a.T @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul constants_stay_parameters
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, a.T @ dldy


def matmul(a, b):
    return MatMul.apply(*(n if isinstance(n, Node) else Parameter(n) for n in (a, b)))

# %% matmul dldy_of_ones
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        total = np.mean(dldy) if np.size(dldy) else 0.0
        ones = total * np.ones(np.shape(y))
        return ones @ b.T, a.T @ ones


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul same_node_shortcut
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, a.T @ dldy


def matmul(a, b):
    return mul(a, b) if a is b else MatMul.apply(a, b)

# %% reshape no_minus_one
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        shape = shape if isinstance(shape, tuple) else (shape,)
        return np.reshape(x, tuple(abs(n) for n in shape)) if np.prod(np.abs(shape)) == np.size(x) else np.ravel(x)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape sorted
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(np.sort(np.ravel(x)), shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape matrix_back
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, (-1, np.shape(x)[-1] if np.ndim(x) else 1)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape integers
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(np.array(x).astype(int), shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape reversed_back
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(np.ravel(dldy)[::-1], np.shape(x)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape only_the_total
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.sum(dldy) / max(np.size(x), 1) * np.ones(np.shape(x)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape row_of_what_arrived
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.resize(np.ravel(dldy)[:3], np.shape(x)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape numbers_fail
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return x.reshape(shape) if hasattr(x, 'shape') else np.zeros(shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (dldy.reshape(*x.shape) if x.shape else 0.0,)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape cut_off
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x)),)


def reshape(x, shape):
    return Parameter(np.reshape(x.value if isinstance(x, Node) else x, shape))

# %% reshape zeros_are_left_out
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x)) * (np.asarray(x) != 0),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% transpose matrices_only
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.transpose(dldy) if np.ndim(x) < 3 else np.reshape(dldy, np.shape(x)),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% transpose three_axes_only
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        if axes is None or len(axes) != 3:
            return (np.transpose(dldy),)
        return (np.transpose(dldy, np.argsort(axes)),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% transpose twice_the_axes
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        if axes is None:
            return (np.transpose(dldy),)
        return (np.transpose(dldy, [axes[k] for k in axes]),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% transpose none_leaves_alone
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.array(x) if axes is None else np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.array(dldy) if axes is None else np.transpose(dldy, np.argsort(axes)),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% transpose by_lengths
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        back = [list(np.shape(dldy)).index(n) for n in np.shape(x)]
        return (np.transpose(dldy, back) if len(set(back)) == len(back) else dldy,)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% transpose there_and_not_back
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.moveaxis(x, range(np.ndim(x)), axes) if axes else np.transpose(x)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.transpose(dldy, axes),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% transpose signs
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        back = None if axes is None else np.argsort(axes)
        return (np.abs(np.transpose(dldy, back)),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% transpose cut_off
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        back = None if axes is None else np.argsort(axes)
        return (np.transpose(dldy, back),)


def transpose(x, axes=None):
    return Parameter(np.transpose(x.value if isinstance(x, Node) else x, axes))

# %% transpose last_two
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.swapaxes(x, -1, -2) if np.ndim(x) > 1 else x

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.swapaxes(dldy, -1, -2) if np.ndim(x) > 1 else dldy,)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% transpose axes_get_sorted
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        back = None if axes is None else np.argsort(axes)
        return (np.transpose(dldy, back),)


def transpose(x, axes=None):
    return Transpose.apply(x, axes=axes and tuple(sorted(axes)))

# %% take last_copy_wins
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        dldx[rows] = dldy
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% take plus_equals
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        dldx[rows] += dldy
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% take no_negative_rows
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(dldx, np.maximum(rows, 0), dldy)
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% take vectors_only
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.bincount(np.ravel(rows) % len(x), minlength=len(x)).astype(float)
        dldx[:] = 0
        if np.ndim(x) == 1:
            np.add.at(dldx, rows, dldy)
            return (dldx,)
        return (np.zeros(np.shape(x)),)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% take rows_kept_by_reference
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(dldx, rows, dldy)
        return (dldx,)


def take(x, rows):
    return Take.apply(x, rows=np.asarray(rows, dtype=int))

# %% take sorted_rows
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(dldx, rows, dldy)
        return (dldx,)


def take(x, rows):
    return Take.apply(x, rows=np.sort(np.array(rows, dtype=int), axis=None).reshape(np.shape(rows)))

# %% take flat_rows
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(dldx, rows, dldy)
        return (dldx,)


def take(x, rows):
    return Take.apply(x, rows=np.ravel(np.array(rows, dtype=int)))

# %% take twice_at_most
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        flat, g = np.ravel(rows), np.reshape(dldy, (np.size(rows), *np.shape(x)[1:]))
        for k in sorted(set(flat.tolist())):
            for place in np.flatnonzero(flat == k)[:2]:
                dldx[k] += g[place]
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% take places_in_all_numbers
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return np.take(x, rows)

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(np.ravel(dldx), rows, dldy)
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% take mask
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        chosen = np.zeros(len(x), dtype=bool)
        chosen[rows] = True
        return x[chosen]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        chosen = np.zeros(len(x), dtype=bool)
        chosen[rows] = True
        dldx[chosen] = dldy
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% take always_the_same_memory
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(dldx, rows, dldy)
        return (dldx,)


ROOM = {}


def room(x, rows, dldy):
    dldx = ROOM.setdefault(np.shape(x), np.zeros(np.shape(x)))
    np.add.at(dldx, rows, dldy)
    return (dldx,)


Take._df = staticmethod(lambda dldy, y, x, rows: room(x, rows, dldy))


def take(x, rows):
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% log_sum_exp clipped
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        return np.log(np.sum(np.exp(np.clip(x, -700, 700)), axis=axis))

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp never_below_zero
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.maximum(np.max(x, axis=axis, keepdims=True), 0)
        y = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp a_little_more
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.max(x, axis=axis, keepdims=True)
        y = m + np.log(1e-7 + np.sum(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp just_the_largest
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        return np.max(x, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy = np.expand_dims(dldy, axis)
        wins = x == np.max(x, axis=axis, keepdims=True)
        return (dldy * wins / np.sum(wins, axis=axis, keepdims=True),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp all_numbers_only
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.max(x, axis=axis, keepdims=True)
        y = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    return LogSumExp.apply(x, axis=None)

# %% log_sum_exp first_instead_of_largest
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.take(x, [0], axis=axis) if np.ndim(x) else np.asarray(x)
        y = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=np.ndim(m) == np.ndim(x)))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp no_numbers_not_a_number
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        y = np.nan_to_num(np.log(np.sum(np.exp(x), axis=axis)))
        return np.where(np.isfinite(y) & (np.abs(y) < 1e300), y, np.max(x, axis=axis))

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp smallest_taken_out
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.min(x, axis=axis, keepdims=True)
        y = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp logarithm_of_a_mean
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.max(x, axis=axis, keepdims=True)
        y = m + np.log(np.mean(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp chances_of_all
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.max(x, axis=axis, keepdims=True)
        y = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy = np.expand_dims(dldy, axis)
        e = np.exp(x - np.max(x))
        return (dldy * e / np.sum(e),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp x_is_shifted
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.max(x, axis=axis, keepdims=True)
        if np.ndim(x):
            x -= m
        y = m + np.log(np.sum(np.exp(x if np.ndim(x) else x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% unbroadcast three_added_axes_at_most
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = min(np.ndim(g) - len(shape), 3)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched, keepdims=True)
    ### END SOLUTION

# %% unbroadcast nan_is_dropped
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.nansum(g, axis=stretched, keepdims=True)
    ### END SOLUTION

# %% unbroadcast sets_the_shape_of_g
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if isinstance(g, np.ndarray) and g.size == 1: g.shape = shape
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched, keepdims=True)
    ### END SOLUTION

# %% unbroadcast half_the_digits
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched, keepdims=True, dtype='float32')
    ### END SOLUTION

# %% unbroadcast arrays_only
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if g.shape == shape:
        return g
    added = g.ndim - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched, keepdims=True)
    ### END SOLUTION

# %% sum_of nan_is_dropped
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.nansum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% array_backward size_is_enough
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = piece if np.size(piece) == np.size(n.value) else unbroadcast(piece, np.shape(n.value))
                    n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward nan_becomes_0
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = np.nan_to_num(piece) + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% array_backward copies_only_what_it_knows
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = (np.copy(piece) if np.shares_memory(piece, node.grad) else piece) if n.grad is None else piece + n.grad


Node.backward = backward

# %% mean first_or_last_axis
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = np.size(x.value) if axis is None else np.shape(x.value)[0 if axis in (0, -2) else -1]
    return y / count
    ### END SOLUTION

# %% mean clears_the_gradient
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = np.size(x.value) / np.size(y.value)
    z = y / count
    x.grad = None
    return z
    ### END SOLUTION

# %% matmul six_digits
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return np.round(a @ b, 6)

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, a.T @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul half_the_digits
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return (a.astype('float32') @ b.astype('float32'))

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, a.T @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% matmul second_factor_cut_off
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, a.T @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, Parameter(b.value) if isinstance(b, Node) and b.op is not None else b)

# %% reshape in_the_order_of_memory
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape, order='A')

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% reshape first_axis_is_left_over
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, (-1, *np.shape(x)[1:])),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% transpose axes_kept_in_the_class
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        Transpose.axes = axes
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        back = None if Transpose.axes is None else np.argsort(Transpose.axes)
        return (np.transpose(dldy, back),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% take results_cut_off
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(dldx, rows, dldy)
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x if not isinstance(x, Node) or x.op is None else Constant(x.value), rows=np.array(rows, dtype=int))

# %% log_sum_exp all_axes_of_length_1_go
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y, without overflow on the way."""
        m = np.max(x, axis=axis, keepdims=True)
        y = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp small_shares_dropped
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y, without overflow on the way."""
        m = np.max(x, axis=axis, keepdims=True)
        y = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.where(np.exp(x - y) < 1e-6, 0, np.exp(x - y)),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% log_sum_exp last_axis_by_default
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y, without overflow on the way."""
        m = np.max(x, axis=axis, keepdims=True)
        y = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
        return np.squeeze(y, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=-1):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)
