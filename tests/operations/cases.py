"""The test cases of every operation: shapes and settings from its class, inputs from its domain, away from kinks."""

import inspect
import math
from dataclasses import dataclass

import numpy as np
import pytest

import dark
from dark.nodes.protocols import FUNCTIONS, UFUNCS
from dark.operations import all_operations
from dark.operations.linalg.matrix_checks import pack
from tests.operations import images, sequences

OPERATIONS = {op.__name__: op for op in all_operations()}
FUNCTIONS_OF_DARK = {
    name: f for package in (dark.losses, dark.operations) for name, f in vars(package).items() if callable(f)
}
NAMES = {name.replace("_", ""): name for name in FUNCTIONS_OF_DARK}

# Shapes for one, two and three inputs: numbers, arrays, nothing at all, and broadcasting in every place.
SHAPES = {
    1: [((),), ((3,),), ((2, 3),), ((0, 3),)],
    2: [((), ()), ((2, 3), (2, 3)), ((), (2, 3)), ((2, 3), ()), ((3,), (2, 3)), ((2, 3), (2, 1)), ((2, 1), (1, 3)),
        ((0, 3), (1, 3)), ((1,), (0,)), ((1,), ())],
    3: [((), (), ()), ((2, 3), (2, 3), (2, 3)), ((2, 3), (), ()), ((), (2, 3), (3,)), ((3,), (), (2, 1)),
        ((1, 3), (2, 1), ()), ((0,), (1,), ())],
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """An operation, the shapes of its inputs, and its settings."""

    op: type
    shapes: tuple
    settings: dict

    def __str__(self):
        settings = ",".join(f"{k}={' '.join(str(v).split())}" for k, v in self.settings.items())
        return f"{self.op.__name__}-{','.join(map(str, self.shapes))}-{settings}".replace(" ", "")

    def apply(self, *inputs):
        if getattr(self.op, "symmetric", False):
            inputs = [(x + np.swapaxes(x, -1, -2)) * 0.5 for x in inputs]
        return self.op.apply(*inputs, **self.settings)

    def draw(self, dtype=float, seed=0):
        """Draw the inputs: no two elements near each other or near a kink, so that every derivative exists.

        An operation that accepts only some inputs of its domain has `prepared`, which makes valid ones.
        """
        rng = np.random.default_rng([seed, *map(ord, str(self))])
        sizes = [int(np.prod(shape)) for shape in self.shapes]
        places = (rng.permutation(sum(sizes)) + rng.uniform(0.3, 0.7, sum(sizes))) / max(1, sum(sizes))
        x = []
        for k, (shape, part) in enumerate(zip(self.shapes, np.split(places, np.cumsum(sizes)[:-1]))):
            low, high = self.op.domain[min(k, len(self.op.domain) - 1)]
            part = low + (high - low) * part
            for kink in self.op.kinks if self.op.kinks != "tie" else ():
                part = np.where(np.abs(part - kink) < 0.05, kink + 0.05 + np.abs(part - kink), part)
            x.append(part.reshape(shape).astype(dtype))
        return getattr(self.op, "prepared", lambda *x: x)(*x)


def arity(op):
    """Return the number of inputs of an elementwise operation."""
    settings = op.samples[0][1] if op.samples else {}
    return len(op.vjps) if op.vjps else len(inspect.signature(op._f).parameters) - len(settings)


def cases_of(op):
    """Return the cases of an operation; an elementwise one needs no samples."""
    if not op.elementwise:
        return [Case(op, shapes, settings) for shapes, settings in op.samples]
    samples = op.samples or (((), {}),)
    everywhere = [s for shapes, s in samples if shapes == ()]
    shapes = SHAPES[arity(op)]
    return [Case(op, s, settings) for settings in everywhere for s in shapes] + [
        Case(op, s, settings) for s, settings in samples if s != ()
    ]


def each_case(test):
    """Run a test for every operation, on all its cases; a failure names the case."""

    @pytest.mark.parametrize("op", OPERATIONS.values(), ids=list(OPERATIONS))
    def run(op):
        for case in cases_of(op):
            try:
                test(case)
            except BaseException as error:
                error.add_note(f"in the case {case}")
                raise

    run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
    return run


def function_of(op):
    """Return the function of an operation: its name without underscores is the same."""
    return FUNCTIONS_OF_DARK[NAMES[op.label().replace("_", "")]]


def joins(op):
    """Return whether the operation takes any number of inputs, which NumPy takes as a list."""
    return any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(op._f).parameters.values())


def gelu(x, approximate):
    """Compute the Gaussian error linear unit, or its approximation by tanh."""
    if approximate == "tanh":
        return x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2
    return x * (1 + FORMULAS["Erf"](x / math.sqrt(2))) / 2


def cross_entropy(x, labels, weights, ignored=None, each=False):
    """Compute the weighted cross-entropy between logits and labels."""
    p = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    losses = -np.log(p[np.arange(len(x)), labels]) * weights * (1 if ignored is None else ~ignored)
    return losses.astype(x.dtype) if each else losses.sum()


def binary_cross_entropy(x, target, weights, pos_weight=1.0, each=False):
    """Compute the weighted binary cross-entropy between logits and targets."""
    p = 1 / (1 + np.exp(-x))
    losses = -(pos_weight * target * np.log(p) + (1 - target) * np.log(1 - p)) * weights
    return losses if each else losses.sum()


