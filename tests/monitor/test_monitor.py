"""Tests of the records of a monitor and their names, for every kind of training."""

import numpy as np
import pytest

import dark
from dark import nn, optim
from dark.engine import Engine, EventEnum, Events
from dark.errors import NotComputableError, UsageError, ValueTypeError
from dark.metrics import Accuracy
from dark.monitor import Kind, Monitor, WeightStats
from dark.trainers import create_supervised_evaluator, create_supervised_trainer
from tests.monitor.networks import KINDS, feed_forward, images

EVERY = Events.ITERATION_COMPLETED


def observed(kind, event=EVERY, epochs=1, **settings):
    """Return a monitor after a training."""
    np.random.seed(0)
    model, trainer, data, axis = KINDS[kind]()
    monitor = Monitor(model, **{"sample_axis": axis, **settings})
    monitor.attach(trainer, event)
    trainer.run(data, max_epochs=epochs)
    return monitor


def kept(monitor, kind):
    """Return the names of the series of a kind."""
    return [
        name.removeprefix(kind + "/")
        for name in {**monitor.tensors(), **monitor.scalars()}
        if name.startswith(kind + "/")
    ]


def test_the_names_are_the_dotted_paths_of_modules_and_parameters():
    monitor = observed("feed-forward")
    parameters = [name for name, _ in feed_forward()[0].named_parameters()]
    for kind in ("weights", "flips", "gradients", "gradients_abs", "weight_norm", "gradient_norm", "update_ratio"):
        assert set(kept(monitor, kind)) <= set(parameters) and "1.weight" in kept(monitor, kind)
    assert kept(monitor, "activations") == ["1", "2", "3", "5", "6"]
    assert kept(monitor, "dead") == ["3"] and set(kept(monitor, "gradient_noise")) <= {*parameters, "all"}
    assert monitor.tensors()["weights/1.weight"].shape == (8, 36) == monitor.tensors()["gradients/1.weight"].shape
    assert monitor.tensors()["activations/1"].shape == (8,)


def test_calls_of_one_module_and_its_several_outputs_are_numbered():
    names = kept(observed("attention"), "activations")
    assert {"encoder.linear1", "encoder.linear1#2", "encoder.self_attn.out_proj", "head"} <= {
        *names,
        "encoder.self_attn.out_proj",
    }
    assert "encoder.linear1#3" not in names
    names = kept(observed("LSTM"), "activations")
    assert {"recurrent[0]", "recurrent[1][0]", "recurrent[1][1]", "head"} <= set(names)
    names = kept(observed("adversarial"), "activations")
    assert {"generator.0", "discriminator.0", "discriminator.0#2", "discriminator.0#3"} <= set(names)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_training_has_weights_gradients_and_activations_without_validation_data(kind):
    monitor = observed(kind, export_weight_grads=True)
    for name in ("weights", "gradients", "gradients_abs", "flips", "activations", "activations_abs"):
        assert kept(monitor, name)
    assert all(np.isfinite(array).all() for array in monitor.tensors().values())
    assert all(np.isfinite(value) for value in monitor.scalars().values())
    assert "loss" in monitor.scalars() or kind in ("adversarial", "encoder")
    assert monitor.dropped == {}


def test_two_outputs_whose_scopes_are_equal_have_two_names():
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Linear(2, 2, seed=0)
            self.relu, self.sigmoid = nn.ReLU(), nn.Sigmoid()

        def forward(self, x):
            return self.relu(self.conv(x)) + self.sigmoid(self.conv(x))

    monitor = Monitor(nn.Sequential(Block(), Block()))
    monitor.begin()
    monitor.models[""](dark.Constant(np.ones((3, 2))))
    monitor.record()
    paths = [f"{k}.{name}" for k in (0, 1) for name in ("conv", "relu", "conv#2", "sigmoid")]
    assert sorted(kept(monitor, "activations")) == sorted(paths)


def test_a_model_that_is_one_layer_has_a_name_too():
    model = nn.Linear(2, 1, seed=0)
    monitor = Monitor(model)
    monitor.begin()
    model(dark.Constant(np.ones((3, 2)))).sum().backward()
    monitor.record()
    assert kept(monitor, "activations") == ["(root)"] and kept(monitor, "weights") == ["weight", "bias"]


