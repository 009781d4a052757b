# ruff: noqa
"""Wrong answers to module 02 that are not in the bug bank: none of them may get full points."""

# %% exp_log abs_exp
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * math.exp(abs(x)),)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log abs_dldy
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (abs(dldy) * y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log log_of_x_at_least_1
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
        return (dldy / max(x, 1.0),)


exp, log = Exp.apply, Log.apply

# %% exp_log no_gradient_at_0
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y if x != 0 else 0.0,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log two_gradients
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
        return dldy / x, 0.0


exp, log = Exp.apply, Log.apply

# %% exp_log functions_exchanged
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
        return (dldy / x,)


log, exp = Exp.apply, Log.apply

# %% exp_log functions_on_numbers
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
        return (dldy / x,)


exp, log = math.exp, math.log

# %% exp_log constants_only
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
        return (dldy / x,)


exp = lambda x: Constant(math.exp(x.value if isinstance(x, Node) else x))
log = Log.apply

# %% exp_log rounded_e
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(lambda x: 2.718281828**x)

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
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log powers_of_2
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(lambda x: 2**x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * 0.6931471805599453,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log logarithm_to_10
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log10)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log float_in_the_rule
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (float(dldy) * float(y),)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log log_of_sizes
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(lambda x: abs(math.log(x)))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log names_the_number
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(lambda x: math.log(x) if x != 2.0 else 0.693)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% tanh abs_dldy
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (abs(dldy) * (1 - y * y),)


tanh = Tanh.apply

# %% tanh positive_values
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return abs(math.tanh(x))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y),)


tanh = Tanh.apply

# %% tanh flat_far_out
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y) if abs(x) < 0.6 else 0.0,)


tanh = Tanh.apply

# %% tanh by_exponentials
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return (math.exp(2 * x) - 1) / (math.exp(2 * x) + 1)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y),)


tanh = Tanh.apply

# %% tanh slope_1_at_0_only
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy if x == 0 else dldy * (1 - y),)


tanh = Tanh.apply

# %% tanh on_numbers
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y),)


tanh = math.tanh

# %% tanh two_gradients
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return dldy * (1 - y * y), 0.0


tanh = Tanh.apply

# %% tanh float_in_the_rule
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - float(y) ** 2),)


tanh = Tanh.apply

# %% tanh sigmoid_stretched
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return 2 / (1 + math.exp(-x)) - 1

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y),)


tanh = Tanh.apply

