"""The workloads: name, initial weights and data as arrays, and the target relative to PyTorch."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.workloads import chain, wide


@dataclass(frozen=True)
class Workload:
    """A workload.

    Attributes
    ----------
    name : str
        Printed name.
    family : str
        The function of a framework's file that runs it.
    make : callable
        Returns a dict of arrays.
    targets : tuple of float
        Target for dark's time divided by PyTorch's, with one BLAS thread, two, ...; may be empty.
    """

    name: str
    family: str
    make: Callable
    targets: tuple = ()

    @property
    def is_scalar(self):
        """Whether every node is a scalar, so that a second thread has nothing to do."""
        return self.family.startswith("S")


def float32(array):
    """Return the array as contiguous float32."""
    return np.ascontiguousarray(array, np.float32)


def pair(rng, *shape, inputs=None):
    """Initialize weights and a bias as PyTorch's layers do; the output axis is the last, for filters the first."""
    bound = (inputs or shape[0]) ** -0.5
    outputs = shape[0] if len(shape) == 4 else shape[-1]
    return float32(rng.uniform(-bound, bound, shape)), float32(rng.uniform(-bound, bound, outputs))


def program(make, size):
    """Make a scalar graph."""
    leaves, steps = make(size)
    return {"leaves": leaves, "prog": steps}


def moons(n=100, noise=0.1):
    """Make two interleaved half circles and a perceptron 2-16-16-1."""
    rng = np.random.default_rng(3)
    angle, sign = rng.uniform(0, np.pi, n), np.arange(n) % 2 * 2.0 - 1
    x = np.stack([sign * np.cos(angle) + (1 - sign) / 2, sign * (np.sin(angle) - 0.25)], 1)
    params = [(rng.uniform(-1, 1, shape), np.zeros(shape[1])) for shape in ((2, 16), (16, 16), (16, 1))]
    return {"X": x + noise * rng.normal(size=x.shape), "y": sign, "params": params, "lr": 0.1, "alpha": 1e-4}


def elementwise(n):
    """Make three random vectors."""
    rng = np.random.default_rng(1)
    return {name: float32(rng.normal(size=n)) for name in "xyz"}


def digits():
    """Return scikit-learn's handwritten digits, shuffled: 1437 training examples, the rest for testing."""
    from sklearn.datasets import load_digits  # slow to import, and only these workloads need it

    bunch = load_digits()
    order = np.random.default_rng(3).permutation(len(bunch.data))
    x, y = float32(bunch.data[order] / 16), bunch.target[order].astype(np.int64)
    return x[:1437], y[:1437], x[1437:], y[1437:]


def batches(x, y, size):
    """Split examples into complete batches."""
    return [(x[k : k + size], y[k : k + size]) for k in range(0, len(x) - size + 1, size)]


def small_perceptron():
    """Make a perceptron 64-128-10 and the digits."""
    rng, (x, y, *_) = np.random.default_rng(7), digits()
    return {"params": [pair(rng, 64, 128), pair(rng, 128, 10)], "batches": batches(x, y, 64), "lr": 1e-3}


def large_perceptron():
    """Make a perceptron 784-1024-1024-10 and random images of MNIST's size."""
    rng = np.random.default_rng(8)
    x, y = float32(rng.random((1024, 784))), rng.integers(10, size=1024)
    params = [pair(rng, 784, 1024), pair(rng, 1024, 1024), pair(rng, 1024, 10)]
    return {"params": params, "batches": batches(x, y, 256), "lr": 1e-4}


def training():
    """Make the small perceptron, and data and settings to train it to 97 % accuracy."""
    x, y, xt, yt = digits()
    settings = {"lr": 3e-3, "batch": 64, "target": 0.97, "max_epochs": 60}
    return {"params": small_perceptron()["params"], "X": x, "y": y, "Xt": xt, "yt": yt, **settings}


