"""The cases: healthy training runs, and runs with one known fault, for tuning and held out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.doctor import faults, gan, recipe
from benchmarks.doctor.families import autoencoder, conv, mlp, recurrent, spiral, transformer
from benchmarks.doctor.gan import Adversarial
from benchmarks.doctor.generated import generated
from dark import optim


@dataclass(frozen=True)
class Case:
    """A training run, its right findings (none: it is healthy; else one is enough), and whether it was held out."""

    name: str
    expected: tuple[str, ...]
    make: Callable[[], Any]
    held_out: bool = False
    seed: int = 0

    @property
    def group(self):
        """The group in the table."""
        return "held out" if self.held_out else "tuned on"

    def run(self, folder):
        """Train and return the folder of the note."""
        made = self.make()
        module = gan if isinstance(made, Adversarial) else recipe
        with np.errstate(all="ignore"):
            return module.run(made, folder, self.seed)


def tuning_healthy():
    """Healthy runs of the families that the thresholds were tuned on."""
    rates = {"Adam": 3e-3, "AdamW": 3e-3, "RMSprop": 1e-3}
    for k, (name, lr) in enumerate(rates.items()):
        for activation in ("relu", "tanh", "gelu"):
            yield (
                f"digits mlp {activation} {name}",
                lambda n=name, a=activation, lr=lr, k=k: mlp(activation=a, optimizer=getattr(optim, n), lr=lr, seed=k),
            )
    for lr in (0.01, 0.05, 0.1):
        yield (
            f"digits mlp sgd momentum lr {lr}",
            lambda lr=lr: mlp(optimizer=optim.SGD, lr=lr, settings={"momentum": 0.9}, seed=3),
        )
    yield "digits mlp sgd lr 0.1", lambda: mlp(optimizer=optim.SGD, lr=0.1, seed=4)
    yield "digits mlp adam lr 0.01", lambda: mlp(lr=0.01, seed=4)
    yield "digits mlp adam lr 0.0003", lambda: mlp(lr=3e-4, seed=4, epochs=20)
    yield "digits mlp three layers", lambda: mlp(hidden=(128, 64, 32), seed=5)
    yield "digits mlp five layers tanh", lambda: mlp(hidden=(64,) * 4, activation="tanh", lr=1e-3, seed=5)
    yield "digits mlp dropout", lambda: mlp(hidden=(128,), dropout=0.3, seed=6)
    yield "digits mlp batch norm", lambda: mlp(hidden=(64, 64), norm=True, seed=6)
    yield "digits mlp batch 8", lambda: mlp(batch_size=8, lr=1e-3, epochs=5, seed=7)
    yield "digits mlp batch 256", lambda: mlp(batch_size=256, epochs=40, lr=5e-3, seed=7)
    yield "digits mlp sigmoid", lambda: mlp(activation="sigmoid", lr=1e-2, seed=8)
    for k in range(3):
        yield f"digits conv {k}", lambda k=k: conv(seed=k, lr=(3e-3, 1e-3, 1e-2)[k])
    yield "digits conv sgd", lambda: conv(optimizer=optim.SGD, lr=0.05, settings={"momentum": 0.9}, seed=3)
    yield "digits conv norm", lambda: conv(norm=True, seed=4)
    yield "conv without gradient", lambda: faults.without_grad(conv(seed=9), "0.")  # on purpose
    for k, activation in enumerate(("relu", "tanh", "elu")):
        yield f"iris mlp {activation}", lambda a=activation, k=k: mlp("iris", (16,), a, seed=k, lr=5e-3)
    yield "iris logistic", lambda: mlp("iris", (), seed=1, lr=2e-2)
    for k in range(2):
        yield f"breast cancer {k}", lambda k=k: mlp("breast_cancer", ((), (16,))[k], seed=k)
        yield f"diabetes {k}", lambda k=k: mlp("diabetes", ((), (8,))[k], seed=k, lr=3e-3)
    for cell in ("RNN", "GRU", "LSTM"):
        yield f"sine {cell}", lambda c=cell: recurrent(c, seed=1)
    yield "sign GRU", lambda: recurrent("GRU", "sign", seed=2)
    for k in range(2):
        yield f"gan {k}", lambda k=k: Adversarial(hidden=(32, 64)[k])


def held_out_healthy():
    """Healthy runs of families that no threshold was tuned on."""
    for k, activation in enumerate(("relu", "tanh", "silu")):
        yield f"wine mlp {activation}", lambda a=activation, k=k: mlp("wine", (24,), a, seed=k, lr=3e-3)
    yield "wine logistic sgd", lambda: mlp("wine", (), optimizer=optim.SGD, lr=0.05, seed=3)
    for k in range(3):
        yield f"transformer {k}", lambda k=k: transformer(layers=(1, 2, 2)[k], norm_first=k == 2, seed=k)
    yield "spirals tanh", lambda: spiral(seed=0)
    yield "spirals relu", lambda: spiral(activation="relu", seed=1)
    yield "moons", lambda: spiral((16,), arms="two_moons", seed=2, epochs=40)
    yield "autoencoder relu", lambda: autoencoder(seed=0)
    yield "autoencoder sigmoid output", lambda: autoencoder(seed=1, output="sigmoid", activation="tanh")
    yield "trend LSTM", lambda: recurrent("LSTM", "trend", seed=3)
    yield "trend RNN", lambda: recurrent("RNN", "trend", seed=4, lr=2e-3)
    yield "gan of 5 dimensions", lambda: Adversarial(hidden=48, outputs=5, lr=5e-4)
    yield "conv leaky three layers", lambda: conv((8, 16, 32), activation="leaky", seed=5)
    yield "conv nadam", lambda: conv(optimizer=optim.NAdam, seed=6, lr=2e-3)
    yield "digits l1 regression", lambda: faults.digit_as_number(mlp(seed=9, hidden=(64, 32)))


def tuning_sick():
    """Trainings with one fault, of the families that the thresholds were tuned on: (name, findings, recipe)."""
    sat, dead, expl = ("saturation",), ("dead units",), ("exploding gradients", "not finite", "learning rate too large")
    yield "digits tanh weights times 30", sat, lambda: faults.scaled(mlp(activation="tanh", seed=1), 30)
    yield "digits sigmoid weights times 60", sat, lambda: faults.scaled(mlp(activation="sigmoid", seed=2), 60)
    yield "digits tanh inputs times 100", sat, lambda: faults.inputs_times(mlp(activation="tanh", seed=3), 100)
    yield "digits relu bias -20", dead, lambda: faults.bias(mlp(seed=1), -20)
    yield "digits relu killed by a big first step", (*dead, "learning rate too large"), lambda: mlp(
        hidden=(64, 64), optimizer=optim.SGD, lr=3.0, seed=2)  # fmt: skip
    yield "conv bias -10", dead, lambda: faults.bias(conv(seed=2), -10)
    yield "iris relu bias -20", dead, lambda: faults.bias(mlp("iris", (16,), seed=2), -20)
    yield "diabetes sgd lr 1", expl, lambda: mlp("diabetes", (16,), optimizer=optim.SGD, lr=1.5, seed=1)
    yield "digits deep weights times 8", expl, lambda: faults.scaled(
        mlp(hidden=(64,) * 6, optimizer=optim.SGD, lr=0.05, seed=1), 8)  # fmt: skip
    yield (
        "gru without zero_grad",
        expl,
        lambda: recurrent(seed=1, optimizer=optim.SGD, lr=0.2, zero_grad=False, settings={"momentum": 0.9}),
    )
    yield "no zero_grad", (*expl, "no learning"), lambda: mlp(
        optimizer=optim.SGD, lr=0.1, seed=2, zero_grad=False)  # fmt: skip
    yield "maximized", (*expl, "no learning"), lambda: mlp(optimizer=optim.SGD, lr=0.05, seed=3, maximize=True)
    yield "nan in the data", ("not finite",), lambda: faults.nan_in(mlp(seed=4), 700)
    yield "log of zero", ("not finite",), lambda: mlp(seed=5, lr=0.3, epochs=20).changed(loss=faults.log_of_softmax)
    yield "digits adam lr 1", ("learning rate too large",), lambda: mlp(lr=1.0, seed=5)
    yield "conv sgd lr 2", (*expl, "dead units"), lambda: conv(optimizer=optim.SGD, lr=2.0, seed=5)
    yield "iris sgd lr 30", (*expl, "saturation"), lambda: mlp(
        "iris", (16,), "tanh", optimizer=optim.SGD, lr=30.0, seed=5)  # fmt: skip
    yield "gru adam lr 0.5", (*expl,), lambda: recurrent(seed=5, lr=0.5)
    small = ("learning rate too small",)
    yield "digits sgd lr 1e-5", small, lambda: mlp(optimizer=optim.SGD, lr=1e-5, seed=6)
    yield "digits adam lr 1e-7", small, lambda: mlp(lr=1e-7, seed=6)
    yield "conv adam lr 1e-6", small, lambda: conv(lr=1e-6, seed=6)
    yield "diabetes sgd lr 1e-6", small, lambda: mlp("diabetes", (8,), optimizer=optim.SGD, lr=1e-6, seed=6)
    yield "sine gru adam lr 1e-6", small, lambda: recurrent(seed=6, lr=1e-6)
    vanish = ("vanishing gradients",)
    yield "sigmoid eight layers", vanish, lambda: mlp(
        hidden=(64,) * 8, activation="sigmoid", optimizer=optim.SGD, lr=0.1, seed=7)  # fmt: skip
    yield "sigmoid six layers adam", vanish, lambda: mlp(hidden=(32,) * 6, activation="sigmoid", lr=1e-3, seed=7)
    yield "tanh weights times 0.05", vanish, lambda: faults.scaled(
        mlp(hidden=(64,) * 5, activation="tanh", optimizer=optim.SGD, lr=0.05, seed=7), 0.1)  # fmt: skip
    none = ("no learning",)
    yield "digits shuffled labels", (*none, "overfitting"), lambda: faults.shuffled(mlp(seed=8))
    yield "conv shuffled labels", (*none, "overfitting"), lambda: faults.shuffled(conv(seed=8))
    yield "iris shuffled labels", (*none, "overfitting"), lambda: faults.shuffled(mlp("iris", (16,), seed=8))
    yield "digits noise for inputs", (*none, "overfitting"), lambda: faults.noise_inputs(mlp(seed=8))
    yield (
        "diabetes shuffled",
        (*none, "overfitting"),
        lambda: faults.shuffled(mlp("diabetes", (16,), seed=8, epochs=30)),
    )
    frozen = ("frozen parameters",)
    yield "first layer not in the optimizer", frozen, lambda: mlp(seed=9, trained=lambda n: not n.startswith("0."))
    yield "nothing in the optimizer", (*frozen, *none), lambda: mlp(seed=9, trained=lambda n: False)
    yield "detached first layer", frozen, lambda: faults.detached(mlp(seed=9))
    over = ("overfitting",)
    yield "digits 40 examples", over, lambda: faults.few(mlp(hidden=(256,), seed=10, epochs=150), 40)
    yield "digits 60 examples conv", over, lambda: faults.few(conv(seed=10, epochs=80), 60)
    yield "breast cancer 40 noisy", over, lambda: faults.noisy_labels(
        faults.few(mlp("breast_cancer", (64, 64), seed=10, epochs=200), 60), 0.3)  # fmt: skip
    yield "diabetes wide", over, lambda: faults.few(mlp("diabetes", (128, 128), seed=10, epochs=200), 60)
    leak = ("leak",)
    yield "digits label in a pixel", leak, lambda: faults.label_as_feature(mlp(seed=11))
    yield "digits labels one-hot", leak, lambda: faults.label_one_hot(mlp(seed=11))
    yield "breast cancer label", leak, lambda: faults.label_as_feature(mlp("breast_cancer", (16,), seed=11))
    yield (
        "diabetes target as feature",
        leak,
        lambda: faults.label_as_feature(mlp("diabetes", (16,), seed=11, epochs=30)),
    )
    collapse = ("collapse",)
    yield (
        "digits one class of 95 %",
        (*collapse, *none),
        lambda: faults.imbalanced(faults.noise_inputs(mlp(seed=12, lr=1e-3, hidden=(4,), epochs=120)), 0.95),
    )
    yield "gan constant", (*collapse, *dead), lambda: Adversarial(constant=True)
    noise = ("gradient noise", "learning rate too large")
    yield "digits batch 1", noise, lambda: mlp(batch_size=1, optimizer=optim.SGD, lr=0.1, epochs=1, seed=13)
    yield "diabetes batch 1", noise, lambda: mlp(
        "diabetes", (16,), batch_size=1, optimizer=optim.SGD, lr=0.05, epochs=3, seed=13)  # fmt: skip
    sym = ("symmetry",)
    yield "digits constant weights", sym, lambda: faults.constant_weights(mlp(seed=14), 0.01)
    yield (
        "iris zero weights",
        (*sym, *none, "dead units"),
        lambda: faults.constant_weights(mlp("iris", (16,), seed=14), 0.0),
    )
    yield "weight decay 3", ("shrinking weights", *none), lambda: mlp(
        optimizer=optim.SGD, lr=0.05, settings={"weight_decay": 3.0}, seed=15)  # fmt: skip


def held_out_sick():
    """Trainings with one fault, of families that no threshold was tuned on."""
    expl = ("exploding gradients", "not finite", "learning rate too large")
    none = ("no learning",)
    yield (
        "wine tanh inputs times 50",
        ("saturation",),
        lambda: faults.inputs_times(mlp("wine", (24,), "tanh", seed=1), 50),
    )
    yield "spirals tanh weights times 40", ("saturation",), lambda: faults.scaled(spiral(seed=1), 40)
    yield "wine relu bias -20", ("dead units",), lambda: faults.bias(mlp("wine", (24,), seed=1), -20)
    yield "autoencoder relu bias -20", ("dead units",), lambda: faults.bias(autoencoder(seed=1), -20)
    yield "autoencoder sgd lr 30", expl, lambda: autoencoder(optimizer=optim.SGD, lr=30.0, seed=2)
    yield "trend lstm without zero_grad", expl, lambda: recurrent(
        "LSTM", "trend", optimizer=optim.SGD, lr=0.2, seed=2, zero_grad=False, settings={"momentum": 0.9})  # fmt: skip
    yield "transformer nan in the data", ("not finite",), lambda: faults.nan_in(spiral(seed=2), 100)
    yield "transformer adam lr 1", expl, lambda: transformer(lr=1.0, seed=3)
    yield "wine sgd lr 10", (*expl, "dead units"), lambda: mlp("wine", (24,), optimizer=optim.SGD, lr=10.0, seed=3)
    yield "transformer adam lr 1e-7", ("learning rate too small",), lambda: transformer(lr=1e-7, seed=4)
    yield "wine sgd lr 1e-5", ("learning rate too small",), lambda: mlp(
        "wine", (24,), optimizer=optim.SGD, lr=1e-5, seed=4)  # fmt: skip
    yield "moons sigmoid seven layers", ("vanishing gradients",), lambda: spiral(
        (32,) * 7, "sigmoid", arms="two_moons", seed=5, optimizer=optim.SGD, lr=0.1)  # fmt: skip
    yield "wine shuffled", (*none, "overfitting"), lambda: faults.shuffled(mlp("wine", (24,), seed=5))
    yield "transformer shuffled", (*none, "overfitting"), lambda: faults.shuffled(transformer(seed=5))
    yield "spirals frozen second layer", ("frozen parameters",), lambda: spiral(seed=6, trained=lambda n: n[0] != "2")
    yield "wine 20 examples noisy", ("overfitting",), lambda: faults.noisy_labels(
        faults.few(mlp("wine", (64, 64), seed=7, epochs=300), 40), 0.3)  # fmt: skip
    yield "wine label as feature", ("leak",), lambda: faults.label_as_feature(mlp("wine", (24,), seed=8))
    yield (
        "moons symmetric",
        ("symmetry",),
        lambda: faults.constant_weights(spiral((16,), arms="two_moons", seed=9), 0.1),
    )
    yield "moons imbalanced", ("collapse", *none), lambda: faults.noise_inputs(faults.imbalanced(
        spiral((16,), arms="two_moons", seed=10, lr=3e-3, epochs=40), 0.95))  # fmt: skip
    yield "gan discriminator frozen", ("frozen parameters",), lambda: Adversarial(frozen_discriminator=True)


def all_cases(count=4, first=0):
    """Return all cases, healthy ones first: those written out, and `count` generated ones of each family and fault."""
    made = []
    for held_out, healthy, sick in ((False, tuning_healthy, tuning_sick), (True, held_out_healthy, held_out_sick)):
        made += [Case(name, (), make, held_out) for name, make in healthy()]
        made += [Case(name, expected, make, held_out) for name, expected, make in sick()]
        made += [Case(name, expected, make, held_out) for name, expected, make in generated(count, held_out, first)]
    return sorted(made, key=lambda case: (case.held_out, bool(case.expected)))
