"""Every operation at odd inputs: NaN, infinities, zeros, subnormal numbers, empty axes, other byte orders, bools."""

import itertools
import math

import numpy as np
import pytest

import dark
from dark.errors import DarkError, ValueTypeError
from dark.nodes import value_of
from tests.operations.cases import OPERATIONS, Case, arity, cases_of, each_case

ODD = [
    math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, -1e-310, 1e-310, 1e300, -1e300, 1.0, -1.0, 0.5, -2.0, 30.0, -30.0,
]  # fmt: skip
FUNCTIONS = {name.replace("_", ""): getattr(dark.operations, name) for name in dark.operations.__all__}
IN_TORCH = {"softplus": lambda F, x: F.softplus(x, threshold=1e9)}
POINTS = [
    (op, point)
    for op in OPERATIONS.values()
    if op.elementwise and arity(op) < 3 and not cases_of(op)[0].settings
    for point in itertools.product(ODD, repeat=arity(op))
]
KNOWN = {  # where PyTorch is less accurate, or differentiates outside of the domain
    "expm1": lambda x: x < -20, "arccosh": lambda x: x < 1, "arctan2": lambda a, b: math.hypot(a, b) < 1e-300,
    "remainder": lambda a, b: True, "fmod": lambda a, b: True, "elu": math.isnan,
}  # fmt: skip


def torch_function(torch, name):
    """Return PyTorch's function of that name, or None."""
    if name in IN_TORCH:
        return lambda x: IN_TORCH[name](torch.nn.functional, x)
    places = torch, torch.special, torch.nn.functional
    return next((getattr(place, name) for place in places if hasattr(place, name)), None)


@pytest.mark.long
@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("op", sorted({op for op, _ in POINTS}, key=lambda op: op.__name__))
def test_values_and_derivatives_at_odd_points_are_pytorchs(op):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    name = op.label()
    right = torch_function(torch, name)
    if right is None or name == "abs":  # its derivative at NaN is 0 in PyTorch
        return
    for point in (point for found, point in POINTS if found is op and not KNOWN.get(name, lambda *x: False)(*point)):
        for kind in (float, lambda v: np.array([v]), lambda v: np.array([v], np.float32)):
            inputs = [dark.Parameter(kind(v)) for v in point]
            tensors = [torch.tensor(np.atleast_1d(kind(v)), requires_grad=True) for v in point]
            y, z = FUNCTIONS[name.replace("_", "")](*inputs), right(*tensors)
            y.backward(np.ones(y.shape, y.dtype)[()])
            z.sum().backward()
            settings = {"rtol": 1e-5, "atol": 1e-30, "err_msg": f"{name}{point}"}
            np.testing.assert_allclose(np.ravel(y.value), z.detach().numpy(), **settings)
            for p, t in zip(inputs, tensors):
                g = t.grad.numpy()
                if np.isfinite(g).all():
                    np.testing.assert_allclose(np.ravel(p.grad), g, **settings)


def with_length_0(case):
    """Yield cases in which all axes of the same length, or a single axis, have length 0 instead."""
    for length in {n for shape in case.shapes for n in shape} - {0}:
        yield Case(case.op, tuple(tuple(0 if n == length else n for n in s) for s in case.shapes), case.settings)
    for k, shape in enumerate(case.shapes):
        for axis in range(len(shape)):
            cut = (*shape[:axis], 0, *shape[axis + 1 :])
            yield Case(case.op, (*case.shapes[:k], cut, *case.shapes[k + 1 :]), case.settings)


def outputs(y):
    """Return the results that require grad, as a list."""
    return [v for v in (y if isinstance(y, (list, tuple)) else [y]) if isinstance(v, dark.Node) and v.requires_grad]


def check_gradients(case, x, second=True):
    """Differentiate twice; every gradient has the shape and dtype of its input, and is a node where asked for."""
    for create_graph in (False, True):
        leaves = [dark.Parameter(v) if np.asarray(v).dtype.kind == "f" else v for v in x]
        for y in outputs(case.apply(*leaves))[:1]:
            y.backward(np.ones(y.shape, y.dtype)[()], create_graph=create_graph)
        found = [p.grad for p in leaves if isinstance(p, dark.Node) and p.grad is not None]
        for p in leaves:
            if isinstance(p, dark.Node) and p.grad is not None:
                assert isinstance(p.grad, dark.Node) is create_graph
                assert np.shape(value_of(p.grad)) == p.shape and np.asarray(value_of(p.grad)).dtype == p.dtype
        squares = [np.sum(g * g) for g in found if isinstance(g, dark.Node) and g.requires_grad]
        if squares and second:
            sum(squares, dark.Constant(0.0)).backward()


REFUSE_SMALL = ("Conv2dWeight", "Interpolate", "MaxPool1d", "MaxPool2d")  # their functions refuse empty images


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@each_case
def test_axes_of_length_0_have_gradients_or_are_refused(case):
    if case.op.__name__ in REFUSE_SMALL:
        return
    for empty in with_length_0(case):
        x = [np.zeros(shape)[()] for shape in empty.shapes]
        try:
            check_gradients(empty, x)
        except (DarkError, IndexError):  # an IndexError of an operation becomes an IndexingError of its function
            continue