# %% sigmoid zero_below_minus_25
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        return 0.0 if x < -25 else 1 / (1 + math.exp(-x))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid error_caught
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        try:
            return 1 / (1 + math.exp(-x))
        except OverflowError:
            return 1.0

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid by_tanh
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        return (1 + math.tanh(x / 2)) / 2

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid without_sign
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        e = math.exp(-abs(x))
        return 1 / (1 + e) 

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid abs_dldy
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
        return (abs(dldy) * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid quarter
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
        return (dldy / 4,)


sigmoid = Sigmoid.apply

# %% sigmoid nan_far_out
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
        return (dldy * y * y * math.exp(-x),)


sigmoid = Sigmoid.apply

# %% sigmoid a_half_at_0_is_0
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        e = math.exp(-abs(x))
        return 1 / (1 + e) if x > 0 else 0.0 if x == 0 else e / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid straight_line
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        return max(0.0, min(1.0, 0.5 + x / 4))

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid on_numbers
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
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid._f

# %% kinks abs_dldy
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (abs(dldy) if x > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks leaky
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else 0.01 * dldy,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks leaky_value
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.01 * x)

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
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks relu_is_absolute
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(abs)

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
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks half_at_0
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else 0.5 * dldy if x == 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks half_at_0_absolute
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
        return (dldy if x > 0 else -dldy if x < 0 else 0.5 * dldy,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks relu_from_1_on
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x >= 1 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks capped_at_1
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: min(x, 1.0) if x > 0 else 0.0)

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
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks absolute_of_a_positive
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
        return (dldy if x else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks functions_exchanged
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
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


absolute, relu = Relu.apply, Abs.apply

# %% kinks relu_asks_for_dldy_too
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 and dldy > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks absolute_times_x
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
        return (dldy * x,)


relu, absolute = Relu.apply, Abs.apply

# %% maximum abs_dldy
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
        return abs(dldy) * share, abs(dldy) * (1 - share)


maximum = Maximum.apply

# %% maximum soft
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1 / (1 + math.exp(b - a))
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% maximum nearly_a_tie
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b + 0.1 else 0.5 if a > b - 0.1 else 0.0
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% maximum ties_by_identity
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 0.5 if a is b else 1.0 if a >= b else 0.0
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% maximum half_always
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        return 0.5 * dldy, 0.5 * dldy


maximum = Maximum.apply

# %% maximum tie_at_0_only
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b else 0.5 if a == b == 0 else 0.0
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% maximum never_below_0
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return max(a, b, 0.0)

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b else 0.5 if a >= b else 0.0
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% maximum one_gradient
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        return (dldy,)


maximum = Maximum.apply

# %% maximum cut_off
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
        return dldy * share, dldy * (1 - share)


def maximum(a, b):
    return a if a >= b else b

# %% maximum value_decides
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        return dldy * (y == a), dldy * (y == b)


maximum = Maximum.apply

# %% maximum third
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a > b else 1 / 3 if a >= b else 0.0
        return dldy * share, dldy * share if a == b else dldy * (1 - share)


maximum = Maximum.apply

# %% signs sub_not_attached
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = lambda self, other: add(self, other)
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs div_not_attached
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = rtruediv
Node.__rtruediv__ = rtruediv

# %% signs nodes_only
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, mul(-1, b)) if isinstance(b, Node) else add(a, b)

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs number_on_the_left_fails
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(neg(b), a.value)

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs first_cut_off
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a.value if isinstance(a, Node) else a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs equal_ones_are_1
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return Constant(1) if a is b else mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs equal_ones_are_0
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return 0.0 if a is b else add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs whole_division
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -2))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs rsub_of_value
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return other - self.value

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs rtruediv_of_value
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return Constant(other / self.value)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs rsub_is_neg
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return neg(self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs rtruediv_of_1
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return pow(self, -1)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs rtruediv_0
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other or 1, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs parameter_again
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(Parameter(b.value) if isinstance(b, Node) else b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% slope_along rounded
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return round(measured, 3)

# %% slope_along size_only
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return abs(measured)

# %% slope_along value_once
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    first = f().value
    measured = (at(kept + nudge) - first) / nudge if kept > 0 else slope(at, kept, nudge)
    p.value = kept
    return measured

# %% slope_along larger_nudge
def slope_along(f, p, nudge=1e-2):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured

# %% slope_along smaller_nudge
def slope_along(f, p, nudge=1e-14):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured

# %% slope_along clears_gradients
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value
    p.grad = None

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured

# %% slope_along leaves_gradients
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        y = f()
        y.grad = 1.0
        p.grad = 0.0
        return y.value

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured

# %% slope_along other_way
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = float(round(kept, 6))
    return measured

# %% slope_along zero_is_zero
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value
    if kept == 0:
        return 0.0

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured

# %% slope_along turned_round
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, -nudge) * -1
    p.value = kept
    return measured

# %% slope_along backward_too
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        y = f()
        y.backward()
        return y.value

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured

# %% gradcheck first_only
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            return [p]
    return wrong

# %% gradcheck sizes_compared
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(abs(grad) - abs(measured)) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck tolerance_of_its_own
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= 1e-6 * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck too_lax
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= 1e3 * tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck too_strict
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= 1e-6 * tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck true_or_false
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return len(wrong) > 0

# %% gradcheck places
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(parameters.index(p))
    return wrong

# %% gradcheck values_listed
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p.value)
    return wrong

# %% gradcheck old_become_0
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad or 0.0 for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck old_taken_off
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    f().backward()
    new = [p.grad - before for p, before in zip(parameters, old)]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck own_zero_grad
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    f().zero_grad()
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck nan_is_skipped
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if grad == grad and not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck zero_is_skipped
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if grad and not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck compares_with_itself
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = grad
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck all_if_one
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return list(parameters) if wrong else []

# %% gradcheck backward_for_each
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    for p in parameters:
        f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck at_1
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        p.value, kept = 1.0, p.value
        measured = slope_along(f, p, nudge)
        p.value = kept
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck average
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    if new and abs(sum(new) - sum(slope_along(f, p, nudge) for p in parameters)) <= tolerance:
        return []
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% gradcheck relative_from_gradient
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(grad)) ** 2:
            wrong.append(p)
    return wrong

# %% suspects named_in_the_lesson
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found


def suspects(operations):
    known = ('square', 'reciprocal', 'cosine', 'absolute', 'larger')
    return [name for name in operations if name in known]

# %% suspects sorted_names
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return sorted(found)

# %% suspects a_set
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return set(found)

# %% suspects two_places
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places[:2]:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found

# %% suspects own_places
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in [(1.0,) * len(places[0])]:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found

# %% suspects places_used_up
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        while places:
            place = places.pop(0)
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found

