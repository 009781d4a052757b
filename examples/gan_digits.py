"""Handwritten digits drawn by a generator that is trained against a discriminator: all ten of them, in 20 seconds.

A classifier that was trained on the real digits counts which digits are among 500 samples. The distance of a sample to
the nearest real digit, compared with the distance between real digits, shows that the samples are not copies. The
folder gets a sheet of samples over time, `digits.svg` and `digits.png`: a row for each measurement, the same noise in
each column, and below them the nearest real digits of the last samples, with the distances.

The discriminator has dropout, and sees the spread of its batch, by which a generator that draws few digits could be
noticed. Here this is a precaution: with zeros in the place of the spread, all ten digits are drawn as well.
"""

import argparse
import sys
from time import perf_counter

import numpy as np
from adversarial import INTERRUPTED, folder_at
from pictures import sheet
from threadpoolctl import threadpool_limits  # comes with scikit-learn

import dark
from dark import losses, nn, optim
from dark.contexts import GANContext
from dark.data import datasets
from dark.engine import Events
from dark.executors import DiscriminatorMinMax, GeneratorBCE
from dark.trainers import AdversarialTrainer

NOISE, HIDDEN, BATCH_SIZE, LEARNING_RATE, SAMPLES, LEAST, SHOWN = 32, 256, 64, 1e-3, 500, 15, 14


class Discriminator(nn.Module):
    """A perceptron that also sees the mean standard deviation of its features over the batch."""

    def __init__(self, rng):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(64, HIDDEN, seed=rng), nn.LeakyReLU(0.2), nn.Dropout(0.3, seed=rng))
        self.score = nn.Sequential(
            nn.Linear(HIDDEN + 1, HIDDEN, seed=rng), nn.LeakyReLU(0.2), nn.Dropout(0.3, seed=rng),
            nn.Linear(HIDDEN, 1, seed=rng),
        )  # fmt: skip

    def forward(self, x):
        """Return the scores (batch, 1) of images (batch, 64)."""
        features = self.features(x)
        centered = features - features.mean(axis=0, keepdims=True)
        spread = dark.sqrt((centered**2).mean(axis=0) + 1e-6).mean()
        column = spread * np.ones((features.shape[0], 1), np.float32)
        return self.score(dark.concatenate([features, column], axis=1))


def make_generator(rng):
    """Create a perceptron from noise (batch, 32) to images (batch, 64) between -1 and 1."""
    return nn.Sequential(
        nn.Linear(NOISE, HIDDEN, seed=rng), nn.BatchNorm1d(HIDDEN), nn.ReLU(),
        nn.Linear(HIDDEN, HIDDEN, seed=rng), nn.BatchNorm1d(HIDDEN), nn.ReLU(),
        nn.Linear(HIDDEN, 64, seed=rng), nn.Tanh(),
    )  # fmt: skip


def real_digits():
    """Return all images (1797, 64) between -1 and 1, and their labels."""
    images, labels = datasets.digits()[:]
    images = np.asarray(images, np.float32).reshape(len(images), 64)
    return images / images.max() * 2 - 1, np.asarray(labels)


def trained_classifier(images, labels):
    """Train a classifier on the real digits."""
    rng = np.random.default_rng(0)
    network = nn.Sequential(nn.Linear(64, 128, seed=rng), nn.ReLU(), nn.Linear(128, 10, seed=rng)).float()
    optimizer = optim.Adam(network.parameters(), lr=1e-3)
    for _ in range(20):
        for rows in np.array_split(rng.permutation(len(images)), 28):
            x = images[rows] + 0.1 * rng.normal(size=(len(rows), 64)).astype(np.float32)
            optimizer.zero_grad()
            losses.cross_entropy(network(x), labels[rows]).backward()
            optimizer.step()
    return network


class Batches:
    """Endless batches ((x, None), noise) of digits and noise that are drawn anew."""

    def __init__(self, images, rng):
        self.images, self.rng = images, rng

    def __iter__(self):
        while True:
            rows = self.rng.integers(0, len(self.images), BATCH_SIZE)
            yield (self.images[rows], None), noise_of(self.rng, BATCH_SIZE)


def noise_of(rng, size):
    """Draw inputs of the generator."""
    return rng.normal(size=(size, NOISE)).astype(np.float32)


def make_trainer(seed):
    """Create the networks and their trainer."""
    rng = np.random.default_rng(seed)
    generator, discriminator = make_generator(rng).float(), Discriminator(rng).float()
    context = GANContext(
        generator_model=generator, discriminator_model=discriminator, generator_loss=GeneratorBCE(),
        discriminator_loss=DiscriminatorMinMax(label_smoothing=0.2),
    )  # fmt: skip
    optimizers = [optim.Adam(m.parameters(), LEARNING_RATE, betas=(0.5, 0.99)) for m in (generator, discriminator)]
    return AdversarialTrainer(context, *optimizers)


