"""Wrong answers to the exercise transpose of module 03, each with what is wrong and what to do next."""

# %% same_axes
# says: The same axes once more do not lead back: where axis 0 went, axis 0 must be fetched from.
# next: Use the inverse order, np.argsort(axes).
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.transpose(dldy, axes),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% always_reversed
# says: On the way back the axes are always reversed, whatever their order was.
# next: Where axes are given, use np.argsort(axes).
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.transpose(dldy),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% axes_ignored
# says: The axes are always reversed; those that were asked for are not used.
# next: Pass axes to np.transpose.
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.transpose(dldy),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% not_turned_back
# says: x receives dldy with the axes of y.
# next: Put the axes back with np.transpose.
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (dldy,)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% axes_backwards
# says: The list of axes read backwards is not its inverse.
# next: np.argsort(axes) tells where each axis stands now.
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        back = None if axes is None else axes[::-1]
        return (np.transpose(dldy, back),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% inverse_forward
# says: The value is transposed by the inverse order; only the way back needs it.
# next: Forward: axes. Backward: np.argsort(axes).
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, None if axes is None else np.argsort(axes))

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.transpose(dldy, axes),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% reshaped
# says: To reshape gives the right shape, but the numbers stay in the order of y.
# next: Put the axes back with np.transpose.
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x)),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% none_forgotten
# says: Where no axes are given there is nothing to invert.
# next: For None, np.transpose(dldy) reverses them back.
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        back = sorted(range(len(axes)), key=lambda k: axes[k])
        return (np.transpose(dldy, back),)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% no_tuple
# says: The rule returns the array itself, so its first row is taken for the gradient.
# next: Return a tuple of one: (gradient,).
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
        return np.transpose(dldy, back)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)

# %% two_exchanged
# says: Only the first and the last axis are swapped; the others may have moved too.
# next: Use the inverse order, np.argsort(axes).
class Transpose(Operation):
    """The axes in another order; reversed if axes is None."""

    @staticmethod
    def _f(x, axes):
        """Return the value y."""
        return np.transpose(x, axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        """Return the gradient for x as a tuple of one."""
        return (np.swapaxes(dldy, 0, -1) if np.ndim(dldy) else dldy,)


def transpose(x, axes=None):
    """Put the axes of x into another order."""
    return Transpose.apply(x, axes=axes)
