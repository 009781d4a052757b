"""Wrong answers to the exercise reshape of module 03, each with what is wrong and what to do next."""

# %% not_shaped_back
# says: x receives dldy in the new shape, not in its own.
# next: np.reshape(dldy, np.shape(x)).
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (dldy,)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% shape_again
# says: dldy is given the new shape, which it has already.
# next: Give it the shape that x has.
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, shape),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% columns_first
# says: The gradient is read column by column, so most of it goes to wrong positions.
# next: Omit order="F": forward reads row by row.
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x), order="F"),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% value_by_columns
# says: The numbers are read column by column.
# next: Omit order="F", in both directions.
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape, order="F")

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.reshape(dldy, np.shape(x), order="F"),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% ones
# says: Every number receives 1; dldy is not used.
# next: Reshape dldy.
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.ones(np.shape(x)),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% flat
# says: The gradient is laid out flat, in one row.
# next: Give it the shape of x.
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.ravel(dldy),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% turned_back
# says: A transpose swaps rows and columns; it does not undo a reshape.
# next: np.reshape(dldy, np.shape(x)).
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (np.transpose(dldy),)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% no_tuple
# says: The rule returns the array itself, so its first row is taken for the gradient.
# next: Return a tuple of one: (gradient,).
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        return np.reshape(x, shape)

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return np.reshape(dldy, np.shape(x))


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)

# %% input_reshaped
# says: To set x.shape changes x itself: the input of the operation gets another shape.
# next: np.reshape leaves x as it is.
class Reshape(Operation):
    """The same numbers, read row by row, in another shape."""

    @staticmethod
    def _f(x, shape):
        """Return the value y."""
        x = np.asarray(x)
        x.shape = shape
        return x

    @staticmethod
    def _df(dldy, y, x, shape):
        """Return the gradient for x as a tuple of one."""
        return (dldy,)


def reshape(x, shape):
    """Put the numbers of x into another shape."""
    return Reshape.apply(x, shape=shape)
