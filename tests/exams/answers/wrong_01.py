# ruff: noqa
"""Wrong answers to module 01 that are not in the bug bank: none of them may get full points."""

# %% slope abs
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    ### BEGIN SOLUTION
    rise = f(x + nudge) - f(x - nudge)
    return abs(rise / (2 * nudge))
    ### END SOLUTION

# %% slope round6
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    ### BEGIN SOLUTION
    rise = f(x + nudge) - f(x - nudge)
    return round(rise / (2 * nudge), 6)
    ### END SOLUTION

# %% slope default_nudge_1e-3
def slope(f, x, nudge=1e-3):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    ### BEGIN SOLUTION
    rise = f(x + nudge) - f(x - nudge)
    return rise / (2 * nudge)
    ### END SOLUTION

# %% slope default_nudge_1
def slope(f, x, nudge=1.0):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    ### BEGIN SOLUTION
    rise = f(x + nudge) - f(x - nudge)
    return rise / (2 * nudge)
    ### END SOLUTION

# %% slope fails_at_x_le_0
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    ### BEGIN SOLUTION
    x = max(x, 0.0)
    rise = f(x + nudge) - f(x - nudge)
    return rise / (2 * nudge)
    ### END SOLUTION

# %% slope negx_mirrored
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    ### BEGIN SOLUTION
    x = abs(x)
    rise = f(x + nudge) - f(x - nudge)
    return rise / (2 * nudge)
    ### END SOLUTION

# %% slope f_float_cast_int
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    ### BEGIN SOLUTION
    rise = abs(f(x + nudge)) - abs(f(x - nudge))
    return rise / (2 * nudge)
    ### END SOLUTION

# %% slope sorted_sides
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    ### BEGIN SOLUTION
    rise = max(f(x + nudge), f(x - nudge)) - min(f(x + nudge), f(x - nudge))
    return rise / (2 * nudge)
    ### END SOLUTION

# %% add set_sum
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return sum({a, b})
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy, dldy
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% add abs
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return abs(a) + abs(b)
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy, dldy
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% add round3
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return round(a + b, 3)
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy, dldy
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% add df_via_y
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a + b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy * y / (a + b), dldy * (y - a) / b
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% add b_param
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a + b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy, dldy
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    if not isinstance(b, Node):
        b = Parameter(b)
    return Add.apply(a, b)

# %% add numbers_fail
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a + b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy, dldy
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    a.value, b.value
    return Add.apply(a, b)

# %% add detach_results
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a + b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy, dldy
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    if b.op is not None:
        b = Parameter(b.value)
    return Add.apply(a, b)

# %% add same_node_shortcut
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a + b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy, dldy
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    if a is b:
        return a
    return Add.apply(a, b)

