"""Wrong answers to the exercise tanh of module 02, each with what is wrong and what to do next."""

# %% no_dldy
# says: The rule returns the slope alone and forgets what arrived.
# next: The chain rule: multiply the slope by dldy.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (1 - y * y,)


tanh = Tanh.apply

# %% x_for_y
# says: The slope is computed from x; the formula 1 - y² wants the value.
# next: Put y where x stands.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - x * x),)


tanh = Tanh.apply

# %% not_squared
# says: The value is not squared: 1 - y instead of 1 - y².
# next: Multiply y by itself.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y),)


tanh = Tanh.apply

# %% plus
# says: The square is added to 1, so the slope grows where the curve is flat.
# next: Subtract the square from 1.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 + y * y),)


tanh = Tanh.apply

# %% rule_of_the_sigmoid
# says: This is the slope of the sigmoid, y (1 - y).
# next: For tanh it is 1 - y².
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


tanh = Tanh.apply

# %% no_tuple
# says: The rule answers a bare number; it is to answer a tuple with one gradient for each input.
# next: Write a comma behind it and brackets around it: `(3,)`.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return dldy * (1 - y * y)


tanh = Tanh.apply

# %% no_brackets
# says: Without brackets Python multiplies dldy by 1 and then takes y² off.
# next: Put brackets around 1 - y * y.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * 1 - y * y,)


tanh = Tanh.apply

# %% cosh
# says: Right for numbers, but `math.cosh` takes no node, and overflows far out.
# next: The value is there already: 1 - y² is the same slope.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / math.cosh(x) ** 2,)


tanh = Tanh.apply

# %% tan
# says: This is the tangent, `math.tan`; the hyperbolic one is `math.tanh`.
# next: Add the h.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tan(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y),)


tanh = Tanh.apply

# %% pow_of_module_01
# says: Here `pow` is your own function of module 01: it makes a node, and a rule that gets numbers answers numbers.
# next: Write y * y, or y ** 2, which numbers and nodes both know.
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - pow(y, 2)),)


tanh = Tanh.apply
