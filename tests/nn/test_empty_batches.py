"""An empty batch through every layer: an empty result, zero gradients, and nothing learned from it."""

import numpy as np
import pytest

import dark
from dark import nn

SHAPES = {
    "Linear": ((3, 5), [(0, 3), (2, 0, 3)]), "Flatten": ((), [(0, 3, 4)]), "Identity": ((), [(0, 3)]),
    "LayerNorm": ((3,), [(0, 3)]), "BatchNorm1d": ((3,), [(0, 3), (0, 3, 4), (2, 3, 0)]),
    "BatchNorm2d": ((3,), [(0, 3, 2, 2), (2, 3, 0, 2)]), "Dropout": ((), [(0, 3)]), "GLU": ((), [(0, 4), (3, 0)]),
    **{name: ((), [(0, 3)]) for name in ("ReLU", "LeakyReLU", "ELU", "GELU", "SiLU", "Mish", "Sigmoid", "LogSigmoid",
                                         "Tanh", "Softplus", "PReLU")},
    **{name: ((), [(0, 3), (3, 0)]) for name in ("Softmax", "Softmin", "LogSoftmax")},
    "Conv1d": ((3, 4, 2), [(0, 3, 5)]), "Conv2d": ((3, 4, 2), [(0, 3, 5, 4)]),
    "ConvTranspose1d": ((3, 4, 2), [(0, 3, 5)]), "ConvTranspose2d": ((3, 4, 2), [(0, 3, 5, 4)]),
    "MaxPool1d": ((2,), [(0, 3, 4)]), "MaxPool2d": ((2,), [(0, 3, 4, 4)]), "AvgPool1d": ((2,), [(0, 3, 4)]),
    "AvgPool2d": ((2,), [(0, 3, 4, 4)]), "Upsample": ((None, 2), [(0, 3, 4), (0, 3, 4, 4)]),
    "RNN": ((3, 4), [(5, 0, 3)]), "LSTM": ((3, 4), [(5, 0, 3)]), "GRU": ((3, 4), [(5, 0, 3)]),
    "RNNCell": ((3, 4), [(0, 3)]), "LSTMCell": ((3, 4), [(0, 3)]), "GRUCell": ((3, 4), [(0, 3)]),
    "TransformerEncoderLayer": ((4, 2, 6), [(5, 0, 4)]),
}  # fmt: skip
CASES = [(name, arguments, shape) for name, (arguments, shapes) in SHAPES.items() for shape in shapes]


def first(result):
    """Return a result, or the first of several."""
    return result[0] if isinstance(result, tuple) else result


@pytest.mark.parametrize(("name", "arguments", "shape"), CASES)
@pytest.mark.parametrize("mode", ["train", "eval"])
def test_an_empty_batch_gives_an_empty_batch_and_zero_gradients(name, arguments, shape, mode):
    layer, x = getattr(getattr(nn, name)(*arguments), mode)(), dark.Parameter(np.ones(shape))
    more = tuple([n or 2 for n in shape])
    expected = first(layer.eval()(np.ones(more))).shape
    y = first(getattr(layer, mode)()(x))
    assert y.size == 0 and y.shape == tuple([0 if old == 0 else new for old, new in zip(shape, expected)])
    y.sum().backward()
    assert np.shape(x.grad) in (shape, ()) and not any(np.any(p.grad) for p in layer.parameters() if p.grad is not None)


@pytest.mark.oracle
@pytest.mark.parametrize("settings", [{}, {"momentum": None}, {"affine": False}, {"track_running_stats": False}])
def test_an_empty_batch_is_counted_but_does_not_move_the_running_statistics_as_in_pytorch(settings):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    own, theirs = nn.BatchNorm1d(3, **settings), torch.nn.BatchNorm1d(3, **settings).double()
    for n in (4, 0, 5, 0):
        x = np.random.default_rng(n).normal(size=(n, 3))
        assert own(x).shape == tuple(theirs(torch.tensor(x)).shape) == (n, 3)
    for name, array in theirs.state_dict().items():
        np.testing.assert_allclose(own.state_dict()[name], array.numpy(), rtol=1e-12)
