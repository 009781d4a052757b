"""Wrong answers to the exercise exp_log of module 02, each with what is wrong and what to do next."""

# %% exp_times_x
# says: The exponential's rule multiplies by x; its slope is its own value, y.
# next: Let the rule of Exp multiply by y.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * x,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_as_a_power
# says: The exponential is treated like a power of x; but x is the exponent here.
# next: The slope of the exponential is its value: multiply by y.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * x * math.e ** (x - 1),)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% log_times_x
# says: The logarithm's rule multiplies by x; its slope is one over x.
# next: Divide by x in the rule of Log.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * x,)


exp, log = Exp.apply, Log.apply

# %% log_over_y
# says: The logarithm's rule divides by its value y; its slope is one over x.
# next: Divide by x, the number that went in.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / y,)


exp, log = Exp.apply, Log.apply

# %% exp_without_dldy
# says: The rule of Exp returns the slope alone and forgets what arrived.
# next: The chain rule: multiply the slope by dldy.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% log_without_dldy
# says: The rule of Log returns the slope alone and forgets what arrived.
# next: The chain rule: multiply the slope by dldy.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (1 / x,)


exp, log = Exp.apply, Log.apply

# %% no_tuples
# says: Both rules answer a bare number; a rule answers a tuple, with one gradient for each input.
# next: Write a comma behind it and brackets around it: `(3,)`.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return dldy * y


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return dldy / x


exp, log = Exp.apply, Log.apply

# %% exchanged
# says: The two rules are swapped: the exponential divides by x, the logarithm multiplies by y.
# next: Put each rule into the other class.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y,)


exp, log = Exp.apply, Log.apply

# %% math_in_the_rule
# says: The rule of Exp is right for numbers, but it calls `math.exp`, which takes no node.
# next: The value is there already: y.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * math.exp(x),)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% log_twice
# says: The logarithm's rule gives the slope of 1 / x, which is one slope too far.
# next: The slope of the logarithm is 1 / x itself.
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (-dldy / x**2,)


exp, log = Exp.apply, Log.apply
