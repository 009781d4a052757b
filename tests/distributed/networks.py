"""A network, batches and a training for the tests: with dropout and batch normalization, or plain."""

import numpy as np

from dark import losses, nn, optim


def network(plain=False):
    """Create a classifier of 6 features in 3 classes."""
    middle = [] if plain else [nn.BatchNorm1d(8), nn.Dropout(0.25, seed=1)]
    return nn.Sequential(nn.Linear(6, 8, seed=0), *middle, nn.ReLU(), nn.Linear(8, 3, seed=2))


def batches(steps, rows=20):
    """Yield batches of rows and classes."""
    rng = np.random.default_rng(3)
    for _ in range(steps):
        yield rng.normal(size=(rows, 6)), rng.integers(3, size=rows)


def trained(strategy, steps=200, *, plain=False, rows=20, dtype=float):
    """Train a network; return its state and the losses."""
    net = network(plain).to(dtype)
    optimizer = optim.Adam(net.parameters(), lr=0.01)

    def loss_of(part):
        return losses.cross_entropy(net(part[0].astype(dtype)), part[1])

    found = []
    for batch in batches(steps, rows):
        optimizer.zero_grad()
        found.append(strategy.backward(loss_of, batch, net))
        optimizer.step()
    return net.state_dict(), found


def same_bits(state, other):
    """Return whether two states are equal to the last bit."""
    return state.keys() == other.keys() and all(state[name].tobytes() == other[name].tobytes() for name in state)