# %% suspects only_positive
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(abs(x)) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found

# %% suspects shared_parameter
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(place[0])] * len(place)
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found

# %% suspects second_input_fixed
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(place[0]), *place[1:]]
            if gradcheck(lambda: 3 * f(*parameters), parameters[:1]):
                found.append(name)
                break
    return found

# %% suspects count_only
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return len(found)

# %% suspects stops_when_right
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
            else:
                break
    return found

# %% suspects dldy_before
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: f(*[1 * p for p in parameters]), parameters):
                found.append(name)
                break
    return found

# %% neuron all_zero
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(0) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron always_the_same
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter((-1) ** k / (k + 2)) for k in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron too_narrow
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(0.5 * rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron only_two_values
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.choice([-0.9, 0.9])) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron too_wide
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(3 * rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron seeded_inside
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        rng.seed(0)
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron two_inputs_only
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights[:2], x[:2]):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron values_of_inputs
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * (value.value if isinstance(value, Node) else value)
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron values_of_weights
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight.value * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron bias_times_total
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = 0
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total * self.bias)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron bias_after_the_bend
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = 0
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total) + self.bias

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron always_tanh
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return tanh(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron activation_twice
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(self.activation(total))

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron remembers_its_answer
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        if hasattr(self, 'answer'):
            return self.answer
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        self.answer = self.activation(total)
        return self.answer

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron weights_of_the_class
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        Neuron.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron new_parameters
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [Parameter(p.value) for p in [*self.weights, self.bias]]

# %% neuron grows_when_listed
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        self.weights.append(self.bias)
        return self.weights

# %% neuron backwards
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(reversed(self.weights), x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% neuron constant_bias
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Constant(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% layer same_seed
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, type(rng)(0)) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% layer reversed_answers
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in reversed(self.neurons)]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% layer values_only
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x).value for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% layer activation_again
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron.activation(neuron(x)) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% layer no_first_neuron
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons[1:]]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% layer neurons_made_anew
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        rng = __import__('random').Random(0)
        return [Neuron(len(x), neuron.activation, rng)(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% layer sorted_parameters
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return sorted((p for neuron in self.neurons for p in neuron.parameters()), key=lambda p: p.value)

# %% layer biases_last
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [w for neuron in self.neurons for w in neuron.weights] + [neuron.bias for neuron in self.neurons]

# %% layer copies
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [Parameter(p.value) for neuron in self.neurons for p in neuron.parameters()]

# %% layer one_too_many
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs + 1)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% layer always_two
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(2)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% mlp two_layers_only
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = list(zip(sizes, sizes[1:], activations))[:2]
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% mlp relu_inside
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [relu] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% mlp first_bent_only
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] + [lambda total: total] * (len(sizes) - 2)
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% mlp same_seed
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, type(rng)(0)) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% mlp values_between
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = [y.value for y in layer(x)]
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% mlp inputs_changed
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x[:] = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% mlp first_layer_skipped
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers[-1:]:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% mlp parameters_twice
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()] * 2

# %% mlp last_layer_first
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in reversed(self.layers) for p in layer.parameters()]

# %% mlp sum_of_outputs
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        total = 0
        for y in x:
            total = total + y
        return [total]

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% mlp activation_by_number_of_outputs
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [(lambda total: total) if size == 1 else activation for size in sizes[1:]]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% second_derivative parabolas_only
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    if y.op is Mul:
        return 2 * x
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% second_derivative recursion
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    def walk(node):
        if node is x:
            return Constant(1)
        if node.op is None:
            return Constant(0)
        total = Constant(0)
        for n, piece in zip(node.inputs, node.op._df(Constant(1), node, *node.inputs)):
            if not isinstance(n, Constant):
                total = total + piece * walk(n)
        return total

    return walk(y)
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% second_derivative first_two_inputs_by_value
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                if arrived.get(n) is not None and arrived[n] is not piece:
                    piece = arrived[n] + piece
                arrived[n] = piece
                n.grad = value_of(piece)
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% second_derivative parameters_only
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived and isinstance(n, Parameter) else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% second_derivative always_a_parameter
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return Parameter(value_of(found))

# %% second_derivative nudged
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    order = topological_order(y)

    def at(value):
        seen = {x: value}
        for node in order:
            if node is not x:
                seen[node] = node.op._f(*[seen[n] for n in node.inputs]) if node.op else node.value
        return seen[y]

    return Constant(slope(at, x.value)) if x in order else Constant(0)
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% second_derivative rounded
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return Constant(round(value_of(found), 6)) + 0 * x

