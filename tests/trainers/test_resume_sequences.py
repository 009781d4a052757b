"""Trainers over a list, a tuple or an array of batches: resumed inside an epoch, they go on with the next batch."""

import numpy as np
import pytest

from dark import nn, optim
from dark.contexts import ClassifierContext, GANContext
from dark.engine import Events
from dark.executors import ClassifierLoss, DiscriminatorMinMax, GeneratorBCE
from dark.trainers import AdversarialTrainer, ClassifierTrainer, create_supervised_trainer

N = 5
RNG = np.random.default_rng(0)
PAIRS = [(RNG.normal(size=(4, 3)), RNG.integers(0, 2, size=4)) for _ in range(N)]
REAL = [((RNG.normal(size=(4, 3)), None), RNG.normal(size=(4, 2))) for _ in range(N)]


def classifier():
    net = nn.Linear(3, 2, seed=0)
    context = ClassifierContext(classifier_model=net, loss=ClassifierLoss(nn.CrossEntropyLoss()))
    return ClassifierTrainer(context, optim.Adam(net.parameters(), lr=0.05)), PAIRS


def adversarial():
    g, d = nn.Linear(2, 3, seed=0), nn.Linear(3, 1, seed=1)
    losses = {"generator_loss": GeneratorBCE(), "discriminator_loss": DiscriminatorMinMax()}
    context = GANContext(generator_model=g, discriminator_model=d, **losses)
    return AdversarialTrainer(context, optim.Adam(g.parameters()), optim.Adam(d.parameters())), REAL


def weights(trainer):
    models = [player.module for player in trainer.players.values()]
    return b"".join(p.value.tobytes() for model in models for p in model.parameters())


@pytest.mark.parametrize("make", [classifier, adversarial])
@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("limits", [{"max_epochs": 3}, {"max_epochs": 4, "epoch_length": 3}, {"max_iters": 12}])
def test_a_restored_trainer_goes_on_with_the_next_batch_of_a_sequence(make, kind, limits, tmp_path):
    whole, data = make()
    count = whole.run(kind(data), **limits).iteration
    for stop in range(1, count):
        folder = tmp_path / str(stop)
        trainer, data = make()
        trainer.save(folder, Events.ITERATION_COMPLETED(once=stop))
        trainer.engine.add_event_handler(Events.ITERATION_COMPLETED(once=stop), trainer.engine.terminate)
        trainer.run(kind(data), **limits)
        other, data = make()
        other.restore(folder)
        other.run(kind(data))
        assert weights(other) == weights(whole), stop


def test_an_engine_over_an_array_of_batches_goes_on_with_the_next():
    rows = np.random.default_rng(1).normal(size=(6, 2, 4, 3))  # (batches, inputs and targets, examples, features)

    def trained(state=None, stop=None):
        net = nn.Linear(3, 3, seed=0)
        trainer = create_supervised_trainer(
            net, optim.SGD(net.parameters(), lr=0.1), nn.MSELoss(), prepare_batch=lambda batch, *_, **__: tuple(batch)
        )
        if state is not None:
            net.load_state_dict(state[0])
            trainer.load_state_dict(state[1])
        if stop:
            trainer.add_event_handler(Events.ITERATION_COMPLETED(once=stop), trainer.terminate)
        trainer.run(rows, max_epochs=3)
        return net.state_dict(), trainer.state_dict()

    whole, _ = trained()
    for stop in range(1, 18):
        after, _ = trained(trained(stop=stop))
        assert all(np.array_equal(after[name], whole[name]) for name in whole)
