"""Mish, PReLU, GLU and their neighbors: second derivatives, limits, learning, errors."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.errors import ShapeError, UsageError, ValueTypeError
from tests.operations.torch_comparison import compare


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("name", "how", "shapes"),
    [
        ("mish", {}, [(3, 4)]), ("glu", {}, [(3, 4)]), ("glu", {"axis": 0}, [(4, 3)]),
        ("prelu", {}, [(3, 4), (1,)]), ("prelu", {}, [(3, 4), (4,)]), ("prelu", {}, [(2, 3, 2, 2), (3,)]),
    ],
)  # fmt: skip
def test_two_derivatives_are_pytorchs(name, how, shapes):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs = {"dim" if key == "axis" else key: value for key, value in how.items()}
    reference = getattr(torch.nn.functional, name)
    compare(lambda *x: getattr(dark, name)(*x, **how), lambda *x: reference(*x, **theirs), *shapes)


def test_mish_keeps_its_precision_far_from_zero():
    x = dark.Parameter(np.array([-700.0, -40.0, 40.0, 1e300]))
    y = dark.mish(x)
    y.backward(np.ones(4))
    np.testing.assert_allclose(y.value, [-700 * np.exp(-700), -40 * np.exp(-40), 40, 1e300], rtol=1e-13)
    np.testing.assert_allclose(x.grad, [-699 * np.exp(-700), -39 * np.exp(-40), 1, 1], rtol=1e-13)


def test_prelu_takes_its_slope_at_zero_and_shows_nan_in_its_gradients():
    x, slope = dark.Parameter(np.array([0.0, np.nan, -2.0])), dark.Parameter(0.5)
    y = dark.prelu(x, slope)
    y.backward(np.ones(3))
    np.testing.assert_array_equal(y.value, [0, np.nan, -1])
    np.testing.assert_array_equal(x.grad, [0.5, 0.5, 0.5])
    assert np.isnan(slope.grad) and dark.prelu(-2.0, 0.5).value == -1.0 and dark.prelu(3, 0.5).value == 3.0


def test_prelu_broadcasts_as_an_operation():
    x, slope = dark.Parameter(-2.0), dark.Parameter(np.array([0.5, 0.1]))
    y = dark.Prelu.apply(x, slope)
    y.backward(np.array([1.0, 10.0]))
    assert y.value.tolist() == [-1.0, -0.2] and x.grad == 1.5 and slope.grad.tolist() == [-2.0, -20.0]


def test_prelu_learns_its_slope_in_float32():
    layer, x = nn.PReLU(dtype=np.float32), np.linspace(-1, 1, 21, dtype=np.float32)
    step = dark.optim.SGD(layer.parameters(), lr=1.0)
    for _ in range(60):
        layer.zero_grad()
        dark.losses.mse(layer(x), np.where(x > 0, x, 0.7 * x)).backward()
        step.step()
    assert layer.weight.dtype == np.float32 and abs(layer.weight.value[0] - 0.7) < 1e-3


def test_invalid_arguments_are_refused():
    with pytest.raises(ShapeError, match=r"prelu: weight .* channel of shape \(2, 4\), got shape \(3,\)(.|\n)*axis 1"):
        dark.prelu(np.ones((2, 4)), np.ones(3))
    with pytest.raises(ShapeError, match=r"prelu: weight .* channel of shape \(3,\), got shape \(3,\)"):
        nn.PReLU(3)(np.ones(3))
    with pytest.raises(UsageError, match="PReLU: num_parameters must be 1 or more, got 0"):
        nn.PReLU(0)
    with pytest.raises(
        ShapeError, match=r"glu: axis 1 of shape \(2, 3\) must have an even length, got 3(.|\n)*an even length"
    ):
        dark.glu(np.ones((2, 3)))
    with pytest.raises(ShapeError, match="glu: axis 2 is out of bounds"):
        nn.GLU(2)(np.ones((2, 4)))
    with pytest.raises(ValueTypeError, match="GLU: dim must be an integer, got None"):
        nn.GLU(None)
