"""Outputs of a step, validation, and the selection of models by it."""

import random

import numpy as np
import pytest

import dark
from dark import nn, optim
from dark.contexts import ClassifierContext, GANContext, LogEvalMode
from dark.engine import Events
from dark.errors import UsageError
from dark.executors import ClassifierLoss, DiscriminatorMinMax, GeneratorBCE, GeneratorL1, linear
from dark.handlers import Checkpoint, EarlyStopping, TerminateOnNan
from dark.metrics import Accuracy, MeanSquaredError, RunningAverage
from dark.trainers import AdversarialTrainer, ClassifierTrainer, Event
from tests.trainers.adversaries import (
    TRAININGS,
    Counted,
    classifier,
    classifier_loss,
    encoding_gan,
    gan,
    labeled,
    perceptron,
    samples,
    state_of,
)  # fmt: skip


class Seen(nn.Module):
    """A network whose `forward` names its one input, as the losses of adversarial networks read it."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        return self.network(x)


class WithTerms:
    """A loss that reports its terms."""

    def __call__(self, context, **arguments):
        self.last = classifier_loss(context, **arguments)
        return 2 * self.last

    def values(self):
        return {"entropy": self.last.item(), "loss": 0.0}


def test_a_step_reports_its_loss_and_the_terms_by_name():
    trainer = classifier(loss=WithTerms())
    RunningAverage(output_transform=lambda output: output["entropy"]).attach(trainer.engine, "entropy")
    output = trainer.run(labeled(3)).output
    assert list(output) == ["loss", "entropy", "loss 2"] and output["loss"] == 2 * output["entropy"]
    assert all(type(value) is float for value in output.values())
    assert trainer.engine.state.metrics["entropy"] > 0


def test_a_loss_has_to_be_a_node():
    with pytest.raises(TypeError, match="loss_fn must return a node, but returned 1.0"):
        classifier(loss=lambda context, **arguments: 1.0).run(labeled())


@pytest.mark.parametrize("kind", TRAININGS)
def test_validation_gives_metrics_and_the_exact_mean_of_each_loss(kind):
    make, data = TRAININGS[kind]
    trainer, batches = make(), data(2, 3)
    short = data(1, 1, seed=9)
    trainer.run(batches, [*batches, *short], max_epochs=1)
    parts = [trainer.evaluate(each) for each in (batches, short)]
    for name, value in trainer.validation.items():
        assert value == pytest.approx((6 * parts[0][name] + parts[1][name]) / 7)
    assert list(trainer.validation) == [player.label for player in trainer.players.values()]


def test_the_metrics_of_the_context_are_measured_on_validation_data_only():
    trainer = classifier(metrics={"accuracy": Accuracy()})
    assert "accuracy" not in trainer.run(labeled(), labeled(3, seed=8), max_epochs=2).metrics
    scores = [trainer.context.classifier_model(x, training=False).value.argmax(1) == y for x, y in labeled(3, seed=8)]
    assert trainer.validation["accuracy"] == np.mean(scores)
    assert trainer.context.validation_set is trainer.validation_set and trainer.context.training_set is not None


def test_samples_and_examples_are_what_the_metrics_of_an_adversarial_training_get():
    trainer = gan(metrics={"error": MeanSquaredError()})
    trainer.run(samples(), samples(1, seed=8))
    ((x, _), noise), model = samples(1, seed=8)[0], trainer.context.generator_model
    expected = ((model(noise, training=True).value - x) ** 2).sum(axis=1).mean()
    assert trainer.validation["error"] == pytest.approx(expected)


@pytest.mark.parametrize("mode", LogEvalMode)
def test_measuring_changes_nothing_of_the_training(mode):
    class Normalized(nn.Module):
        def __init__(self, network):
            super().__init__()
            self.network = network
            self.norm, self.drop = nn.BatchNorm1d(network(*inputs_of(network)).shape[1]), nn.Dropout(0.5, seed=3)

        def forward(self, *x):
            return self.drop(self.norm(self.network(*x)))

    def inputs_of(network):
        size = next(network.parameters()).shape[1]
        return (np.ones((1, 3)), np.ones((1, 2))) if size == 5 else (np.ones((1, size)),)

    plain, measured = (encoding_gan(wrap=Normalized, log_eval_mode=mode) for _ in "ab")
    plain.run(samples(3), max_epochs=2)
    measured.run(samples(3), samples(2, seed=5), max_epochs=2)
    measured.evaluate(samples(2, seed=6))
    assert state_of(plain) == state_of(measured)


def test_there_must_be_data_to_measure():
    with pytest.raises(UsageError, match="ClassifierTrainer: the validation set is missing"):
        classifier().evaluate()


def scored(values, folder, **settings):
    """Select models by a metric whose values are given; return the steps at which one was saved."""
    left, saved = iter(values), []

    class Given(Accuracy):
        def compute(self):
            return next(left)

    trainer = classifier(metrics={"score": Given()})
    trainer.save_best(folder, "score", **settings)
    trainer.engine.add_event_handler(Checkpoint.SAVED_CHECKPOINT, lambda engine: saved.append(engine.state.epoch))
    trainer.run(labeled(1), labeled(1), max_epochs=len(values))
    return saved


def test_a_constant_metric_is_selected_once(tmp_path):
    assert scored([0.7] * 5, tmp_path / "max") == [1]
    assert scored([0.7] * 5, tmp_path / "min", mode="min") == [1]


def test_the_first_value_is_selected_and_small_improvements_are_with_tolerance_0(tmp_path):
    assert scored([1e-9, 5e-10], tmp_path / "a", mode="min") == [1, 2]
    assert scored([1e-9, 5e-10], tmp_path / "b", mode="min", tolerance=1e-8) == [1]
    assert scored([3.0, 4.0, 2.0], tmp_path / "c", mode="min") == [1, 3]


def test_the_best_models_can_be_loaded(tmp_path):
    trainer = gan()
    checkpoint = trainer.save_best(tmp_path, "generator_loss", mode="min")
    trainer.run(samples(), samples(1, seed=8), max_epochs=3)
    content = dark.load(checkpoint.last_checkpoint)
    assert {"generator", "discriminator"} <= content.keys() and checkpoint.last_checkpoint.name.startswith("best_")


def test_the_selection_needs_a_validation_set_and_a_metric_of_it(tmp_path):
    trainer = classifier()
    trainer.save_best(tmp_path, "acuracy")
    with pytest.raises(UsageError, match="'acuracy' was not measured on a validation set"):
        trainer.run(labeled())
    with pytest.raises(UsageError, match="Expected: one of loss"):
        trainer.run(labeled(), labeled())


def test_handlers_attach_to_the_engine_and_the_evaluator():
    trainer = classifier(metrics={"accuracy": Accuracy()})
    trainer.engine.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())
    stopping = EarlyStopping(2, lambda engine: 0.0, trainer.engine)
    trainer.evaluator.add_event_handler(Events.COMPLETED, stopping)
    seen = []
    trainer.engine.add_event_handler(Event.ON_EPOCH_END, lambda: seen.append(dict(trainer.validation)))
    assert trainer.run(labeled(), labeled(), max_epochs=9).epoch == 3
    assert len(seen) == 3 and "accuracy" in seen[0]


def test_each_term_of_an_executor_is_reported_by_name_and_weights_follow_the_step():
    model = nn.Linear(3, 2, seed=0)
    likelihood = ClassifierLoss(nn.NLLLoss()).named("nll")
    weighted = ClassifierLoss(nn.CrossEntropyLoss()) * 2.0 + linear(0.0, 1.0, 4) * likelihood
    context = ClassifierContext(classifier_model=model, loss=weighted)
    trainer, outputs = ClassifierTrainer(context, optim.SGD(model.parameters(), lr=0.0)), []
    trainer.engine.add_event_handler(Events.ITERATION_COMPLETED, lambda engine: outputs.append(engine.state.output))
    trainer.run(labeled(1) * 6)
    for step, output in enumerate(outputs):
        assert list(output) == ["loss", "ClassifierLoss", "nll"]
        factor = min(step / 4, 1.0)
        assert output["loss"] == pytest.approx(2 * output["ClassifierLoss"] + factor * output["nll"])


@pytest.mark.parametrize("update", ["alternating", "simultaneous"])
def test_the_losses_of_the_package_train_with_few_calls_of_the_models(update):
    models = [Counted(perceptron(2, 3, 0)), Counted(perceptron(3, 1, 10))]
    losses = {"generator_loss": GeneratorBCE() + 10 * GeneratorL1(), "discriminator_loss": DiscriminatorMinMax()}
    context = GANContext(generator_model=models[0], discriminator_model=Seen(models[1]), **losses)
    optimizers = [optim.Adam(model.parameters()) for model in models]
    trainer = AdversarialTrainer(context, *optimizers, update=update)
    output = trainer.run(samples(1)).output
    assert list(output) in (
        ["discriminator_loss", "DiscriminatorMinMax", "generator_loss", "GeneratorBCE", "GeneratorL1"],
        ["discriminator_loss", "generator_loss", "DiscriminatorMinMax", "GeneratorBCE", "GeneratorL1"],
    )
    assert [len(model.inputs) for model in models] == [1, 3 if update == "alternating" else 2]


def test_measuring_in_training_mode_restores_the_global_generators():
    trainer = gan()
    trainer.players["generator"].module.register_forward_hook(
        lambda module, inputs, output: output + np.random.normal() + random.gauss(0, 1)
    )
    np.random.seed(1)
    random.seed(1)
    expected = np.random.RandomState(1).normal(), random.Random(1).gauss(0, 1)
    trainer.evaluate(samples(2))
    assert (np.random.normal(), random.gauss(0, 1)) == expected