def convolutional(side):
    """Make two convolutions with 16 and 32 channels, a linear layer, and square images."""
    rng = np.random.default_rng(9)
    if side == 8:
        x, y, *_ = digits()
    else:
        x, y = float32(rng.random((256, side * side))), rng.integers(10, size=256)
    layers = {"c1": pair(rng, 16, 1, 3, 3, inputs=9), "c2": pair(rng, 32, 16, 3, 3, inputs=144)}
    head = pair(rng, 32 * (side // 2) ** 2, 10)
    return {**layers, "fc": head, "batches": batches(x.reshape(-1, 1, side, side), y, 64)[:4], "lr": 0.05}


def recurrent(gates, states=64):
    """Make a recurrent layer with 28 inputs, and 64 sequences of 28 steps: (step, batch, input)."""
    rng = np.random.default_rng(10)
    inner, outer = pair(rng, states, gates * states), pair(rng, 28, gates * states, inputs=states)
    weights = {"w_ih": outer[0], "b_ih": outer[1], "w_hh": inner[0], "b_hh": inner[1], "fc": pair(rng, states, 10)}
    return {**weights, "x": float32(rng.normal(size=(28, 64, 28))), "y": rng.integers(10, size=64)}


def adversaries():
    """Make a generator 32-128-64, a discriminator 64-128-1, and batches of 64."""
    rng = np.random.default_rng(12)
    networks = {"G": [pair(rng, 32, 128), pair(rng, 128, 64)], "D": [pair(rng, 64, 128), pair(rng, 128, 1)]}
    real = [float32(np.tanh(rng.normal(size=(64, 64)))) for _ in range(4)]
    noise = [float32(rng.normal(size=(64, 32))) for _ in range(4)]
    return {**networks, "real": real, "noise": noise, "lr": 2e-4, "slope": 0.2}


def block(d=64):
    """Make a transformer block with 4 heads and 256 hidden units, and 16 sequences of length 64."""
    rng = np.random.default_rng(13)
    shapes = {"qkv": (d, 3 * d), "o": (d, d), "f1": (d, 256), "f2": (256, d)}
    norms = {name: (np.ones(d, "f"), np.zeros(d, "f")) for name in ("ln1", "ln2")}
    weights = {name: pair(rng, *shape) for name, shape in shapes.items()}
    return {**weights, **norms, "heads": 4} | {name: float32(rng.normal(size=(16, 64, d))) for name in "xt"}


CHAIN = "elementwise chain, {} elements"
WORKLOADS = {
    "A1_1e3": Workload(CHAIN.format("10³"), "A1", partial(elementwise, 10**3), (0.35,)),
    "A1_1e5": Workload(CHAIN.format("10⁵"), "A1", partial(elementwise, 10**5), (0.50,)),
    "A1_1e6": Workload(CHAIN.format("10⁶"), "A1", partial(elementwise, 10**6), (0.65,)),
    "A1_1e7": Workload(CHAIN.format("10⁷"), "A1", partial(elementwise, 10**7), (0.35,)),
    "A2": Workload("perceptron 64-128-10, batch 64", "A2", small_perceptron, (0.30,)),
    "A2w": Workload("perceptron 784-1024-1024-10, batch 256", "A2", large_perceptron, (1.0,)),
    "E1": Workload("training of 64-128-10 to 97 %", "E1", training, (0.25,)),
    "A3s": Workload("convolutional net, 8x8", "A3", partial(convolutional, 8), (1.0, 1.3)),
    "A3l": Workload("convolutional net, 28x28", "A3", partial(convolutional, 28), (1.2, 2.0)),
    "A4r": Workload("plain recurrent layer, 28 steps", "A4r", partial(recurrent, 1), (0.50,)),
    "A4g": Workload("gated recurrent unit, 28 steps", "A4g", partial(recurrent, 3), (0.70,)),
    "A5": Workload("both steps of a GAN", "A5", adversaries, (0.45,)),
    "A6": Workload("transformer block, 64 wide", "A6", block, (1.0, 1.2)),
    "S1w_1k": Workload("wide scalar graph, 1000 nodes", "S1", partial(program, wide, 1_000)),
    "S1w_10k": Workload("wide scalar graph, 10000 nodes", "S1", partial(program, wide, 10_000)),
    "S1c_10k": Workload("scalar chain, 10000 nodes", "S1", partial(program, chain, 10_000)),
    "S2": Workload("scalar perceptron 2-16-16-1, 100 moons", "S2", moons),
}
