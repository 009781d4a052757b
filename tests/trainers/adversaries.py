"""Small adversarial and classifying training runs, identical at each call, and models that count their calls."""

import numpy as np

import dark
from dark import nn, optim
from dark.contexts import ClassifierContext, GANContext, GANEncoderContext, LogEvalMode
from dark.trainers import AdversarialTrainer, ClassifierTrainer, EncoderTrainer


class Counted(nn.Module):
    """A network that records the inputs it is called with."""

    def __init__(self, network):
        super().__init__()
        self.network, self.inputs = network, []

    def forward(self, *x):
        self.inputs.append(x[0])
        return self.network(*x)


class OfPairs(nn.Module):
    """A network of two inputs, which are joined."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x, code):
        return self.network(dark.concatenate([x, code], axis=1))


class Writer:
    """A writer that keeps what is logged."""

    def __init__(self):
        self.images, self.histograms = [], []

    def add_images(self, tag, images, step):
        self.images.append((tag, images, step))

    def add_histogram(self, tag, values, step):
        self.histograms.append((tag, values.shape, step))


def perceptron(inputs, outputs, seed, dropout=0.0):
    layers = [nn.Linear(inputs, 6, seed=seed), nn.Tanh(), nn.Linear(6, outputs, seed=seed + 1)]
    return nn.Sequential(*layers[:2], *([nn.Dropout(dropout, seed=seed + 2)] if dropout else []), layers[2])


def classifier_loss(context, *, features, labels, training):
    return dark.losses.cross_entropy(context.classifier_model(features, training=training), labels)


def generator_loss(context, *, fake, training, **others):
    return dark.softplus(-context.discriminator_model(fake, training=training)).mean()


def discriminator_loss(context, *, fake, real, training, **others):
    on_fake = context.discriminator_model(fake, training=training)
    on_real = context.discriminator_model(real, training=training)
    return (dark.softplus(on_fake).mean() + dark.softplus(-on_real).mean()) / 2


def pair_score(context, x, code, training):
    return context.discriminator_model([x, code], training=training)


def encoder_loss(context, *, real, training, **others):
    return dark.softplus(pair_score(context, real, context.encoder_model(real, training=training), training)).mean()


def pair_generator_loss(context, *, fake, training, **others):
    return dark.softplus(-pair_score(context, fake, context.generator_inputs, training)).mean()


def pair_discriminator_loss(context, *, fake, real, training, **others):
    on_fake = pair_score(context, fake, context.generator_inputs, training)
    on_real = pair_score(context, real, context.encoder_model(real, training=training), training)
    return dark.softplus(on_fake).mean() + dark.softplus(-on_real).mean()


def gan(dropout=0.0, callbacks=(), wrap=lambda network: network, metrics=(), **settings):
    generator, discriminator = wrap(perceptron(2, 3, 0, dropout)), wrap(perceptron(3, 1, 10, dropout))
    context = GANContext(
        generator_model=generator, discriminator_model=discriminator, generator_loss=generator_loss,
        discriminator_loss=discriminator_loss, metrics=metrics,
    )  # fmt: skip
    optimizers = [optim.Adam(model.parameters(), lr=0.01) for model in (generator, discriminator)]
    return AdversarialTrainer(context, *optimizers, callbacks, **settings)


def encoding_gan(dropout=0.0, callbacks=(), wrap=lambda network: network, log_eval_mode=LogEvalMode.TRAIN, **settings):
    shapes = {"generator": (2, 3), "discriminator": (5, 1), "encoder": (3, 2)}
    models = {name: perceptron(*shape, 10 * k, dropout) for k, (name, shape) in enumerate(shapes.items())}
    models["discriminator"] = OfPairs(models["discriminator"])
    models = {name: wrap(model) for name, model in models.items()}
    context = GANEncoderContext(
        **{f"{name}_model": model for name, model in models.items()}, generator_loss=pair_generator_loss,
        discriminator_loss=pair_discriminator_loss, encoder_loss=encoder_loss, log_eval_mode=log_eval_mode,
    )  # fmt: skip
    optimizers = [optim.Adam(model.parameters(), lr=0.01) for model in models.values()]
    return EncoderTrainer(context, *optimizers, callbacks, **settings)


def classifier(dropout=0.0, callbacks=(), metrics=(), loss=classifier_loss):
    model = perceptron(3, 2, 0, dropout)
    context = ClassifierContext(classifier_model=model, loss=loss, metrics=metrics)
    return ClassifierTrainer(context, optim.Adam(model.parameters(), lr=0.01), callbacks)


def samples(n=2, size=2, seed=3):
    """Return batches ((x, y), noise)."""
    rng = np.random.default_rng(seed)
    return [((rng.normal(size=(size, 3)), None), rng.normal(size=(size, 2))) for _ in range(n)]


def labeled(n=2, size=2, seed=4):
    """Return batches (x, y)."""
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=(size, 3)), rng.integers(0, 2, size)) for _ in range(n)]


TRAININGS = {"classifier": (classifier, labeled), "adversarial": (gan, samples), "encoder": (encoding_gan, samples)}


def state_of(trainer):
    """Return all parameters and buffers of a trainer's models as bytes."""
    return {
        f"{name}.{key}": value.tobytes()
        for name, player in trainer.players.items()
        for key, value in player.module.state_dict().items()
    }
