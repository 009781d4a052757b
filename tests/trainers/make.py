"""A small network and data for it, identical at each call."""

import numpy as np

from dark import nn, optim


def network(seed=0):
    model = nn.Sequential(nn.Linear(3, 5, seed=seed), nn.Tanh(), nn.Linear(5, 2, seed=seed + 1))
    return model, optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def batches(n=6, size=4, seed=2):
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=(size, 3)), rng.normal(size=(size, 2))) for _ in range(n)]


def weights(model):
    return [p.value.tobytes() for p in model.parameters()]
