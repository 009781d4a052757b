"""Healthy trainings of both libraries: what they vary beside their families looks sick at a first glance."""

import numpy as np

from benchmarks.doctor import data, models
from benchmarks.doctor import trainings as t
from benchmarks.doctor.training import Training, run


def cosine(kit, rng):
    """A warm-up, and a learning rate that falls to zero."""
    rate = lambda share: min(1, 10 * share) * 0.5 * (1 + np.cos(np.pi * share))  # noqa: E731
    return t.blobs(kit, rng, rate=rate, epochs=12)


def accumulated(kit, rng):
    """An update every four batches."""
    return t.blobs(kit, rng, steps_of=4, epochs=12, batch_size=16)


def fine_tuning(kit, rng):
    """A new head on a trained network, which is not trained on purpose."""
    training = t.plain(kit, rng, lr=1e-2)
    _pretrain(training)
    for name, p in training.weights():
        p.requires_grad = name.startswith("4.")
    kit.set(training.network[4].weight, 0.1 * rng.normal(size=(4, 32)))
    return training


def _pretrain(training, epochs=6):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        run(training.changed(epochs=epochs, records=1, alter=None), f"{folder}/before")


def resumed(kit, rng):
    """A language model near the entropy of its data, which goes on in a new note."""
    training = t.language(kit, rng, lr=8e-3)
    _pretrain(training, 14)
    return training.changed(lr=5e-4, epochs=8)


def resumed_classifier(kit, rng):
    """A classifier that goes on with a small learning rate in a new note."""
    training = t.digits(kit, rng)
    _pretrain(training, 6)
    return training.changed(lr=2e-4, epochs=6)


def lbfgs(kit, rng):
    """A method of second order, whose steps are large."""
    network = models.chain(kit, (2, 16, 1), "Tanh")
    return Training(kit, network, data.wave(rng, 300), t.squares(kit), optimizer="LBFGS", lr=1.0, batch_size=225,
                    epochs=30, has_closure=True)  # fmt: skip


def dropout(kit, rng):
    """Half of the units are left out, and the training accuracy is measured so."""
    network = models.chain(kit, (64, 128, 64, 10), dropout=0.5)
    return Training(kit, network, data.digits(rng), t.classes(kit), t.accuracy, in_training_mode=True, epochs=10)


def distilled(kit, rng):
    """Soft targets of a trained network, whose entropy the loss cannot pass."""
    teacher = t.plain(kit, rng)
    _pretrain(teacher, 5)
    (x, _), (u, _) = teacher.data
    with kit.no_grad():
        p, q = (kit.value(kit.softmax(teacher.network(kit.array(a)) * 0.5, 1)) for a in (x, u))

    def loss(network, x, p):
        return (p * kit.log_softmax(network(x), 1)).sum(axis=1).mean() * -1

    return Training(kit, models.chain(kit, (16, 24, 4), "Tanh"), ((x, p), (u, q)), loss, epochs=15)


def label_noise(kit, rng):
    """A fifth of the labels is wrong in both parts, and the network generalizes."""
    training = t.plain(kit, rng, sizes=(16, 12, 4), epochs=8)
    noisy = lambda y: np.where(rng.random(len(y)) < 0.2, rng.integers(0, 4, len(y)), y)  # noqa: E731
    (x, y), (u, v) = training.data
    return training.changed(data=((x, noisy(y)), (u, noisy(v))))


def logistic(kit, rng):
    """A linear model of noisy labels that has converged: accuracy and loss stay."""
    x = rng.normal(size=(900, 5))
    y = (x @ rng.normal(size=5) + 1.5 * rng.normal(size=900) > 0).astype(int)
    both = data.cut((data.single(x), y), 300)
    return Training(kit, models.chain(kit, (5, 2)), both, t.classes(kit), t.accuracy, epochs=40, lr=1e-2)


def easy(kit, rng):
    """Clusters far apart: everything is right soon."""
    network = models.chain(kit, (16, 32, 4))
    return Training(kit, network, data.blobs(rng, spread=0.5), t.classes(kit), t.accuracy, epochs=20)


def percent(kit, rng):
    """Accuracies in percent."""
    return t.digits(kit, rng, percent=True, epochs=8)


def without_validation(kit, rng):
    """Only the loss of the batches is noted."""
    training = t.images(kit, rng)
    return training.changed(data=(training.data[0], None))


def rare_percent(kit, rng):
    """A class of 3 %, which is learned."""
    return t.rare(kit, rng, share=0.03, signal=2.5, epochs=25)


def clipped(kit, rng):
    """Gradients are clipped, as for language models."""
    return t.language(kit, rng, before=lambda training, k: training.kit.clip(training.network.parameters(), 1.0))


def few_features(kit, rng):
    """One input of ten decides, with noise."""
    x = rng.normal(size=(900, 10))
    y = (x[:, 3] + 0.3 * rng.normal(size=900) > 0).astype(int)
    both = data.cut((data.single(x), y), 250)
    return Training(kit, models.chain(kit, (10, 16, 2)), both, t.classes(kit), t.accuracy, epochs=12)


def penalized(kit, rng):
    """A penalty of the weights is part of the loss, and noted beside it, where it grows."""

    def loss(network, x, y):
        error, size = kit.cross_entropy(network(x), y), 0
        for p in network.parameters():
            size = size + (p * p).sum()
        penalty = size * 1e-3
        return error + penalty, {"loss_main": float(kit.value(error)), "reg_loss": float(kit.value(penalty))}

    network = models.chain(kit, (16, 32, 4))
    return Training(kit, network, data.blobs(rng), loss, t.accuracy, loss_name="loss_sum", lr=5e-3)


HEALTHY = {
    "blobs": t.blobs, "digits": t.digits, "images": t.images, "functions": t.by_functions, "wave": t.wave,
    "weak signal": t.weak, "signals": t.signals, "language": t.language, "adding": t.adding, "reviews": t.reviews,
    "attention": t.attention, "ratings": t.ratings, "deep": t.deep, "masks": t.masks, "variational": t.variational,
    "density": t.density, "bandit": t.bandit, "margins": t.margins, "tags": t.tags, "graphs": t.graphs,
    "rare": t.rare, "denoising": t.denoising, "cosine": cosine, "accumulated": accumulated,
    "fine-tuning": fine_tuning, "resumed": resumed, "resumed classifier": resumed_classifier, "lbfgs": lbfgs,
    "dropout": dropout, "distilled": distilled, "label noise": label_noise, "logistic": logistic, "easy": easy,
    "percent": percent, "without validation": without_validation, "rare 3 %": rare_percent, "clipped": clipped,
    "few features": few_features, "penalized": penalized,
}  # fmt: skip
