"""Networks that are trained with a recorded loss: every layer, loss and optimizer, with the same bits."""

import numpy as np
import pytest

import dark
from dark import losses, nn, optim
from tests.recording.twins import compare, run

RNG = np.random.default_rng(3)
IMAGES, ROWS, STEPS = RNG.normal(size=(5, 3, 8, 8)), RNG.normal(size=(6, 8)), RNG.normal(size=(4, 5, 8))
CLASSES, SIGNS, ONES = RNG.integers(0, 4, 6), RNG.choice([-1, 1], 6), RNG.integers(0, 2, (6, 4)).astype(float)
LAYERS = {
    "Linear": (lambda d: nn.Linear(8, 5, dtype=d, seed=0), ROWS),
    "PReLU": (lambda d: nn.PReLU(8, dtype=d), ROWS),
    "LayerNorm": (lambda d: nn.LayerNorm(8, dtype=d), ROWS),
    "RMSNorm": (lambda d: nn.RMSNorm(8, dtype=d), ROWS),
    "GroupNorm": (lambda d: nn.GroupNorm(3, 3, dtype=d), IMAGES),
    "BatchNorm1d": (lambda d: nn.BatchNorm1d(8, dtype=d), ROWS),
    "BatchNorm2d": (lambda d: nn.BatchNorm2d(3, dtype=d), IMAGES),
    "InstanceNorm2d": (lambda d: nn.InstanceNorm2d(3, affine=True, track_running_stats=True, dtype=d), IMAGES),
    "Dropout": (lambda d: nn.Sequential(nn.Linear(8, 5, dtype=d, seed=0), nn.Dropout(0.4, seed=1)), ROWS),
    "Conv2d": (lambda d: nn.Conv2d(3, 4, 3, padding=1, dtype=d, seed=0), IMAGES),
    "ConvTranspose2d": (lambda d: nn.ConvTranspose2d(3, 4, 3, stride=2, dtype=d, seed=0), IMAGES),
    "Conv1d": (lambda d: nn.Conv1d(5, 4, 3, dtype=d, seed=0), STEPS),
    "RNN": (lambda d: nn.RNN(8, 6, dtype=d, seed=0), STEPS),
    "GRU": (lambda d: nn.GRU(8, 6, dtype=d, seed=0), STEPS),
    "LSTM": (lambda d: nn.LSTM(8, 6, 2, dropout=0.3, dtype=d, seed=0), STEPS),
    "TransformerEncoderLayer": (
        lambda d: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, batch_first=True, dtype=d, seed=0),
        STEPS,
    ),
}
WITHOUT_PARAMETERS = {
    "ELU": nn.ELU, "GELU": nn.GELU, "GLU": nn.GLU, "LeakyReLU": nn.LeakyReLU, "LogSigmoid": nn.LogSigmoid,
    "LogSoftmax": lambda: nn.LogSoftmax(-1), "Mish": nn.Mish, "ReLU": nn.ReLU, "SiLU": nn.SiLU, "Sigmoid": nn.Sigmoid,
    "Softmax": lambda: nn.Softmax(-1), "Softmin": lambda: nn.Softmin(-1), "Softplus": nn.Softplus, "Tanh": nn.Tanh,
    "Identity": nn.Identity,
}  # fmt: skip
OF_IMAGES = {
    "AvgPool2d": lambda: nn.AvgPool2d(2), "MaxPool2d": lambda: nn.MaxPool2d(2), "Flatten": nn.Flatten,
    "Upsample": lambda: nn.Upsample(scale_factor=2),
}  # fmt: skip
VOLUMES = np.random.default_rng(4).normal(size=(4, 3, 4, 4, 4))
LAYERS |= {
    "BatchNorm3d": (lambda d: nn.BatchNorm3d(3, dtype=d), VOLUMES),
    "InstanceNorm1d": (lambda d: nn.InstanceNorm1d(5, affine=True, dtype=d), STEPS),
    "InstanceNorm3d": (lambda d: nn.InstanceNorm3d(3, affine=True, dtype=d), VOLUMES),
    "ConvTranspose1d": (lambda d: nn.ConvTranspose1d(5, 4, 3, dtype=d, seed=0), STEPS),
    "AvgPool1d": (lambda d: nn.Sequential(nn.Conv1d(5, 4, 3, dtype=d, seed=0), nn.AvgPool1d(2)), STEPS),
    "MaxPool1d": (lambda d: nn.Sequential(nn.Conv1d(5, 4, 3, dtype=d, seed=0), nn.MaxPool1d(2)), STEPS),
    "RNNCell": (lambda d: nn.RNNCell(8, 6, dtype=d, seed=0), ROWS),
    "GRUCell": (lambda d: nn.GRUCell(8, 6, dtype=d, seed=0), ROWS),
    "LSTMCell": (lambda d: nn.LSTMCell(8, 6, dtype=d, seed=0), ROWS),
    "TransformerEncoder": (
        lambda d: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 12, batch_first=True, dtype=d, seed=0), 2),
        STEPS,
    ),
}
LAYERS |= {
    k: (lambda d, f=f: nn.Sequential(nn.Linear(8, 6, dtype=d, seed=0), f()), ROWS)
    for k, f in WITHOUT_PARAMETERS.items()
}
LAYERS |= {
    k: (lambda d, f=f: nn.Sequential(nn.Conv2d(3, 2, 3, dtype=d, seed=0), f()), IMAGES) for k, f in OF_IMAGES.items()
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_trained_with_the_same_bits(name, dtype):
    layer, x = LAYERS[name]
    batches = [(np.roll(x, k, 0).astype(dtype),) for k in range(20)]

    def make():
        module = layer(dtype)

        def loss_of(x):
            y = module(x)
            y = y[0] if isinstance(y, tuple) else y
            return dark.mean(dark.square(y + 0.1))

        return module, loss_of

    compare(make, batches, lambda parameters: optim.Adam(parameters, lr=0.01))


def test_gradients_that_are_added_in_place_keep_their_memory_order():
    batches = [(np.roll(ROWS, k, 0), np.roll(CLASSES, k)) for k in range(20)]

    def make():
        module = nn.Linear(8, 4, seed=0)

        def loss_of(x, y):
            scores = module(x)  # the gradients of the two terms differ in memory order
            return losses.cross_entropy(scores, y) + 0.1 * dark.mean(scores**2)

        return module, loss_of

    compare(make, batches, lambda parameters: optim.SGD(parameters, lr=0.3))


def test_an_embedding():
    batches = [(RNG.integers(0, 7, size=(4, 3)),) for _ in range(20)]

    def make():
        words = nn.Embedding(7, 5, seed=0)
        return words, lambda x: dark.mean(dark.tanh(words(x)) ** 2)

    compare(make, batches, lambda parameters: optim.SGD(parameters, lr=0.3))


def test_attention_with_dropout():
    def make():
        layer = nn.MultiheadAttention(8, 2, dropout=0.3, batch_first=True, seed=0)
        return layer, lambda x: dark.mean(layer(x, x, x, need_weights=False)[0] ** 2)

    compare(make, [(np.roll(STEPS, k, 0),) for k in range(20)], lambda p: optim.SGD(p, lr=0.3))


OTHER = RNG.normal(size=(6, 4))
LOSSES = {  # the targets, and whether it is replayed
    "cross_entropy": (CLASSES, True),
    "nll": (CLASSES, False),
    "multi_margin": (CLASSES, False),
    "mse": (OTHER, True),
    "l1": (OTHER, True),
    "huber": (OTHER, True),
    "smooth_l1": (OTHER, True),
    "binary_cross_entropy_with_logits": (ONES, True),
    "hinge": (2 * ONES - 1, False),
    "hinge_embedding": (2 * ONES - 1, False),
    "kl_div": (np.abs(OTHER), False),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_replayed_or_refused(name, dtype):
    target, is_replayed = LOSSES[name]
    target = target.astype(dtype) if target.dtype.kind == "f" else target
    batches = [(np.roll(ROWS, k, 0).astype(dtype), np.roll(target, k, 0)) for k in range(20)]

    def make():
        module, loss = nn.Linear(8, 4, dtype=dtype, seed=0), getattr(losses, name)
        return module, lambda x, y: loss(module(x), y)

    compare(make, batches, lambda parameters: optim.SGD(parameters, lr=0.1), replayed=is_replayed)


OF_SEVERAL = {  # losses of more than one result, or of probabilities
    "binary_cross_entropy": lambda a, b, y: losses.binary_cross_entropy(dark.sigmoid(a), y),
    "cosine_embedding": lambda a, b, y: losses.cosine_embedding(a, b, 2 * y[:, 0] - 1),
    "triplet_margin": lambda a, b, y: losses.triplet_margin(a, b, a * 0.5 + 1.0),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", OF_SEVERAL)
def test_a_loss_of_several_results_has_the_same_bits(name, dtype):
    batches = [(np.roll(ROWS, k, 0).astype(dtype), np.roll(ONES, k, 0).astype(dtype)) for k in range(20)]

    def make():
        module = nn.Sequential(nn.Linear(8, 4, dtype=dtype, seed=0), nn.Linear(8, 4, dtype=dtype, seed=1))
        return module, lambda x, y: OF_SEVERAL[name](module[0](x), module[1](x), y)

    compare(make, batches, lambda parameters: optim.SGD(parameters, lr=0.1), replayed=None)


def test_every_layer_and_every_loss_is_here():
    assert {*losses.__all__} == {*LOSSES, *OF_SEVERAL}
    kinds = [getattr(nn, name) for name in nn.__all__ if isinstance(getattr(nn, name), type)]
    layers = {kind.__name__ for kind in kinds if issubclass(kind, nn.Module) and not issubclass(kind, nn.Loss)}
    containers = {"Module", "Sequential", "ModuleList", "ModuleDict", "Function"}
    assert layers - containers == {*LAYERS, "Embedding", "MultiheadAttention"}


def test_labels_of_a_later_batch_that_are_ignored():
    labels = [CLASSES] * 4 + [np.where(CLASSES == 1, -100, CLASSES), CLASSES]

    def make():
        module = nn.Linear(8, 4, seed=0)
        return module, lambda x, y: losses.cross_entropy(module(x), y)

    compare(make, [(np.roll(ROWS, k, 0), y) for k, y in enumerate(labels)])


OPTIMIZERS = [name for name in optim.__all__ if isinstance(getattr(optim, name), type)]
OPTIMIZERS = [
    n for n in OPTIMIZERS if issubclass(getattr(optim, n), optim.Optimizer) and n not in ("Optimizer", "LBFGS")
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_takes_the_same_steps(name, dtype):
    batches = [(np.roll(ROWS, k, 0).astype(dtype), np.roll(CLASSES, k)) for k in range(20)]

    def make():
        first, second = nn.Linear(8, 7, dtype=dtype, seed=0), nn.Linear(7, 4, dtype=dtype, seed=1)
        module = nn.Sequential(first, nn.ReLU(), second)
        return module, lambda x, y: losses.cross_entropy(module(x), y)

    compare(make, batches, lambda parameters: getattr(optim, name)(parameters, lr=0.01))


def test_the_graph_itself_is_not_changed_by_a_recording():
    make, batches = two_layers, [(ROWS,)] * 2
    assert run(make, batches)[0] == run(make, batches, is_recorded=True)[0]


def two_layers():
    module = nn.Sequential(nn.Linear(8, 7, seed=0), nn.Tanh())
    return module, lambda x: dark.mean(module(x))
