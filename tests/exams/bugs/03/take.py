"""Wrong answers to the exercise take of module 03, each with what is wrong and what to do next."""

# %% counts_once
# says: A row that was taken twice receives only one of its two gradients: `+=` with a list of indices reads all, adds, then writes.
# next: np.add.at(dldx, rows, dldy) adds them one by one.
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
        old = dldx[rows]
        dldx[rows] = old + dldy
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% not_put_back
# says: x receives the gradients of the rows that were taken, not one for each of its own rows.
# next: Begin with zeros like x, and add each row at its index.
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        return (dldy,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% taken_again
# says: Rows of dldy are taken by the indices of rows of x.
# next: They are indices of x: add to zeros like x.
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        return (dldy[rows],)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% counts
# says: The gradient counts how often a row was taken; dldy is not used.
# next: Add dldy in place of 1.
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
        np.add.at(dldx, rows, 1)
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% columns
# says: These are columns of x; rows were asked for.
# next: x[rows].
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[..., rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(dldx, (..., rows), dldy)
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% adds_to_x
# says: The gradient is added to x itself, so the value of the input changes.
# next: Begin with zeros in the shape of x.
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        np.add.at(x, rows, dldy)
        return (x,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% begins_with_x
# says: The gradient begins with the numbers of x, not with zeros.
# next: np.zeros(np.shape(x)).
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.copy(x)
        np.add.at(dldx, rows, dldy)
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% room_for_the_taken
# says: The zeros have the shape of what was taken; they must have that of x.
# next: np.zeros(np.shape(x)).
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(dldy))
        np.add.at(dldx, rows, dldy)
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% averages
# says: The gradients of a row that was taken twice are averaged; every use counts fully.
# next: Add them up, and divide by nothing.
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[rows]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx, count = np.zeros(np.shape(x)), np.zeros(np.shape(x))
        np.add.at(dldx, rows, dldy)
        np.add.at(count, rows, 1)
        return (dldx / np.maximum(count, 1),)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))

# %% each_row_once
# says: Every row is taken once, also where its index appears twice.
# next: x[rows] takes it as often as its index appears.
class Take(Operation):
    """Rows of x by their numbers."""

    @staticmethod
    def _f(x, rows):
        """Return the value y."""
        return x[np.unique(rows)]

    @staticmethod
    def _df(dldy, y, x, rows):
        """Return the gradient for x as a tuple of one."""
        dldx = np.zeros(np.shape(x))
        np.add.at(dldx, rows, dldy)
        return (dldx,)


def take(x, rows):
    """Put rows of x, chosen by integer indices, into a graph."""
    return Take.apply(x, rows=np.array(rows, dtype=int))
