"""A supervised evaluator: no graph, no training, metrics by name; what it refuses."""

import numpy as np
import pytest

import dark
from dark.errors import UsageError, ValueTypeError
from dark.metrics import MeanSquaredError
from dark.trainers import create_supervised_evaluator, supervised_evaluation_step
from tests.trainers.make import batches, network, weights


def test_an_evaluator_outputs_predictions_and_targets_and_changes_nothing():
    model, _ = network()
    before, seen = weights(model), []
    evaluator = create_supervised_evaluator(
        model, output_transform=lambda x, y, y_pred: seen.append(y_pred) or (y_pred, y)
    )
    x, y = batches(1)[0]
    y_pred, target = evaluator.run([(x, y)]).output
    assert type(y_pred) is np.ndarray and (y_pred == model(x).value).all() and (target == y).all()
    assert type(seen[0]) is dark.Constant  # no graph
    assert not model.training and weights(model) == before


def test_metrics_are_attached_by_name():
    model, _ = network()
    evaluator = create_supervised_evaluator(model, {"error": MeanSquaredError()})
    data = batches(3)
    expected = np.mean([((model(x).value - y) ** 2).sum(axis=1) for x, y in data])
    assert evaluator.run(data).metrics["error"] == pytest.approx(expected)


def test_model_fn_and_the_transforms_may_be_given():
    model, _ = network()
    evaluator = create_supervised_evaluator(
        model, prepare_batch=lambda batch, device, non_blocking: (batch, None),
        model_fn=lambda model, x: [model(x)], model_transform=lambda output: output[0],
        output_transform=lambda x, y, y_pred: (y_pred.shape, y),
    )  # fmt: skip
    assert evaluator.run([np.ones((2, 3))]).output == ((2, 2), None)


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ({"device": "cuda"}, UsageError, "create_supervised_evaluator: device must be the CPU, got 'cuda'"),
        ({"amp_mode": "apex"}, UsageError, "amp_mode must be None, got 'apex'"),
        ({"metrics": [MeanSquaredError()]}, ValueTypeError, "metrics must be a mapping, got a list"),
        ({"prepare_batch": lambda batch: batch}, UsageError, "as prepare_batch"),
        ({"output_transform": lambda x: x}, UsageError, "as output_transform"),
    ],
)
def test_what_an_evaluator_refuses(arguments, error, text):
    with pytest.raises(error, match=text):
        create_supervised_evaluator(network()[0], **arguments)


def test_the_step_alone_refuses_devices_too():
    with pytest.raises(UsageError, match="supervised_evaluation_step: device must be the CPU, got 'cuda'"):
        supervised_evaluation_step(network()[0], "cuda")
