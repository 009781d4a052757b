"""Small training runs of every kind of network, identical at each call, with dropout and running statistics."""

import numpy as np

from dark import nn, optim
from dark.trainers import create_supervised_tbptt_trainer, create_supervised_trainer
from tests.trainers.adversaries import classifier, encoding_gan, gan, labeled, samples


class Sequences(nn.Module):
    """A classifier of sequences: a recurrent layer, dropout, and a linear layer on the last step."""

    def __init__(self, recurrent):
        super().__init__()
        self.recurrent, self.dropout, self.head = recurrent, nn.Dropout(0.5, seed=1), nn.Linear(4, 3, seed=2)

    def forward(self, x):
        return self.head(self.dropout(self.recurrent(x)[0][-1]))


class Attention(nn.Module):
    """A classifier of sequences with the batch first: an encoder layer, called twice, and a mean over steps."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.5, batch_first=True, seed=0)
        self.head = nn.Linear(4, 3, seed=1)

    def forward(self, x):
        return self.head(self.encoder(self.encoder(x)).mean(axis=1))


class Noisy(nn.Module):
    """A layer that draws from global generators and counts its calls, in both modes."""

    def __init__(self):
        super().__init__()
        self.calls = 0
        self.register_buffer("seen", np.zeros(1))

    def forward(self, x):
        self.calls += 1
        self.seen[0] += 1
        return x + 0.1 * np.random.normal(size=x.shape) * (1 + 0.01 * self.calls + self.seen)


def images(n=24, seed=0):
    """Return batches of images with labels, the last one smaller."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(n, 1, 6, 6)), rng.integers(0, 3, n)
    return [(x[k : k + 7], y[k : k + 7]) for k in range(0, n, 7)]


def sequences(batch_axis):
    """Return batches of sequences of 5 steps with 4 features."""
    data = [(x.reshape(len(x), -1)[:, :20].reshape(len(x), 5, 4), y) for x, y in images()]
    return [(np.moveaxis(x, 0, batch_axis), y) for x, y in data]


def supervised(model):
    """Return a trainer of a classifier."""
    return create_supervised_trainer(model, optim.Adam(model.parameters(), lr=0.01), nn.CrossEntropyLoss())


def feed_forward():
    layers = [nn.Flatten(), nn.Linear(36, 8, seed=0), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.5, seed=1), Noisy()]
    model = nn.Sequential(*layers, nn.Linear(8, 3, seed=2))
    return model, supervised(model), images(), 0


def convolutional():
    layers = [nn.Conv2d(1, 3, 3, seed=0), nn.BatchNorm2d(3), nn.ReLU(), nn.Dropout(0.5, seed=1), nn.MaxPool2d(2)]
    model = nn.Sequential(*layers, nn.Flatten(), nn.Linear(12, 3, seed=2))
    return model, supervised(model), images(), 0


def recurrent(layer=nn.LSTM):
    model = Sequences(layer(4, 4, seed=0))
    return model, supervised(model), sequences(1), 1


def attention():
    model = Attention()
    return model, supervised(model), sequences(0), 0


def truncated():
    model = nn.RNN(4, 4, seed=0)
    optimizer = optim.SGD(model.parameters(), 0.1)
    trainer = create_supervised_tbptt_trainer(model, optimizer, nn.MSELoss(), 2)
    return model, trainer, [(x, x) for x, _ in sequences(1)], 1


def of_contexts(make, data):
    """Return the models of a trainer with a context, with their names."""
    trainer = make(dropout=0.5)
    return {name: player.module for name, player in trainer.players.items()}, trainer, data(n=5, size=6), 0


KINDS = {
    "feed-forward": feed_forward, "convolutional": convolutional, "LSTM": recurrent,
    "GRU": lambda: recurrent(nn.GRU), "attention": attention, "truncated": truncated,
    "classifier": lambda: of_contexts(classifier, labeled), "adversarial": lambda: of_contexts(gan, samples),
    "encoder": lambda: of_contexts(encoding_gan, samples),
}  # fmt: skip


def states(model):
    """Return all parameters, buffers, modes, attributes and generators of a model, or of several."""
    models = model if isinstance(model, dict) else {"": model}
    return {
        name: [
            {key: value.tobytes() for key, value in one.state_dict().items()},
            nn.random_state(one),
            [(m.training, list(vars(m)), getattr(m, "calls", None)) for m in one.modules()],
        ]
        for name, one in models.items()
    }
