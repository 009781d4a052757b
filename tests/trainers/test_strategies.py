"""Trainers with a strategy: the same bits for any number of replicas, and equal to one process up to rounding."""

import numpy as np
import pytest

import dark
from dark import nn, optim
from dark.contexts import ClassifierContext, LogEvalMode
from dark.distributed import OneProcess, Replicas
from dark.errors import UsageError, ValueTypeError
from dark.executors import ClassifierLoss, Executor, GeneratorBCE, GeneratorL1
from dark.trainers import ClassifierTrainer, Event, SaveCallback
from tests.trainers.adversaries import classifier_loss
from tests.trainers.shared import MAKERS, Items, loader, network, results, run

KINDS = pytest.mark.parametrize("kind", MAKERS)


@KINDS
def test_a_training_has_the_same_bits_for_any_number_of_replicas(kind):
    one, *others = (results(run(kind, Replicas(k))) for k in (1, 2, 4))
    assert others == [one, one]


@KINDS
@pytest.mark.parametrize("rows", [28, 3])  # with fewer rows than shards, some shards are empty
def test_without_layers_that_look_at_several_rows_it_is_the_training_of_one_process(kind, rows):
    plain, shared = (run(kind, strategy, draws=False, batch_size=rows) for strategy in (None, Replicas(2)))
    for name, player in plain.players.items():
        for p, q in zip(player.module.parameters(), shared.players[name].module.parameters()):
            np.testing.assert_allclose(p.value, q.value, rtol=0, atol=1e-12)
            np.testing.assert_allclose(p.grad, q.grad, rtol=0, atol=1e-12)
    for found, expected in (
        (shared.engine.state.output, plain.engine.state.output),
        (shared.validation, plain.validation),
    ):
        assert found == pytest.approx(expected, abs=1e-12) and list(found) == list(expected)


@KINDS
def test_one_process_is_the_default(kind):
    assert results(run(kind, OneProcess())) == results(run(kind, None))


@KINDS
def test_a_training_is_resumed_with_another_number_of_replicas(kind, tmp_path):
    run(kind, Replicas(4), max_epochs=1, folder=tmp_path)
    assert results(run(kind, Replicas(2), folder=tmp_path)) == results(run(kind, Replicas(1)))


@pytest.mark.parametrize("settings", [{"update": "simultaneous"}, {"discriminator_steps": 2}])
@pytest.mark.parametrize("kind", ["adversarial", "encoder"])
def test_any_update_has_the_same_bits(kind, settings):
    one, two = (results(run(kind, Replicas(k), **settings)) for k in (1, 3))
    assert one == two


@KINDS
def test_a_measurement_changes_nothing_also_in_training_mode(kind):
    strategy = Replicas(2)
    trainer = MAKERS[kind](True, strategy=strategy)
    vars(trainer.context)["log_eval_mode"] = LogEvalMode.TRAIN
    before = results(trainer), [nn.random_state(player.module) for player in trainer.players.values()]
    first, second = (trainer.evaluate(loader(kind, 22, strategy)) for _ in range(2))
    assert first == second
    assert (results(trainer), [nn.random_state(player.module) for player in trainer.players.values()]) == before


def test_the_context_shows_the_samples_of_all_replicas():
    context = run("encoder", Replicas(4), draws=False, max_epochs=1).context
    assert context.fake_samples.shape == (16, 3) and not context.fake_samples.requires_grad
    assert context.generator_inputs.shape == (16, 2) and context.encoder_inputs.shape == (16, 3)
    assert context.global_batch_size is None and context.global_step == 2


@KINDS
def test_the_context_keeps_the_samples_of_the_step_during_a_measurement(kind):
    trainer = run(kind, None)
    names = [name for name in ("fake_samples", "generator_inputs", "encoder_inputs") if hasattr(trainer.context, name)]
    before = [getattr(trainer.context, name) for name in names]
    trainer.evaluate()
    assert all(getattr(trainer.context, name) is value for name, value in zip(names, before))


def with_loss(loss, **settings):
    model = network(3, 2, 0, draws=False)
    context = ClassifierContext(classifier_model=model, loss=loss)
    return ClassifierTrainer(context, optim.SGD(model.parameters(), lr=0.1), **settings)


class Mean(Executor):
    """The mean over the rows, whatever their number."""

    def call(self, context, *, features, labels, training):
        """Return one number."""
        return classifier_loss(context, features=features, labels=labels, training=training)


@pytest.mark.parametrize("loss", [Mean(), 2 * Mean() + ClassifierLoss(nn.CrossEntropyLoss()), classifier_loss])
def test_a_loss_that_cannot_be_added_over_shards_is_refused(loss):
    message = (
        r"ClassifierTrainer: loss is not divided by the size of the global batch(.|\n)*"
        r"Expected: with Replicas\(2, shards=8\), an executor whose call is decorated with @Executor.reduce_loss"
    )
    with pytest.raises(UsageError, match=message):
        with_loss(loss, strategy=Replicas(2))
    with_loss(loss)


def test_a_sum_is_reduced_if_all_terms_are():
    class Own(Mean):
        is_reduced = True

    assert (2 * GeneratorBCE() - GeneratorL1() / 3).is_reduced and Own().is_reduced
    assert not (GeneratorBCE() + Mean()).is_reduced and not Mean().is_reduced


def test_what_is_not_a_strategy_is_refused():
    text = r"Trainer: strategy must be a strategy of dark.distributed, got 4 \(int\)\.\n  Expected: a strategy of"
    with pytest.raises(ValueTypeError, match=text):
        with_loss(Mean(), strategy=4)


def test_rows_may_be_lists_and_their_measurement_is_that_of_the_whole_batch():
    items = Items(is_labeled=True)
    batch = items.x, items.labels.tolist()
    shared, plain = (with_loss(ClassifierLoss(nn.CrossEntropyLoss()), strategy=s) for s in (Replicas(2), None))
    assert shared.evaluate([batch]) == pytest.approx(plain.evaluate([batch]))
    shared.run([batch])
    assert shared.context.current_batch is batch


def test_a_parameter_that_no_shard_reaches_keeps_its_value():
    class Half(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.unused = nn.Linear(3, 2, seed=0), nn.Linear(3, 2, seed=1)

        def forward(self, x):
            return self.used(x)

    model = Half()
    context = ClassifierContext(classifier_model=model, loss=ClassifierLoss(nn.CrossEntropyLoss()))
    optimizer = optim.AdamW(model.parameters(), weight_decay=0.1)
    before = model.unused.weight.value.copy()
    ClassifierTrainer(context, optimizer, strategy=Replicas(2)).run(loader("classifier"))
    assert model.unused.weight.grad is None and (model.unused.weight.value == before).all()
    assert not (model.used.weight.value == nn.Linear(3, 2, seed=0).weight.value).all()


@pytest.mark.parametrize("rank", [0, 1])
def test_process_0_saves_the_models(rank, tmp_path):
    model = nn.Linear(3, 2, seed=0)
    callback = SaveCallback(tmp_path, model, Event.ON_BATCH_END, rank=rank)
    for step in (1, 2):
        callback.on_batch_end(dark.contexts.Context(global_step=step))
    assert [path.name for path in tmp_path.iterdir()] == (["model-0-step-2.pt"] if rank == 0 else [])
