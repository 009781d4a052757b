"""How the numbers of a parameter are drawn before training; each function fills a `Parameter` and returns it.

The names, formulas and defaults are PyTorch's, the random numbers NumPy's. Everything is drawn in float64
and then rounded to the type of the parameter, so that a seed means one network in every type. A `seed` is a
whole number, a `numpy.random.Generator`, which goes on where it stands, or None for a number that is drawn from
Python's global generator, which `random.seed` and `dark.engine.manual_seed` set. One generator serves a whole
network; one whole number for several layers draws the same in each.
"""

import math
import numbers
import random

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError, near_misses
from dark.nn.float_dtype import finite, not_negative
from dark.nodes import Parameter
from dark.nodes.values import describe


def generator(seed=None):
    """Return the generator that a seed stands for.

    Raises
    ------
    ValueTypeError
        If it is no seed.

    Examples
    --------
    >>> rng = generator(0)
    >>> generator(rng) is rng
    True
    """
    try:
        return np.random.default_rng(random.getrandbits(63) if seed is None else seed)
    except (TypeError, ValueError) as error:
        raise ValueTypeError(
            f"seed: {describe(seed)}: {error}.", "a whole number, 0 or more, or a NumPy Generator.", "seed=0"
        ) from None


def empty(shape, dtype):
    """Make a parameter that waits to be filled."""
    return Parameter(np.zeros(shape, dtype))


def fans(shape):
    """Count the inputs that each output of a weight is made of, and the outputs that each input goes into.

    Parameters
    ----------
    shape : tuple of int
        (out, in), or (out, in, height, width) of a convolution.

    Returns
    -------
    tuple of int
        ``fan_in``, ``fan_out``.

    Raises
    ------
    ShapeError
        If the shape has fewer than two axes.

    Examples
    --------
    >>> fans((3, 2)), fans((8, 4, 3, 3))
    ((2, 3), (36, 72))
    """
    if len(shape) < 2:
        raise ShapeError(
            f"init: a parameter of shape {shape} has no fan.", "two axes or more.", "zeros_ or uniform_, for a bias."
        )
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def calculate_gain(nonlinearity, param=None):
    """Return the factor by which weights make up for what an activation takes away.

    Parameters
    ----------
    nonlinearity : str
        The name of a function: "linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu", or of a convolution.
    param : float, optional
        The slope of leaky_relu below 0; 0.01 if not given.

    Raises
    ------
    UsageError
        If the name is unknown.

    Examples
    --------
    >>> calculate_gain("tanh"), calculate_gain("leaky_relu", 1.0)
    (1.6666666666666667, 1.0)
    """
    slope = 0.01 if param is None else param
    gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2), "selu": 0.75}
    gains |= {f"conv{way}{n}d": 1.0 for way in ("", "_transpose") for n in (1, 2, 3)}
    gains["leaky_relu"] = math.sqrt(2 / (1 + slope**2))
    if nonlinearity not in gains:
        raise UsageError(
            f"init: the nonlinearity {nonlinearity!r} is unknown.",
            "the name of an activation.",
            near_misses(nonlinearity, gains),
        )
    return gains[nonlinearity]


def fill(parameter, draw):
    """Put numbers into a parameter: what `draw` makes for its shape, in its type."""
    if not isinstance(parameter, Parameter):
        raise ValueTypeError(
            f"init: {describe(parameter)} cannot be filled.", "a Parameter.", "dark.Parameter(np.zeros(shape))"
        )
    numbers = np.empty(parameter.shape, parameter.dtype)
    numbers[...] = draw(parameter.shape)
    parameter.value = numbers
    return parameter


def uniform_(parameter, a=0.0, b=1.0, seed=None):
    """Draw evenly between `a` and `b`.

    Examples
    --------
    >>> from dark import Parameter
    >>> bool(np.abs(uniform_(Parameter(np.zeros(100)), -2, 2, seed=0).value).max() < 2)
    True
    """
    if not (finite(a, "uniform_", "a") <= finite(b, "uniform_", "b")):
        raise UsageError(f"uniform_: a is {a}, and b is {b}.", "the lower bound first.", f"uniform_(p, {b}, {a})")
    return fill(parameter, lambda shape: generator(seed).uniform(a, b, shape))


