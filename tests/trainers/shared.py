"""Trainings of all three trainers that can be divided between processes, identical at each call."""

import numpy as np

from dark import nn, optim
from dark.contexts import ClassifierContext, GANContext, GANEncoderContext
from dark.data import DataLoader, Dataset
from dark.executors import ClassifierLoss, DiscriminatorMinMax, EncoderBCE, GeneratorBCE, GeneratorL1, linear
from dark.metrics import Accuracy
from dark.trainers import AdversarialTrainer, ClassifierTrainer, EncoderTrainer
from tests.trainers.adversaries import OfPairs

ROWS, FEATURES, NOISE = 44, 3, 2


def network(inputs, outputs, seed, draws):
    """Return a network of two layers; one that draws has batch normalization and dropout between them."""
    middle = [nn.BatchNorm1d(6), nn.Dropout(0.3, seed=seed + 2)] if draws else []
    return nn.Sequential(nn.Linear(inputs, 6, seed=seed), *middle, nn.Tanh(), nn.Linear(6, outputs, seed=seed + 1))


class Items(Dataset):
    """Items (x, y) for a classifier, ((x, None), noise) for the others."""

    def __init__(self, is_labeled, rows=ROWS):
        rng = np.random.default_rng(0)
        self.x, self.noise = rng.normal(size=(rows, FEATURES)), rng.normal(size=(rows, NOISE))
        self.labels, self.is_labeled = (self.x[:, 0] > 0).astype(int), is_labeled

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        if self.is_labeled:
            return self.x[index], self.labels[index]
        return (self.x[index], self.labels[index]), self.noise[index]


def classifier(draws, callbacks=(), ckpt=None, **settings):
    model = network(FEATURES, 2, 0, draws)
    context = ClassifierContext(
        classifier_model=model, loss=ClassifierLoss(nn.CrossEntropyLoss()), metrics={"accuracy": Accuracy()}, ckpt=ckpt
    )
    return ClassifierTrainer(context, optim.Adam(model.parameters(), lr=0.02), callbacks, **settings)


def adversarial(draws, callbacks=(), ckpt=None, **settings):
    generator, discriminator = network(NOISE, FEATURES, 0, draws), network(FEATURES, 1, 10, draws)
    context = GANContext(
        generator_model=generator, discriminator_model=discriminator, discriminator_loss=DiscriminatorMinMax(),
        generator_loss=GeneratorBCE() + linear(0.0, 1.0, 10) * GeneratorL1(), ckpt=ckpt,
    )  # fmt: skip
    optimizers = [optim.Adam(model.parameters(), lr=0.02) for model in (generator, discriminator)]
    return AdversarialTrainer(context, *optimizers, callbacks, **settings)


def encoder(draws, callbacks=(), ckpt=None, **settings):
    models = {
        "generator": network(NOISE, FEATURES, 0, draws),
        "discriminator": OfPairs(network(FEATURES + NOISE, 1, 10, draws)),
        "encoder": network(FEATURES, NOISE, 20, draws),
    }
    context = GANEncoderContext(
        **{f"{name}_model": model for name, model in models.items()}, generator_loss=GeneratorBCE(),
        discriminator_loss=DiscriminatorMinMax(), encoder_loss=EncoderBCE(), ckpt=ckpt,
    )  # fmt: skip
    optimizers = [optim.Adam(model.parameters(), lr=0.02) for model in models.values()]
    return EncoderTrainer(context, *optimizers, callbacks, **settings)


MAKERS = {"classifier": classifier, "adversarial": adversarial, "encoder": encoder}


def loader(kind, batch_size=28, strategy=None, shuffle=True):
    """Return a loader; its last batch is smaller, by default 16 rows."""
    return DataLoader(Items(kind == "classifier"), batch_size, shuffle=shuffle, seed=1, strategy=strategy)


def run(kind, strategy, max_epochs=2, draws=True, batch_size=28, folder=None, **settings):
    """Train with a strategy, from the newest checkpoint of a folder if one is given; return the trainer."""
    trainer = MAKERS[kind](draws, strategy=strategy, **settings)
    if folder is not None:
        trainer.save(folder)
        if [*folder.glob("*.pt")]:
            trainer.restore(folder)
    data = loader(kind, batch_size, strategy)
    trainer.run(data, loader(kind, 22, strategy, shuffle=False), max_epochs=max_epochs)
    return trainer


def results(trainer):
    """Return all weights, buffers, outputs and measurements of a training, as text and bytes."""
    states = {name: player.module.state_dict() for name, player in trainer.players.items()}
    weights = {f"{name}.{key}": value.tobytes() for name, state in states.items() for key, value in state.items()}
    return {**weights, "output": repr(trainer.engine.state.output), "validation": repr(trainer.validation)}
