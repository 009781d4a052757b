"""Networks of the families that PyTorch and `dark` share: each function takes a kit and returns a network."""

import itertools

import numpy as np


def chain(kit, sizes, activation="ReLU", *, norm="", dropout=0.0, last=""):
    """A perceptron."""
    layers = []
    for k, (n, m) in enumerate(itertools.pairwise(sizes)):
        layers.append(kit.layer("Linear", n, m))
        if k < len(sizes) - 2:
            layers += [kit.layer(norm, m)] if norm else []
            layers.append(kit.layer(activation))
            layers += [kit.layer("Dropout", dropout)] if dropout else []
    layers += [kit.layer(last)] if last else []
    return kit.ready(kit.nn.Sequential(*layers))


def functional(kit, sizes, function, *, convolution=False):
    """A network whose activation functions are no modules."""

    class Functional(kit.nn.Module):
        def __init__(self):
            super().__init__()
            make = (lambda n, m: kit.layer("Conv2d", n, m, 3, padding=1)) if convolution else (
                lambda n, m: kit.layer("Linear", n, m))  # fmt: skip
            self.first = make(sizes[0], sizes[1])
            self.second = make(sizes[1], sizes[2])
            self.out = kit.layer("Linear", sizes[2] * (64 if convolution else 1), sizes[3])

        def forward(self, x):
            x = function(self.second(function(self.first(x.reshape(-1, 1, 8, 8) if convolution else x))))
            return self.out(x.reshape(len(x), -1))

    return kit.ready(Functional())


