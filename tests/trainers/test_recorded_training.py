"""A supervised training whose graph is recorded: the same bits, with accumulation, too."""

import numpy as np
import pytest

from dark import nn, optim
from dark.contexts import ClassifierContext, GANContext
from dark.data import DataLoader, TensorDataset
from dark.distributed import Replicas
from dark.engine import Events
from dark.errors import UsageError
from dark.executors import ClassifierLoss, DiscriminatorMinMax, Executor, GeneratorBCE
from dark.losses import cross_entropy
from dark.trainers import AdversarialTrainer, ClassifierTrainer, create_supervised_trainer

X, Y = np.random.default_rng(0).normal(size=(40, 5)), np.arange(40) % 3


def trained(group, **settings):
    model = nn.Sequential(nn.Linear(5, 8, seed=1), nn.Dropout(0.3, seed=2), nn.ReLU(), nn.Linear(8, 3, seed=3))
    trainer = create_supervised_trainer(
        model,
        optim.Adam(model.parameters(), lr=0.01),
        nn.CrossEntropyLoss(),
        gradient_accumulation_steps=group,
        **settings,
    )
    outputs = []
    trainer.on(Events.ITERATION_COMPLETED)(lambda engine: outputs.append(engine.state.output))
    trainer.run(DataLoader(TensorDataset(X, Y), batch_size=8, shuffle=True, seed=0), max_epochs=4)
    return outputs, {name: value.tobytes() for name, value in model.state_dict().items()}


@pytest.mark.parametrize("group", [1, 2])
def test_a_recorded_training_has_the_same_bits(group):
    assert trained(group, recorded=True) == trained(group)


def test_another_output_is_refused():
    with pytest.raises(
        UsageError, match=r"(?s)recorded=True cannot be combined with output_transform.*Expected: .*Try: "
    ):
        trained(1, recorded=True, output_transform=lambda x, y, y_pred, loss: y_pred)


def classifier(recorded, loss, strategy=None):
    """Train a classifier; return the outputs of all steps, its state, and the trainer."""
    model = nn.Sequential(nn.Linear(5, 8, seed=1), nn.BatchNorm1d(8), nn.Dropout(0.3, seed=2), nn.Linear(8, 3, seed=3))
    context = ClassifierContext(classifier_model=model, loss=loss())
    trainer = ClassifierTrainer(context, optim.Adam(model.parameters(), lr=0.01), recorded=recorded, strategy=strategy)
    outputs = []
    trainer.engine.on(Events.ITERATION_COMPLETED)(lambda engine: outputs.append(dict(engine.state.output)))
    loader = DataLoader(TensorDataset(X, Y), batch_size=8, shuffle=True, seed=0)
    trainer.run(loader, [(X[:8], Y[:8])], max_epochs=4)
    return outputs, {name: np.asarray(v).tobytes() for name, v in model.state_dict().items()}, trainer


def function():
    def loss(context, *, features, labels, training):
        return cross_entropy(context.classifier_model(features, training=training), labels)

    return loss


class Both(Executor):
    """Two terms of the same call of the model, which is computed once."""

    def call(self, context, *, features, labels, training):
        scores = context.classifier_model(features, training=training)
        again = context.classifier_model(features, training=training)
        return cross_entropy(scores, labels) + 0.1 * (again**2).mean()


CLASSIFIER_LOSSES = {
    "executor": lambda: ClassifierLoss(nn.CrossEntropyLoss()),
    "one network for two terms of an executor": lambda: Both(),
    "weighted": lambda: 0.5 * ClassifierLoss(nn.CrossEntropyLoss()),
    "function": function,
}


@pytest.mark.parametrize("name", CLASSIFIER_LOSSES)
def test_a_recorded_classifier_has_the_same_bits(name):
    expected, found = (classifier(is_recorded, CLASSIFIER_LOSSES[name]) for is_recorded in (False, True))
    assert found[:2] == expected[:2]
    assert expected[2].context.recordings is None
    recordings = [*found[2].context.recordings.values()] or [found[2].players["classifier"].loss]
    assert [(bool(f.source), f.refused) for f in recordings] == [(True, [])]


@pytest.mark.parametrize("update", ["alternating", "simultaneous"])
def test_a_recorded_adversarial_training_has_the_same_bits(update):
    seen = []
    for is_recorded in (False, True):
        generator = nn.Sequential(nn.Linear(3, 8, seed=0), nn.Tanh(), nn.Linear(8, 5, seed=1))
        layers = nn.Linear(5, 8, seed=2), nn.LeakyReLU(0.2), nn.Dropout(0.2, seed=3), nn.Linear(8, 1, seed=4)
        discriminator = nn.Sequential(*layers)
        context = GANContext(
            generator_model=generator, discriminator_model=discriminator,
            generator_loss=GeneratorBCE(), discriminator_loss=DiscriminatorMinMax(),
        )  # fmt: skip
        optimizers = [optim.Adam(m.parameters(), lr=0.01) for m in (generator, discriminator)]
        trainer = AdversarialTrainer(context, *optimizers, update=update, recorded=is_recorded)
        rng, outputs = np.random.default_rng(0), []
        trainer.engine.on(Events.ITERATION_COMPLETED)(
            lambda engine, outputs=outputs: outputs.append(dict(engine.state.output))
        )
        batches = [((rng.normal(size=(8, 5)), None), rng.normal(size=(8, 3))) for _ in range(6)]
        trainer.run(batches, max_epochs=3)
        states = [{k: v.tobytes() for k, v in m.state_dict().items()} for m in (generator, discriminator)]
        seen.append((outputs, states))
        sources = [bool(f.source) for f in (context.recordings or {}).values()]
        assert any(sources) == (is_recorded and update == "alternating")
    assert seen[0] == seen[1]


def test_a_recorded_training_of_shards_is_refused():
    with pytest.raises(
        UsageError, match=r"(?s)recorded=True needs a single process, got .*Expected: a single process.*Try: "
    ):
        classifier(True, function, Replicas(2))
