"""Sample sets: exemplars by index, by criterion, or from the training, and their outputs in evaluation mode."""

import numpy as np
import pytest

import dark
from dark import losses, nn
from dark.engine import Events
from dark.errors import IndexingError, ShapeError, UsageError, ValueTypeError
from dark.monitor import Kind, Monitor
from tests.monitor.networks import KINDS

X, Y = np.random.default_rng(0).normal(size=(600, 2)), np.random.default_rng(1).normal(size=(600, 1))


def network():
    return nn.Sequential(nn.Linear(2, 3, seed=0), nn.Dropout(0.5, seed=1), nn.Tanh(), nn.Linear(3, 1, seed=2))


def samples(monitor):
    return {
        name.removeprefix("samples/"): array for name, array in monitor.tensors().items() if name.startswith("samples/")
    }


def test_three_exemplars_of_every_layer_that_is_kept_from_the_first_step():
    model, trainer, data, _ = KINDS["convolutional"]()
    monitor = Monitor(model, sample_num=3, monitor_activations=[("(root)", 0), ("*", Kind.TYPE_II)])
    monitor.attach(trainer, Events.ITERATION_COMPLETED(every=2))
    trainer.run(data, max_epochs=3)
    found = samples(monitor)
    assert set(found) == {f"training {k}/{path}" for k in range(3) for path in "01234567"[: len(list(model))]}
    model.eval()
    expected = model[0](dark.Constant(data[1][0][:3])).value
    for k in range(3):
        np.testing.assert_allclose(found[f"training {k}/0"], expected[k])


def test_exemplars_by_index_are_those_examples_in_evaluation_mode():
    model = network()
    monitor = Monitor(model, monitor_activations=[("*", 2)])
    monitor.register_samples("validation", X, indices=[5, -1])
    monitor.record()
    found, y = samples(monitor), model.eval()(X).value
    assert {name.split("/")[0] for name in found} == {"validation 0", "validation 1"}
    np.testing.assert_allclose([found[f"validation {k}/3"] for k in (0, 1)], y[[5, -1]])
    np.testing.assert_array_equal(found["validation 0/0"], found["validation 0/1"])


@pytest.mark.parametrize("criterion", [
    lambda output, targets: losses.mse(output, targets, reduction="none"),
    lambda output, targets: np.abs(output.value - targets)[:, 0],
])  # fmt: skip
def test_exemplars_by_criterion_are_the_worst_in_each_record(criterion):
    model = network()
    monitor = Monitor(model, monitor_activations=[("3", Kind.TYPE_II)])
    monitor.register_samples("worst", X, Y, criterion=criterion, num=10)
    for weight in (1.0, -2.0):
        model[3].weight.value = np.full((1, 3), weight)
        monitor.record()
        errors = np.abs(model.eval()(X).value - Y)[:, 0]
        worst = np.argsort(-errors)[:10]
        assert [monitor.scalars()[f"samples/worst {k}/index"] for k in range(10)] == worst.tolist()
        np.testing.assert_allclose(samples(monitor)["worst 0/3"], model(X[worst[:1]]).value[0])
        model.train()


def test_an_example_whose_criterion_is_nan_is_the_worst():
    monitor = Monitor(network(), monitor_activations=[("3", 2)])
    monitor.register_samples("worst", X[:4], criterion=lambda output, targets: np.array([1.0, 9, np.nan, 3]), num=2)
    monitor.record()
    assert [monitor.scalars()[f"samples/worst {k}/index"] for k in (0, 1)] == [2, 1]


def test_sequences_count_their_examples_along_their_second_axis():
    model, _, data, _ = KINDS["LSTM"]()
    monitor = Monitor(model, sample_axis=1, monitor_activations=[("*", 2)])
    monitor.register_samples("some", data[0][0], num=2)
    monitor.record()
    found = samples(monitor)
    assert found["some 1/recurrent[0]"].shape == (5, 4) and found["some 1/head"].shape == (3,)
    np.testing.assert_allclose(found["some 1/head"], model.eval()(data[0][0]).value[1])


def test_models_of_several_arguments_and_several_models_have_sample_sets():
    class Sum(nn.Module):
        def forward(self, x, y, scale):
            return (x + y) * scale

    monitor = Monitor({"a": Sum(), "b": nn.ReLU()}, monitor_activations=[("*", 2)])
    monitor.register_samples("pair", (X, dark.Constant(X), 3.0), num=2, model="a")
    monitor.register_samples("one", X, num=1, model="b")
    monitor.record()
    np.testing.assert_allclose(samples(monitor)["pair 1/a"], 6 * X[1])
    assert set(samples(monitor)) == {"pair 0/a", "pair 1/a", "one 0/b"}


def test_samples_are_copies():
    x = X[:3].copy()
    monitor = Monitor(nn.Sequential(nn.Identity()), monitor_activations=[("0", 2)])
    monitor.register_samples("some", x)
    x[:] = 0
    monitor.record()
    np.testing.assert_array_equal(samples(monitor)["some 2/0"], X[2])


def test_a_training_without_examples_in_its_inputs_is_reported():
    monitor = Monitor(nn.Sequential(nn.Tanh()), monitor_activations=[("0", 2)])
    monitor.begin()
    monitor.models[""](2.0)
    with pytest.warns(UserWarning, match="samples/training is not recorded"):
        monitor.record()
    assert list(monitor.dropped) == ["samples/training"] and samples(monitor) == {}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"inputs": 3}, ValueTypeError, r"inputs must be an array or a tuple of arguments, got 3 \(int\)"),
        ({"inputs": np.float64(3)}, ValueTypeError, r"inputs must be an array or a tuple of arguments, got .*3\.0"),
        ({"inputs": np.ones((0, 2))}, UsageError, "one example"), ({"indices": [600]}, IndexingError, "index 600"),
        ({"indices": [1.0]}, ValueTypeError, "index must be an integer, got 1.0"),
        ({"num": 0}, UsageError, "num must be 1 or more, got 0"),
        ({"indices": [1], "criterion": lambda a, b: a}, UsageError, "indices and a criterion"),
        ({"criterion": lambda a: a}, ValueTypeError, "criterion"), ({"targets": Y[:3]}, ShapeError, "of 600 examples"),
        ({"name": "a/b"}, UsageError, "must be new"), ({"name": "there"}, UsageError, "must be new"),
        ({"model": "b"}, UsageError, "the model must be one of the monitor's, got 'b'"),
    ],
)  # fmt: skip
def test_invalid_sample_sets_are_refused(arguments, error, message):
    monitor = Monitor(network())
    monitor.register_samples("there", X)
    with pytest.raises(error, match=f"register_samples: .*{message}"):
        monitor.register_samples(**{"name": "new", "inputs": X, **arguments})


def test_a_criterion_that_returns_no_number_for_each_example_is_refused():
    monitor = Monitor(network(), monitor_activations=[("3", 2)])
    monitor.register_samples("worst", X, Y, criterion=lambda output, targets: losses.mse(output, targets))
    with pytest.raises(
        ShapeError, match=r"the criterion must return one number for each of 256 examples, got shape \(\)"
    ):
        monitor.record()


def test_a_set_for_several_models_needs_the_name_of_one():
    with pytest.raises(UsageError, match="the model must be one of the monitor's, got None"):
        Monitor({"a": nn.ReLU(), "b": nn.ReLU()}).register_samples("x", X)
