"""Layers compared with PyTorch's: keys, shapes, values, gradients, running statistics; weights loaded both ways."""

import re

import numpy as np
import pytest

import dark
from dark import nn

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle

IMAGES, IMAGE, ROWS, WORDS = (4, 3, 5, 2), (3, 5, 2), (4, 3), "words"
SIGNALS, SIGNAL, VOLUMES = (4, 3, 7), (3, 7), (2, 3, 2, 4, 3)
LAYERS = [
    ("Linear", (3, 5), {}, [ROWS, (2, 4, 3), (3,)]),
    ("Linear", (3, 5), {"bias": False}, [ROWS, (2, 4, 3), (3,)]),
    ("Identity", (3,), {"a": 1}, [ROWS]),
    ("Flatten", (), {}, [IMAGES, ROWS]),
    ("Flatten", (0, -2), {}, [IMAGES]),
    ("Embedding", (6, 3), {}, [WORDS]),
    ("Embedding", (6, 3), {"padding_idx": -2}, [WORDS]),
    ("LayerNorm", (3,), {}, [ROWS, (2, 4, 3)]),
    ("LayerNorm", ((5, 2),), {"eps": 0.1, "bias": False}, [IMAGES]),
    ("LayerNorm", (3,), {"elementwise_affine": False}, [ROWS]),
    ("BatchNorm1d", (3,), {}, [ROWS, (4, 3, 5)]),
    ("BatchNorm1d", (3,), {"momentum": None, "eps": 0.1}, [ROWS]),
    ("BatchNorm1d", (3,), {"affine": False, "momentum": 0.3}, [ROWS]),
    ("BatchNorm2d", (3,), {}, [IMAGES]),
    ("BatchNorm2d", (3,), {"track_running_stats": False}, [IMAGES]),
    ("BatchNorm2d", (3,), {"bias": False}, [IMAGES]), ("BatchNorm3d", (3,), {}, [VOLUMES]),
    ("GroupNorm", (3, 3), {}, [IMAGES, ROWS, SIGNALS]), ("GroupNorm", (1, 3), {"eps": 0.1}, [IMAGES, ROWS, SIGNALS]),
    ("GroupNorm", (2, 6), {"bias": False}, [(2, 6), (2, 6, 3), (1, 6, 2, 2, 1)]),
    ("GroupNorm", (2, 4), {"affine": False}, [(2, 4, 3)]),
    ("InstanceNorm1d", (3,), {}, [SIGNALS, SIGNAL]), ("InstanceNorm1d", (3,), {"affine": True}, [SIGNALS, SIGNAL]),
    ("InstanceNorm1d", (3, 0.1, 0.3, True, True), {}, [SIGNALS, SIGNAL]),
    ("InstanceNorm2d", (3,), {}, [IMAGES, IMAGE]), ("InstanceNorm3d", (3,), {"affine": True}, [VOLUMES, VOLUMES[1:]]),
    ("InstanceNorm2d", (3,), {"affine": True, "bias": False, "track_running_stats": True}, [IMAGES, IMAGE]),
    ("RMSNorm", (3,), {}, [ROWS, (2, 4, 3), (3,)]), ("RMSNorm", ((5, 2), 0.1), {}, [IMAGES]),
    ("RMSNorm", (3,), {"elementwise_affine": False}, [ROWS]),
    *[(name, (), {}, [ROWS, (2, 3, 4)]) for name in ("ReLU", "SiLU", "Sigmoid", "Tanh")],
    *[(name, (), {}, [ROWS, IMAGES]) for name in ("Mish", "LogSigmoid")],
    ("PReLU", (), {}, [ROWS, (3,), SIGNALS]), ("PReLU", (3, 0.5), {}, [ROWS, IMAGES, SIGNALS]),
    ("GLU", (1,), {}, [(4, 6), (2, 4, 3)]), ("GLU", (), {}, [(4, 6), (4,)]), ("Softmin", (1,), {}, [ROWS, IMAGES]),
    ("LeakyReLU", (), {}, [ROWS]), ("LeakyReLU", (0.3,), {}, [ROWS]), ("ELU", (0.5,), {}, [ROWS]),
    ("GELU", (), {}, [ROWS]), ("GELU", ("tanh",), {}, [ROWS]), ("Softplus", (2.0,), {}, [ROWS]),
    ("Softplus", (), {}, [ROWS]), ("Softplus", (3.0, 0.5), {}, [ROWS]),
    ("Softmax", (1,), {}, [ROWS, IMAGES]), ("LogSoftmax", (0,), {}, [ROWS]),
    ("Conv2d", (3, 4, 2), {}, [IMAGES]), ("Conv2d", (3, 6, (3, 2), 2, 1, 1, 3), {"bias": False}, [IMAGES]),
    ("Conv2d", (3, 4, (2, 1)), {"padding": "same", "dilation": 2}, [IMAGES]),
    ("ConvTranspose2d", (3, 4, 2), {}, [IMAGES]),
    ("ConvTranspose2d", (3, 6, (2, 3), (2, 3), 1, (1, 0), 3, False, 2), {}, [IMAGES]),
    ("Conv1d", (3, 4, 2), {}, [SIGNALS, SIGNAL]), ("Conv1d", (3, 6, 3, 2, 1, 1, 3), {"bias": False}, [SIGNALS, SIGNAL]),
    ("Conv1d", (3, 4, 3), {"padding": "same"}, [SIGNALS]), ("Conv1d", (3, 4, (2,)), {"padding": "valid"}, [SIGNALS]),
    ("Conv1d", (3, 4, 3, 2, 2, 2, 1, True, "reflect"), {}, [SIGNALS, SIGNAL]),
    ("Conv1d", (3, 4, 4), {"padding": "same", "padding_mode": "circular"}, [SIGNALS]),
    ("Conv1d", (3, 4, 4), {"padding": 9, "padding_mode": "replicate"}, [SIGNALS]),
    *[("Conv2d", (3, 4, 2), {"padding": (2, 1), "padding_mode": mode}, [IMAGES, IMAGE])
      for mode in ("reflect", "replicate", "circular")],
    ("Conv2d", (3, 4, 2), {"padding": "valid", "padding_mode": "circular", "bias": False}, [IMAGES, IMAGE]),
    ("ConvTranspose1d", (3, 4, 2), {}, [SIGNALS, SIGNAL]), ("ConvTranspose2d", (3, 4, 2), {}, [IMAGE]),
    ("ConvTranspose1d", (3, 6, 3, 3, 1, 2, 3, False, 2), {}, [SIGNALS]),
    ("MaxPool1d", (2,), {}, [SIGNALS, SIGNAL]), ("MaxPool1d", (3, 2, 1, 2), {"ceil_mode": True}, [SIGNALS]),
    ("AvgPool1d", (2,), {}, [SIGNALS, SIGNAL]), ("AvgPool1d", (3, 2, 1, True, False), {}, [SIGNALS]),
    ("MaxPool2d", (2,), {}, [IMAGE]), ("AvgPool2d", (2,), {}, [IMAGE]), ("Conv2d", (3, 4, 2), {}, [IMAGE]),
    ("Upsample", (None, 2), {}, [SIGNALS]), ("Upsample", (5,), {"mode": "linear"}, [SIGNALS]),
    ("Upsample", (), {"scale_factor": (2.5,), "mode": "linear", "align_corners": True}, [SIGNALS]),
    ("MaxPool2d", (2,), {}, [IMAGES]), ("MaxPool2d", ((3, 1), 2, (1, 0), 2), {"ceil_mode": True}, [IMAGES]),
    ("AvgPool2d", (2,), {}, [IMAGES]), ("AvgPool2d", (2, 1, 1, True, False), {}, [IMAGES]),
    ("Upsample", (None, 2), {}, [IMAGES]), ("Upsample", ((7, 3),), {"mode": "bilinear"}, [IMAGES]),
    ("Upsample", (), {"scale_factor": (1.5, 3.0), "mode": "bilinear", "align_corners": True}, [IMAGES]),
]  # fmt: skip


