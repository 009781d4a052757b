"""Wrong answers to the exercise sum_of of module 03, each with what is wrong and what to do next."""

# %% axis_ignored
# says: The sum is always taken of all numbers; the axis is not used.
# next: Pass axis and keepdims to np.sum.
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% keepdims_ignored
# says: With keepdims the axis was to stay, with length 1.
# next: Pass keepdims to np.sum.
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None and not keepdims:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% not_spread
# says: x receives dldy in the shape of the sum, not in its own.
# next: Put the axis back, then repeat dldy until it has the shape of x.
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        return (dldy,)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% axis_not_put_back
# says: Without the axis of length 1, dldy lines up with the last axis of x, whichever was summed.
# next: Put the axis back with np.expand_dims before you repeat.
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% put_back_in_front
# says: The axis is always put back in front; it must be where it was.
# next: np.expand_dims(dldy, axis).
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
            dldy = np.expand_dims(dldy, 0)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% always_put_back
# says: With keepdims the axis is still there, and a second one is put beside it.
# next: Put it back only where keepdims was not set.
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        if axis is not None:
            dldy = np.expand_dims(dldy, axis)
        return (dldy * np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% ones
# says: Every number receives 1; dldy is not used.
# next: Multiply by dldy: the chain rule.
class Sum(Operation):
    """The sum along an axis, or of all numbers if axis is None."""

    @staticmethod
    def _f(x, axis, keepdims):
        """Return the value y."""
        return np.sum(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        """Return the gradient for x, in the shape of x, as a tuple of one."""
        return (np.ones(np.shape(x)),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% shared_out
# says: The gradient is divided among the numbers; that is a mean's rule. In a sum each number counts fully.
# next: Repeat dldy as it is.
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
        return (dldy * np.ones(np.shape(x)) * np.size(y) / max(np.size(x), 1),)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% no_tuple
# says: The rule returns the array itself, so its first row is taken for the gradient.
# next: Return a tuple of one: (gradient,).
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
        return dldy * np.ones(np.shape(x))


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)

# %% times_x
# says: The gradient is multiplied by x; the slope of a sum along each of its numbers is 1.
# next: Multiply dldy by ones in the shape of x.
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
        return (dldy * x,)


def sum_of(x, axis=None, keepdims=False):
    """Put a sum into a graph."""
    return Sum.apply(x, axis=axis, keepdims=keepdims)
