"""The same networks in `dark` and in PyTorch, with equal weights, and trainings of both on the same data."""

import numpy as np
import pytest

import dark
from dark import losses, optim

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")


def perceptron(nn):
    """Return a network with all activation functions whose units are looked at."""
    layers = nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 7), nn.Tanh(), nn.Linear(7, 5), nn.Sigmoid(), nn.Linear(5, 3)
    return nn.Sequential(*layers)


def convolutional(nn):
    """Return a network of images, with normalization."""

    class Images(nn.Module):
        def __init__(self):
            super().__init__()
            layers = (
                nn.Conv2d(1, 4, (2, 2), padding=1, bias=False),
                nn.BatchNorm2d(4),
                nn.ReLU(),
                nn.MaxPool2d(2),
                nn.Flatten(),
            )
            self.layers = nn.Sequential(*layers, nn.LayerNorm(8), nn.Linear(8, 3))

        def forward(self, x):
            return self.layers(x.reshape(-1, 1, 3, 2))

    return Images()


def recurrent(nn, kind="LSTM"):
    """Return a network of sequences, time first, which is called twice in a step: forward and backward in time."""

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.read, self.head = getattr(nn, kind)(2, 4, num_layers=2), nn.Linear(4, 3)
            self.unused = nn.Linear(2, 2)

        def forward(self, x):
            steps = [x[0], x[1], x[2]]
            stack = torch.stack if isinstance(x, torch.Tensor) else dark.stack
            return sum(self.head(self.read(stack(order))[0][-1]) for order in (steps, steps[::-1]))

    return Reader()


def gated(nn):
    """Return a network with a GRU."""
    return recurrent(nn, "GRU")


def shared(nn):
    """Return a network in which two layers share a weight, one layer stands twice, and one is frozen."""

    class Shared(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner, self.tied, self.frozen = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 6)
            self.tied.weight, self.twice, self.relu = self.inner.weight, self.inner, nn.ReLU()
            self.head = nn.Linear(6, 3)
            for p in self.frozen.parameters():
                p.requires_grad = False

        def forward(self, x):
            return self.head(self.relu(self.tied(self.relu(self.twice(self.inner(self.frozen(x)))))))

    return Shared()


KINDS = {f.__name__: f for f in (perceptron, convolutional, recurrent, gated, shared)}
KINDS["plain"] = lambda nn: recurrent(nn, "RNN")


def pair(kind, dtype="float64", seed=0):
    """Return the network of `dark` and that of PyTorch, with equal weights."""
    torch.manual_seed(seed)
    theirs = KINDS[kind](torch.nn).to(getattr(torch, dtype))
    own = KINDS[kind](dark.nn).to(np.dtype(dtype))
    own.load_state_dict(theirs.state_dict())
    return own, theirs


TIMED = {"recurrent", "gated", "plain"}  # networks of sequences, time first


def batches(kind="perceptron", dtype="float64", steps=12, seed=1):
    """Return batches of examples and labels, the last of each four smaller."""
    rng = np.random.default_rng(seed)
    sizes = [9, 9, 9, 5] * steps
    shapes = [(3, n, 2) if kind in TIMED else (n, 6) for n in sizes[:steps]]
    return [(rng.normal(size=shape).astype(dtype), rng.integers(0, 3, n)) for shape, n in zip(shapes, sizes)]


class Own:
    """A step of a training with `dark`."""

    def __init__(self, network, lr=0.01):
        self.network, self.optimizer = network, optim.Adam(network.parameters(), lr=lr)

    def __call__(self, x, y):
        self.optimizer.zero_grad()
        loss = losses.cross_entropy(self.network(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Theirs:
    """A step of a training with PyTorch."""

    def __init__(self, network, lr=0.01):
        trained = [p for p in network.parameters() if p.requires_grad]
        self.network, self.optimizer = network, torch.optim.Adam(trained, lr=lr)

    def __call__(self, x, y):
        self.optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(self.network(torch.from_numpy(x)), torch.from_numpy(y))
        loss.backward()
        self.optimizer.step()
        return loss.item()


def state(network):
    """Return everything of a network of PyTorch that a training may change, as bytes."""
    return {name: tensor.numpy().tobytes() for name, tensor in network.state_dict().items()}