# %% add int_division_free_zero
class Add(Operation):
    """The sum a + b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a + b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return (dldy if a else 0.0), (dldy if b else 0.0)
        ### END SOLUTION


def add(a, b):
    """Put a + b into a graph."""
    return Add.apply(a, b)

# %% mul y_over
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a * b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy * y / a, dldy * y / b
        ### END SOLUTION


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% mul y_over_guard
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a * b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return (dldy * y / a if a else 0.0), (dldy * y / b if b else 0.0)
        ### END SOLUTION


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% mul abs_rule
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a * b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy * abs(b), dldy * abs(a)
        ### END SOLUTION


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% mul explog
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        import math
        return math.exp(math.log(a) + math.log(b))
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy * b, dldy * a
        ### END SOLUTION


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% mul abs_value
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return abs(a * b)
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy * b, dldy * a
        ### END SOLUTION


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% mul same_node_a
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a * b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy * b, dldy * a
        ### END SOLUTION


def mul(a, b):
    """Put a · b into a graph."""
    return a if a is b else Mul.apply(a, b)

# %% mul int_trunc6
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return round(a * b, 6)
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return dldy * b, dldy * a
        ### END SOLUTION


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% mul zero_short
class Mul(Operation):
    """The product a · b."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        ### BEGIN SOLUTION
        return a * b
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b."""
        ### BEGIN SOLUTION
        return (0.0, 0.0) if y == 0 else (dldy * b, dldy * a)
        ### END SOLUTION


def mul(a, b):
    """Put a · b into a graph."""
    return Mul.apply(a, b)

# %% pow zero_for_nan
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** (n - 1)
        dldn = dldy * y * math.log(x) if x > 0 else 0.0
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow none_for_nan
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** (n - 1)
        dldn = dldy * y * math.log(x) if x > 0 else None
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow log_abs
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** (n - 1)
        dldn = dldy * y * math.log(abs(x)) if x else 0.0
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow ge1
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** (n - 1)
        dldn = dldy * y * math.log(x) if x >= 1 else math.nan
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow abs_log
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** (n - 1)
        dldn = dldy * y * abs(math.log(x)) if x > 0 else math.nan
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow abs_n
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * abs(n) * x ** (n - 1)
        dldn = dldy * y * math.log(x) if x > 0 else math.nan
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow y_over_x
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * y / x if x else 0.0
        dldn = dldy * y * math.log(x) if x > 0 else math.nan
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow log10_wrong
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** (n - 1)
        dldn = dldy * y * math.log10(x) if x > 0 else math.nan
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow max0
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** max(n - 1, 0)
        dldn = dldy * y * math.log(x) if x > 0 else math.nan
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow posgrad_neg_n
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** (n - 1) if n > 0 else 0.0
        dldn = dldy * y * math.log(x) if x > 0 else math.nan
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    return Pow.apply(x, n)

# %% pow fixed_exponent_const
class Pow(Operation):
    """The power x to the n."""

    @staticmethod
    def _f(x, n):
        """Return the value y."""
        ### BEGIN SOLUTION
        return x**n
        ### END SOLUTION

    @staticmethod
    def _df(dldy, y, x, n):
        """Return the gradient for x and the gradient for n (nan unless x > 0)."""
        ### BEGIN SOLUTION
        dldx = dldy * n * x ** (n - 1)
        dldn = dldy * y * math.log(x) if x > 0 else math.nan
        return dldx, dldn
        ### END SOLUTION


def pow(x, n):
    """Put x to the n into a graph."""
    if not isinstance(n, Node):
        n = Parameter(n)
    return Pow.apply(x, n)

# %% node constant_not_node
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant:
    __init__ = Node.__init__


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node param_is_constant
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Constant):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node aliases
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


Constant = Node
Parameter = Node


# %% node abs_value
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = abs(float(value))
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node round3
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = round(float(value), 3)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node const_keeps_int
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    def __init__(self, value):
        super().__init__(value)
        self.value = value


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node node_itself_broken
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()
        if type(self) is Node:
            self.grad = 0.0
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node eq_by_value
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __eq__(self, other):
        return self.value == other.value

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node eq_unhashable
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __eq__(self, other):
        return self.value == other.value

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node singletons
class Node:
    """A number in a graph, and how it was made."""

    def __new__(cls, value):
        made = cls.__dict__.get("made") or {}
        cls.made = made
        return made.setdefault(value, object.__new__(cls))

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node op_string_dot
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value)
        self.grad = None
        self.op = ""
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% node zero_becomes_one
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        ### BEGIN SOLUTION
        self.value = float(value or 1)
        self.grad = None
        self.op = None
        self.inputs = ()
        ### END SOLUTION

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% apply isinstance_parameter
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if isinstance(n, Parameter) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply detach
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if isinstance(n, Parameter) else Constant(getattr(n, "value", n)) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply only_numbers_const
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    numbers = not any(isinstance(n, Node) for n in inputs)
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if numbers:
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply grad_zero
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.grad = 0.0
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply dedupe
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    inputs = tuple(dict.fromkeys(inputs))
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply zero_dropped
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs if not (isinstance(n, (int, float)) and n == 0))
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply truthy
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if getattr(n, "value", None) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply type_exact
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if type(n) in (Parameter, Constant) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply resets_inputs_grad
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    for n in inputs:
        n.grad = None
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply first_param_only_const_check
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if not any(type(n) is Parameter for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% apply memo_by_value
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    ### BEGIN SOLUTION
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    key = (cls, *[n.value for n in inputs])
    Operation.memo = Operation.__dict__.get("memo", {})
    if key in Operation.memo:
        return Operation.memo[key]
    node = Operation.memo[key] = Node(y)
    node.op, node.inputs = cls, inputs
    return node
    ### END SOLUTION


Operation.apply = classmethod(apply)

# %% differentiate skip_constants
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    ### BEGIN SOLUTION
    values = [n.value for n in node.inputs if not isinstance(n, Constant)]
    return cls._df(node.grad, node.value, *values)
    ### END SOLUTION


Operation.differentiate = classmethod(differentiate)

# %% differentiate grad_or_1
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    ### BEGIN SOLUTION
    values = [n.value for n in node.inputs]
    return cls._df(node.grad or 1.0, node.value, *values)
    ### END SOLUTION


Operation.differentiate = classmethod(differentiate)

# %% differentiate abs_grad
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    ### BEGIN SOLUTION
    values = [n.value for n in node.inputs]
    return cls._df(abs(node.grad), node.value, *values)
    ### END SOLUTION


Operation.differentiate = classmethod(differentiate)

# %% differentiate unique
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    ### BEGIN SOLUTION
    values = [n.value for n in dict.fromkeys(node.inputs)]
    return cls._df(node.grad, node.value, *values)
    ### END SOLUTION


Operation.differentiate = classmethod(differentiate)

# %% differentiate consume
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    ### BEGIN SOLUTION
    values = [n.value for n in node.inputs]
    answer = cls._df(node.grad, node.value, *values)
    node.grad = None
    return answer
    ### END SOLUTION


Operation.differentiate = classmethod(differentiate)

# %% differentiate drop_zeros
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    ### BEGIN SOLUTION
    values = [n.value for n in node.inputs]
    return [g for g in cls._df(node.grad, node.value, *values) if g]
    ### END SOLUTION


Operation.differentiate = classmethod(differentiate)

# %% differentiate also_adds
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    ### BEGIN SOLUTION
    values = [n.value for n in node.inputs]
    answer = cls._df(node.grad, node.value, *values)
    for n, g in zip(node.inputs, answer):
        n.grad = g
    return answer
    ### END SOLUTION


Operation.differentiate = classmethod(differentiate)

# %% differentiate params_only_values
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    ### BEGIN SOLUTION
    values = [n.value if n.op is None else n.grad for n in node.inputs]
    return cls._df(node.grad, node.value, *values)
    ### END SOLUTION


Operation.differentiate = classmethod(differentiate)

# %% topological_order mark_nodes
def topological_order(root):
    order, waiting = [], [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif not getattr(node, "met", False):
            node.met = True
            waiting.append((node, True))
            waiting.extend((n, False) for n in node.inputs)
    return order

# %% topological_order exponential_last_occurrence
def topological_order(root):
    seen, waiting = [], [root]
    walk = []
    while waiting:
        node = waiting.pop()
        walk.append(node)
        waiting.extend(node.inputs)
    # depth by longest path: relax every path
    depth, waiting = {root: 0}, [(root, 0)]
    while waiting:
        node, d = waiting.pop()
        depth[node] = max(depth.get(node, 0), d)
        waiting.extend((n, d + 1) for n in node.inputs)
    return sorted(depth, key=lambda n: -depth[n])

# %% topological_order bfs_move_once
def topological_order(root):
    order, i = [root], 0
    while i < len(order):
        for n in order[i].inputs:
            if n in order[:i]:
                continue
            if n in order:
                order.remove(n)
            order.append(n)
        i += 1
    return order[::-1]

# %% topological_order depth_once
def topological_order(root):
    depth = {root: 0}
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        for n in node.inputs:
            depth[n] = depth[node] + 1
            if n not in waiting:
                waiting.append(n)
    return sorted(depth, key=lambda n: -depth[n])

# %% topological_order cuts_off_inputs
def topological_order(root):
    order, met, waiting = [], set(), [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node not in met:
            met.add(node)
            waiting.append((node, True))
            waiting.extend((n, False) for n in node.inputs)
    for node in order:
        if node.grad is None:
            node.grad = 0.0
    return order

# %% topological_order two_inputs_only
def topological_order(root):
    order, met, waiting = [], set(), [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node not in met:
            met.add(node)
            waiting.append((node, True))
            if node.inputs:
                a, b = node.inputs
                waiting.append((a, False))
                waiting.append((b, False))
    return order

# %% backward exponential_paths
def backward(self):
    for node in topological_order(self):
        if node.op is not None:
            node.grad = 0.0
    waiting = [(self, 1.0)]
    while waiting:
        node, g = waiting.pop()
        if isinstance(node, Constant):
            continue
        total = (node.grad or 0.0) + g
        if node.op is not None:
            node.grad = g
            waiting.extend(zip(node.inputs, node.op.differentiate(node)))
        node.grad = total
Node.backward = backward

# %% backward two_inputs_only
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    ### BEGIN SOLUTION
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, dldn in list(zip(node.inputs, node.op.differentiate(node)))[:2]:
                if not isinstance(n, Constant):
                    n.grad = (n.grad or 0.0) + dldn
    ### END SOLUTION


Node.backward = backward

# %% backward shared_dedupe_same_op
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    ### BEGIN SOLUTION
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, dldn in dict(zip(node.inputs, node.op.differentiate(node))).items():
                if not isinstance(n, Constant):
                    n.grad = (n.grad or 0.0) + dldn
    ### END SOLUTION


Node.backward = backward

# %% backward clips
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    ### BEGIN SOLUTION
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, dldn in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = max(-1e6, min(1e6, (n.grad or 0.0) + dldn))
    ### END SOLUTION


Node.backward = backward

# %% zero_grad stop_at_none
def zero_grad(self):
    met, waiting = set(), [self]
    while waiting:
        n = waiting.pop()
        if n.grad is None or n in met:
            continue
        met.add(n)
        n.grad = 0.0
        waiting.extend(n.inputs)
Node.zero_grad = zero_grad

# %% zero_grad exponential
def zero_grad(self):
    waiting = [self]
    while waiting:
        n = waiting.pop()
        if n.grad is not None:
            n.grad = 0.0
        waiting.extend(n.inputs)
Node.zero_grad = zero_grad

# %% zero_grad root_none
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    ### BEGIN SOLUTION
    for n in topological_order(self):
        if self.grad is None:
            return
        if n.grad is not None:
            n.grad = 0.0
    ### END SOLUTION


Node.zero_grad = zero_grad

# %% zero_grad false_for_zero
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    ### BEGIN SOLUTION
    for n in topological_order(self):
        if n.grad is not None:
            n.grad = False
    ### END SOLUTION


Node.zero_grad = zero_grad

# %% zero_grad stop_at_zero
def zero_grad(self):
    waiting = [self]
    while waiting:
        n = waiting.pop()
        if n.grad:
            n.grad = 0.0
            waiting.extend(n.inputs)
Node.zero_grad = zero_grad

# %% zero_grad cuts_graph
def zero_grad(self):
    for n in topological_order(self):
        if n.grad is not None:
            n.grad = 0.0
        n.op, n.inputs = n.op, tuple(n.inputs)
        n.name = None
Node.zero_grad = zero_grad

# %% minimize stop_at_flat
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    ### BEGIN SOLUTION
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        height = f(x)
        height.backward()
        if x.grad == 0:
            break
        x.value -= learning_rate * x.grad
        height.zero_grad()
        path.append(x.value)
    return path
    ### END SOLUTION

# %% minimize stop_1e-30
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    ### BEGIN SOLUTION
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        height = f(x)
        height.backward()
        if abs(x.grad) < 1e-25:
            break
        x.value -= learning_rate * x.grad
        height.zero_grad()
        path.append(x.value)
    return path
    ### END SOLUTION

# %% minimize gradient_clip
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    ### BEGIN SOLUTION
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        height = f(x)
        height.backward()
        x.value -= learning_rate * max(-1000, min(1000, x.grad))
        height.zero_grad()
        path.append(x.value)
    return path
    ### END SOLUTION

# %% minimize lr_cap
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    ### BEGIN SOLUTION
    x = Parameter(x)
    path = [x.value]
    learning_rate = min(learning_rate, 0.3)
    for _ in range(steps):
        height = f(x)
        height.backward()
        x.value -= learning_rate * x.grad
        height.zero_grad()
        path.append(x.value)
    return path
    ### END SOLUTION

# %% minimize steps_or_100
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    ### BEGIN SOLUTION
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps or 100):
        height = f(x)
        height.backward()
        x.value -= learning_rate * x.grad
        height.zero_grad()
        path.append(x.value)
    return path
    ### END SOLUTION

# %% minimize no_backtrack_increase
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    ### BEGIN SOLUTION
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        height = f(x)
        height.backward()
        x.value -= learning_rate * x.grad
        height.zero_grad()
        path.append(x.value if abs(x.value) <= abs(path[0]) else path[0])
    return path
    ### END SOLUTION

# %% minimize int_start
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    ### BEGIN SOLUTION
    x = Parameter(x)
    path = [round(x.value, 4)]
    for _ in range(steps):
        height = f(x)
        height.backward()
        x.value -= learning_rate * x.grad
        height.zero_grad()
        path.append(x.value)
    return path
    ### END SOLUTION