def nearest(points, others):
    """Return the distance of each point to the nearest of other points that is not the point itself."""
    return distances(points, others).min(axis=1)


def distances(points, others):
    """Return the distances of points to other points; infinity from a point to itself."""
    squares = (points**2).sum(1)[:, None] + (others**2).sum(1) - 2 * points @ others.T
    return np.sqrt(np.where(squares < 1e-3, np.inf, squares))


class Progress:
    """Measures the samples in regular intervals, prints what it finds, and ends the run when the time is over."""

    def __init__(self, trainer, images, labels, seed, seconds):
        self.generator, self.images, self.seconds = trainer.context.generator_model, images, seconds
        self.classifier = trained_classifier(images, labels)
        self.noise = noise_of(np.random.default_rng(seed + 1000), SAMPLES)
        self.among_real, self.rows, self.labels, self.counts = nearest(images, images).mean(), [], [], None
        self.start, self.next = perf_counter(), 0.0

    def __call__(self, engine):
        """Handle a step."""
        elapsed = perf_counter() - self.start
        is_over = elapsed >= self.seconds
        if is_over or elapsed >= self.next:
            self.next += self.seconds / 8
            self.measure(engine.state.iteration, elapsed)
        if is_over:
            engine.terminate()

    def measure(self, step, elapsed):
        """Count the digits among samples, and compare them with the real ones."""
        with dark.no_grad():
            samples = self.generator(self.noise, training=False).value
            classes = self.classifier(samples).value.argmax(axis=1)
        self.counts = np.bincount(classes, minlength=10)
        distance = nearest(samples, self.images).mean()
        self.rows.append(samples[:SHOWN])
        self.labels.append(f"{elapsed:.1f} s, {distance:.2f}")
        print(
            f"{elapsed:5.1f} s  step {step:5d}  of 0 to 9: {' '.join(f'{count:3d}' for count in self.counts)}  nearest "
            f"real digit {distance:.2f} (among real ones {self.among_real:.2f})",
            flush=True,
        )

    def sheet(self):
        """Draw the samples over time, and the nearest real digits of the last ones."""
        last = distances(self.rows[-1], self.images)
        closest = self.images[last.argmin(axis=1)]
        images = np.stack([*self.rows, closest]).reshape(-1, SHOWN, 8, 8)
        start, end = (label.split(", ") for label in (self.labels[0], self.labels[-1]))
        alt = (
            f"Samples from the same {SHOWN} inputs at {len(self.rows)} times, noise after {start[0]} and digits after "
            f"{end[0]}, and the nearest real digits of the last ones, similar but not equal. The mean distance to the "
            f"nearest real digit falls from {start[1]} to {end[1]}; among real digits it is {self.among_real:.2f}. "
            f"The rarest digit comes {self.counts.min()} times in {SAMPLES} samples."
        )
        title = f"Time, and mean distance to the nearest real digit ({self.among_real:.2f} among real ones)"
        columns = [f"{distance:.1f}" for distance in last.min(axis=1)]
        return sheet(images, [*self.labels, "nearest real digit"], columns, title=title, alt=alt, below=True)


def train(seed, seconds, folder=None):
    """Train a generator for some seconds; return how many samples of each digit it draws, of 500."""
    trainer, (images, labels) = make_trainer(seed), real_digits()
    progress = Progress(trainer, images, labels, seed, seconds)
    trainer.engine.add_event_handler(Events.ITERATION_COMPLETED, progress)
    trainer.run(Batches(images, np.random.default_rng(seed)), max_epochs=1, epoch_length=10**9)
    if folder is not None:
        picture = progress.sheet()
        for kind in ("svg", "png"):
            picture.save(folder / f"digits.{kind}")
        print(f"samples over time: {folder / 'digits'}.svg and .png: {picture}")
    return progress.counts


def main(arguments=None):
    """Train, and print what comes; the exit code is 1 if a digit is rare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="seed of weights, batches and noise (default 0)")
    parser.add_argument("--seconds", type=float, default=20.0, help="time of the training (default 20)")
    parser.add_argument("--out", "--folder", type=folder_at, default="build/gan-digits", metavar="FOLDER",
                        help="folder of the sheet of samples (default build/gan-digits)")  # fmt: skip
    options = parser.parse_args(arguments)
    if options.seed < 0:
        parser.error(f"--seed is {options.seed}; it must be 0 or more")
    if not 0 < options.seconds < float("inf"):
        parser.error(f"--seconds is {options.seconds:g}; it must be a positive number")
    try:
        with threadpool_limits(1):  # faster for small matrices
            counts = train(options.seed, options.seconds, options.out)
    except KeyboardInterrupt:
        print("\nStopped; nothing was written.", file=sys.stderr)
        return INTERRUPTED
    print(f"the rarest digit: {counts.min()} of {SAMPLES} samples; at least {LEAST} are expected")
    return int(counts.min() < LEAST)


if __name__ == "__main__":
    sys.exit(main())
