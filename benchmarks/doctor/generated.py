"""Cases by the dozen: a random healthy recipe of a family, and random faults of random severity."""

from __future__ import annotations

import numpy as np

from benchmarks.doctor import faults
from benchmarks.doctor.families import autoencoder, conv, mlp, recurrent, spiral, transformer
from dark import optim

RATES = {
    "Adam": (1e-3, 8e-3),
    "AdamW": (1e-3, 8e-3),
    "RMSprop": (5e-4, 3e-3),
    "SGD": (0.03, 0.2),
    "NAdam": (1e-3, 5e-3),
}
SLOW = ("spirals", "sine", "sign", "trend", "autoencoder")  # families that SGD does not learn in so few steps
TUNED = ("digits", "conv", "iris", "breast_cancer", "diabetes", "sine", "sign")
HELD_OUT = ("wine", "transformer", "spirals", "moons", "autoencoder", "trend")


def choice(rng, items):
    """Draw an item."""
    return items[int(rng.integers(len(items)))]


def base(family, rng, **fields):
    """Draw a healthy recipe of a family: widths, depth, activation, optimizer, learning rate, batch size."""
    seed = int(rng.integers(1000))
    name = choice(rng, [name for name in RATES if name != "SGD" or family not in SLOW])
    low, high = RATES[name]
    settings = {
        "optimizer": getattr(optim, name), "lr": float(np.exp(rng.uniform(np.log(low), np.log(high)))), "seed": seed,
        "batch_size": int(choice(rng, (16, 32, 64))),
    }  # fmt: skip
    if name == "SGD":
        momentum = choice(rng, (0.0, 0.9))
        settings |= {"settings": {"momentum": momentum}, "lr": settings["lr"] * (0.2 if momentum else 1)}
    if "optimizer" in fields:
        settings.pop("settings", None)
    if rng.random() < 0.4:
        settings["noted_every"] = 20  # the default of a monitor
    settings |= fields
    activation = settings.pop("activation", None) or choice(rng, ("relu", "tanh", "gelu", "leaky", "silu", "elu"))
    depth, width = int(rng.integers(1, 4)), int(choice(rng, (16, 32, 64, 96)))
    norm = settings.pop("norm", bool(rng.random() < 0.2))
    if family in ("digits", "wine", "iris", "breast_cancer", "diabetes"):
        hidden = settings.pop("hidden", (width if family == "digits" else min(width, 32),) * depth)
        return mlp(family, hidden, activation, norm=norm, **settings)
    if family == "conv":
        return conv(choice(rng, ((8, 16), (6, 12, 24), (16,))), activation=activation, **settings)
    if family in ("sine", "sign", "trend"):
        return recurrent(choice(rng, ("GRU", "LSTM", "RNN")), family, int(choice(rng, (12, 24, 32))), **settings)
    if family == "transformer":
        return transformer(int(rng.integers(1, 3)), norm_first=bool(rng.random() < 0.5), **settings)
    if family in ("spirals", "moons"):
        hidden = settings.pop("hidden", (width,) * max(depth, 2))
        return spiral(hidden, activation, arms="spirals" if family == "spirals" else "two_moons", **settings)
    return autoencoder(int(choice(rng, (8, 16, 24))), activation, output=choice(rng, ("linear", "sigmoid")), **settings)


def healthy(family, k):
    """Draw a healthy recipe."""
    return base(family, np.random.default_rng([k, 1]))


FLAT = ("saturation",)
LARGE = ("exploding gradients", "not finite", "learning rate too large", "dead units", "saturation")
TABLES = ("digits", "iris", "breast_cancer", "wine", "spirals", "moons")
CLASSES = ("digits", "iris", "breast_cancer", "wine", "conv", "moons", "spirals", "trend", "sign", "transformer")
DENSE = ("digits", "iris", "breast_cancer", "wine", "spirals", "moons", "diabetes", "autoencoder")
ANY = (*CLASSES, "diabetes", "autoencoder", "sine")


def saturated(family, rng):
    """Scale the weights of a network of tanh or sigmoid."""
    factor = float(rng.uniform(30, 80))
    return faults.scaled(base(family, rng, activation=choice(rng, ("tanh", "sigmoid")), norm=False), factor)


def raw_inputs(family, rng):
    """Scale the inputs of a network of tanh."""
    return faults.inputs_times(base(family, rng, activation="tanh", norm=False), float(rng.uniform(60, 300)))


def dead(family, rng):
    """Begin with biases far below zero."""
    return faults.bias(base(family, rng, activation="relu", norm=False), -float(rng.uniform(12, 40)))


