"""Healthy trainings of the families that PyTorch and `dark` share: each function takes a kit and a generator."""

import numpy as np

from benchmarks.doctor import data, models
from benchmarks.doctor.training import Training


def accuracy(network, x, y):
    """Return the share of the rows, or pixels, that are classified rightly."""
    scores = network(x)
    scores = np.asarray(scores.detach() if hasattr(scores, "detach") else scores.value)
    y = np.asarray(y)
    return float(np.mean((scores > 0) == (y > 0.5)) if scores.shape == y.shape else np.mean(scores.argmax(-1) == y))


def classes(kit):
    """Cross-entropy."""
    return lambda network, x, y: kit.cross_entropy(network(x), y)


def squares(kit):
    """Mean squared error."""
    return lambda network, x, y: kit.mse(network(x), y)


def binary(kit):
    """Binary cross-entropy of scores."""
    return lambda network, x, y: kit.bce(network(x), y)


def tokens(kit):
    """Cross-entropy of each next token."""

    def loss(network, x, y):
        scores = network(x)
        return kit.cross_entropy(scores.reshape(-1, scores.shape[-1]), y.reshape(-1))

    return loss


def draw(rng, *items):
    """Draw an item."""
    return items[int(rng.integers(len(items)))]


def blobs(kit, rng, **fields):
    """A perceptron on clusters."""
    network = models.chain(
        kit, (16, *[int(draw(rng, 24, 32, 64))] * int(draw(rng, 1, 2)), 4), draw(rng, "ReLU", "Tanh", "GELU"),
        norm=draw(rng, "", "", "LayerNorm"),
    )  # fmt: skip
    return Training(kit, network, data.blobs(rng), classes(kit), accuracy, **{"lr": 5e-3, "epochs": 8, **fields})


def plain(kit, rng, sizes=(16, 32, 32, 4), activation="ReLU", **fields):
    """A perceptron on clusters, of given sizes."""
    network = models.chain(kit, sizes, activation)
    return Training(kit, network, data.blobs(rng), classes(kit), accuracy, **{"epochs": 8, **fields})


def digits(kit, rng, **fields):
    """A perceptron on digits."""
    network = models.chain(kit, (64, 64, 64, 10), draw(rng, "ReLU", "Tanh", "SiLU"))
    return Training(kit, network, data.digits(rng), classes(kit), accuracy, **{"epochs": 10, **fields})


def images(kit, rng, **fields):
    """A convolutional network on digits."""
    network = models.conv(kit, (8, 16), norm=draw(rng, True, False))
    return Training(kit, network, data.digits(rng), classes(kit), accuracy, **{"epochs": 6, "lr": 5e-3, **fields})


def by_functions(kit, rng, **fields):
    """A perceptron whose activation functions are no modules."""
    network = models.functional(kit, (16, 32, 32, 4), draw(rng, kit.relu, kit.tanh))
    return Training(kit, network, data.blobs(rng), classes(kit), accuracy, **{"epochs": 8, **fields})


def wave(kit, rng, **fields):
    """A regression."""
    network = models.chain(kit, (2, 48, 48, 1), draw(rng, "SiLU", "Tanh", "ReLU"))
    return Training(kit, network, data.wave(rng), squares(kit), **{"epochs": 30, "lr": 5e-3, **fields})


def weak(kit, rng, **fields):
    """A regression of which noise is most."""
    network = models.chain(kit, (8, 8, 1))
    return Training(kit, network, data.weak(rng), squares(kit), **{"epochs": 10, "lr": 2e-3, **fields})


def signals(kit, rng, **fields):
    """A convolutional network on signals."""
    return Training(kit, models.conv1d(kit), data.signals(rng), classes(kit), accuracy, **{"epochs": 12, **fields})


def language(kit, rng, **fields):
    """A recurrent language model."""
    network = models.recurrent(kit, draw(rng, "GRU", "LSTM"))
    return Training(kit, network, data.language(rng), tokens(kit), **{"epochs": 12, "lr": 8e-3, **fields})


def adding(kit, rng, **fields):
    """A recurrent network that adds two marked numbers."""
    network = models.recurrent(kit, draw(rng, "GRU", "LSTM"), 2, 24, 1)
    return Training(kit, network, data.adding(rng), squares(kit), **{"epochs": 25, "lr": 1e-2, **fields})


def reviews(kit, rng, **fields):
    """A bag of embeddings."""
    network = models.bag(kit)
    return Training(kit, network, data.reviews(rng), classes(kit), accuracy, **{"epochs": 8, "lr": 8e-3, **fields})


def attention(kit, rng, **fields):
    """A transformer over tokens."""
    given = {"epochs": 6, "lr": 3e-3, **fields}
    return Training(kit, models.attentive(kit), data.reviews(rng), classes(kit), accuracy, **given)