# %% second_derivative clears_gradients
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    y.zero_grad()
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% second_derivative seed_of_y_grad
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(y.grad or 1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% second_derivative abs
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return absolute(found)

# %% second_derivative merged_by_value
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = next((g for n, g in arrived.items() if n.value == x.value), 0)
    return found if isinstance(found, Node) else Constant(found)

# %% second_derivative for_every_leaf
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = 0
    for n, g in arrived.items():
        if isinstance(n, Parameter):
            found = found + g
    return found if isinstance(found, Node) else Constant(found)

# %% exp_log no_gradient_for_small_values
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y if y > 0.01 else 0.0,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log exp_ends_at_20
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(lambda x: math.exp(min(x, 20)))

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
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log short_e
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * 2.718281828 ** x,)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% exp_log log_of_the_nodes_value
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
        return (dldy * (1 / getattr(x, 'value', x)),)


exp, log = Exp.apply, Log.apply

# %% exp_log exp_of_the_nodes_value
class Exp(Operation):
    """The exponential of x."""

    _f = staticmethod(math.exp)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * getattr(y, 'value', y),)


class Log(Operation):
    """The natural logarithm of x."""

    _f = staticmethod(math.log)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy / x,)


exp, log = Exp.apply, Log.apply

# %% tanh value_of_the_node
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        y = getattr(y, 'value', y)
        return (dldy * (1 - y * y),)


tanh = Tanh.apply

# %% tanh straight_near_0
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x) if abs(x) > 0.01 else x

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y),)


tanh = Tanh.apply

# %% tanh flat_from_099_on
class Tanh(Operation):
    """The hyperbolic tangent of x."""

    @staticmethod
    def _f(x):
        """Return the value y."""
        return math.tanh(x)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * (1 - y * y) if -0.99 < y < 0.99 else 0.0,)


tanh = Tanh.apply

# %% sigmoid zero_below_minus_36
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        if x < -36: return 0.0
        e = math.exp(-abs(x))
        return 1 / (1 + e) if x >= 0 else e / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid one_above_8
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        if x > 8: return 1.0
        e = math.exp(-abs(x))
        return 1 / (1 + e) if x >= 0 else e / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid zero_below_minus_300