@each_case
def test_big_endian_arrays_give_the_same_values_and_native_gradients(case):
    def turned(v):
        return v.astype(v.dtype.newbyteorder(">")) if isinstance(v, np.ndarray) else v

    x = case.draw()
    settings = {name: turned(v) for name, v in case.settings.items()}
    big = Case(case.op, case.shapes, settings)
    for y, right in zip(outputs_of(big.apply(*map(turned, x))), outputs_of(case.apply(*x))):
        assert y.dtype.isnative
        np.testing.assert_array_equal(y.value, right.value)
    check_gradients(big, [turned(v) for v in x], second=False)


def outputs_of(y):
    """Return all results, as a list."""
    return y if isinstance(y, (list, tuple)) else [y]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@each_case
def test_odd_values_in_every_input_have_gradients_of_the_right_kind(case):
    for odd in (math.nan, math.inf, 5e-324, 0.0):
        for kind in (float, np.float32, np.float16):
            x = [np.full(np.shape(v), odd, kind)[()] if np.asarray(v).dtype.kind == "f" else v for v in case.draw()]
            try:
                check_gradients(case, x)
            except DarkError:  # a singular matrix, say
                continue


@pytest.mark.parametrize(
    ("convolve", "shapes"),
    [
        (dark.conv2d, [(2, 0, 4, 4), (3, 0, 2, 2), (3,)]), (dark.conv2d, [(2, 1, 4, 4), (0, 1, 2, 2), (0,)]),
        (dark.conv2d, [(0, 1, 4, 4), (3, 1, 2, 2), (3,)]), (dark.conv1d, [(2, 0, 4), (3, 0, 2), (3,)]),
        (dark.conv_transpose2d, [(2, 0, 4, 4), (0, 3, 2, 2), (3,)]),
        (lambda *x: dark.conv2d(*x, padding=1), [(2, 1, 4, 0), (3, 1, 2, 2), (3,)]),
    ],
)  # fmt: skip
def test_convolutions_of_no_images_channels_or_filters_have_gradients(convolve, shapes):
    for create_graph in (False, True):
        leaves = [dark.Parameter(np.zeros(shape)) for shape in shapes]
        np.sum(convolve(*leaves) ** 2).backward(create_graph=create_graph)
        assert [p.grad.shape for p in leaves] == shapes


def test_an_empty_image_in_a_padded_pool_is_refused():
    for pool in (dark.max_pool2d, dark.avg_pool2d):
        with pytest.raises(DarkError, match=r"(?s)leave a window of 5 x 0 images empty.*Try:"):
            pool(np.zeros((1, 1, 5, 0)), (3, 2), 1, (1, 1))


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (3, 0)])
def test_a_diagonal_in_einsum_needs_axes_of_one_length(shape):
    with pytest.raises(DarkError, match=r"(?s)einsum: 'ii->i'.*axes of different lengths.*Try:"):
        np.einsum("ii->i", dark.Parameter(np.zeros(shape)))


@pytest.mark.oracle
@pytest.mark.parametrize("settings", [{"stride": 2}, {"stride": 1}, {"stride": 1, "padding": 1}])
def test_a_nan_in_a_max_pool_gets_the_gradient_as_in_pytorch(settings):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = rng.normal(size=(1, 2, 4, 4))
        x[rng.random(x.shape) < 0.2] = math.nan
        for pool, value in ((dark.max_pool2d, x), (dark.max_pool1d, x[0])):
            right = getattr(torch.nn.functional, pool.__name__)
            p, t = dark.Parameter(value), torch.tensor(value, requires_grad=True)
            np.sum(pool(p, 2, **settings)).backward()
            right(t, 2, **settings).sum().backward()
            np.testing.assert_array_equal(p.grad, t.grad.numpy())


NEED_AXES = [
    dark.softmax, dark.log_softmax, dark.sort, dark.diff, dark.glu, dark.diag, dark.diagonal, dark.trace, dark.tril,
    dark.norm, dark.matrix_norm, dark.svd, dark.qr, dark.eigh, dark.inv, dark.det, dark.cholesky,
    lambda x: dark.cumsum(x, 0), lambda x: dark.cumprod(x, 0), lambda x: dark.mean(x, 1), lambda x: dark.flip(x, 0),
    lambda x: dark.logsumexp(x, -1), lambda x: dark.std(x, 0), lambda x: dark.take(x, 0, 0),
    lambda x: dark.transpose(x, (1, 0)), lambda x: dark.moveaxis(x, 0, 1), lambda x: dark.swapaxes(x, 0, 1),
    lambda x: dark.squeeze(x, 0), lambda x: dark.expand_dims(x, 3), lambda x: dark.repeat(x, 2, 0),
    lambda x: dark.roll(x, 1, 0), lambda x: dark.pad(x, 1), lambda x: dark.split(x, 2),
    lambda x: dark.stack([x, x], 1), lambda x: dark.concatenate([x, x]),
    lambda x: dark.tensordot(x, np.ones((2, 2)), 1), lambda x: dark.group_norm(x, 1),
]  # fmt: skip


@pytest.mark.parametrize("x", [np, None, {}, [[1.0, 2.0], [3.0, 4.0]], "text", object], ids=str)
def test_what_is_not_a_value_is_refused_as_such_before_its_axes_are(x):
    for function in NEED_AXES:
        with pytest.raises(ValueTypeError, match="cannot use .*\n  Expected: one real number(.|\n)*\n  Try: "):
            function(x)