def test_activations_are_averaged_over_examples_and_records():
    model = nn.Sequential(nn.Linear(2, 3, seed=0), nn.ReLU())
    monitor, batches = (
        Monitor(model, stats_max_length=2),
        [np.random.default_rng(k).normal(size=(5, 2)) for k in range(3)],
    )
    outputs = []
    for x in batches:
        monitor.begin()
        model(x)
        outputs.append(model[0](x).value)
        monitor.record()
    expected = np.concatenate(outputs[1:])
    np.testing.assert_allclose(monitor.tensors()["activations/0"], expected.mean(axis=0))
    np.testing.assert_allclose(monitor.tensors()["activations_abs/0"], np.abs(expected).mean(axis=0))
    np.testing.assert_allclose(monitor.tensors()["activations/1"], np.maximum(expected, 0).mean(axis=0))
    assert monitor.stats_dict["activations/0"].count == 3


def test_gradients_are_averaged_signed_and_absolute():
    monitor = Monitor(nn.Linear(2, 1, seed=0))
    monitor.register_weights({"w": dark.Parameter(np.ones(2)), "b": dark.Parameter(np.ones(1))})
    monitor.record_grads([np.array([1.0, -1.0]), np.array([2.0])])
    monitor.record_grads({"w": np.array([3.0, 1.0]), "b": np.array([-2.0])})
    found = {name: array.tolist() for name, array in monitor.grad_dict.items()}
    assert found == {"gradients/w": [2, 0], "gradients_abs/w": [2, 1], "gradients/b": [0], "gradients_abs/b": [2]}


def test_a_weight_without_gradient_in_some_records_is_averaged_over_the_others():
    w, b = dark.Parameter(np.ones(2)), dark.Parameter(3.0)
    monitor = Monitor(nn.Linear(2, 1, seed=0))
    monitor.register_weights([("w", w), ("b", b), ("never", dark.Parameter(np.ones(2)))])
    for gradient in ([4.0, 2.0], None):
        w.grad, b.grad = None if gradient is None else np.array(gradient), 1.0
        monitor.record_grads()
    assert monitor.grad_dict["gradients/w"].tolist() == [4, 2] and monitor.grad_dict["gradients/b"] == 1
    assert "gradients/never" not in monitor.grad_dict and "gradient_norm/w" not in monitor.scalars()


@pytest.mark.parametrize(
    ("signs", "expected"),
    [([1, -1, 1, 1], 1.98), ([1, 1, 1, -1], 0.99), ([-1, -1, 0, 1], 0.99), ([1, 0, 0, 1], 0), ([0, 0, 1, -1], 0.99)],
)
def test_flips_of_sign_are_counted_also_through_zero(signs, expected):
    weight = dark.Parameter(np.zeros(1))
    monitor = Monitor(nn.Linear(2, 1, seed=0))
    monitor.register_weights({"w": weight})
    for sign in signs:
        weight.value = np.array([0.5 * sign])
        monitor.record_weights()
    assert monitor.get_weight_flip_count("w").tolist() == pytest.approx([expected])
    assert monitor.get_weight_flip_count()["w"] == monitor.tensors()["flips/w"]


def test_earlier_flips_fade_with_a_smaller_beta():
    weight = dark.Parameter(np.ones(2))
    monitor = Monitor(nn.Linear(2, 1, seed=0), flip_alpha=1, flip_beta=0.5)
    monitor.register_weights({"w": weight})
    for sign in ([1, 1], [-1, 1], [1, 1], [1, -1]):
        weight.value = np.array(sign, float)
        monitor.record_weights()
    assert monitor.get_weight_flip_count("w").tolist() == [0.75, 1]


def test_the_update_ratio_is_that_of_one_step():
    model = nn.Linear(2, 1, bias=False, seed=0)
    trainer = create_supervised_trainer(model, optim.SGD(model.parameters(), lr=0.1), nn.MSELoss())
    weights, data = [model.weight.value.copy()], [(np.ones((3, 2)), np.ones((3, 1)))] * 6
    trainer.add_event_handler(EVERY, lambda: weights.append(model.weight.value.copy()))
    monitor = Monitor(model)
    monitor.attach(trainer, EVERY(every=3))
    trainer.run(data)
    expected = np.linalg.norm(weights[6] - weights[5]) / np.linalg.norm(weights[5])
    assert monitor.scalars()["update_ratio/weight"] == pytest.approx(expected)
    assert monitor.scalars()["weight_norm/weight"] == pytest.approx(np.linalg.norm(weights[6]))
    np.testing.assert_array_equal(monitor.tensors()["weights/weight"], weights[6])
    assert monitor.scalars()["gradient_norm/weight"] == pytest.approx(np.linalg.norm(model.weight.grad))


