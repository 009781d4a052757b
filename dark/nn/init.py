"""Initialization of parameters: each function fills a `Parameter` in place and returns it.

Names, formulas and defaults are PyTorch's, the random numbers NumPy's. All numbers are drawn in float64 and then
rounded to the dtype of the parameter, so that a seed gives the same network in every dtype. A `seed` is an
integer; a `numpy.random.Generator`, whose state advances; or None for one from Python's `random`, which
`dark.engine.manual_seed` sets. Pass one generator to all layers: equal seeds give equal weights.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import describe, is_bool, number
from dark.errors import ShapeError, UsageError, ValueTypeError, module_getattr, near_misses
from dark.nodes import Parameter
from dark.typing import DType, Seed, Shape


def generator(seed: Seed = None) -> np.random.Generator:
    """Return a generator: the given one, or a new one with the given seed.

    >>> rng = generator(0)
    >>> generator(rng) is rng
    True
    """
    try:
        if is_bool(seed):
            raise TypeError("a bool is not a seed")
        return np.random.default_rng(random.getrandbits(63) if seed is None else seed)
    except (TypeError, ValueError) as error:
        expected = "an integer, 0 or more, or a NumPy Generator."
        raise ValueTypeError(f"seed: {describe(seed)}: {error}.", expected, "seed=0") from None


def empty(shape: int | Shape, dtype: DType) -> Parameter:
    """Create a parameter to be filled."""
    try:
        return Parameter(np.zeros(shape, dtype))
    except (ValueError, MemoryError) as error:
        raise UsageError(
            f"init: cannot create a parameter of shape {shape}: {error}.",
            "a shape that fits into memory.",
            "check how the sizes of the layer were computed.",
        ) from None


def fans(shape: Shape) -> tuple[int, int]:
    """Compute ``fan_in`` and ``fan_out``: inputs per output of a weight, and outputs per input.

    The shape is (out, in), or (out, in, height, width) of a convolution.

    >>> fans((3, 2)), fans((8, 4, 3, 3))
    ((2, 3), (36, 72))
    """
    if len(shape) < 2:
        raise ShapeError(
            f"init: cannot compute the fans of a parameter of shape {shape}.",
            "two axes or more.",
            "nn.init.zeros_(p) or nn.init.uniform_(p) for a bias.",
        )
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the recommended factor of the standard deviation for an activation function, by its name.

    The names are "linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu", and those of convolutions. `param` is the
    negative slope of leaky_relu, by default 0.01.

    >>> calculate_gain("tanh"), calculate_gain("leaky_relu", 1.0)
    (1.6666666666666667, 1.0)
    """
    slope = 0.01 if param is None else number(param, "calculate_gain", "param")
    gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2), "selu": 0.75}
    gains |= {f"conv{kind}{n}d": 1.0 for kind in ("", "_transpose") for n in (1, 2, 3)}
    gains["leaky_relu"] = math.sqrt(2 / (1 + slope**2))
    if nonlinearity not in gains:
        raise UsageError(
            f"init: unknown nonlinearity {nonlinearity!r}.",
            "the name of an activation function.",
            near_misses(nonlinearity, gains),
        )
    return gains[nonlinearity]


def fill(parameter: Parameter, draw: Callable[[Shape], Any]) -> Parameter:
    """Fill a parameter with ``draw(shape)``, converted to its dtype."""
    if not isinstance(parameter, Parameter):
        raise ValueTypeError(
            f"init: {describe(parameter)} is not a Parameter.", "a Parameter.", "dark.Parameter(np.zeros(shape))"
        )
    values = np.empty(parameter.shape, parameter.dtype)
    values[...] = draw(parameter.shape)
    parameter.value = values
    return parameter


def uniform_(parameter: Parameter, a: float = 0.0, b: float = 1.0, seed: Seed = None) -> Parameter:
    """Fill with samples from the uniform distribution on [a, b).

    >>> from dark import Parameter
    >>> bool(np.abs(uniform_(Parameter(np.zeros(100)), -2, 2, seed=0).value).max() < 2)
    True
    """
    if number(a, "uniform_", "a") > number(b, "uniform_", "b"):
        raise UsageError(
            f"uniform_: a must not exceed b, got a={a} and b={b}.", "the lower bound first.", f"uniform_(p, {b}, {a})"
        )
    return fill(parameter, lambda shape: generator(seed).uniform(a, b, shape))


