"""Wrong answers to the exercise matmul of module 03, each with what is wrong and what to do next."""

# %% place_by_place
# says: `*` multiplies elementwise; a matrix product is rows times columns.
# next: Write a @ b.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * b, dldy * a


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% nothing_turned
# says: Neither factor is transposed, so shapes do not fit, or rows meet the wrong numbers.
# next: dldy @ b.T has the shape of a; a.T @ dldy has that of b.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b, a @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% a_not_turned
# says: For the gradient of b, a must be transposed.
# next: a.T @ dldy has the shape of b.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, a @ dldy


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% wrong_side
# says: dldy stands on the other side of each product.
# next: a is the left factor: its gradient is dldy @ b.T. b is the right one: a.T @ dldy.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return b.T @ dldy, dldy @ a.T


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% exchanged
# says: The two gradients are swapped.
# next: Return a's gradient first, then b's.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return a.T @ dldy, dldy @ b.T


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% rule_of_mul
# says: This is the rule of an elementwise product.
# next: On the way back there are matrix products too.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * b, dldy * a


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% dldy_forgotten
# says: dldy is not used: the gradients are those of a plain sum.
# next: Use dldy in place of ones.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ones = np.ones(np.shape(y))
        return ones @ b.T, a.T @ ones


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% left_only
# says: Only the left factor gets its gradient, the right one gets 0.
# next: b receives a.T @ dldy.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, 0.0 * b


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% comes_out_turned
# says: The gradient of b comes out transposed: its rows are columns.
# next: a.T @ dldy in place of dldy.T @ a.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a @ b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy @ b.T, dldy.T @ a


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)

# %% factors_exchanged
# says: The value is b @ a; the order of the factors matters.
# next: Write a @ b.
class MatMul(Operation):
    """The product of two matrices, (n, k) times (k, m)."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return b @ a

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return b.T @ dldy, dldy @ a.T


def matmul(a, b):
    """Put a matrix product into a graph."""
    return MatMul.apply(a, b)
