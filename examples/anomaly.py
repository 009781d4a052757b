"""Digits that a network has never seen, found by how badly it restores them: each of the ten is left out in turn.

A generator and an encoder are trained on nine of the digits against a discriminator of pairs, as in `bigan_toy.py`. An
image x that is like these is close to G(E(x)); of the digit that was left out, the network draws another one. The
distance is the anomaly score. It is measured on images that were not used for training: a fifth of the nine digits, and
all of the tenth. The area under the ROC curve (AUC) is 0.5 for guessing and 1 if each anomaly has a higher score than
each normal image; principal components of the same number are compared. Most of the work is done by the narrow code:
without the discriminator, by the distance alone, the areas are about the same.

The ten networks are trained by one process for each core. The folder gets two pictures: the ROC curves, and for each
digit some images with what the network makes of them.
"""

import os
import signal
import sys
from functools import partial
from multiprocessing import get_context

import numpy as np
from adversarial import perceptron, program
from bigan_toy import CodeDistance, ExampleDistance, PairBCE
from gan_digits import real_digits
from matplotlib.figure import Figure
from pictures import DARK, sheet
from threadpoolctl import threadpool_limits
from tqdm import tqdm

import dark
from dark import nn, optim
from dark.contexts import GANEncoderContext
from dark.draw import FigurePicture, Table
from dark.metrics import ROC_AUC, RocCurve
from dark.trainers import EncoderTrainer

STEPS, CODE, HIDDEN, BATCH_SIZE, LEARNING_RATE, LEAST = 600, 4, 128, 64, 2e-3, 0.80


class PairDiscriminator(nn.Module):
    """A perceptron that scores pairs of an image and a code."""

    def __init__(self, rng):
        super().__init__()
        self.features = nn.Sequential(*perceptron(rng, 64 + CODE, HIDDEN), nn.LeakyReLU(0.2), nn.Dropout(0.3, seed=rng))
        self.score = perceptron(rng, HIDDEN, HIDDEN, 1)

    def forward(self, x, encoding):
        """Return the scores (batch, 1) of images (batch, 64) and codes (batch, 4)."""
        return self.score(self.features(dark.concatenate([x, encoding], axis=1)))


def make_trainer(rng):
    """Create the networks, their losses and their trainer."""
    generator = nn.Sequential(
        nn.Linear(CODE, HIDDEN, seed=rng), nn.BatchNorm1d(HIDDEN), nn.ReLU(),
        nn.Linear(HIDDEN, HIDDEN, seed=rng), nn.BatchNorm1d(HIDDEN), nn.ReLU(),
        nn.Linear(HIDDEN, 64, seed=rng), nn.Tanh(),
    ).float()  # fmt: skip
    encoder, discriminator = perceptron(rng, 64, HIDDEN, HIDDEN, CODE), PairDiscriminator(rng)
    context = GANEncoderContext(
        generator_model=generator, discriminator_model=discriminator, encoder_model=encoder,
        generator_loss=PairBCE("fake", 1) + CodeDistance() + 20 * ExampleDistance(),
        encoder_loss=PairBCE("real", 0) + CodeDistance() + 20 * ExampleDistance(),
        discriminator_loss=(PairBCE("real", 0.9) + PairBCE("fake", 0)) / 2,
    )  # fmt: skip
    models = (generator, discriminator, encoder)
    return EncoderTrainer(context, *(optim.Adam(m.parameters(), LEARNING_RATE, betas=(0.5, 0.99)) for m in models))


def parts(digit, rng):
    """Return images to train with, normal images to test with, and anomalies."""
    images, labels = real_digits()
    normal = rng.permutation(images[labels != digit])
    count = len(normal) // 5
    return normal[count:], normal[:count], images[labels == digit]


def leave_out(digit, seed, steps):
    """Train without a digit; return its scores and some restored images.

    Returns
    -------
    dict
        "digit", "scores" and "linear" (of the principal components), "is_anomaly", and "examples": some normal images
        and some anomalies, each below what the network makes of it, shape (2, 8, 8, 8).
    """
    rng = np.random.default_rng([seed, digit])
    train, normal, anomalies = parts(digit, rng)
    trainer = make_trainer(rng)
    batches = (
        ((train[rng.integers(0, len(train), BATCH_SIZE)], None), rng.normal(size=(BATCH_SIZE, CODE)).astype(np.float32))
        for _ in range(steps)
    )
    with threadpool_limits(1):
        trainer.run(batches, max_epochs=1, epoch_length=steps)
        images = np.concatenate([normal, anomalies])
        restored = restore(trainer.context, images)
        linear = principal(train, images)
    shown = [*range(4), *range(len(normal), len(normal) + 4)]
    return {
        "digit": digit, "scores": distance(images, restored), "linear": distance(images, linear),
        "is_anomaly": np.arange(len(images)) >= len(normal),
        "examples": np.stack([images[shown], restored[shown]]).reshape(2, 8, 8, 8),
    }  # fmt: skip


