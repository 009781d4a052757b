"""Wrong answers to the exercise maximum of module 02, each with what is wrong and what to do next."""

# %% tie_to_both
# says: At a tie both receive the whole gradient, so maximum(x, x) would be twice as steep as x.
# next: At a tie give half to each.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        return (dldy if a >= b else 0.0), (dldy if b >= a else 0.0)


maximum = Maximum.apply

# %% tie_to_the_first
# says: At a tie the first number receives everything, the second nothing.
# next: At a tie give half to each.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        return (dldy, 0.0) if a >= b else (0.0, dldy)


maximum = Maximum.apply

# %% tie_to_the_second
# says: At a tie the second number receives everything, the first nothing.
# next: At a tie give half to each.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        return (dldy, 0.0) if a > b else (0.0, dldy)


maximum = Maximum.apply

# %% tie_to_nobody
# says: At a tie neither input receives anything, so maximum(x, x) would be flat.
# next: At a tie give half to each.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        return (dldy if a > b else 0.0), (dldy if b > a else 0.0)


maximum = Maximum.apply

# %% bits_turned
# says: `~` turns over the bits of a number, and `~1` is -2. This is the published mistake.
# next: Use `not`, or 1 minus the share.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        first = int(a > b)
        return dldy * first, dldy * ~first


maximum = Maximum.apply

# %% exchanged
# says: The gradient goes to the smaller number, which has no influence.
# next: Exchange the two gradients.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b else 0.5 if a >= b else 0.0
        return dldy * (1 - share), dldy * share


maximum = Maximum.apply

# %% no_dldy
# says: The rule returns the shares alone and forgets what arrived.
# next: Multiply each share by dldy.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b else 0.5 if a >= b else 0.0
        return share, 1 - share


maximum = Maximum.apply

# %% times_the_value
# says: The winner's gradient is multiplied by its value; a nudge of the winner arrives once, not y times.
# next: The slope along the winner is 1.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b else 0.5 if a >= b else 0.0
        return dldy * y * share, dldy * y * (1 - share)


maximum = Maximum.apply

# %% minimum
# says: This is the smaller of the two numbers.
# next: Turn the comparison round in `_f`.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a <= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b else 0.5 if a >= b else 0.0
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% largest_size
# says: Sizes are compared without their signs, so -9 counts as larger than 3.
# next: Compare a and b themselves.
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if abs(a) >= abs(b) else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b else 0.5 if a >= b else 0.0
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply
