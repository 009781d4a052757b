"""Sick trainings of both libraries whose steps, gradients or units are at fault, with the findings that name it."""

import numpy as np

from benchmarks.doctor import data, models
from benchmarks.doctor import trainings as t
from benchmarks.doctor.training import Training

LARGE = ("learning rate too large", "exploding gradients", "not finite")
NOTHING = ("no learning",)
SICK = {}


def sick(name, *expected):
    """Add a training to the table."""

    def add(make):
        SICK[name] = make, expected
        return make

    return add


def simple(name, expected, family, **fields):
    """Add trainings that differ from a healthy family in some fields."""
    SICK[name] = (lambda kit, rng: family(kit, rng, **fields)), expected


SGD = {"optimizer": "SGD", "settings": {}}
simple("blobs sgd lr 20", (*LARGE, "dead units", "saturation"), t.blobs, lr=20.0, **SGD)
simple("language adam lr 2", (*LARGE, "saturation"), t.language, lr=2.0)
simple("wave sgd lr 3", (*LARGE, "dead units", "saturation"), t.wave, lr=3.0, **SGD)
simple("images adam lr 1", (*LARGE, "dead units"), t.images, lr=1.0)
simple("graphs adam lr 3", (*LARGE, "dead units"), t.graphs, lr=3.0)
simple("blobs adam lr 1e-6", ("learning rate too small",), t.blobs, lr=1e-6)
simple("signals sgd lr 1e-5", ("learning rate too small",), t.signals, lr=1e-5, **SGD)
simple("language sgd lr 1e-4", ("learning rate too small",), t.language, lr=1e-4, **SGD)
simple("ratings adam lr 1e-6", ("learning rate too small",), t.ratings, lr=1e-6)
simple("masks adam lr 1e-7", ("learning rate too small",), t.masks, lr=1e-7)
simple("blobs maximized", (*LARGE, "rising loss", *NOTHING), t.blobs, sign=-1, lr=0.05, **SGD)
simple("tags maximized", (*LARGE, "rising loss", *NOTHING), t.tags, sign=-1, lr=1e-3)
simple("blobs no zero_grad", (*LARGE, "rising loss", "oscillating loss", *NOTHING, "dead units", "saturation"),
       t.blobs, zero="", optimizer="SGD", lr=0.1, settings={"momentum": 0.9}, epochs=20)  # fmt: skip
simple("digits weight decay 3", ("shrinking weights", *NOTHING), t.digits, optimizer="SGD", lr=0.05,
       settings={"weight_decay": 3.0})  # fmt: skip
simple("digits batch 1", ("gradient noise", *LARGE, "dead units", "saturation"), t.digits, batch_size=1, lr=0.15,
       epochs=1, **SGD)  # fmt: skip
simple("wave momentum 0.999", (*LARGE, "rising loss", "oscillating loss", "gradient noise", "dead units", "saturation"),
       t.wave, optimizer="SGD", lr=0.3, settings={"momentum": 0.999}, epochs=20)  # fmt: skip
simple("blobs steps clipped to 1e-5", ("learning rate too small",), t.blobs, optimizer="SGD", lr=0.1, settings={},
       before=lambda training, k: training.kit.clip(training.network.parameters(), 1e-5))  # fmt: skip
simple("blobs rate decays at once", ("learning rate too small",), t.blobs, rate=lambda s: 10 ** -min(12, 400 * s))


def renewed(training, change):
    """Change inputs, by targets, in both parts."""
    return training.changed(data=tuple((change(part[0], part[1]), *part[1:]) for part in training.data))


for _name, _row in (("blobs", 5), ("signals", 7), ("wave", 9)):

    def _nan(kit, rng, f=getattr(t, _name), row=_row):  # fmt: skip
        training = f(kit, rng)
        training.data[0][0][row, 0] = np.nan
        return training

    SICK[f"{_name} with a nan"] = _nan, ("not finite",)  # fmt: skip
for _act, _scale, _name in (("Tanh", 40, "tanh"), ("Sigmoid", 80, "sigmoid")):

    def _flat(kit, rng, act=_act, scale=_scale):  # fmt: skip
        training = t.plain(kit, rng, activation=act)
        return renewed(training, lambda x, y: x * np.float32(scale))

    SICK[f"blobs {_name} inputs times {_scale}"] = _flat, ("saturation",)  # fmt: skip


def biased(kit, network, value):
    """Set the biases of all layers but the last."""
    found = [p for name, p in network.named_parameters() if name.endswith("bias")]
    for p in found[:-1]:
        kit.set(p, np.full(tuple(p.shape), value))


@sick("modules dead", "dead units")
def _(kit, rng):
    training = t.plain(kit, rng)
    biased(kit, training.network, -20)
    return training


@sick("functions dead", "dead units")
def _(kit, rng):
    network = models.functional(kit, (16, 32, 32, 4), kit.relu)
    biased(kit, network, -15)
    return Training(kit, network, data.blobs(rng), t.classes(kit), t.accuracy, epochs=8)


@sick("functions dead, convolution", "dead units")
def _(kit, rng):
    network = models.functional(kit, (1, 8, 8, 10), kit.relu, convolution=True)
    kit.set(network.second.bias, np.full(8, -30.0))
    return Training(kit, network, data.digits(rng), t.classes(kit), t.accuracy, epochs=5)


@sick("functions mostly dead", "dead units")
def _(kit, rng):
    network = models.functional(kit, (16, 32, 32, 4), kit.relu)
    kit.set(network.second.bias, np.where(np.arange(32) < 28, -20.0, 0.1))
    return Training(kit, network, data.blobs(rng), t.classes(kit), t.accuracy, epochs=8)


@sick("deep sigmoid", "vanishing gradients")
def _(kit, rng):
    network = models.chain(kit, (16, *[32] * 8, 4), "Sigmoid")
    return Training(kit, network, data.blobs(rng), t.classes(kit), t.accuracy, **SGD, lr=0.1, epochs=5)


@sick("deep tanh without residuals", "vanishing gradients")
def _(kit, rng):
    network = models.residual(kit, 16, 24, 14, 4, "Tanh", norm=False, skip=False)
    for p in network.parameters():
        kit.set(p, kit.value(p) * 0.5)
    return Training(kit, network, data.blobs(rng), t.classes(kit), t.accuracy, **SGD, lr=0.05, epochs=4)


@sick("deep weights times 6", *LARGE, "dead units")
def _(kit, rng):
    network = models.chain(kit, (16, *[32] * 7, 4))
    for p in network.parameters():
        kit.set(p, kit.value(p) * 6)
    return Training(kit, network, data.blobs(rng), t.classes(kit), t.accuracy, **SGD, lr=0.05, epochs=6)


@sick("first layer forgotten", "frozen parameters")
def _(kit, rng):
    return t.plain(kit, rng, trained=lambda name: not name.startswith("0."), zero="optimizer")


@sick("embedding forgotten", "frozen parameters")
def _(kit, rng):
    return t.language(kit, rng, trained=lambda name: "embedding" not in name)


@sick("encoder detached", "frozen parameters")
def _(kit, rng):
    training = t.plain(kit, rng)
    inner = training.network

    class Cut(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.head = kit.nn.Sequential(*list(inner)[:2]), kit.nn.Sequential(*list(inner)[2:])

        def forward(self, x):
            return self.head(self.encoder(x).detach())

    return training.changed(network=kit.ready(Cut()))


@sick("constant weights", "symmetry")
def _(kit, rng):
    training = t.graphs(kit, rng)
    for p in training.network.parameters():
        if len(p.shape) > 1:
            kit.set(p, np.full(tuple(p.shape), 0.05))
    return training


@sick("ratings from zero", "symmetry")
def _(kit, rng):
    return t.ratings(kit, rng).changed(network=models.factors(kit, scale=0.0))
