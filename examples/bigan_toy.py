"""A bidirectional GAN on points of a plane: what the encoder encodes, the generator decodes, and the reverse.

A generator G turns noise z into points, an encoder E points x into codes, and a discriminator sees pairs, (x, E(x))
or (G(z), z). It cannot tell them apart only if E and G are inverse to each other. In theory that is enough; in practice
the pairs alone take long, so two distances are added: from z to E(G(z)), and from x to G(E(x)).

The folder gets a picture: noise and points, each with its way to the other side and back.
"""

import sys

import numpy as np
from adversarial import perceptron, program, train
from pictures import DARK, GRAY, panels

import dark
from dark import nn, optim
from dark.contexts import GANEncoderContext
from dark.draw import FigurePicture, Table
from dark.executors import Executor
from dark.handlers import LRScheduler
from dark.optim.lr_scheduler import CosineAnnealingLR
from dark.trainers import EncoderTrainer

STEPS, HIDDEN, BATCH_SIZE, LEARNING_RATE, MOST = 1500, 64, 128, 2e-3, 0.1


class PairBCE(Executor):
    """The binary cross-entropy of the scores of pairs against a target: (x, E(x)) if `of` is "real", else (G(z), z)."""

    def __init__(self, of, target):
        super().__init__(nn.BCEWithLogitsLoss())
        self.name, self.of, self.target = f"BCE(D({of}), {target:g})", of, target

    @Executor.reduce_loss
    def call(self, context, *, fake, real, training, **others):
        """Return the loss of each pair."""
        if self.of == "real":
            pair = [real, context.encoder_model(real, training=training)]
        else:
            pair = [fake, context.generator_inputs]
        scores = context.discriminator_model(pair, training=training)
        return self.fn(scores, np.full(scores.shape, self.target, scores.dtype))


class CodeDistance(Executor):
    """The mean squared distance from noise z to E(G(z))."""

    @Executor.reduce_loss
    def call(self, context, *, fake, training, **others):
        """Return the distance of each code."""
        return ((context.encoder_model(fake, training=training) - context.generator_inputs) ** 2).mean(axis=1)


class ExampleDistance(Executor):
    """The mean squared distance from an example x to G(E(x))."""

    @Executor.reduce_loss
    def call(self, context, *, real, training, **others):
        """Return the distance of each example."""
        code = context.encoder_model(real, training=training)
        return ((context.generator_model(code, training=training) - real) ** 2).mean(axis=1)


class PairDiscriminator(nn.Module):
    """A perceptron that scores pairs of a point and a code."""

    def __init__(self, rng):
        super().__init__()
        self.score = perceptron(rng, 4, HIDDEN, HIDDEN, 1)

    def forward(self, x, encoding):
        """Return the scores (batch, 1) of points and codes (batch, 2)."""
        return self.score(dark.concatenate([x, encoding], axis=1))


def points(rng, size):
    """Draw points (size, 2) near half a circle."""
    angle, radius = 0.5 * np.pi * rng.uniform(-1, 1, size), rng.normal(1.6, 0.16, size)
    return np.stack([radius * np.sin(angle), radius * np.cos(angle) - 1], axis=1).astype(np.float32)


def noise_of(rng, size):
    """Draw inputs of the generator (size, 2)."""
    return rng.normal(size=(size, 2)).astype(np.float32)


def make_trainer(seed, steps):
    """Create the networks, their losses and their trainer."""
    rng = np.random.default_rng(seed)
    generator, encoder = (perceptron(rng, 2, HIDDEN, HIDDEN, 2) for _ in range(2))
    discriminator = PairDiscriminator(rng)
    context = GANEncoderContext(
        generator_model=generator, discriminator_model=discriminator, encoder_model=encoder,
        generator_loss=PairBCE("fake", 1) + CodeDistance(),
        encoder_loss=PairBCE("real", 0) + CodeDistance() + ExampleDistance(),
        discriminator_loss=(PairBCE("real", 1) + PairBCE("fake", 0)) / 2,
    )  # fmt: skip
    models = (generator, discriminator, encoder)
    optimizers = [optim.Adam(model.parameters(), LEARNING_RATE, betas=(0.5, 0.99)) for model in models]
    trainer = EncoderTrainer(context, *optimizers)
    for optimizer in optimizers:
        LRScheduler(CosineAnnealingLR(optimizer, steps)).attach(trainer.engine)
    return trainer


def measure(context, seed):
    """Send new noise and new points to the other side and back.

    Returns
    -------
    dict of str to array, shape (1000, 2)
        "noise", "samples", "noise again", "points", "codes" and "points again".
    """
    rng = np.random.default_rng(seed + 1000)
    x, z = points(rng, 1000), noise_of(rng, 1000)
    with dark.no_grad():
        samples, codes = (model(array, training=False) for model, array in
                          ((context.generator_model, z), (context.encoder_model, x)))  # fmt: skip
        back = context.encoder_model(samples, training=False), context.generator_model(codes, training=False)
    names = ("noise", "samples", "noise again", "points", "codes", "points again")
    return dict(zip(names, (z, samples.value, back[0].value, x, codes.value, back[1].value)))


def relative_error(found, name):
    """Return the root mean square of the way back from the start, relative to the spread of the start."""
    start, again = found[name], found[f"{name} again"]
    return float(np.sqrt(((again - start) ** 2).sum(axis=1).mean() / start.var(axis=0).sum()))


def run(seed, steps):
    """Train, measure, and draw."""
    trainer = make_trainer(seed, steps)
    before = measure(trainer.context, seed)
    rng = np.random.default_rng(seed)
    train(trainer, lambda: ((points(rng, BATCH_SIZE), None), noise_of(rng, BATCH_SIZE)), steps, f"seed {seed}")
    after = measure(trainer.context, seed)
    ways = {"noise": "z → G(z) → E(G(z))", "points": "x → E(x) → G(E(x))"}
    errors = {name: [relative_error(found, name) for found in (before, after)] for name in ways}
    rows = [(way, *(f"{error:.3f}" for error in errors[name])) for name, way in ways.items()]
    spread = [(f"{found['codes'].mean():.2f} ± {found['codes'].std():.2f}") for found in (before, after)]
    table = Table(("relative error", "before", "after"), (*rows, ("codes, mean ± deviation", *spread)))
    worst = max(after for _, after in errors.values())
    lines = [str(trainer.context.generator_loss), str(table), f"largest error: {worst:.3f}; at most {MOST} is expected"]
    return lines, {"bigan": picture_of(trainer.context, after, errors)}, worst <= MOST


def picture_of(context, found, errors):
    """Draw lines of the noise and their way back, the same lines as points, and points with their way back."""
    figure, axes = panels(3, height=4.2)
    line = np.linspace(-2, 2, 41)
    grid = [np.stack(pair, axis=1) for k in (-2, -1, 0, 1, 2) for pair in ((line, line * 0 + k), (line * 0 + k, line))]
    with dark.no_grad():
        made = [context.generator_model(z.astype(np.float32), training=False) for z in grid]
        again = [context.encoder_model(x, training=False) for x in made]
    axes[1].plot(*found["points"][:500].T, "o", color="#b8c0c8", markersize=2.5, label="real points x")
    for k, (z, x, back) in enumerate(zip(grid, made, again)):
        axes[0].plot(*z.T, "-", color="#b8c0c8", linewidth=3, label="z" if not k else None)
        axes[0].plot(*back.value.T, "--", color=DARK, linewidth=1.2, label="E(G(z))" if not k else None)
        axes[1].plot(*x.value.T, "-", color=DARK, linewidth=1.0, label="G(z)" if not k else None)
    start, end = found["points"][:60], found["points again"][:60]
    for a, b in zip(start, end):
        axes[2].plot(*np.stack([a, b]).T, "-", color=GRAY, linewidth=1)
    axes[2].plot(*start.T, "o", color=GRAY, markerfacecolor="white", markersize=7, label="x")
    axes[2].plot(*end.T, "x", color=DARK, markersize=5, label="G(E(x))")
    titles = ("noise, decoded and encoded", "the same lines as points", "points, encoded and decoded")
    for axis, title in zip(axes, titles):
        axis.set(title=title, aspect="equal", xlim=(-2.4, 2.4), ylim=(-2.4, 2.4))
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2, frameon=False)
    alt = (
        "Bidirectional GAN on points near half a circle, three panels. Noise: the lines of a grid, and "
        f"dashed what comes back from the generator and the encoder, relative error {errors['noise'][1]:.1%}. "
        "Points: the same lines follow the real points along the arc and across it. Points, encoded and decoded: 60 "
        f"circles, each with a cross where it comes back, relative error {errors['points'][1]:.1%}."
    )
    return FigurePicture(figure, alt, "Bidirectional GAN")


if __name__ == "__main__":
    sys.exit(program(__doc__, "build/bigan-toy", run, STEPS))
