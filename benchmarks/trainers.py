"""The cost of an adversarial trainer: its steps beside the same steps written out, in one process, alternately.

Both networks are multilayer perceptrons with two hidden layers of 256 units, for 32 numbers of noise and images of 64
pixels, in batches of 64. The trainer has a context, executors as losses, and an engine with its events. It is compared
with the step written out on the same context and losses, and with one that has neither: modules called directly, and
`nn.BCEWithLogitsLoss`. All three end with the same weights, up to the rounding of the losses. Times are those of the
processor, which other programs disturb least. Run ``python -m benchmarks.trainers``.
"""

import argparse
import sys
from time import process_time

import numpy as np

import dark
from dark import nn, optim
from dark.contexts import GANContext
from dark.executors import DiscriminatorMinMax, GeneratorBCE
from dark.trainers import AdversarialTrainer

NOISE, PIXELS, HIDDEN, BATCH = 32, 64, 256, 64


def networks(seed=0):
    """Return a generator, a discriminator and their optimizers."""
    rng = np.random.default_rng(seed)
    sizes = (NOISE, HIDDEN, HIDDEN, PIXELS), (PIXELS, HIDDEN, HIDDEN, 1)
    models = []
    for a, b, c, d in sizes:
        layers = [nn.Linear(a, b, seed=rng), nn.LeakyReLU(0.2), nn.Linear(b, c, seed=rng), nn.LeakyReLU(0.2)]
        models.append(nn.Sequential(*layers, nn.Linear(c, d, seed=rng)).float())
    return models, [optim.Adam(model.parameters(), lr=2e-4, betas=(0.5, 0.999)) for model in models]


def batches(count, seed=1):
    """Return batches ((x, y), noise)."""
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=(count, BATCH, PIXELS + NOISE)).astype(np.float32)
    return [((both[:, :PIXELS], None), both[:, PIXELS:]) for both in drawn]


def trainer_of(update):
    """Return a trainer of new networks."""
    models, optimizers = networks()
    return AdversarialTrainer(context_of(*models), *optimizers, update=update)


def context_of(generator, discriminator):
    """Return a context of two networks with their losses."""
    return GANContext(
        generator_model=generator, discriminator_model=discriminator, generator_loss=GeneratorBCE(),
        discriminator_loss=DiscriminatorMinMax(),
    )  # fmt: skip


def gradients_of(loss, optimizer):
    """Set the gradients of the parameters of an optimizer, and of no others, to those of a loss."""
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    return list(zip(parameters, dark.nodes.gradients(loss, 1.0, parameters)))


def move(optimizer, found):
    """Take an optimizer step with gradients."""
    for p, gradient in found:
        p.grad = gradient
    optimizer.step()


class WrittenOut:
    """The steps of a training without a trainer, see `AdversarialTrainer`.

    Parameters
    ----------
    update : {"alternating", "simultaneous"}
    context : GANContext, optional
        Whose models and losses are called. Otherwise modules are called, and `nn.BCEWithLogitsLoss`.
    """

    def __init__(self, update, context=None):
        (self.generator, self.discriminator), (self.of_generator, self.of_discriminator) = networks()
        self.criterion, self.update, self.context = nn.BCEWithLogitsLoss(), update, None
        if context:
            self.context = context_of(self.generator, self.discriminator)
            self.generator = lambda x: self.context.generator_model(x, training=True)

    def run(self, data):
        """Train by batches."""
        for (x, _), noise in data:
            fake = self.generator(noise)
            if self.update == "alternating":
                loss = self.loss_of_discriminator(x, fake.detach())
                move(self.of_discriminator, gradients_of(loss, self.of_discriminator))
                other = self.loss_of_generator(x, fake)
                move(self.of_generator, gradients_of(other, self.of_generator))
            else:
                loss, other = self.both_losses(x, fake)
                found = gradients_of(loss, self.of_discriminator), gradients_of(other, self.of_generator)
                move(self.of_discriminator, found[0])
                move(self.of_generator, found[1])
            loss.item(), other.item()
            if self.context is not None:
                self.context.global_step += 1

    def both_losses(self, x, fake):
        """Compute both losses from the same calls."""
        if self.context is not None:
            return self.loss_of_discriminator(x, fake), self.loss_of_generator(x, fake)
        on_real, on_fake = self.discriminator(x), self.discriminator(fake)
        return self.of_scores(on_real, on_fake), self.criterion(on_fake, np.ones_like(on_fake.value))

    def loss_of_discriminator(self, x, fake):
        """Compute the loss of the discriminator."""
        if self.context is not None:
            return self.context.discriminator_loss(self.context, fake=fake, real=x, condition=None, training=True)
        return self.of_scores(self.discriminator(x), self.discriminator(fake))

    def loss_of_generator(self, x, fake):
        """Compute the loss of the generator."""
        if self.context is not None:
            return self.context.generator_loss(self.context, fake=fake, real=x, condition=None, training=True)
        on_fake = self.discriminator(fake)
        return self.criterion(on_fake, np.ones_like(on_fake.value))

    def of_scores(self, on_real, on_fake):
        """Compute the loss of the discriminator from its scores."""
        real = self.criterion(on_real, np.ones_like(on_real.value))
        return 0.5 * (real + self.criterion(on_fake, np.zeros_like(on_fake.value)))


def measure(update, rounds, steps):
    """Return the least seconds per step of the trainer and of both steps written out, and how far weights are."""
    trainer, same, plain, data = trainer_of(update), WrittenOut(update, True), WrittenOut(update), batches(steps)
    seconds = {"trainer": [], "same": [], "plain": []}
    for epoch in range(1, rounds + 1):
        marks = [process_time()]
        trainer.run(data, max_epochs=epoch)
        marks.append(process_time())
        for written in (same, plain):
            written.run(data)
            marks.append(process_time())
        for name, start, end in zip(seconds, marks, marks[1:]):
            seconds[name].append((end - start) / steps)
    pairs = zip(trainer.players["generator"].module.parameters(), plain.generator.parameters())
    distance = max(float(np.abs(p.value - q.value).max()) for p, q in pairs)
    return *(min(seconds[name]) for name in seconds), distance


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="rounds, each of all three (default 30)")
    parser.add_argument("--steps", type=int, default=30, help="steps per round (default 30)")
    arguments = parser.parse_args()
    for update in ("alternating", "simultaneous"):
        ours, same, plain, distance = measure(update, arguments.rounds, arguments.steps)
        print(
            f"{update}: {1e6 * ours:.0f} us per step with the trainer, {1e6 * same:.0f} us written out with context "
            f"and losses ({100 * (ours / same - 1):+.1f} %), {1e6 * plain:.0f} us without both "
            f"({100 * (ours / plain - 1):+.1f} %); largest difference of a weight {distance:.1g}"
        )


if __name__ == "__main__":
    sys.exit(main())