def restore(context, images):
    """Return G(E(x)) for images x."""
    with dark.no_grad():
        codes = context.encoder_model(images, training=False)
        return context.generator_model(codes, training=False).value


def principal(train, images):
    """Return what the first four principal components of the training images keep of images."""
    mean = train.mean(axis=0)
    _, _, directions = np.linalg.svd(train - mean, full_matrices=False)
    return mean + (images - mean) @ directions[:CODE].T @ directions[:CODE]


def distance(images, restored):
    """Return the mean squared difference of each image."""
    return ((images - restored) ** 2).mean(axis=1)


def evaluated(metric, scores, is_anomaly):
    """Return a metric of scores."""
    metric.update((scores, is_anomaly.astype(int)))
    return metric.compute()


def ignore_ctrl_c():
    """Leave Ctrl-C to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def all_left_out(seed, steps, digits):
    """Leave out each of some digits, in one process for each core; show the progress."""
    workers, work = min(len(digits), os.cpu_count() or 1), partial(leave_out, seed=seed, steps=steps)
    with (
        get_context("spawn").Pool(workers, ignore_ctrl_c) as pool,  # its processes end with the block
        tqdm(total=len(digits), desc=f"digits, {workers} at once", unit="digit", leave=False) as bar,
    ):
        found = []
        for one in pool.imap_unordered(work, digits):
            found.append(one)
            bar.update()
    return sorted(found, key=lambda one: one["digit"])


def run(seed, steps, digits=range(10)):
    """Leave out the digits, measure, and draw."""
    found = all_left_out(seed, steps, digits)
    areas = {one["digit"]: evaluated(ROC_AUC(), one["scores"], one["is_anomaly"]) for one in found}
    linear = [evaluated(ROC_AUC(), one["linear"], one["is_anomaly"]) for one in found]
    rows = [(str(digit), f"{area:.3f}", f"{other:.3f}") for (digit, area), other in zip(areas.items(), linear)]
    worst = min(areas, key=areas.get)
    lines = [
        str(Table(("left out", "AUC", f"AUC of {CODE} principal components"), tuple(rows))),
        f"worst: AUC {areas[worst]:.3f} for {worst}; at least {LEAST:.2f} is expected for each digit",
    ]
    return lines, {"roc": curves_of(found, areas), "restored": restored_of(found)}, areas[worst] >= LEAST


def curves_of(found, areas):
    """Draw the ROC curve of each digit, and the line of guessing."""
    across = min(5, len(found))
    figure = Figure(figsize=(2.1 * across, 2.3 * -(-len(found) // across) + 0.3), layout="constrained")
    for k, one in enumerate(found, 1):
        alarms, hits, _ = evaluated(RocCurve(), one["scores"], one["is_anomaly"])
        axis = figure.add_subplot(-(-len(found) // across), across, k, aspect="equal", title=f"without {one['digit']}")
        axis.plot(alarms, hits, "-", color=DARK, linewidth=1.8)
        axis.plot([0, 1], [0, 1], "--", color="black", linewidth=1)
        axis.text(0.97, 0.16, f"AUC {areas[one['digit']]:.3f}", ha="right", fontsize=11)
        axis.text(0.97, 0.04, "-- guessing 0.5", ha="right", fontsize=8)
        axis.set_xticks([0, 1])
        axis.set_yticks([0, 1])
    figure.supxlabel("fraction of normal images above the threshold", fontsize=10)
    figure.supylabel("fraction of anomalies above it", fontsize=10)
    alt = (
        "ROC curves of anomaly scores, a panel for each digit that was left out of the training, with the dashed "
        "diagonal of guessing, AUC 0.5. AUC without "
        + ", ".join(f"{digit} {area:.3f}" for digit, area in areas.items()) + "."
    )  # fmt: skip
    return FigurePicture(figure, alt, "Each digit left out in turn")


def restored_of(found):
    """Draw normal images and anomalies, and below them what the networks make of them."""
    images = np.concatenate([one["examples"] for one in found])
    rows = [label for one in found for label in (f"without {one['digit']}", "restored")]
    alt = (
        f"For each of {len(found)} networks, four digits that it knows and four of the digit that was left out of its "
        "training, above what it makes of them: it restores the known ones, and turns the others into known digits."
    )
    title = "Known digits, and the one that was left out"
    return sheet(images, rows, ["known"] * 4 + ["left out"] * 4, title=title, alt=alt, cell=0.55, groups=(4,))


if __name__ == "__main__":
    sys.exit(program(__doc__, "build/anomaly", run, STEPS))