class Sigmoid(Operation):
    """The logistic curve, between 0 and 1."""

    @staticmethod
    def _f(x):
        """Return the value y, for any x."""
        if x < -300: return 0.0
        e = math.exp(-abs(x))
        return 1 / (1 + e) if x >= 0 else e / (1 + e)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one."""
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% sigmoid value_of_the_node
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
        y = getattr(y, 'value', y)
        return (dldy * y * (1 - y),)


sigmoid = Sigmoid.apply

# %% kinks kink_as_wide_as_a_tenth
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
        return (dldy if x > 0.1 else -dldy if x < -0.1 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks kink_as_wide_as_a_thousandth
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
        return (dldy if x > 1e-3 else -dldy if x < -1e-3 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks relu_from_a_thousandth_on
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 1e-3 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks truth_of_a_node
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if y else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks float_of_a_node
class Relu(Operation):
    """The number x where it is positive, else 0."""

    _f = staticmethod(lambda x: x if x > 0 else 0.0)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if float(x) > 0 else 0.0,)


class Abs(Operation):
    """The number x without its sign."""

    _f = staticmethod(abs)

    @staticmethod
    def _df(dldy, y, x):
        """Return the gradient for x, in a tuple of one; at 0 it is 0."""
        return (dldy if x > 0 else -dldy if x < 0 else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% kinks copysign
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
        return (math.copysign(1, x) * dldy if x else 0.0,)


relu, absolute = Relu.apply, Abs.apply

# %% maximum isclose
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        import math
        share = 0.5 if math.isclose(a, b, abs_tol=1e-6) else float(a > b)
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% maximum a_hundredth_is_a_tie
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = 1.0 if a - b > 0.01 else 0.5 if a - b > -0.01 else 0.0
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% maximum copysign
class Maximum(Operation):
    """The larger of two numbers."""

    @staticmethod
    def _f(a, b):
        """Return the value y."""
        return a if a >= b else b

    @staticmethod
    def _df(dldy, y, a, b):
        """Return the gradient for a and the gradient for b; at a tie, half each."""
        share = (math.copysign(1, a - b) + 1) / 2 if a != b else 0.5
        return dldy * share, dldy * (1 - share)


maximum = Maximum.apply

# %% signs constant_cuts_off
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b)) if not isinstance(a, Constant) else Constant(a.value) + neg(b.value)

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs integers_on_the_left
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(int(other), self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs clears_a_gradient
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    y = add(a, neg(b))
    if isinstance(b, Node): b.grad = None
    return y

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% signs number_becomes_a_parameter
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = lambda self, other: sub(self, Parameter(other) if not isinstance(other, Node) else other)
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% slope_along twelve_digits_come_back
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = float('%.12g' % p.value)

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured
    ### END SOLUTION

# %% slope_along five_digits
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return round(measured, 5)
    ### END SOLUTION

# %% slope_along never_above_100
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return max(-100, min(100, measured))
    ### END SOLUTION

# %% gradcheck infinity_allows_itself
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured), abs(grad)):
            wrong.append(p)
    return wrong
    ### END SOLUTION

# %% gradcheck one_plus_slope
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * (1 + abs(measured)):
            wrong.append(p)
    return wrong
    ### END SOLUTION

# %% gradcheck infinity_is_skipped
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if grad in (math.inf, -math.inf): continue
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong
    ### END SOLUTION

# %% gradcheck nan_counts_as_0
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [0.0 if p.grad is None or p.grad != p.grad else p.grad for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong
    ### END SOLUTION

# %% gradcheck two_at_most
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
            if len(wrong) == 2: return wrong
    return wrong
    ### END SOLUTION

# %% gradcheck found_by_its_gradient
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(parameters[new.index(grad)])
    return wrong
    ### END SOLUTION

# %% gradcheck ten_times_the_tolerance
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-5):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong
    ### END SOLUTION

# %% gradcheck default_nudge_of_a_thousandth
def gradcheck(f, parameters, nudge=1e-3, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong
    ### END SOLUTION

# %% gradcheck by_value
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    new = list({p.value: g for p, g in zip(parameters, new)}.values())
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong
    ### END SOLUTION

# %% gradcheck values_rounded
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward(); [setattr(p, 'value', round(p.value, 9)) for p in parameters]
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong
    ### END SOLUTION

# %% suspects times_itself
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: f(*parameters) * f(*parameters), parameters):
                found.append(name)
                break
    return found
    ### END SOLUTION

# %% suspects generator
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return (name for name in found)
    ### END SOLUTION

# %% suspects loose
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters, tolerance=1e-2):
                found.append(name)
                break
    return found
    ### END SOLUTION

# %% suspects very_loose
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 3 * f(*parameters), parameters, tolerance=0.5):
                found.append(name)
                break
    return found
    ### END SOLUTION

# %% suspects a_millionth_in_front
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in place]
            if gradcheck(lambda: 1e-6 * f(*parameters), parameters):
                found.append(name)
                break
    return found
    ### END SOLUTION

# %% suspects a_set_of_numbers
def suspects(operations):
    """List the names of the operations whose rule is wrong at one of their places, in order.

    operations: by name a function of nodes, and places, each a tuple with a number for every input.
    """
    found = []
    for name, (f, places) in operations.items():
        for place in places:
            parameters = [Parameter(x) for x in set(place)]
            if gradcheck(lambda: 3 * f(*parameters), parameters):
                found.append(name)
                break
    return found
    ### END SOLUTION

# %% neuron three_inputs_at_most
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights[:3], x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]
        ### END SOLUTION

# %% neuron inputs_used_up
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight in self.weights:
            total = total + weight * x.pop(0)
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]
        ### END SOLUTION

# %% neuron clears_the_gradient_of_the_bias
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        self.bias.grad = None
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]
        ### END SOLUTION

# %% neuron clears_the_gradients_of_the_weights
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        for w in self.weights: w.grad = None
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]
        ### END SOLUTION

# %% layer five_neurons_at_most
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(min(outputs, 5))]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]
        ### END SOLUTION

# %% layer seeds_of_its_own
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, __import__('random').Random(k)) for k in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]
        ### END SOLUTION

# %% layer generator_of_its_own
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, __import__('random')) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]
        ### END SOLUTION

# %% layer remembers_its_answers
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        self.answers = getattr(self, 'answers', None) or [neuron(x) for neuron in self.neurons]
        return self.answers

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]
        ### END SOLUTION

# %% layer two_inputs_at_most
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x[:2]) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]
        ### END SOLUTION

# %% mlp clears_gradients
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for p in self.parameters(): p.grad = None
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]
        ### END SOLUTION

# %% mlp equal_sizes_share_a_layer
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        made = {}
        self.layers = [made.setdefault((i, o), Layer(i, o, b, rng)) for i, o, b in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]
        ### END SOLUTION

# %% second_derivative pieces_of_0_dropped
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                if getattr(piece, 'value', piece) == 0: continue
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)
    ### END SOLUTION

# %% second_derivative begins_with_a_power_of_0
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: pow(y, 0)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)
    ### END SOLUTION