def conv(kit, channels=(8, 16), norm=False, activation="ReLU"):
    """A convolutional network on images of 8 by 8."""
    layers, before = [shaped(kit, 1, 8, 8)], 1
    for channel in channels:
        layers.append(kit.layer("Conv2d", before, channel, 3, padding=1))
        layers += [kit.layer("BatchNorm2d", channel)] if norm else []
        layers += [kit.layer(activation), kit.layer("MaxPool2d", 2)]
        before = channel
    layers += [kit.layer("Flatten"), kit.layer("Linear", before * (8 // 2 ** len(channels)) ** 2, 10)]
    return kit.ready(kit.nn.Sequential(*layers))


def shaped(kit, *shape):
    """A module that gives each row a shape."""
    body = {"forward": lambda self, x: x.reshape(len(x), *shape)}
    return type("Reshape", (kit.nn.Module,), body)()


def conv1d(kit, activation="ReLU"):
    """A convolutional network on signals (batch, 1, 32)."""
    return kit.ready(kit.nn.Sequential(
        kit.layer("Conv1d", 1, 8, 5, padding=2), kit.layer(activation), kit.layer("MaxPool1d", 2),
        kit.layer("Conv1d", 8, 16, 5, padding=2), kit.layer(activation), kit.layer("MaxPool1d", 2),
        kit.layer("Flatten"), kit.layer("Linear", 128, 3),
    ))  # fmt: skip


def recurrent(kit, cell, tokens=8, hidden=24, outputs=None, width=12):
    """A language model, or, with `outputs`, a recurrent network over sequences of `tokens` numbers."""

    class Recurrent(kit.nn.Module):
        def __init__(self):
            super().__init__()
            if outputs is None:
                self.embedding = kit.layer("Embedding", tokens, width)
            self.memory = kit.layer(cell, width if outputs is None else tokens, hidden, batch_first=True)
            self.head = kit.layer("Linear", hidden, outputs or tokens)

        def forward(self, x):
            if outputs is None:
                return self.head(self.memory(self.embedding(x))[0])
            return self.head(self.memory(x)[0][:, -1])

    return kit.ready(Recurrent())


def bag(kit, tokens=40, width=16, outputs=2):
    """A classifier of the mean of embeddings."""

    class Bag(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = kit.layer("Embedding", tokens, width)
            self.hidden, self.act = kit.layer("Linear", width, 16), kit.layer("ReLU")
            self.out = kit.layer("Linear", 16, outputs)

        def forward(self, x):
            return self.out(self.act(self.hidden(self.embedding(x).mean(axis=1))))

    return kit.ready(Bag())


def attentive(kit, tokens=40, width=16, outputs=2, steps=12):
    """A transformer encoder over tokens, averaged."""

    class Attentive(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = kit.layer("Embedding", tokens, width)
            self.position = kit.layer("Embedding", steps, width)
            self.block = kit.layer("TransformerEncoderLayer", width, 4, 2 * width, dropout=0.1, batch_first=True)
            self.out = kit.layer("Linear", width, outputs)

        def forward(self, x):
            places = self.position(kit.array(np.arange(x.shape[1])))
            return self.out(self.block(self.embedding(x) + places).mean(axis=1))

    return kit.ready(Attentive())


def factors(kit, users=50, items=40, rank=5, scale=0.3):
    """A matrix factorization."""

    class Factors(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.user, self.item = kit.layer("Embedding", users, rank), kit.layer("Embedding", items, rank)
            for table in (self.user, self.item):
                shape = tuple(table.weight.shape)
                kit.set(table.weight, scale * np.random.default_rng(shape[0]).normal(size=shape))

        def forward(self, pairs):
            return (self.user(pairs[:, 0]) * self.item(pairs[:, 1])).sum(axis=1).reshape(-1, 1)

    return kit.ready(Factors())


def residual(kit, inputs, width, depth, outputs, activation="GELU", norm=True, skip=True):
    """A deep network, with or without residual connections and normalization."""

    class Residual(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = kit.layer("Linear", inputs, width)
            parts = [([kit.layer("LayerNorm", width)] if norm else []) + [
                kit.layer("Linear", width, width), kit.layer(activation)] for _ in range(depth)]  # fmt: skip
            self.blocks = kit.nn.ModuleList([kit.nn.Sequential(*part) for part in parts])
            self.out = kit.layer("Linear", width, outputs)

        def forward(self, x):
            x = self.first(x)
            for block in self.blocks:
                x = x + block(x) if skip else block(x)
            return self.out(x)

    return kit.ready(Residual())


def segmenter(kit, channels=8):
    """A small U-shaped network of images."""

    class Segmenter(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.down, self.act1 = kit.layer("Conv2d", 1, channels, 3, padding=1), kit.layer("ReLU")
            self.pool = kit.layer("MaxPool2d", 2)
            self.deep, self.act2 = kit.layer("Conv2d", channels, 2 * channels, 3, padding=1), kit.layer("ReLU")
            self.up, self.act3 = kit.layer("ConvTranspose2d", 2 * channels, channels, 2, stride=2), kit.layer("ReLU")
            self.out = kit.layer("Conv2d", channels, 1, 1)

        def forward(self, x):
            left = self.act1(self.down(x))
            return self.out(self.act3(self.up(self.act2(self.deep(self.pool(left))))) + left)

    return kit.ready(Segmenter())


def variational(kit, inputs=12, latent=2, names=("mu", "log_variance"), seed=0):
    """A variational autoencoder; returns (output, mean, logarithm of the variance)."""
    rng = np.random.default_rng(seed)

    class Variational(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.encode, self.act1 = kit.layer("Linear", inputs, 32), kit.layer("Tanh")
            setattr(self, names[0], kit.layer("Linear", 32, latent))
            setattr(self, names[1], kit.layer("Linear", 32, latent))
            self.decode, self.act2 = kit.layer("Linear", latent, 32), kit.layer("Tanh")
            self.out = kit.layer("Linear", 32, inputs)

        def forward(self, x):
            hidden = self.act1(self.encode(x))
            mean, spread = getattr(self, names[0])(hidden), getattr(self, names[1])(hidden)
            z = mean
            if self.training:
                z = mean + kit.exp(spread * 0.5) * kit.array(rng.normal(size=tuple(mean.shape)).astype(np.float32))
            return self.out(self.act2(self.decode(z))), mean, spread

    return kit.ready(Variational())


def flow(kit, layers=4):
    """A normalizing flow of the plane; returns both coordinates and the logarithm of the determinant."""

    class Flow(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.parts = kit.nn.ModuleList([chain(kit, (1, 24, 2), "Tanh") for _ in range(layers)])

        def forward(self, x):
            a, b, total = x[:, :1], x[:, 1:], 0
            for part in self.parts:
                found = part(a)
                scale = kit.tanh(found[:, :1])
                a, b, total = b * kit.exp(scale) + found[:, 1:], a, total + scale
            return a, b, total

    return kit.ready(Flow())


def graph(kit, features=6, width=24):
    """A graph network of two rounds."""

    class Graph(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.act1 = kit.layer("Linear", features, width), kit.layer("ReLU")
            self.second, self.act2 = kit.layer("Linear", width, width), kit.layer("ReLU")
            self.out = kit.layer("Linear", width, 2)

        def forward(self, x):
            adjacency, x = x[..., features:], x[..., :features]
            x = self.act1(self.first(adjacency @ x))
            return self.out(self.act2(self.second(adjacency @ x)).mean(axis=1))

    return kit.ready(Graph())


def actor_critic(kit, inputs=6, actions=4):
    """A policy and a value of a state; returns both."""

    class ActorCritic(kit.nn.Module):
        def __init__(self):
            super().__init__()
            self.actor, self.critic = chain(kit, (inputs, 24, actions), "Tanh"), chain(kit, (inputs, 24, 1), "Tanh")

        def forward(self, x):
            return self.actor(x), self.critic(x)

    return kit.ready(ActorCritic())