def network(library, *names):
    """Build the same network with dark or with PyTorch."""
    parts = {"Linear": (3, 5), "Embedding": (6, 3), "BatchNorm1d": (5,), "LayerNorm": (5,)}
    return library.Sequential(*[getattr(library, name)(*parts.get(name, ())) for name in names])


def pair(name, arguments, settings):
    return getattr(nn, name)(*arguments, **settings), getattr(torch.nn, name)(*arguments, **settings).double()


def batch(shape, rng):
    """Draw a batch: an array and a tensor of the same values."""
    x = rng.integers(0, 6, (4, 7)) if shape == WORDS else rng.normal(size=shape)
    return x, torch.tensor(x)


def as_arrays(state):
    return {name: tensor.numpy() for name, tensor in state.items()}


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


def compare_states(own, theirs):
    a, b = own.state_dict(), as_arrays(theirs.state_dict())
    assert list(a) == list(b)
    for name, array in a.items():
        assert array.shape == b[name].shape and array.dtype == b[name].dtype
        close(array, b[name])


def compare_calls(own, theirs, shape, rng, create_graph=False):
    """Compare the results and all gradients for one batch, with equal weights in both."""
    x, t = batch(shape, rng)
    leaf = x if shape == WORDS else dark.Parameter(x)
    t = t if shape == WORDS else t.requires_grad_()
    y, z = own(leaf), theirs(t)
    close(y.value if isinstance(y, dark.Node) else y, z.detach().numpy())
    if not z.requires_grad:
        return
    weights = rng.normal(size=z.shape)
    (weights * y**2).sum().backward()
    (torch.tensor(weights) * z**2).sum().backward()
    if shape != WORDS:
        close(leaf.grad, t.grad.numpy())
    for p, q in zip(own.parameters(), theirs.parameters()):
        close(p.grad, q.grad.numpy())
        q.grad = None
    own.zero_grad()


