"""Wrong answers to the exercise add of module 01, each with what is wrong and what to do next."""

# %% forgets_the_chain
# says: The rule returns the gradient for dldy = 1; the actual dldy is not used.
# next: Multiply each slope by dldy.
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a + b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return 1.0, 1.0


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% one_answer
# says: One number is returned where two inputs wait for one each.
# next: Return a pair: the gradient for a, then the gradient for b.
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a + b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% adds_the_answers
# says: The two gradients are added into one number; each input must get its own.
# next: Return a pair instead of a sum.
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a + b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy + dldy


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% rule_of_the_product
# says: This is the rule of a product; in a sum the slope does not depend on the other number.
# next: Nudge a by 0.001 in a + b: by how much does the sum change?
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a + b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy * b, dldy * a


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% shares_it_out
# says: What arrived is split in two halves, but each input changes the sum fully.
# next: Nudge only a: the whole nudge arrives at a + b.
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a + b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy / 2, dldy / 2


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% minus_for_the_second
# says: The second gradient has the sign of a difference a - b.
# next: In a sum both inputs push the same way.
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a + b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy, -dldy


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% returns_the_inputs
# says: The values of the inputs are returned in place of their gradients.
# next: Ask how fast the sum changes, not how large its parts are.
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a + b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return a, b


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% subtracts
# says: `_f` computes the difference of the two numbers.
# next: Look at what `_f` returns.
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a - b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy, dldy


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% multiplies
# says: `_f` computes the product of the two numbers.
# next: Look at what `_f` returns.
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a * b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        return dldy, dldy


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)
