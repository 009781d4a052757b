"""Digits on demand: a generator that is told which digit to draw, and a discriminator that is told which it should see.

Generator and discriminator get the class as a condition, a one-hot vector. A classifier that was trained on real digits
proves that what is asked for comes: it reads 100 samples of each class. Its accuracy on real digits that it has not
seen shows what can be expected. That the samples of a class are not all the same is shown by their mean distance to
each other, relative to that of real digits.

The folder gets a sheet of samples, a row for each class, the same noise in each column, and the confusion matrix.
"""

import sys

import numpy as np
from adversarial import perceptron, program, train
from gan_digits import real_digits, trained_classifier
from pictures import sheet

import dark
from dark import nn, optim
from dark.contexts import GANContext
from dark.data import TensorDataset, split
from dark.draw import Table, confusion
from dark.executors import DiscriminatorMinMax, GeneratorBCE
from dark.trainers import AdversarialTrainer

STEPS, NOISE, HIDDEN, BATCH_SIZE, LEARNING_RATE, EACH, LEAST = 1500, 16, 192, 64, 1e-3, 100, 0.9


class Generator(nn.Module):
    """A perceptron from noise and a class to images between -1 and 1."""

    def __init__(self, rng):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(NOISE + 10, HIDDEN, seed=rng), nn.BatchNorm1d(HIDDEN), nn.ReLU(),
            nn.Linear(HIDDEN, HIDDEN, seed=rng), nn.BatchNorm1d(HIDDEN), nn.ReLU(),
            nn.Linear(HIDDEN, 64, seed=rng), nn.Tanh(),
        ).float()  # fmt: skip

    def forward(self, noise, condition):
        """Return images (batch, 64) for noise (batch, 16) and one-hot classes (batch, 10)."""
        return self.layers(dark.concatenate([noise, condition], axis=1))


class Discriminator(nn.Module):
    """A perceptron that scores images together with a class."""

    def __init__(self, rng):
        super().__init__()
        self.features = nn.Sequential(*perceptron(rng, 64 + 10, HIDDEN), nn.LeakyReLU(0.2), nn.Dropout(0.3, seed=rng))
        self.score = nn.Sequential(*perceptron(rng, HIDDEN, HIDDEN), nn.LeakyReLU(0.2), nn.Dropout(0.3, seed=rng),
                                   *perceptron(rng, HIDDEN, 1))  # fmt: skip

    def forward(self, x, condition):
        """Return the scores (batch, 1) of images (batch, 64) and one-hot classes (batch, 10)."""
        return self.score(self.features(dark.concatenate([x, condition], axis=1)))


def one_hot(labels):
    """Return one-hot vectors (n, 10) of classes (n,)."""
    return np.eye(10, dtype=np.float32)[labels]


def noise_of(rng, size):
    """Draw inputs of the generator (size, 16)."""
    return rng.normal(size=(size, NOISE)).astype(np.float32)


def make_trainer(seed):
    """Create the networks, their losses and their trainer."""
    rng = np.random.default_rng(seed)
    models = Generator(rng), Discriminator(rng)
    context = GANContext(
        generator_model=models[0], discriminator_model=models[1], generator_loss=GeneratorBCE(),
        discriminator_loss=DiscriminatorMinMax(label_smoothing=0.2),
    )  # fmt: skip
    return AdversarialTrainer(context, *(optim.Adam(m.parameters(), LEARNING_RATE, betas=(0.5, 0.99)) for m in models))


def samples_of(context, noise, labels):
    """Return what the generator draws when it is asked for these classes."""
    with dark.no_grad():
        return context.generator_model([noise, one_hot(labels)], training=False).value


def read(classifier, images):
    """Return the classes that a classifier reads."""
    with dark.no_grad():
        return classifier(images).value.argmax(axis=1)


def diversity(images, labels):
    """Return, for each class, the mean distance between two of its images."""
    found = []
    for label in range(10):
        x = images[labels == label]
        squares = ((x[:, None] - x) ** 2).sum(axis=2)
        found.append(np.sqrt(squares).sum() / (len(x) * (len(x) - 1)))
    return np.array(found)


def run(seed, steps):
    """Train, ask for each class, let the classifier read, and draw."""
    parts = split(TensorDataset(*real_digits()), (0.8, 0.2), seed=seed)
    (images, labels), (x_test, labels_test) = (part[:] for part in parts)
    classifier = trained_classifier(images, labels)
    rng, trainer = np.random.default_rng(seed), make_trainer(seed)

    def draw():
        rows = rng.integers(0, len(images), BATCH_SIZE)
        return (images[rows], one_hot(labels[rows])), noise_of(rng, BATCH_SIZE)

    train(trainer, draw, steps, f"seed {seed}")
    asked = np.repeat(np.arange(10), EACH)
    samples = samples_of(trainer.context, noise_of(np.random.default_rng(seed + 1000), len(asked)), asked)
    came = read(classifier, samples)
    rates = (came == asked).reshape(10, EACH).mean(axis=1)
    on_real = (read(classifier, x_test) == labels_test).mean()
    spread = diversity(samples, asked) / diversity(images, labels)
    rows = [(str(k), f"{rate:.2f}", f"{part:.2f}") for k, (rate, part) in enumerate(zip(rates, spread))]
    rows.append(("mean", f"{rates.mean():.3f}", f"{spread.mean():.2f}"))
    lines = [
        str(Table(("asked for", "came", "diversity"), tuple(rows))),
        f"The classifier reads {on_real:.3f} of the real digits that it has not seen; guessing would be 0.1.",
        f"read as asked for: {rates.mean():.3f}; at least {LEAST} is expected",
    ]
    pictures = {"samples": samples_picture(trainer.context, images, labels, seed, rates),
                "confusion": confusion(asked, came, title="asked for, and read by the classifier")}  # fmt: skip
    return lines, pictures, rates.mean() >= LEAST


def samples_picture(context, images, labels, seed, rates):
    """Draw samples of each class, from the same noise, beside real digits."""
    noise = noise_of(np.random.default_rng(seed + 2000), 10)
    made = samples_of(context, np.tile(noise, (10, 1)), np.repeat(np.arange(10), 10)).reshape(10, 10, 8, 8)
    real = np.stack([images[labels == label][:4].reshape(4, 8, 8) for label in range(10)])
    alt = (
        "Ten samples of each digit, a row for each, and four real ones at the right. A classifier reads "
        f"{rates.mean():.1%} of the samples as the digit that was asked for, {rates.min():.0%} of the "
        f"{rates.argmin()}, which is read worst."
    )
    columns = [f"z{k}" for k in range(1, 11)] + ["real"] * 4
    title = "Digits on demand: the same noise in each column"
    return sheet(np.concatenate([made, real], axis=1), [str(k) for k in range(10)], columns,
                 title=title, alt=alt, groups=(10,))  # fmt: skip


if __name__ == "__main__":
    sys.exit(program(__doc__, "build/conditional-gan", run, STEPS))