@pytest.mark.parametrize(("name", "arguments", "settings", "shapes"), LAYERS)
def test_a_layer_is_pytorchs(name, arguments, settings, shapes):
    for shape in shapes:
        rng = np.random.default_rng(0)
        own, theirs = pair(name, arguments, settings)
        own.load_state_dict(theirs.state_dict())
        for _ in range(3):
            compare_calls(own, theirs, shape, rng)
            compare_states(own, theirs)
        own.eval(), theirs.eval()
        compare_calls(own, theirs, shape, rng)
        compare_states(own, theirs)


def words_of(module):
    """Return the repr of a module with numbers in one format; not every PyTorch shows the bias of a norm."""
    text = re.sub(r"\d+\.?\d*(e-?\d+)?", lambda m: repr(float(m[0])), repr(module))
    return re.sub(r"(affine=\w+), bias=\w+", r"\1", text)


@pytest.mark.parametrize(("name", "arguments", "settings", "shapes"), LAYERS)
def test_the_repr_of_a_layer_is_pytorchs(name, arguments, settings, shapes):
    own, theirs = pair(name, arguments, settings)
    assert words_of(own) == words_of(theirs)


@pytest.mark.parametrize(
    "names",
    [("Embedding", "Linear", "BatchNorm1d"), ("Linear", "LayerNorm", "Tanh"), ("Linear", "ReLU", "BatchNorm1d")],
)
def test_the_repr_and_the_keys_of_a_network_are_pytorchs(names):
    own, theirs = network(nn, *names), network(torch.nn, *names)
    assert list(own.state_dict()) == list(theirs.state_dict())
    assert [n for n, _ in own.named_parameters()] == [n for n, _ in theirs.named_parameters()]
    assert [n for n, _ in own.named_modules()] == [n for n, _ in theirs.named_modules()]
    assert words_of(own) == words_of(theirs)


def test_weights_are_loaded_from_pytorch():
    theirs, own = network(torch.nn, "Linear", "ReLU", "BatchNorm1d"), network(nn, "Linear", "ReLU", "BatchNorm1d")
    x = np.random.default_rng(0).normal(size=(4, 3))
    theirs(torch.tensor(x, dtype=torch.float32))  # moves the running means
    own.load_state_dict(theirs.state_dict())
    own.eval(), theirs.eval()
    right = theirs(torch.tensor(x, dtype=torch.float32)).detach().numpy()
    np.testing.assert_allclose(own(x).value, right, rtol=1e-5, atol=1e-6)
    assert own[0].weight.dtype == np.float64


def test_weights_are_loaded_into_pytorch():
    own, theirs = network(nn, "Linear", "ReLU", "BatchNorm1d"), network(torch.nn, "Linear", "ReLU", "BatchNorm1d")
    x = np.random.default_rng(0).normal(size=(4, 3))
    own(x)
    theirs.double().load_state_dict({name: torch.from_numpy(array) for name, array in own.state_dict().items()})
    own.eval(), theirs.eval()
    close(own(x).value, theirs(torch.tensor(x)).detach().numpy())


def test_tensors_that_require_gradients_are_loaded_and_unsupported_dtypes_are_refused():
    theirs, own = torch.nn.Linear(2, 3).double(), nn.Linear(2, 3)
    own.load_state_dict(dict(theirs.named_parameters()))
    compare_states(own, theirs)
    with pytest.raises(dark.errors.ValueTypeError, match=r"weight: cannot convert .* to an array.*\n.*\n.*\.float\(\)"):
        own.load_state_dict(theirs.bfloat16().state_dict())


def test_one_training_run_is_pytorchs():
    rng = np.random.default_rng(0)
    x, labels = rng.normal(size=(30, 3)), rng.integers(0, 5, 30)
    names = ("Linear", "Tanh", "BatchNorm1d")
    own, theirs = network(nn, *names), network(torch.nn, *names).double()
    own.load_state_dict(theirs.state_dict())
    a, b = dark.optim.Adam(own.parameters(), lr=0.01), torch.optim.Adam(theirs.parameters(), lr=0.01)
    for _ in range(20):
        a.zero_grad(), b.zero_grad()
        dark.losses.cross_entropy(own(x), labels).backward()
        torch.nn.functional.cross_entropy(theirs(torch.tensor(x)), torch.tensor(labels)).backward()
        a.step(), b.step()
    compare_states(own, theirs)
