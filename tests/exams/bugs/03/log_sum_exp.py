"""Wrong answers to the exercise log_sum_exp of module 03, each with what is wrong and what to do next."""

# %% overflows
# says: exp(1000) is too large for a float, and exp(-1000) too small: the sum is inf or 0.
# next: Take the largest number out before the exponentials, and add it to the logarithm.
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        return np.log(np.sum(np.exp(x), axis=axis))

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% one_largest_for_all
# says: The largest of all numbers is taken out of every row; beside it, a row of small numbers vanishes.
# next: Take the largest along the axis, with keepdims=True.
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.max(x)
        return m + np.log(np.sum(np.exp(x - m), axis=axis))

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% largest_not_added
# says: The largest number was taken out and not added again.
# next: The value is m plus the logarithm.
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.max(x, axis=axis, keepdims=True)
        return np.log(np.sum(np.exp(x - m), axis=axis))

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        if axis is not None:
            dldy, y = np.expand_dims(dldy, axis), np.expand_dims(y, axis)
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% all_alike
# says: Every number receives the whole gradient, as in a sum; its part is its probability.
# next: Multiply by exp(x - y).
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
        return (dldy * np.ones(np.shape(x)),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% largest_takes_all
# says: Only the largest number receives something, as for a maximum; here each has its share.
# next: Multiply by exp(x - y).
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
        return (dldy * (x == np.max(x, axis=axis, keepdims=True)),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% dldy_forgotten
# says: The probabilities are right, but dldy is not used.
# next: Multiply by dldy: the chain rule.
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
        return (np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% not_divided
# says: exp(x) is not divided by the sum of all exponentials.
# next: exp(x - y) is exp(x) over that sum.
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
        return (dldy * np.exp(x),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% axis_stays
# says: The axis of length 1 is still there in the value.
# next: np.squeeze(y, axis=axis) at the end.
class LogSumExp(Operation):
    """log(exp(x1) + exp(x2) + …) along an axis, or of all numbers; some number must be finite."""

    @staticmethod
    def _f(x, axis):
        """Return the value y."""
        m = np.max(x, axis=axis, keepdims=True)
        return m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))

    @staticmethod
    def _df(dldy, y, x, axis):
        """Return the gradient for x as a tuple of one."""
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% axis_not_put_back
# says: Without the axis of length 1, dldy and y line up with the last axis of x, whichever was summed.
# next: Put the axis back into both with np.expand_dims.
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
        return (dldy * np.exp(x - y),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)

# %% rule_overflows
# says: The value is safe, but the rule divides one overflowing exponential by another.
# next: exp(x - y) needs no division: y is above every x.
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
        e = np.exp(x)
        return (dldy * e / np.sum(e, axis=axis, keepdims=True),)


def log_sum_exp(x, axis=None):
    """Put the logarithm of a sum of exponentials into a graph."""
    return LogSumExp.apply(x, axis=axis)
