"""Wrong answers to the exercise pow of module 01, each with what is wrong and what to do next."""

# %% forgets_the_factor
# says: Along x the exponent comes down as a factor; here it is missing.
# next: Multiply by n as well.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        dldx = dldy * x ** (n - 1)
        return dldx, dldy * y * math.log(x) if x > 0 else math.nan


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% keeps_the_power
# says: Along x the power drops by one; here it is still n.
# next: Use n - 1 as the new exponent.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        dldx = dldy * n * x**n
        return dldx, dldy * y * math.log(x) if x > 0 else math.nan


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% forgets_the_chain
# says: The rule returns the gradient for dldy = 1; the actual dldy is not used.
# next: Multiply both slopes by dldy.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        return n * x ** (n - 1), y * math.log(x) if x > 0 else math.nan


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% half_a_chain
# says: The gradient for n does not contain dldy; the one for x does.
# next: Multiply the slope along n by dldy too.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        dldn = y * math.log(x) if x > 0 else math.nan
        return dldy * n * x ** (n - 1), dldn


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% exponent_gets_zero
# says: The exponent always gets 0, as if it could not change.
# next: Along n the slope of x to the n is y · ln x.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        return dldy * n * x ** (n - 1), 0.0


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% one_answer
# says: Only x gets a gradient. The published tutorial stops here too, and its exponents never learn.
# next: Return a pair: the gradient for x, then the gradient for n.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        return [dldy * n * x ** (n - 1)]


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% calls_itself
# says: `pow` is now the function below, which calls `_f`, which calls `pow`: it never ends.
# next: Write powers with two stars: x**n.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return pow(x, n)

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        dldx = dldy * n * pow(x, n - 1)
        return dldx, dldy * y * math.log(x) if x > 0 else math.nan


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% minus_one_outside
# says: Along x, Python raises first and then takes 1 off the product; the 1 belongs to the exponent.
# next: Put brackets around the exponent: n - 1.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        dldn = dldy * y * math.log(x) if x > 0 else math.nan
        return dldy * n * x**n - 1, dldn


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% no_guard
# says: The logarithm of 0 or of a negative number does not exist, and `math.log` stops the program.
# next: Return math.nan for n's gradient unless x is positive.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        return dldy * n * x ** (n - 1), dldy * y * math.log(x)


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% swapped
# says: The two gradients are swapped: the base gets the one of the exponent.
# next: Return x's gradient first, then n's.
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        dldx = dldy * n * x ** (n - 1)
        dldn = dldy * y * math.log(x) if x > 0 else math.nan
        return dldn, dldx


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)
