"""Adversarial training runs on points in the plane: eight clusters on a circle, drawn by a small generator."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.doctor.recipe import RECORDS
from dark import losses, nn, optim
from dark.engine import Engine, Events
from dark.monitor import Monitor, Note

SAMPLES = 64


class Pair(nn.Module):
    """A generator and a discriminator, which one monitor watches."""

    def __init__(self, rng, hidden, outputs):
        super().__init__()
        self.generator = nn.Sequential(
            nn.Linear(4, hidden, seed=rng), nn.ReLU(), nn.Linear(hidden, hidden, seed=rng), nn.ReLU(),
            nn.Linear(hidden, outputs, seed=rng), nn.Tanh(),
        )  # fmt: skip
        self.discriminator = nn.Sequential(
            nn.Linear(outputs, hidden, seed=rng), nn.LeakyReLU(0.2), nn.Linear(hidden, hidden, seed=rng),
            nn.LeakyReLU(0.2), nn.Linear(hidden, 1, seed=rng),
        )  # fmt: skip


@dataclass
class Adversarial:
    """An adversarial training, and the faults that a case puts in."""

    hidden: int = 32
    steps: int = 400
    lr: float = 1e-3
    generator_lr: float | None = None
    frozen_discriminator: bool = False
    outputs: int = 2
    constant: bool = False  # a generator that ignores its noise

    def changed(self, **fields):
        """Return a copy with other fields."""
        return replace(self, **fields)


def real(rng, count, outputs):
    """Draw points of eight clusters on a circle, between -1 and 1."""
    angle = 2 * np.pi * rng.integers(0, 8, count) / 8
    points = 0.7 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return (points @ np.eye(2, outputs) + 0.03 * rng.normal(size=(count, outputs))).astype(np.float32)


def run(recipe, folder, seed=0):
    """Train a generator against a discriminator; return the folder of the note."""
    rng = np.random.default_rng(seed)
    pair = Pair(rng, recipe.hidden, recipe.outputs).float()
    rates = recipe.generator_lr or recipe.lr, 0.0 if recipe.frozen_discriminator else recipe.lr
    optimizers = [
        optim.Adam(m.parameters(), lr=lr, betas=(0.5, 0.99))
        for m, lr in zip((pair.generator, pair.discriminator), rates)
    ]
    bce = losses.binary_cross_entropy_with_logits
    ones, zeros = np.ones((SAMPLES, 1), np.float32), np.zeros((SAMPLES, 1), np.float32)

    def noise():
        z = rng.normal(size=(SAMPLES, 4)).astype(np.float32)
        return 0 * z if recipe.constant else z

    def step(engine, batch):
        generator, discriminator = pair.generator, pair.discriminator
        discriminator.zero_grad()
        fake = generator(noise()).detach()
        loss = bce(discriminator(real(rng, SAMPLES, recipe.outputs)), ones) + bce(discriminator(fake), zeros)
        loss.backward()
        optimizers[1].step()
        generator.zero_grad()
        generator_loss = bce(discriminator(generator(noise())), ones)
        generator_loss.backward()
        optimizers[0].step()
        return {"generator_loss": float(generator_loss.value), "discriminator_loss": float(loss.value)}

    engine, every = Engine(step), max(1, recipe.steps // RECORDS)
    event = Events.ITERATION_COMPLETED(once=1) | Events.ITERATION_COMPLETED(every=every)
    with Note(folder) as note:
        monitor = Monitor({"generator": pair.generator, "discriminator": pair.discriminator})
        monitor.attach(engine, event)
        note.attach(engine, event, monitor)
        engine.run(max_iters=recipe.steps, epoch_length=recipe.steps)
    return folder