def test_a_weight_of_norm_zero_has_no_update_ratio():
    model = nn.Linear(2, 1, seed=0)
    model.bias.value = np.zeros(1)
    monitor = Monitor(model)
    monitor.begin()
    model.bias.value = np.ones(1)
    monitor.record_weights()
    assert list(monitor._weights.update_ratios()) == ["weight"]


def test_the_gradient_noise_is_that_of_known_gradients():
    rng, signal, spread, n = np.random.default_rng(0), np.full(400, 0.5), 2.0, 200
    monitor = Monitor(nn.Linear(2, 1, seed=0), stats_max_length=None)
    monitor.register_weights({"w": dark.Parameter(np.ones(400)), "v": dark.Parameter(np.ones(400))})
    for _ in range(n):
        monitor.record_grads([signal + spread * rng.normal(size=400), rng.normal(size=400)])
    found = monitor.scalars()
    assert found["gradient_noise/w"] == pytest.approx(spread**2 / 0.25, rel=0.1)
    assert found.get("gradient_noise/v", 1e9) > 50  # without a signal, an estimate is large, or left out
    assert found["gradient_noise/all"] == pytest.approx((spread**2 + 1) / 0.25, rel=0.1)


def test_dead_units_and_saturated_outputs_are_fractions():
    layers = [nn.Linear(2, 4, seed=0), nn.ReLU(), nn.Linear(4, 2, seed=1), nn.Tanh(), nn.Function(dark.sigmoid)]
    model = nn.Sequential(*layers)
    model[0].bias.value = np.array([-100.0, 100, -100, 100])
    model[2].weight.value, model[2].bias.value = np.zeros((2, 4)), np.array([9.0, 0.5])
    monitor = Monitor(model)
    monitor.begin()
    model(dark.Constant(np.ones((5, 2))))
    monitor.record()
    found = monitor.scalars()
    assert (found["dead/1"], found["saturated/3"], found["saturated/4"]) == (0.5, 0.5, 0.0)


def test_a_unit_is_dead_only_if_no_example_of_the_last_records_moved_it():
    model = nn.Sequential(nn.ReLU())
    monitor = Monitor(model, stats_max_length=2)
    fractions = []
    for row in ([1.0, -1], [-1, 1], [-1, -1], [-1, -1]):
        monitor.begin()
        model(dark.Parameter(np.array([row], float)))
        monitor.record()
        fractions.append(monitor.scalars()["dead/0"])
    assert fractions == [0.5, 0, 0.5, 1]


def test_a_dead_channel_of_images_is_one_unit():
    model = nn.Sequential(nn.ReLU())
    monitor, x = Monitor(model), np.ones((2, 4, 3, 3))
    x[:, 1], x[:, 0, 0] = -1, -1
    monitor.begin()
    model(dark.Parameter(x))
    monitor.record()
    assert monitor.scalars()["dead/0"] == 0.25


def test_numbers_of_the_output_and_metrics_are_exported():
    model, trainer, data, _ = feed_forward()
    evaluator = create_supervised_evaluator(model, metrics={"accuracy": Accuracy()})
    trainer.add_event_handler(EVERY(every=2), lambda: evaluator.run(data))
    monitor = Monitor(model)
    monitor.register_metrics(evaluator, "validation")
    monitor.attach(trainer, EVERY(every=2))
    trainer.run(data)
    assert monitor.scalars()["loss"] == trainer.state.output
    assert monitor.scalars()["accuracy/validation"] == evaluator.state.metrics["accuracy"]
    assert "activations/1#2" not in monitor.tensors()  # the calls of the evaluator do not count
    monitor.record(Engine(lambda engine, batch: {"loss": 1, "text": "a", 2: 3.0}))
    assert "text" not in monitor.scalars()


def test_results_of_validation_data_of_a_trainer_are_exported():
    models, trainer, data, _ = KINDS["classifier"]()
    monitor = Monitor(models)
    monitor.attach(trainer, Events.EPOCH_COMPLETED)
    trainer.run(data, validation_set=data, max_epochs=2)
    assert monitor.scalars()["loss/validation"] == trainer.validation["loss"]
    assert monitor.scalars()["loss"] == trainer.engine.state.output["loss"]


