"""The cost of an adversarial trainer: its steps beside the same steps written out, in one process, alternately.

Both networks are multilayer perceptrons with two hidden layers of 256 units, for 32 numbers of noise and images of 64
pixels, in batches of 64. The trainer has a context, executors as losses, and an engine with its events. It is compared
with the step written out on the same context and losses, and with one that has neither: modules called directly, and
`nn.BCEWithLogitsLoss`. All three end with the same weights, up to the rounding of the losses. They take their steps in
turn, and the median of the ratios of neighboring steps is printed: other programs disturb it least. Run
``python -m benchmarks.trainers``.
"""

import argparse
import sys
from time import perf_counter

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
    """Compute the gradients of a loss with respect to the parameters of an optimizer, and no others."""
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


def measure(update, steps):
    """Return the seconds of each step of the trainer and of both steps written out, and how far weights are."""
    trainer, plain = trainer_of(update), WrittenOut(update)
    written = {"same": WrittenOut(update, True), "plain": plain}
    seconds, data = {"trainer": [], "same": [], "plain": []}, batches(min(steps, 50))

    def in_turn():
        """Yield the batches to the trainer; take the other steps while it waits for one."""
        for k in range(steps):
            batch = data[k % len(data)]
            for name, other in written.items():
                started = perf_counter()
                other.run([batch])
                seconds[name].append(perf_counter() - started)
            started = perf_counter()
            yield batch
            seconds["trainer"].append(perf_counter() - started)

    trainer.run(in_turn(), max_epochs=1, epoch_length=steps)
    pairs = zip(trainer.players["generator"].module.parameters(), plain.generator.parameters())
    distance = max(float(np.abs(p.value - q.value).max()) for p, q in pairs)
    count = len(seconds["trainer"])  # the engine may not ask for a batch after the last one
    return {name: np.array(found[:count]) for name, found in seconds.items()}, distance


def main():
    parser = argparse.ArgumentParser(
        "python -m benchmarks.trainers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=1000, help="steps of each of the three (default 1000)")
    arguments = parser.parse_args()
    for update in ("alternating", "simultaneous"):
        seconds, distance = measure(update, arguments.steps)
        own, same, plain = (seconds[name] for name in ("trainer", "same", "plain"))
        print(
            f"{update}: {1e6 * np.median(own):.0f} us per step with the trainer, {1e6 * np.median(same):.0f} us "
            f"written out with context and losses ({100 * np.median(own / same) - 100:+.1f} %), "
            f"{1e6 * np.median(plain):.0f} us without both ({100 * np.median(own / plain) - 100:+.1f} %); largest "
            f"difference of a weight {distance:.1g}"
        )


if __name__ == "__main__":
    sys.exit(main())
