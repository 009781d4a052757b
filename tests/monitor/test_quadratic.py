"""The quadratic under a trainer, a loss executor, a monitor and a note: all agree at each step."""

import numpy as np
import pytest

import dark
from dark import nn, optim
from dark.contexts import ClassifierContext
from dark.engine import Events
from dark.executors import Executor
from dark.monitor import Monitor, Note, diagnose
from dark.monitor.viewer.answers import Answers
from dark.trainers import ClassifierTrainer

STEPS = 15
X = 10 * 0.6 ** np.arange(STEPS + 1)


class Point(nn.Module):
    """A number that is learned."""

    def __init__(self):
        super().__init__()
        self.x = dark.Parameter(10.0)

    def forward(self, features):
        """Return the number, whatever the features are."""
        return self.x


class Parabola(Executor):
    """The loss 2x² + 5."""

    def call(self, context, *, features, labels, training):
        """Compute the loss of the model's number."""
        x = context.classifier_model(features, training=training)
        return 2 * x**2 + 5


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Train by gradient descent with the learning rate 0.1; read the note."""
    folder = tmp_path_factory.mktemp("runs") / "quadratic"
    point, loss, nothing = Point(), Parabola(), np.zeros((1, 1))
    context = ClassifierContext(classifier_model=point, loss=loss)
    trainer = ClassifierTrainer(context, optim.SGD(point.parameters(), lr=0.1))
    monitor = Monitor(point, stats_max_length=1)
    monitor.register_loss(lambda: loss(context, features=nothing, labels=nothing, training=True))
    event = Events.STARTED | Events.ITERATION_COMPLETED
    monitor.attach(trainer, event)
    with Note(folder) as note:
        note.attach(trainer, event, monitor)
        trainer.run([(nothing, nothing)] * STEPS)
    return Note.load(folder)


def test_x_shrinks_by_a_factor_and_loss_and_gradient_belong_to_it(run):
    x, loss, gradient = run.tensor_dict["weights/x"], run.scalar_dict["loss"], run.tensor_dict["gradients/x"]
    for series in (x, loss, gradient):
        np.testing.assert_array_equal(series.steps, np.arange(STEPS + 1))
    np.testing.assert_allclose(list(x), X, rtol=1e-12)
    np.testing.assert_allclose(loss.values, 2 * X**2 + 5, rtol=1e-12)
    np.testing.assert_allclose(list(gradient), 4 * X, rtol=1e-12)


def test_at_step_1_stand_6_and_77_and_24(run):
    found = run.tensor_dict["weights/x"].at(1), run.scalar_dict["loss"].at(1), run.tensor_dict["gradients/x"].at(1)
    assert found == (6.0, 77.0, 24.0)


def test_the_viewer_shows_the_same_at_step_1(run):
    answers = Answers({"quadratic": lambda: run}, ["quadratic"])
    for name, expected in (("weights/x", 6.0), ("gradients/x", 24.0)):
        header, (array,) = answers.answer({"ask": "tensor", "run": "quadratic", "name": name, "index": 1})
        assert header["step"] == 1 and array.item() == expected
    _, (steps, values) = answers.answer({"ask": "scalar", "run": "quadratic", "name": "loss"})
    assert values[list(steps).index(1)] == 77.0


def test_the_doctor_leaves_it_alone(run):
    assert diagnose(run).is_healthy