def normal_(parameter: Parameter, mean: float = 0.0, std: float = 1.0, seed: Seed = None) -> Parameter:
    """Fill with samples from the normal distribution N(mean, std²)."""
    mean, std = number(mean, "normal_", "mean"), number(std, "normal_", "std", least=0)
    return fill(parameter, lambda shape: generator(seed).normal(mean, std, shape))


def constant_(parameter: Parameter, value: float) -> Parameter:
    """Fill with one value."""
    value = number(value, "constant_", "value", finite=False, advice="p.value = array, for several values.")
    return fill(parameter, lambda shape: value)


def zeros_(parameter: Parameter) -> Parameter:
    """Fill with 0."""
    return constant_(parameter, 0.0)


def ones_(parameter: Parameter) -> Parameter:
    """Fill with 1."""
    return constant_(parameter, 1.0)


def xavier_uniform_(parameter: Parameter, gain: float = 1.0, seed: Seed = None) -> Parameter:
    """Fill by Xavier (Glorot) uniform initialization, in ±``gain * sqrt(6 / (fan_in + fan_out))``.

    Reference: X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010.
    """
    bound = number(gain, "xavier_uniform_", "gain") * math.sqrt(3.0) * _xavier_std(parameter)
    return uniform_(parameter, -bound, bound, seed)


def xavier_normal_(parameter: Parameter, gain: float = 1.0, seed: Seed = None) -> Parameter:
    """Fill by Xavier (Glorot) normal initialization, with std ``gain * sqrt(2 / (fan_in + fan_out))``."""
    return normal_(parameter, 0.0, number(gain, "xavier_normal_", "gain") * _xavier_std(parameter), seed)


def _xavier_std(parameter):
    return math.sqrt(2.0 / max(1, sum(fans(parameter.shape))))


def kaiming_uniform_(
    parameter: Parameter, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", *, seed: Seed = None
) -> Parameter:
    """Fill by Kaiming (He) uniform initialization, which preserves the variance across layers.

    Uniform in ±``gain * sqrt(3 / fan)``.

    Reference: K. He, X. Zhang, S. Ren, J. Sun, "Delving deep into rectifiers", arXiv 1502.01852, 2015.

    Parameters
    ----------
    parameter : Parameter, two axes or more
    a : float, default 0
        The negative slope of leaky_relu.
    mode : {"fan_in", "fan_out"}, default "fan_in"
        Whether the variance is preserved in the forward or in the backward pass.
    nonlinearity : str, default "leaky_relu"
        The activation function after the layer; see `calculate_gain`.
    seed : int or numpy.random.Generator, optional
    """
    bound = math.sqrt(3.0) * _kaiming_std(parameter, a, mode, nonlinearity)
    return uniform_(parameter, -bound, bound, seed)


def kaiming_normal_(
    parameter: Parameter, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", *, seed: Seed = None
) -> Parameter:
    """Fill by Kaiming (He) normal initialization, with std ``gain / sqrt(fan)``; see `kaiming_uniform_`."""
    return normal_(parameter, 0.0, _kaiming_std(parameter, a, mode, nonlinearity), seed)


def _kaiming_std(parameter, a, mode, nonlinearity):
    if mode not in ("fan_in", "fan_out"):
        raise UsageError(f"init: invalid mode {mode!r}.", '"fan_in" or "fan_out".', 'mode="fan_in"')
    fan = fans(parameter.shape)[mode == "fan_out"]
    return calculate_gain(nonlinearity, number(a, "init", "a")) / math.sqrt(max(1, fan))


def orthogonal_(parameter: Parameter, gain: float = 1.0, seed: Seed = None) -> Parameter:
    """Fill with a (semi-)orthogonal matrix times `gain`; axes after the first are flattened into one.

    Reference: A. Saxe, J. McClelland, S. Ganguli, "Exact solutions to the nonlinear dynamics of learning in deep linear
    neural networks", arXiv 1312.6120, 2013.
    """
    fans(parameter.shape)
    gain = number(gain, "orthogonal_", "gain")

    def draw(shape):
        rows, columns = shape[0], math.prod(shape[1:])
        q, r = np.linalg.qr(generator(seed).normal(size=(max(rows, columns), min(rows, columns))))
        q = q * np.where(np.diag(r) < 0, -1.0, 1.0)  # without the signs, the distribution would not be uniform
        return gain * (q if rows >= columns else q.T).reshape(shape)

    return fill(parameter, draw)


if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