def scatter_add(x, index, shape):
    """Add elements to zeros at an index."""
    y = np.zeros(shape)
    np.add.at(y, index, x)
    return y


def standardize(x, axes, eps):
    """Normalize to mean 0 and variance 1 along axes; an empty array is returned unchanged."""
    if not x.size:
        return x
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def vector_norm(x, ord, **settings):
    """Compute the norm of vectors of absolute values."""
    if math.isinf(ord):
        return (np.max if ord > 0 else np.min)(x, **settings)
    return np.sum(x > 0, **settings).astype(x.dtype) if ord == 0 else np.sum(x**ord, **settings) ** (1 / ord)


def packed(*factors, axes=(1, 2)):
    """Join the factors of a factorization, as dark's operations return them."""
    return pack(*zip(factors, axes))


def group_norm(x, g, b, num_groups, eps):
    """Normalize each example over groups of channels, axis 1."""
    shape = (len(x), num_groups, x.shape[1] // num_groups, *x.shape[2:])
    z = standardize(x.reshape(shape), tuple(range(2, len(shape))), eps).reshape(x.shape)
    return np.moveaxis(np.moveaxis(z, 1, -1) * g + b, -1, 1)


# What NumPy computes, where it is not one function with the settings as keyword arguments.
FORMULAS = {
    "Relu": lambda x: np.maximum(x, 0),
    "Mish": lambda x: x * np.tanh(np.logaddexp(0, x)),
    "Prelu": lambda x, slope: np.where(x > 0, x, slope * x),
    "Glu": lambda x, axis: np.split(x, 2, axis)[0] / (1 + np.exp(-np.split(x, 2, axis)[1])),
    "LeakyRelu": lambda x, slope: np.maximum(x, 0) + slope * np.minimum(x, 0),
    "Elu": lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))),
    "Sigmoid": lambda x: np.exp(-np.logaddexp(-x, 0.0)),
    "Silu": lambda x: x * np.exp(-np.logaddexp(-x, 0.0)),
    "Softplus": lambda x: np.logaddexp(x, 0.0),
    "Where": lambda a, b, condition: np.where(condition, a, b),
    "Clip": np.clip,
    "GetItem": lambda x, index: np.asarray(x)[index],
    "EinSum": lambda *x, subscripts: np.einsum(subscripts, *x),
    "Outer": np.outer,  # np.linalg.outer, which works on nodes too, wants vectors
    "LogAbsDet": lambda x: np.linalg.slogdet(x)[1],
    "Linear": lambda x, w, b=0.0: x @ w.T + b,
    "LayerNorm": lambda x, g, b, eps: standardize(x, tuple(range(-g.ndim, 0)), eps) * g + b,
    "BatchNorm": lambda x, g, b, eps: np.moveaxis(
        standardize(np.moveaxis(x, 1, -1), tuple(range(x.ndim - 1)), eps) * g + b, -1, 1
    ),
    "GroupNorm": group_norm,
    "RMSNorm": lambda x, g, eps: (
        x * g / np.sqrt(np.mean(x**2, tuple(range(-g.ndim, 0)), keepdims=True) + (eps or np.finfo(x.dtype).eps))
    ),
    "Erf": lambda x: np.vectorize(math.erf, otypes=[float])(x).astype(np.asarray(x).dtype)[()],
    "Gelu": gelu,
    "LogSumExp": lambda x, axis, keepdims: np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims)),
    "Softmax": lambda x, axis: np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True),
    "LogSoftmax": lambda x, axis: np.log(np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True)),
    "ScatterAdd": scatter_add,
    "CrossEntropy": cross_entropy,
    "BCEWithLogits": binary_cross_entropy,
    "BinaryCrossEntropy": lambda x, t: -t * np.log(x) - (1 - t) * np.log(1 - x),
    "Huber": lambda a, b, delta: np.where(np.abs(a - b) < delta, (a - b) ** 2 / 2, delta * (np.abs(a - b) - delta / 2)),
    "VectorNorm": lambda x, axis, keepdims, ord: vector_norm(np.abs(x), ord, axis=axis, keepdims=keepdims),
    "Eigh": lambda x, UPLO: packed(*np.linalg.eigh((x + np.swapaxes(x, -1, -2)) / 2, UPLO)),
    "SVD": lambda x: packed(*np.linalg.svd(x, full_matrices=False), axes=(2, 1, 2)),
    "QR": lambda x: packed(*np.linalg.qr(x), axes=(2, 2)),
    **sequences.FORMULAS,
    "Conv1d": images.conv1d,
    "ConvTranspose1d": images.conv_transpose1d,
    "MaxPool1d": images.max_pool1d,
    "AvgPool1d": images.avg_pool1d,
    "Conv2d": images.conv2d,
    "ConvTranspose2d": images.conv_transpose2d,
    "Conv2dWeight": images.conv2d_weight,
    "MaxPool2d": images.max_pool2d,
    "AvgPool2d": images.avg_pool2d,
    "Interpolate": images.interpolate,
}


def numpy_function(op):
    """Return NumPy's function for an operation, or its formula, called as `(*inputs, **settings)`, or None."""
    if op.__name__ in FORMULAS:
        return FORMULAS[op.__name__]
    for ufunc, of_ours in UFUNCS.items():
        if of_ours is op:
            return ufunc
    for function, of_ours in FUNCTIONS.items():
        if of_ours is function_of(op):
            return as_list(function) if joins(op) else function
    return None


def as_list(function):
    return lambda *x, **settings: function(x, **settings)