def ratings(kit, rng, **fields):
    """A matrix factorization."""
    return Training(kit, models.factors(kit), data.ratings(rng), squares(kit), **{"epochs": 18, "lr": 2e-2, **fields})


def deep(kit, rng, **fields):
    """A residual network of 10 blocks."""
    network = models.residual(kit, 16, 24, 10, 4)
    both = data.blobs(rng)
    return Training(kit, network, both, classes(kit), accuracy, **{"epochs": 4, "lr": 1e-3, **fields})


def masks(kit, rng, **fields):
    """A segmentation."""
    given = {"epochs": 15, "batch_size": 16, "lr": 5e-3, **fields}
    return Training(kit, models.segmenter(kit), data.disks(rng), binary(kit), accuracy, **given)


def variational(kit, rng, weight=0.05, names=("mu", "log_variance"), with_parts=True, **fields):
    """A variational autoencoder, whose parts of the loss are noted."""

    def loss(network, x, y):
        output, mean, spread = network(x)
        kl = (1 + spread - mean * mean - kit.exp(spread)).sum(axis=1).mean() * -0.5
        error = kit.mse(output, y)
        parts = {"loss_kl": float(kit.value(kl)), "loss_recon": float(kit.value(error))} if with_parts else {}
        return error + weight * kl * (1 / 12), parts

    network = models.variational(kit, names=names)
    given = {"epochs": 25, "lr": 5e-3, "loss_name": draw(rng, "loss_total", "total_loss", "loss"), **fields}
    return Training(kit, network, data.surface(rng), loss, **given)


def density(kit, rng, **fields):
    """A normalizing flow; its loss is negative in the end."""

    def loss(network, x, y):
        a, b, total = network(x)
        return (0.5 * (a * a + b * b) + 1.8379 - total).mean()

    return Training(kit, models.flow(kit), data.parabola(rng), loss, **{"epochs": 20, "lr": 5e-3, **fields})


def bandit(kit, rng, entropy=0.0, **fields):
    """An actor and a critic of a bandit, whose losses need not fall; the reward is noted."""

    def loss(network, x, rewards):
        scores, value = network(x)
        log_p = kit.log_softmax(scores, 1)
        p = np.exp(kit.value(log_p))
        taken = (p.cumsum(axis=1) > rng.random((len(p), 1))).argmax(axis=1)
        reward = np.asarray(rewards)[np.arange(len(p)), taken]
        better = kit.array((reward - kit.value(value)[:, 0]).astype(np.float32))
        actor = (log_p[np.arange(len(p)), taken] * better).mean() * -1
        critic = ((value[:, 0] - kit.array(reward)) ** 2).mean()
        parts = {"loss/actor": float(kit.value(actor)), "loss/critic": float(kit.value(critic))}
        return actor + 0.5 * critic, {**parts, "reward": float(reward.mean())}

    given = {"epochs": 20, "lr": 1e-2, "loss_name": draw(rng, "loss", "loss/total"), **fields}
    return Training(kit, models.actor_critic(kit), data.contexts(rng), loss, **given)


def margins(kit, rng, **fields):
    """Embeddings of blobs by triplets."""

    def loss(network, anchor, same, other):
        a, b, c = network(anchor), network(same), network(other)
        return kit.relu(((a - b) ** 2).sum(axis=1) - ((a - c) ** 2).sum(axis=1) + 1).mean()

    network = models.chain(kit, (16, 32, 8))
    return Training(kit, network, data.triplets(rng), loss, **{"epochs": 12, "lr": 1e-3, **fields})


def tags(kit, rng, **fields):
    """Several labels for each row."""
    network = models.chain(kit, (15, 32, 6))
    return Training(kit, network, data.tags(rng), binary(kit), accuracy, **{"epochs": 15, **fields})


def graphs(kit, rng, **fields):
    """A graph network."""
    given = {"epochs": 15, "lr": 8e-3, **fields}
    return Training(kit, models.graph(kit), data.graphs(rng), classes(kit), accuracy, **given)


def rare(kit, rng, share=0.08, signal=1.3, **fields):
    """A rare class."""
    network = models.chain(kit, (6, 8, 2))
    return Training(kit, network, data.rare(rng, share, signal=signal), classes(kit), accuracy, **fields)


def denoising(kit, rng, **fields):
    """A denoiser, whose loss has the noise of its target."""

    def loss(network, x, y):
        noise = rng.normal(size=x.shape).astype(np.float32)
        return kit.mse(network(x + kit.array(noise)), x)

    network = models.chain(kit, (12, 48, 48, 12), "SiLU")
    return Training(kit, network, data.surface(rng), loss, **{"epochs": 20, **fields})
