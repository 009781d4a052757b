"""Tests of registering with a monitor: rules, tensors, statistics, weights, losses, researchers, metrics."""

import re

import numpy as np
import pytest

import dark
from dark import nn
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.monitor import Kind, Monitor, Statistic


class Encoder(nn.Module):
    """A network with two levels of names."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(2, 3, seed=0), nn.ReLU())
        self.head = nn.Linear(3, 1, seed=1)

    def forward(self, x):
        return self.head(self.encoder(x))


def observed(*rules, **settings):
    """Return a monitor with these rules after a record, and the names of what it kept."""
    monitor = Monitor(Encoder(), monitor_activations=list(rules), **settings)
    monitor.begin()
    monitor.models[""](np.ones((3, 2))).sum().backward()
    monitor.record()
    names = [name.split("/", 1) for name in monitor.tensors()]
    kept = {kind: sorted(name for k, name in names if k == kind) for kind in ("activations", "samples")}
    return kept["activations"], sorted({name.split("/")[1] for name in kept["samples"]})


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (["encoder.*"], (["encoder.0", "encoder.1"], [])),
        (["encoder"], (["encoder"], [])),
        ([("encoder.0", 0), ("encoder.*", 1), ("*", 2)], (["encoder.1"], ["(root)", "encoder", "head"])),
        ([(re.compile(r"\.\d$"), Kind.TYPE_II), ("head", True)], (["head"], ["encoder.0", "encoder.1"])),
        ([("*", False), ("*", 1)], ([], [])),
        ([("head", np.int64(1)), ("encoder.[0]", np.True_)], (["encoder.0", "head"], [])),
        ([lambda path, module, output: Kind.TYPE_I if isinstance(module, nn.ReLU) else 0], (["encoder.1"], [])),
        ([lambda path, module, output: 2 * (output.shape[-1] == 1)], ([], ["(root)", "head"])),
    ],
)
def test_the_first_rule_that_matches_decides(rules, expected):
    assert observed(*rules) == expected


def test_rules_are_given_to_the_constructor_or_added():
    monitor = Monitor(Encoder(), monitor_activations="head")
    monitor.register_activation_filter("encoder.1")
    monitor.begin()
    monitor.models[""](np.ones((3, 2)))
    monitor.record()
    assert [name for name in monitor.stats_dict if name.startswith("activations/")] == [
        "activations/encoder.1", "activations/head",
    ]  # fmt: skip


def test_a_function_is_asked_once_for_each_output():
    asked = []
    monitor = Monitor(Encoder(), monitor_activations=lambda path, module, output: asked.append((path, module)) or 2)
    for _ in range(3):
        monitor.begin()
        monitor.models[""](np.ones((3, 2)))
        monitor.record()
    paths = [path for path, _ in asked]
    assert sorted(paths) == ["(root)", "encoder", "encoder.0", "encoder.1", "head"]
    assert asked[paths.index("head")][1] is monitor.models[""].head


@pytest.mark.parametrize("answer", [None, 3, -1, "junk", "1", 1.0, [1]])
def test_what_is_not_a_kind_is_refused(answer):
    with pytest.raises(ValueTypeError, match="is not a kind of recording"):
        Monitor(Encoder()).register_activation_filter("*", answer)
    with pytest.raises(ValueTypeError, match="the activation filter, for encoder.0: .* is not a kind of recording"):
        observed(lambda path, module, output: answer)


@pytest.mark.parametrize("rule", [3, None, re.compile(b"x"), lambda path: 1])
def test_what_is_not_a_rule_is_refused(rule):
    with pytest.raises(ValueTypeError, match="register_activation_filter"):
        Monitor(Encoder()).register_activation_filter(rule)


def test_tensors_are_recorded_under_names_that_no_two_of_them_share():
    temperature, weight = [1.0], dark.Parameter(np.array([1.0, -1.0]))
    monitor = Monitor(Encoder())
    names = [
        monitor.register_tensor(lambda: temperature[0], "temperature"),
        monitor.register_tensor(weight, "weight"),
        monitor.register_tensor(np.ones((2, 2)), "weight", reduce_1st_dim=True),
    ]
    assert names == ["temperature", "weight", "weight#2"] and monitor.tensor_fetches[1] is weight
    monitor.record_tensors()
    temperature[0], weight.value = 3.0, np.array([3.0, -3.0])
    monitor.record_tensors()
    assert monitor.scalars()["tensors/temperature"] == 2.0
    assert monitor.tensors()["tensors/weight"].tolist() == [2, -2]
    assert monitor.tensors()["tensors_abs/weight"].tolist() == [2, 2]
    assert monitor.stats_dict["weight#2"].count == 4 and monitor.stats_dict["weight"].average.tolist() == [2, -2]
    monitor.record_tensors([5.0, np.zeros(2), np.zeros((1, 2))])
    assert monitor.stats_dict["temperature"].last_value == 5
    with pytest.raises(UsageError, match="expected a value for each of 3 registered tensors, got 1 values"):
        monitor.record_tensors([1.0])
    with pytest.raises(UsageError, match="each of 3 registered tensors, got 1.0 .float."):
        monitor.record_tensors(1.0)
    with pytest.raises(ValueTypeError, match="register_tensor: 'x' .str. is not a source"):
        monitor.register_tensor("x", "x")
    for name in ("", "a/b", 3):
        with pytest.raises(ValueTypeError, match="is not a name"):
            monitor.register_tensor(1.0, name)


def test_registered_statistics_are_recorded_and_exported():
    own = Statistic(max_length=2)
    monitor = Monitor(Encoder())
    assert monitor.register_stats("own", own) == "own" and monitor.register_stats("own", lambda: [1.0, 2.0]) == "own#2"
    assert "stats/own" not in monitor.scalars()
    own.record(4.0)
    monitor.record()
    assert monitor.scalars()["stats/own"] == 4 and monitor.tensors()["stats/own#2"].tolist() == [1, 2]
    assert monitor.stats_dict["stats/own"] is own


def test_the_gradients_of_a_registered_loss_are_recorded():
    model = Encoder()
    monitor, x = Monitor(model), dark.Constant(np.ones((3, 2)))
    monitor.register_loss(lambda: (model(x) ** 2).mean())
    monitor.record()
    (model(x) ** 2).mean().backward()
    for name, parameter in model.named_parameters():
        np.testing.assert_array_equal(monitor.grad_dict[f"gradients/{name}"], parameter.grad)
    assert monitor.scalars()["loss"] == (model(x) ** 2).mean().item()
    model.zero_grad()
    monitor.record_grads()
    assert all(p.grad is None for p in model.parameters())
    monitor.register_loss(3.5)
    monitor.record()
    assert monitor.scalars()["loss"] == 3.5


def test_researchers_derive_and_change_series():
    monitor = Monitor(Encoder())
    monitor.register_weights({"w": dark.Parameter(np.ones(2)), "b": dark.Parameter(1.0)})
    monitor.register_grad_researcher(lambda grads: {"gradients/ratio": grads["gradients/w"] / 2, "largest": 3})
    monitor.register_grad_researcher(lambda grads: grads.update(doubled=2 * grads.pop("gradients/w")))
    monitor.record_grads([np.array([2.0, 4.0]), 1.0])
    assert monitor.tensors()["gradients/ratio"].tolist() == [1, 2] and monitor.tensors()["doubled"].tolist() == [4, 8]
    assert monitor.scalars()["largest"] == 3 and "gradients/b" not in monitor.scalars()
    assert "gradients/w" not in monitor.grad_dict
    monitor.register_grad_researcher(lambda grads: {"text": "no"})
    with pytest.raises(ValueTypeError, match="the gradient researcher: .* got 'no' .str. for 'text'"):
        monitor.tensors()
    monitor._researchers[-1] = lambda grads: {"x": [1.0, 2.0], 3: 1.0}
    with pytest.raises(ValueTypeError, match="the gradient researcher: .* for 3 .int."):
        monitor.tensors()
    with pytest.raises(ValueTypeError, match="researcher"):
        monitor.register_grad_researcher(3)


@pytest.mark.parametrize(
    ("gradients", "error", "message"),
    [
        ([np.ones(2)], UsageError, "expected a gradient for each of 2 weights, got 1"),
        ({"ww": np.ones(2)}, UsageError, "unknown weight 'ww'.*\n.*\n.*Try: w"),
        ([np.ones(3), None], ShapeError, r"the gradient of w has the wrong shape \(3,\)"),
        (3.0, ValueTypeError, r"gradients must be a mapping or an iterable, got 3.0 \(float\)"),
    ],
)
def test_gradients_that_do_not_fit_are_refused(gradients, error, message):
    monitor = Monitor(Encoder())
    monitor.register_weights({"w": dark.Parameter(np.ones(2)), "b": dark.Parameter(1.0)})
    with pytest.raises(error, match=f"record_grads: {message}"):
        monitor.record_grads(gradients)
    assert monitor.grad_dict == {}


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (3, "parameters, got 3"), ([3], "parameters, got 3"), ({"w": np.ones(2)}, "register_weights: .* got .'w'"),
        ([("a", dark.Parameter(1.0)), ("a", dark.Parameter(1.0))], "the names of weights must differ, got 'a' twice"),
    ],
)  # fmt: skip
def test_weights_that_are_not_parameters_with_different_names_are_refused(weights, message):
    with pytest.raises((ValueTypeError, UsageError), match=message):
        Monitor(Encoder()).register_weights(weights)


def test_what_is_not_an_engine_has_no_metrics():
    with pytest.raises(ValueTypeError, match="register_metrics: expected an engine, got 3"):
        Monitor(Encoder()).register_metrics(3, "validation")
    with pytest.raises(ValueTypeError, match="is not a source of values"):
        Monitor(Encoder()).register_loss("loss")


@pytest.mark.parametrize("value", [np.ones(2), 1.0, dark.Constant(2.0), lambda: 1.0])
def test_a_name_and_a_source_in_each_others_places_are_told_apart(value):
    monitor = Monitor(nn.Linear(2, 1, seed=0))
    for function, who, order in (
        (lambda: monitor.register_tensor("mask", value), "register_tensor", r"tensor, name"),
        (lambda: monitor.register_stats(value, "mask"), "register_stats", r"name, source"),
    ):
        with pytest.raises(ValueTypeError, match=rf"{who}: 'mask' and .* must be exchanged") as caught:
            function()
        assert f"\n  Expected: {who}({order})." in str(caught.value)
    assert "Try: register_stats('mask', source)." in str(caught.value)
