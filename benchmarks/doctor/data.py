"""Data of the families that PyTorch and `dark` share: small, generated, standardized, as NumPy arrays."""

import numpy as np

from benchmarks.doctor.families import table


def single(array):
    """Return an array of float32."""
    return np.asarray(array, np.float32)


def cut(arrays, count):
    """Return a training part and a validation part, of `count` rows."""
    return tuple(a[count:] for a in arrays), tuple(a[:count] for a in arrays)


def digits(rng):
    """Handwritten digits, (1347, 64) and (450, 64)."""
    return table("digits", int(rng.integers(10)))


def blobs(rng, count=1600, inputs=16, classes=4, spread=1.6):
    """Clusters around random centers, with some overlap."""
    centers, labels = rng.normal(size=(classes, inputs)), rng.integers(0, classes, count)
    return cut((single((centers[labels] + spread * rng.normal(size=(count, inputs))) / 1.8), labels), count // 4)


def wave(rng, count=600):
    """A smooth function of the plane with a little noise."""
    x = rng.uniform(-2, 2, (count, 2))
    y = np.sin(2 * x[:, :1]) * x[:, 1:] + 0.05 * rng.normal(size=(count, 1))
    return cut((single(x), single(y)), count // 4)


def weak(rng, count=1500):
    """A linear signal that explains a sixth of the variance."""
    x = rng.normal(size=(count, 8))
    return cut((single(x), single(0.45 * x[:, :1] + rng.normal(size=(count, 1)))), count // 4)


def signals(rng, count=500, steps=32):
    """Sines of three frequencies with noise, (count, 1, steps)."""
    labels, phase = rng.integers(0, 3, count), rng.uniform(0, 6, (count, 1))
    pace = np.array([2, 4, 7])[labels][:, None] * np.arange(steps) / steps
    return cut((single(np.sin(2 * np.pi * pace + phase) + 0.5 * rng.normal(size=pace.shape))[:, None], labels), 120)


def language(rng, count=360, steps=16, tokens=8):
    """Sequences of a Markov chain, and the token that follows each."""
    chain, x = rng.dirichlet(np.full(tokens, 0.25), tokens), np.zeros((count, steps + 1), int)
    x[:, 0] = rng.integers(0, tokens, count)
    for t in range(steps):
        x[:, t + 1] = (chain[x[:, t]].cumsum(axis=1) > rng.random((count, 1))).argmax(axis=1).clip(0, tokens - 1)
    return cut((x[:, :-1], x[:, 1:]), 90)


def ratings(rng, count=2400, users=50, items=40):
    """Pairs (user, item), and a rating of rank 3 with noise."""
    u, v = rng.normal(size=(users, 3)), rng.normal(size=(items, 3))
    pairs = np.stack([rng.integers(0, users, count), rng.integers(0, items, count)], axis=1)
    y = (u[pairs[:, 0]] * v[pairs[:, 1]]).sum(axis=1, keepdims=True) + 0.3 * rng.normal(size=(count, 1))
    return cut((pairs, single(y)), 500)


def disks(rng, count=160, side=12, noise=0.6):
    """Noisy images of a disk, and where it is, both (count, 1, side, side)."""
    rows, columns = np.mgrid[:side, :side]
    center, radius = rng.uniform(3, side - 3, (count, 2)), rng.uniform(1.5, 4, count)
    distance = (rows - center[:, :1, None]) ** 2 + (columns - center[:, 1:, None]) ** 2
    mask = distance < radius[:, None, None] ** 2
    return cut((single((mask + noise * rng.normal(size=mask.shape) - 0.2))[:, None], single(mask)[:, None]), 40)


def surface(rng, count=600, inputs=12):
    """Points near a curved surface of two dimensions; an autoencoder's inputs are its targets."""
    place, directions = rng.uniform(-1, 1, (count, 2)), rng.normal(size=(2, inputs))
    x = single(np.tanh(1.5 * place @ directions) + 0.05 * rng.normal(size=(count, inputs)))
    return cut((x, x), 150)


def parabola(rng, count=800):
    """Points around a parabola, for densities."""
    a = 0.3 * rng.normal(size=(count, 1))
    x = single(np.concatenate([a, 0.1 * rng.normal(size=(count, 1)) + 2 * a * a], axis=1))
    return cut((x, x), 200)


def tags(rng, count=700, inputs=15, outputs=6):
    """Several labels for each row, 0 or 1, of type float."""
    x, directions = rng.normal(size=(count, inputs)), rng.normal(size=(inputs, outputs))
    return cut((single(x), single(x @ directions + 0.8 * rng.normal(size=(count, outputs)) > 0)), 175)


def graphs(rng, count=400, nodes=8, features=6):
    """Dense or sparse random graphs: features and adjacency side by side, (count, nodes, features + nodes)."""
    labels = rng.integers(0, 2, count)
    upper = np.triu(rng.random((count, nodes, nodes)) < np.where(labels, 0.5, 0.2)[:, None, None], 1)
    adjacency = upper + upper.transpose(0, 2, 1) + np.eye(nodes)
    x = rng.normal(size=(count, nodes, features)) + 0.3 * adjacency.sum(axis=2, keepdims=True)
    return cut((single(np.concatenate([x, adjacency / nodes], axis=2)), labels), 100)


def adding(rng, count=800, steps=10):
    """Numbers of which two are marked, (count, steps, 2), and the sum of the two."""
    values, marks = rng.random((count, steps)), np.zeros((count, steps))
    for row in marks:
        row[rng.choice(steps, 2, replace=False)] = 1
    return cut((single(np.stack([values, marks], axis=2)), single((values * marks).sum(axis=1, keepdims=True))), 200)


def triplets(rng, count=600):
    """Rows of blobs: anchors, rows of the same class, and rows of another."""
    (x, y), (u, v) = blobs(rng, count)
    x, y = np.concatenate([x, u]), np.concatenate([y, v])
    same = np.array([rng.choice(np.flatnonzero(y == c)) for c in y])
    other = np.array([rng.choice(np.flatnonzero(y != c)) for c in y])
    return cut((x, x[same], x[other]), 150)


def rare(rng, share, count=1600, signal=0.0):
    """Two classes, one of them with a small share; the inputs say something of them if there is a signal."""
    labels = np.zeros(count, int)
    labels[rng.permutation(count)[: round(share * count)]] = 1
    return cut((single(rng.normal(size=(count, 6)) + signal * labels[:, None]), labels), 400)


def reviews(rng, count=1600, steps=12, tokens=40):
    """Sequences of tokens, each of which speaks for one of two classes a little."""
    mood, x = rng.normal(size=tokens), rng.integers(0, tokens, (count, steps))
    return cut((x, (mood[x].sum(axis=1) + 0.3 * rng.normal(size=count) > 0).astype(int)), 200)


def contexts(rng, count=800):
    """States of a bandit, and the rewards of four actions, of which one is right."""
    x, directions = rng.normal(size=(count, 6)), rng.normal(size=(6, 4))
    return (single(x), np.eye(4, dtype=np.float32)[(x @ directions).argmax(axis=1)]), None