def fast(family, rng):
    """Multiply the learning rate of SGD."""
    return base(family, rng, optimizer=optim.SGD, lr=float(rng.uniform(5, 30)), settings={}, norm=False)


def fast_adam(family, rng):
    """Take a learning rate of about 1 with Adam."""
    return base(family, rng, optimizer=optim.Adam, lr=float(rng.uniform(0.5, 2)), norm=False)


def slow(family, rng):
    """Take a tiny learning rate."""
    name, lr = choice(rng, (("SGD", 1e-6), ("Adam", 1e-6), ("RMSprop", 1e-7)))
    return base(family, rng, optimizer=getattr(optim, name), lr=lr * float(rng.uniform(0.3, 3)), settings={})


def deep_sigmoid(family, rng):
    """Stack many layers of sigmoid."""
    width, depth = int(choice(rng, (16, 32, 64))), int(rng.integers(7, 11))
    return base(family, rng, activation="sigmoid", hidden=(width,) * depth, norm=False)


def shuffled(family, rng):
    """Shuffle the labels."""
    return faults.shuffled(base(family, rng), int(rng.integers(100)))


def forgotten(family, rng):
    """Give the optimizer only the last layers."""
    recipe = base(family, rng)
    first = next(name for name, p in recipe.network.named_parameters() if p.ndim > 1)
    return recipe.changed(trained=lambda name: not name.startswith(first))


def accumulated(family, rng):
    """Never set the gradients to zero."""
    return base(family, rng, optimizer=optim.SGD, lr=0.1, settings={"momentum": 0.9}, zero_grad=False, norm=False)


def nan(family, rng):
    """Put NaN into one example."""
    recipe = base(family, rng)
    return faults.nan_in(recipe, int(rng.integers(len(recipe.train[0]))))


def overfitted(family, rng):
    """Train long on few examples with wrong labels."""
    recipe = base(family, rng, hidden=(96, 96), optimizer=optim.Adam, lr=3e-3, norm=False, activation="relu")
    recipe = faults.noisy_labels(faults.few(recipe, 50), 0.3)
    return recipe.changed(epochs=200, batch_size=25)


def leaky(family, rng):
    """Write the labels among the inputs."""
    return choice(rng, (faults.label_one_hot, faults.label_as_feature))(base(family, rng))


def symmetric(family, rng):
    """Begin with equal weights."""
    return faults.constant_weights(base(family, rng, norm=False), float(choice(rng, (0.0, 0.01, 0.1))))


SICK = {  # name: (maker, the right findings, families)
    "saturated": (saturated, FLAT, TABLES),
    "raw inputs": (raw_inputs, FLAT, ("digits", "breast_cancer", "wine")),
    "dead": (dead, ("dead units",), DENSE),
    "fast sgd": (fast, LARGE, (*TABLES, "diabetes")),
    "fast adam": (fast_adam, LARGE, ANY),
    "slow": (slow, ("learning rate too small",), ANY),
    "deep sigmoid": (deep_sigmoid, ("vanishing gradients",), ("digits", "wine", "moons")),
    "shuffled": (shuffled, ("no learning", "overfitting"), CLASSES),
    "forgotten": (forgotten, ("frozen parameters",), ANY),
    "accumulated": (accumulated, (*LARGE, "no learning"), DENSE),
    "nan": (nan, ("not finite",), ("digits", "conv", "wine", "sine", "autoencoder", "moons")),
    "overfitted": (overfitted, ("overfitting",), ("digits", "breast_cancer", "wine")),
    "leaky": (leaky, ("leak",), ("digits", "breast_cancer", "wine")),
    "symmetric": (symmetric, ("symmetry", "no learning", "dead units"), ("digits", "wine", "iris", "spirals", "moons")),
}


def generated(count, held_out, first=0):
    """Yield (name, findings, maker of a recipe): `count` healthy ones of each family, and of each fault."""
    families = HELD_OUT if held_out else TUNED
    for family in families:
        for k in range(first, first + count):
            yield f"generated {family} {k}", (), lambda f=family, k=k: healthy(f, k + 50 * held_out)
    for kind, (make, expected, possible) in SICK.items():
        suited = [family for family in possible if family in families]
        for k in range(first, first + count if suited else first):
            rng = np.random.default_rng([k, held_out, len(kind)])
            family = suited[k % len(suited)]
            yield f"generated {family} {kind} {k}", expected, lambda m=make, f=family, r=rng: m(f, r)
