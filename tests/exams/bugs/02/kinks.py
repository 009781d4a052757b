"""Wrong answers to the exercise kinks of module 02, each with what is wrong and what to do next."""

# %% relu_steep_at_0
# says: At 0 relu's slope is 1 here; the convention of this course, and of PyTorch, is 0.
# next: Let the gradient pass only where x is above 0.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x >= 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% absolute_right_at_0
# says: At 0 the slope of absolute is 1 here; the convention is 0.
# next: Make three cases: above 0, below 0, and 0.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x >= 0 else -dldy,)


relu, absolute = Relu.apply, Abs.apply

# %% absolute_left_at_0
# says: At 0 the slope of absolute is -1 here; the convention is 0.
# next: Make three cases: above 0, below 0, and 0.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy,)


relu, absolute = Relu.apply, Abs.apply

# %% relu_lets_all_pass
# says: The rule of relu lets the gradient pass everywhere; where x is below 0, a nudge changes nothing.
# next: Answer 0 where x is not above 0.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% relu_bends_the_gradient
# says: relu's rule looks at the sign of the gradient; what matters is the sign of x.
# next: Ask whether x is above 0.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if dldy > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% relu_without_dldy
# says: The rule of relu returns the slope alone and forgets what arrived.
# next: Where x is above 0, answer dldy.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (1.0 if x > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% absolute_without_dldy
# says: The rule of absolute returns the slope alone and forgets what arrived.
# next: Answer dldy, minus dldy or 0.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (1.0 if x > 0 else -1.0 if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% absolute_divides
# says: Dividing by x gives the sign, except at 0, where it stops the program.
# next: Make three cases: above 0, below 0, and 0.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy * y / x,)


relu, absolute = Relu.apply, Abs.apply

# %% published_absolute
# says: Above 0 the rule multiplies by x, and elsewhere it passes dldy on: a published rule with gradients 3, 1, 1 at 3, -3, 0.
# next: The slope is 1, -1 or 0.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy * (x if x > 0 else 1),)


relu, absolute = Relu.apply, Abs.apply

# %% no_tuples
# says: Both rules answer a bare number; a rule answers a tuple, with one gradient for each input.
# next: Write a comma behind it and brackets around it: `(3,)`.
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return dldy if x > 0 else 0.0


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return dldy if x > 0 else -dldy if x < 0 else 0.0


relu, absolute = Relu.apply, Abs.apply