def test_events_inside_a_step_and_strings_are_possible():
    class Backward(EventEnum):
        BACKWARD_COMPLETED = "backward_completed"

    model, data = nn.Linear(36, 3, seed=0), images()
    optimizer, weights = optim.SGD(model.parameters(), 0.1), []

    def step(engine, batch):
        optimizer.zero_grad()
        loss = nn.CrossEntropyLoss()(model(dark.Constant(batch[0].reshape(-1, 36))), batch[1])
        loss.backward()
        weights.append(model.weight.value.copy())
        engine.fire_event(Backward.BACKWARD_COMPLETED)
        optimizer.step()
        return loss.item()

    trainer, monitors = Engine(step), [Monitor(model), Monitor(model)]
    trainer.register_events(*Backward)
    monitors[0].attach(trainer, Backward.BACKWARD_COMPLETED)
    monitors[1].attach(trainer, "ITERATION_COMPLETED")
    trainer.run(data)
    np.testing.assert_array_equal(monitors[0].tensors()["weights/weight"], weights[-1])
    np.testing.assert_array_equal(monitors[1].tensors()["weights/weight"], model.weight.value)
    assert [m.stats_dict["activations/(root)"].count for m in monitors] == [4, 4]
    monitors[0].attach(trainer, Events.STARTED | Events.COMPLETED)
    trainer.run(data, max_epochs=2)
    assert "activations/(root)#2" not in monitors[0].tensors()


def test_two_monitors_of_two_models_know_nothing_of_each_other():
    first, second = observed("feed-forward"), observed("convolutional")
    again = observed("feed-forward")
    np.testing.assert_equal(first.tensors(), again.tensors())
    assert second.tensors()["weights/0.weight"].shape == (3, 1, 3, 3)


def test_gradients_that_are_gone_at_the_event_are_reported():
    model, data = nn.Linear(36, 3, seed=0), images()
    trainer = Engine(lambda engine, batch: model(batch[0].reshape(-1, 36)).sum().backward() or model.zero_grad())
    monitor = Monitor(model)
    monitor.attach(trainer, EVERY)
    with pytest.warns(UserWarning, match="gradients is not recorded: no weight has a gradient"):
        trainer.run(data)
    assert list(monitor.dropped) == ["gradients"]
    quiet = Monitor(model, export_weight_grads=False, export_weights=False, monitor_activations=False)
    quiet.attach(trainer, EVERY)
    monitor.detach()
    trainer.run(data, max_epochs=2)
    assert quiet.tensors() == {} and quiet.scalars() == {} and quiet.dropped == {}


def test_a_shared_parameter_and_a_shared_module_have_one_name():
    layer = nn.Linear(2, 2, seed=0)
    monitor = Monitor({"a": nn.Sequential(layer), "b": nn.Sequential(layer, layer)})
    monitor.begin()
    for model in monitor.models.values():
        model(np.ones((1, 2)))
    monitor.record_weights()
    assert list(monitor.get_weight_stats()) == ["a.0.weight", "a.0.bias"]


def test_a_training_that_explodes_is_recorded_without_warnings():
    model = nn.Sequential(nn.Linear(36, 8, seed=0), nn.ReLU(), nn.Linear(8, 3, seed=1)).float()
    trainer = create_supervised_trainer(model, optim.SGD(model.parameters(), lr=1e12), nn.MSELoss())
    monitor, read = Monitor(model), []
    monitor.attach(trainer, EVERY)

    @trainer.on(EVERY)
    def take():
        with np.errstate(all="raise"):
            read.append((monitor.scalars(), monitor.tensors()))

    with np.errstate(all="ignore"):
        trainer.run([(x.reshape(-1, 36).astype("f"), np.ones((len(x), 3), "f")) for x, _ in images()], max_epochs=3)
    assert not np.isfinite(read[-1][0]["loss"]) and not np.isfinite(read[-1][1]["weights/0.weight"]).any()
    assert np.isfinite(read[0][0]["loss"]) and "gradient_noise/0.weight" not in read[-1][0]


