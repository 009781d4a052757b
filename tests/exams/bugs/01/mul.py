"""Wrong answers to the exercise mul of module 01, each with what is wrong and what to do next."""

# %% swapped
# says: The two gradients are swapped: a's slope is b, and b's slope is a.
# next: Keep b fixed: how fast does a · b grow with a?
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * a, dldy * b


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% forgets_the_chain
# says: The rule returns the gradient for dldy = 1; the actual dldy is not used.
# next: Multiply each slope by dldy.
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return b, a


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% uses_the_value
# says: Both gradients are multiplied by y, but y is the product itself, not the other number.
# next: Take the other number out of the inputs.
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * y, dldy * y


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% rule_of_the_sum
# says: This is the rule of a sum; in a product the other number stretches every nudge.
# next: Nudge the 3 in 3 · 4 by 0.001: the product grows by four times that.
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy, dldy


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% one_answer
# says: One number is returned where two inputs wait for one each.
# next: Return a pair: the gradient for a, then the gradient for b.
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * b


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% adds_the_answers
# says: The two gradients are added into one number; each input must get its own.
# next: Return a pair instead of a sum.
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * b + dldy * a


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% adds_along_the_chain
# says: The chain rule multiplies along the way; here dldy is added.
# next: Multiply dldy by the slope.
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy + b, dldy + a


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% second_is_fixed
# says: The second input always gets 0, as if only the first could change.
# next: Treat b as you treated a.
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * b, 0.0


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% adds_the_values
# says: `_f` computes the sum of the two numbers.
# next: Look at what `_f` returns.
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a + b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * b, dldy * a


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)
