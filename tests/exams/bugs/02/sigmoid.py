"""Wrong answers to the exercise sigmoid of module 02, each with what is wrong and what to do next."""

# %% textbook
# says: The formula of the textbook: far to the left, `math.exp(-x)` is too large for a float.
# next: Below 0 use the other formula, e to the x over (1 + e to the x).
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        return 1 / (1 + math.exp(-x))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% other_formula
# says: This formula is safe to the left; far to the right, `math.exp(x)` is too large for a float.
# next: At or above 0 use 1 / (1 + e to the minus x).
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        return math.exp(x) / (1 + math.exp(x))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sides_exchanged
# says: Each formula is used on the side where it overflows.
# next: Exchange the two formulas.
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        if x < 0:
            return 1 / (1 + math.exp(-x))
        return math.exp(x) / (1 + math.exp(x))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% clipped
# says: x is held within bounds, so everything beyond them has the same value.
# next: Take x as it is, and choose a formula in which no large number is made.
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        return 1 / (1 + math.exp(-max(-25.0, min(25.0, x))))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% one_minus
# says: Far to the left, 1 minus a number close to 1 keeps few digits or none.
# next: Below 0 use e to the x over (1 + e to the x).
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        if x < 0:
            return 1 - 1 / (1 + math.exp(x))
        return 1 / (1 + math.exp(-x))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% mirrored
# says: A sign is wrong: this curve falls from 1 to 0.
# next: For x at or above 0 it is 1 / (1 + e to the minus x).
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        e = math.exp(-abs(x))
        return e / (1 + e) if x >= 0 else 1 / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% no_dldy
# says: The rule returns the slope alone and forgets what arrived.
# next: The chain rule: multiply the slope by dldy.
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        e = math.exp(-abs(x))
        return 1 / (1 + e) if x >= 0 else e / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (y * (1 - y),)


sigmoid = Sigmoid.apply

# %% x_for_y
# says: The slope is computed from x; the formula y (1 - y) wants the value.
# next: Put y where x stands.
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        e = math.exp(-abs(x))
        return 1 / (1 + e) if x >= 0 else e / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * x * (1 - x),)


sigmoid = Sigmoid.apply

# %% rule_of_tanh
# says: This is the slope of tanh, 1 - y².
# next: For the sigmoid it is y (1 - y).
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        e = math.exp(-abs(x))
        return 1 / (1 + e) if x >= 0 else e / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y),)


sigmoid = Sigmoid.apply

# %% no_tuple
# says: The rule answers a bare number; it is to answer a tuple with one gradient for each input.
# next: Write a comma behind it and brackets around it: `(3,)`.
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        e = math.exp(-abs(x))
        return 1 / (1 + e) if x >= 0 else e / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return dldy * y * (1 - y)


sigmoid = Sigmoid.apply