@pytest.mark.parametrize("value", [1e30, 1e200, np.inf, np.nan])
def test_values_of_any_size_are_recorded_without_warnings(value):
    monitor, weight = Monitor(nn.Linear(2, 1, seed=0)), dark.Parameter(np.array([1.0, 2.0]))
    monitor.register_weights({"w": weight})
    with np.errstate(all="raise", under="ignore"):
        for k in range(3):
            monitor.begin()
            weight.value = np.array([value, -1.0 * k])
            monitor.record_weights()
            monitor.record_grads([np.array([value, 1.0 + k])])
        monitor.scalars(), monitor.tensors(), monitor.get_weight_stats()
    assert "gradients/w" in monitor.tensors() and monitor.get_weight_flip_count("w")[0] == 0


def test_weight_stats_describe_a_weight():
    monitor = Monitor(nn.Linear(2, 1, seed=0))
    monitor.register_weights([dark.Parameter(np.array([3.0, -4.0], "f"), name="w"), dark.Parameter(np.float32(2))])
    with pytest.raises(NotComputableError, match="no weights were recorded"):
        monitor.get_weight_stats()
    with pytest.raises(NotComputableError, match="no weights were recorded"):
        monitor.get_weight_flip_count()
    monitor.record_weights()
    assert monitor.get_weight_stats("w") == WeightStats(-0.5, 3.5, -4, 3, 5)
    assert list(monitor.get_weight_stats()) == ["w", "1"]
    with pytest.raises(UsageError, match="unknown weight 'ww'"):
        monitor.get_weight_stats("ww")
    with pytest.raises(UsageError, match="unknown weight 'ww'"):
        monitor.get_weight_flip_count("ww")


def test_what_is_exported_are_copies():
    monitor = observed("feed-forward", monitor_activations=["*", ("*", 2)])
    before = monitor.tensors()
    for array in monitor.tensors().values():
        array[...] = 7
    np.testing.assert_equal(monitor.tensors(), before)


def test_recording_does_not_mark_weights_as_taken():
    model = nn.Linear(2, 1, seed=0)
    y = model(np.ones((1, 2)))
    before = dark.nodes.version()
    Monitor(model).record_weights()
    assert dark.nodes.version() == before
    y.sum().backward()


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (None, ValueTypeError, "got None"), (nn.ReLU, ValueTypeError, "must be a module, got <class"),
        ({}, UsageError, "dictionary of models must not be empty"), ({"": nn.ReLU()}, ValueTypeError, "is not a name"),
        ({"a/b": nn.ReLU()}, ValueTypeError, "is not a name"), ({"a": 1}, ValueTypeError, "module, got 1"),
    ],
)  # fmt: skip
def test_what_is_not_a_model_is_refused(model, error, message):
    with pytest.raises(error, match=f"Monitor: .*{message}|{message}"):
        Monitor(model)


def test_what_is_not_a_trainer_or_an_event_is_refused():
    monitor = Monitor(nn.ReLU())
    with pytest.raises(ValueTypeError, match="Monitor.attach: 3 .int. is not a trainer"):
        monitor.attach(3)
    with pytest.raises(UsageError, match="not a valid event"):
        monitor.attach(Engine(lambda engine, batch: None), "NEVER")
    assert "Linear" in repr(Monitor(nn.Linear(1, 1)))


def test_kinds_are_numbers():
    assert [Kind.IGNORE, Kind.TYPE_I, Kind.TYPE_II] == [0, 1, 2]


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_final_states_count_examples_along_their_second_axis(kind):
    layer = kind(2, 3, num_layers=2, batch_first=True, seed=0)
    monitor = Monitor(layer)
    for batch in (5, 4):
        monitor.begin()
        layer(np.ones((batch, 7, 2)))
        monitor.record()
    shapes = {name: array.shape for name, array in monitor.tensors().items() if name.startswith("activations/")}
    assert set(shapes.values()) == {(7, 3), (2, 3)} and monitor.dropped == {}


def test_the_cell_state_of_an_lstm_has_no_bounds_and_is_not_saturated():
    for layer, x in ((nn.LSTM(2, 3, seed=0), np.ones((4, 5, 2))), (nn.LSTMCell(2, 3, seed=0), np.ones((5, 2)))):
        monitor = Monitor(layer, sample_axis=x.ndim - 2)
        monitor.begin()
        layer(x)
        monitor.record()
        saturated = [name for name in monitor.scalars() if name.startswith("saturated/")]
        states = [name for name in monitor.tensors() if name.startswith("activations/")]
        assert len(states) == len(saturated) + 1
        assert not any(name.endswith("[1]" if layer.__class__ is nn.LSTMCell else "[1][1]") for name in saturated)