def normal_(parameter, mean=0.0, std=1.0, seed=None):
    """Draw from the bell curve round `mean`, `std` wide."""
    finite(mean, "normal_", "mean"), not_negative(std, "normal_", "std")
    return fill(parameter, lambda shape: generator(seed).normal(mean, std, shape))


def constant_(parameter, value):
    """Set every number to `value`."""
    if not isinstance(value, numbers.Real):
        raise ValueTypeError(f"constant_: {describe(value)} as the value.", "one number.", "p.value = array, for many.")
    return fill(parameter, lambda shape: value)


def zeros_(parameter):
    """Set every number to 0."""
    return constant_(parameter, 0.0)


def ones_(parameter):
    """Set every number to 1."""
    return constant_(parameter, 1.0)


def xavier_uniform_(parameter, gain=1.0, seed=None):
    """Draw evenly between ±`gain` times ``sqrt(6 / (fan_in + fan_out))``.

    References
    ----------
    X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010.
    """
    bound = gain * math.sqrt(3.0) * _xavier_scale(parameter)
    return uniform_(parameter, -bound, bound, seed)


def xavier_normal_(parameter, gain=1.0, seed=None):
    """Draw from the bell curve, `gain` times ``sqrt(2 / (fan_in + fan_out))`` wide; see `xavier_uniform_`."""
    return normal_(parameter, 0.0, gain * _xavier_scale(parameter), seed)


def _xavier_scale(parameter):
    return math.sqrt(2.0 / max(1, sum(fans(parameter.shape))))


def kaiming_uniform_(parameter, a=0.0, mode="fan_in", nonlinearity="leaky_relu", *, seed=None):
    """Draw evenly, so that what leaves layers with this activation is as wide as what enters.

    Parameters
    ----------
    parameter : Parameter, two axes or more
    a : float, default 0
        The slope of leaky_relu below 0.
    mode : {"fan_in", "fan_out"}, default "fan_in"
        Whether width is kept on the way forward or on the way back.
    nonlinearity : str, default "leaky_relu"
        See `calculate_gain`.
    seed : int or numpy.random.Generator, optional

    Notes
    -----
    Between ±``gain * sqrt(3 / fan)``.

    References
    ----------
    K. He, X. Zhang, S. Ren, J. Sun, "Delving deep into rectifiers", arXiv 1502.01852, 2015.
    """
    bound = math.sqrt(3.0) * _kaiming_scale(parameter, a, mode, nonlinearity)
    return uniform_(parameter, -bound, bound, seed)


def kaiming_normal_(parameter, a=0.0, mode="fan_in", nonlinearity="leaky_relu", *, seed=None):
    """Draw from the bell curve, ``gain / sqrt(fan)`` wide; see `kaiming_uniform_`."""
    return normal_(parameter, 0.0, _kaiming_scale(parameter, a, mode, nonlinearity), seed)


def _kaiming_scale(parameter, a, mode, nonlinearity):
    if mode not in ("fan_in", "fan_out"):
        raise UsageError(f"init: the mode {mode!r} is unknown.", '"fan_in" or "fan_out".', 'mode="fan_in"')
    fan = fans(parameter.shape)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(max(1, fan))


def orthogonal_(parameter, gain=1.0, seed=None):
    """Draw a matrix whose rows, or columns where those are fewer, are at right angles and `gain` long.

    The axes after the first count as one.

    References
    ----------
    A. Saxe, J. McClelland, S. Ganguli, "Exact solutions to the nonlinear dynamics of learning in deep linear
    neural networks", arXiv 1312.6120, 2013.
    """
    fans(parameter.shape)

    def draw(shape):
        rows, columns = shape[0], math.prod(shape[1:])
        q, r = np.linalg.qr(generator(seed).normal(size=(max(rows, columns), min(rows, columns))))
        q = q * np.where(np.diag(r) < 0, -1.0, 1.0)  # else some directions would be likelier than others
        return gain * (q if rows >= columns else q.T).reshape(shape)

    return fill(parameter, draw)
