"""Arguments of Ignite that have no meaning here: at their places or by name, checked, and not passed on."""

import inspect

import numpy as np
import pytest

from dark import nn, optim
from dark.errors import UsageError
from dark.trainers import create_supervised_evaluator, create_supervised_trainer, supervised_training_step

IGNITES = {"device", "non_blocking", "amp_mode", "scaler"}
BATCH = np.ones((2, 1)), np.zeros((2, 1))


def network():
    model = nn.Linear(1, 1, seed=0)
    return model, optim.SGD(model.parameters(), lr=0.1), nn.MSELoss()


def test_they_are_accepted_at_their_places_and_reach_prepare_batch():
    seen = []

    def prepare(batch, device, non_blocking):
        seen.append((device, non_blocking))
        return batch

    create_supervised_trainer(*network(), "cpu", True, prepare).run([BATCH])
    create_supervised_evaluator(network()[0], None, None, False, prepare).run([BATCH])
    create_supervised_trainer(*network(), prepare_batch=prepare).run([BATCH])
    assert seen == [("cpu", True), (None, False), (None, False)]


@pytest.mark.parametrize("function", [create_supervised_trainer, create_supervised_evaluator, supervised_training_step])
def test_a_reader_does_not_meet_them_in_a_signature(function):
    assert not IGNITES & inspect.signature(function).parameters.keys()


def test_what_would_change_the_numbers_is_refused_by_the_name_of_the_function():
    with pytest.raises(UsageError, match="create_supervised_trainer: device must be the CPU, got 'cuda'"):
        create_supervised_trainer(*network(), "cuda")
    with pytest.raises(UsageError, match="create_supervised_evaluator: amp_mode must be None, got 'amp'"):
        create_supervised_evaluator(network()[0], amp_mode="amp")


@pytest.mark.parametrize("settings", [{"devise": "cpu"}, {"model": None}])
def test_other_arguments_are_python_errors(settings):
    with pytest.raises(TypeError):
        create_supervised_trainer(*network(), **settings)
