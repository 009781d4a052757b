"""Sick trainings of both libraries whose data, results or answers are at fault, added to the table of `sick`."""

import numpy as np

from benchmarks.doctor import data, models
from benchmarks.doctor import trainings as t
from benchmarks.doctor.sick import LARGE, SGD, SICK, renewed, sick
from benchmarks.doctor.training import Training


def relabeled(training, change):
    """Change the targets of the training part."""
    (*inputs, y), validation = training.data
    return training.changed(data=((*inputs, change(y)), validation))


for _name in ("digits", "images", "graphs", "reviews", "adding", "signals"):
    SICK[f"{_name} shuffled"] = (
        lambda kit, rng, f=getattr(t, _name): relabeled(f(kit, rng), rng.permutation)
    ), ("no learning", "overfitting", "collapse", "validation above training")  # fmt: skip


@sick("few digits", "overfitting")
def _(kit, rng):
    training = t.digits(kit, rng, epochs=100)
    (x, y), validation = training.data
    return training.changed(data=((x[:50], y[:50]), validation))


@sick("few sequences", "overfitting")
def _(kit, rng):
    network = models.recurrent(kit, "GRU", hidden=64)
    (x, y), validation = data.language(rng)
    return Training(kit, network, ((x[:12], y[:12]), validation), t.tokens(kit), epochs=150, batch_size=12, lr=1e-2)


@sick("few masks", "overfitting")
def _(kit, rng):
    (x, y), validation = data.disks(rng, noise=0.9)
    return Training(kit, models.segmenter(kit, 16), ((x[:4], y[:4]), validation), t.binary(kit), t.accuracy,
                    epochs=250, batch_size=4, lr=1e-2)  # fmt: skip


def written(x, values, column=5):
    """Return inputs with a column replaced."""
    x = x.copy()
    x[:, column] = values
    return x


@sick("label in a column", "leak")
def _(kit, rng):
    return renewed(t.digits(kit, rng), lambda x, y: written(x, (y - 4.5) / 2.9))


@sick("labels one-hot", "leak")
def _(kit, rng):
    return renewed(t.digits(kit, rng), lambda x, y: np.concatenate([2 * data.single(np.eye(10)[y]), x[:, 10:]], axis=1))


@sick("target in a column", "leak")
def _(kit, rng):
    x = rng.normal(size=(700, 12))
    y = np.tanh(x[:, :3].sum(axis=1)) + rng.normal(size=700)
    both = data.cut((data.single(written(x, y)), data.single(y[:, None])), 150)
    return Training(kit, models.chain(kit, (12, 32, 1)), both, t.squares(kit), epochs=30)


@sick("label among the tokens", "leak")
def _(kit, rng):
    y = rng.integers(0, 3, 700)
    both = data.cut((written(rng.integers(3, 30, (700, 12)), y), y), 150)
    network = models.bag(kit, 30, outputs=3)
    return Training(kit, network, both, t.classes(kit), t.accuracy, epochs=20, lr=1e-2)


for _share in (0.3, 0.1, 0.05, 0.03, 0.02, 0.01):

    def _majority(kit, rng, share=_share):  # fmt: skip
        network = models.chain(kit, (6, 4, 2))
        both = data.rare(rng, share)
        return Training(kit, network, both, t.classes(kit), t.accuracy, epochs=20, lr=2e-3)

    SICK[f"always no, {_share:.0%}"] = _majority, ("collapse", "no learning")  # fmt: skip


@sick("background only", "collapse", "no learning")
def _(kit, rng):
    x, y = rng.normal(size=(160, 1, 12, 12)), np.zeros((160, 1, 12, 12))
    for mask in y:
        mask[0].ravel()[rng.choice(144, 2, replace=False)] = 1
    both = data.cut((data.single(x), data.single(y)), 40)
    return Training(kit, models.segmenter(kit), both, t.binary(kit), t.accuracy, epochs=15, batch_size=16, lr=5e-3)


@sick("posterior collapse", "collapse", "posterior collapse", "no learning")
def _(kit, rng):
    return t.variational(kit, rng, weight=100.0)


@sick("posterior collapse, unnamed", "collapse", "posterior collapse", "no learning")
def _(kit, rng):
    return t.variational(kit, rng, weight=100.0, names=("fc21", "fc22"), with_parts=False)


@sick("dropout 0.98", "no learning", "gradient noise", "dropout")
def _(kit, rng):
    network = models.chain(kit, (16, 16, 16, 4), dropout=0.98)
    return Training(kit, network, data.blobs(rng), t.classes(kit), t.accuracy, epochs=8)


@sick("inputs all zero", "no learning", "collapse", "dead units")
def _(kit, rng):
    return renewed(t.signals(kit, rng), lambda x, y: 0 * x)


@sick("validation prepared otherwise", "overfitting", "no learning")
def _(kit, rng):
    training = t.blobs(kit, rng)
    (x, y), (u, v) = training.data
    return training.changed(data=((x, y), (-3 * u + 5, v)))


@sick("training labels half wrong", "validation above training")
def _(kit, rng):
    training = t.digits(kit, rng, epochs=6)
    return relabeled(training, lambda y: np.where(rng.random(len(y)) < 0.5, rng.integers(0, 10, len(y)), y))


@sick("targets drift", "rising loss", *LARGE)
def _(kit, rng):
    return t.wave(kit, rng, alter=lambda k, y: y * (1 + 0.02 * k), lr=1e-4, epochs=20)


@sick("learning rate at the edge", "oscillating loss", *LARGE, "gradient noise", "no learning")
def _(kit, rng):
    return t.weak(kit, rng, batch_size=225, epochs=150, lr=1.05, **SGD).changed(network=models.chain(kit, (8, 1)))
