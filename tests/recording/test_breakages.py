"""Cases that can break a recording: each has the same bits as the function itself, or is refused in words."""

import re

import numpy as np
import pytest

import dark
from dark import nn, optim
from tests.recording.twins import compare

RNG = np.random.default_rng(0)
BATCHES = [(RNG.normal(size=(6, 5)),) for _ in range(8)]


def perceptron(*layers, dtype=np.float64, wrap=lambda module, f: f):
    """Return a function that makes a perceptron with some layers in its middle, and its loss."""

    def make():
        middle = [layer() for layer in layers]
        module = nn.Sequential(nn.Linear(5, 8, dtype=dtype, seed=1), *middle, nn.Linear(8, 3, dtype=dtype, seed=2))
        return module, wrap(module, lambda x: dark.mean(dark.square(module(x))))

    return make


def sgd(parameters):
    return optim.SGD(parameters, lr=0.05)


SAME = {
    "relu": perceptron(nn.ReLU),
    "tanh": perceptron(nn.Tanh),
    "gelu": perceptron(nn.GELU),
    "softplus": perceptron(nn.Softplus),
    "silu and layer norm": perceptron(nn.SiLU, lambda: nn.LayerNorm(8)),
    "dropout": perceptron(lambda: nn.Dropout(0.5, seed=3)),
    "two dropouts with one generator": perceptron(
        *[lambda rng=np.random.default_rng(5), p=p: nn.Dropout(p, seed=np.random.default_rng(5)) for p in (0.2, 0.6)]
    ),
    "batch norm": perceptron(lambda: nn.BatchNorm1d(8)),
    "batch norm without momentum": perceptron(lambda: nn.BatchNorm1d(8, momentum=None)),
    "weights used twice": perceptron(nn.ReLU, wrap=lambda m, f: lambda x: f(x) + f(x)),
    "arithmetic on the data": perceptron(wrap=lambda m, f: lambda x: f((x - 0.5) * 2.0)),
    "functions of NumPy on the data": perceptron(wrap=lambda m, f: lambda x: f(np.tanh(x) + np.sum(x, 0))),
    "a choice by the data": perceptron(wrap=lambda m, f: lambda x: f(dark.where(np.tanh(x), x, 0.5 * x))),
    "float32": perceptron(nn.Tanh, dtype=np.float32),
}


@pytest.mark.parametrize("name", SAME)
def test_these_are_replayed_with_the_same_bits(name):
    compare(SAME[name], BATCHES, sgd)


def test_equal_batches_do_not_freeze_what_is_computed_from_them():
    batches = [BATCHES[0]] * 3 + BATCHES
    compare(SAME["arithmetic on the data"], batches, sgd)


def assign(module, k):
    module[0].weight.value = np.full((8, 5), 0.1 * k)


def write(module, k):
    module[0].weight.value[...] *= 0.5


def freeze(module, k):
    module[0].weight.requires_grad = k < 4


def another_module(module, k):
    if k == 4:
        module[2].weight = dark.Parameter(np.ones((3, 8)))


def switch_mode(module, k):
    module.train(k % 4 < 2)


def switch_one(module, k):
    module[1].train(k < 4)


def load(module, k):
    if k == 5:
        module.load_state_dict({n: v * 2 for n, v in module.state_dict().items()})


CHANGES = {
    "a parameter is assigned": (assign, perceptron(nn.ReLU)),
    "a parameter is written into": (write, perceptron(nn.ReLU)),
    "a parameter is frozen": (freeze, perceptron(nn.ReLU)),
    "a parameter is replaced": (another_module, perceptron(nn.ReLU)),
    "a state is loaded": (load, perceptron(nn.ReLU)),
    "train and eval with dropout": (switch_mode, perceptron(lambda: nn.Dropout(0.5, seed=3))),
    "train and eval with batch norm": (switch_mode, perceptron(lambda: nn.BatchNorm1d(8))),
    "eval of one layer": (switch_one, perceptron(lambda: nn.Dropout(0.5, seed=3))),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_between_calls_are_noticed(name):
    change, make = CHANGES[name]
    compare(make, [*BATCHES, *BATCHES], change=change)


def test_buffers_that_change_in_evaluation_mode_are_noticed():
    def change(module, k):
        module.eval()
        if k == 5:
            module[1].running_mean[...] = 3.0
        if k == 9:
            module[1].running_var = np.full(8, 2.0)

    compare(perceptron(lambda: nn.BatchNorm1d(8)), [*BATCHES, *BATCHES], sgd, change)


def test_batches_of_two_sizes_and_two_dtypes():
    batches = [(b[: 6 - k % 2].astype("f4" if k > 9 else "f8"),) for k, (b,) in enumerate([*BATCHES, *BATCHES])]
    compare(perceptron(nn.ReLU), batches, sgd)


def counter(module, f):
    calls = [0]

    def with_counter(x):
        calls[0] += 1
        return f(x) * calls[0]

    return with_counter


def data(module, f):
    rng = np.random.default_rng(7)
    return lambda x: f(x + rng.normal(size=(6, 5)))


def branch(module, f):
    return lambda x: f(x) if f(x).item() > 0 else f(x) * 2


READS = {
    "value": lambda x: x.value,
    "item": lambda x: x.sum().item(),
    "float": lambda x: float(x.sum()),
    "bool": lambda x: bool(x.sum()),
    "comparison": lambda x: x > 0,
    "equality": lambda x: x == 1.0,
    "isnan": np.isnan,
    "tolist": lambda x: x.tolist(),
    "detach": lambda x: x.detach(),
    "asarray": np.asarray,
    "repr": repr,
    "format": lambda x: f"{x.sum():.2f}",
    "in": lambda x: 2.0 in x,
}


@pytest.mark.parametrize("name", READS)
def test_a_value_that_python_reads_is_noticed(name):
    def reading(module, f):
        def read(x):
            READS[name](x)
            return f(x)

        return read

    f = compare(perceptron(wrap=reading), BATCHES, sgd, replayed=False)
    assert re.search("the value of .* was read", f.refused[0]), f.refused


@pytest.mark.parametrize("name", ["value", "item"])
def test_the_value_of_a_parameter_that_python_reads_is_noticed(name):
    def reading(module, f):
        return lambda x: f(x) * float(np.sum(READS[name](module[0].weight)))

    f = compare(perceptron(wrap=reading), BATCHES, replayed=False)
    assert "'weight'" in f.refused[0] or "sum" in f.refused[0]


@pytest.mark.parametrize(
    ("wrap", "text"),
    [
        (counter, r"node \d+, a Constant of shape \(\), is not the same in two calls"),
        (data, r"node \d+, a Constant of shape \(6, 5\), is not the same in two calls"),
        (branch, "the value of the result of mean was read"),
    ],
)
def test_what_differs_is_refused_with_its_node(wrap, text):
    f = compare(perceptron(wrap=wrap), BATCHES, sgd, replayed=False)
    assert re.search(text, f.refused[0]), f.refused


def test_a_gradient_inside_is_refused():
    def penalty(module, f):
        def with_penalty(x):
            y = f(x)
            y.backward()
            return y + np.sum(module[0].weight.grad ** 2)

        return with_penalty

    f = compare(perceptron(wrap=penalty), BATCHES, replayed=False)
    assert "it computes gradients" in f.refused[0]
