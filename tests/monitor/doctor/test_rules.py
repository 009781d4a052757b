"""Each rule of the doctor finds what it should in made-up series, says where, and leaves healthy ones alone."""

import numpy as np
import pytest

from dark.monitor.doctor.doctor import CAUSES, missing_evidence
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.rules import RULES
from dark.monitor.doctor.thresholds import THRESHOLDS
from tests.monitor.doctor.in_memory import note

N = 20
FALLING = 2.3 * 0.8 ** np.arange(N)
FLAT = np.full(N, 2.3)
RNG = np.random.default_rng(0)
FIRST, LAST = RNG.normal(size=(2, 8, 16))
OTHER = RNG.normal(size=(2, 4, 8))


def weights(first, last, name="weights/fc1.weight"):
    """A tensor series from a first array to a last."""
    return {name: [first + (last - first) * k / (N - 1) for k in range(N)]}


def healthy(scalars=(), tensors=()):
    """The series of a healthy training, some of them replaced."""
    made = {"loss": FALLING, "loss/validation": FALLING + 0.05, "accuracy/train": 0.98 - 0.5 * 0.7 ** np.arange(N),
            "accuracy/validation": 0.95 - 0.5 * 0.7 ** np.arange(N)}  # fmt: skip
    for name, size in (("fc1.weight", 1.0), ("fc2.weight", 0.6)):
        made[f"gradient_norm/{name}"] = size * 0.95 ** np.arange(N)
        made[f"update_ratio/{name}"] = np.full(N, 2e-3)
    made |= {"dead/relu1": np.full(N, 0.1), "saturated/tanh1": np.full(N, 0.2)}
    arrays = {**weights(FIRST, LAST), **weights(*OTHER, "weights/fc2.weight"), "weights/fc1.bias": [np.zeros(8)] * N}
    arrays["weights/fc1.bias"] = [np.full(8, 0.01 * k) for k in range(N)]
    found = {"scalars": {**made, **dict(scalars)}, "tensors": {**arrays, **dict(tensors)}}
    return NotedRun(note(*({k: v for k, v in part.items() if v is not None} for part in found.values())))


def kinds(run):
    """The kinds that any rule finds."""
    return [kind for kind, rule in RULES.items() if rule(run) is not None]


def after(k, value, before=2.3):
    """Values that jump at an index."""
    return np.where(np.arange(N) < k, before, value)


SICK = {
    "not finite": healthy({"loss": after(12, np.nan)}),
    "learning rate too large": healthy(
        {
            "loss": np.where(np.arange(N) == 3, 5.0, FALLING),
            **{f"update_ratio/fc{k}.weight": np.full(N, 0.6) for k in (1, 2)},
        }
    ),
    "exploding gradients": healthy({"gradient_norm/fc1.weight": 10.0 ** np.arange(0, N)}),
    "dead units": healthy({"dead/relu1": after(5, 0.9, 0.0)}),
    "saturation": healthy({"saturated/tanh1": np.full(N, 0.95)}),
    "symmetry": healthy(tensors=weights(np.ones((8, 16)), np.tile(LAST[0], (8, 1)))),
    "frozen parameters": healthy({"update_ratio/fc1.weight": np.zeros(N)}, weights(FIRST, FIRST)),
    "vanishing gradients": healthy({"gradient_norm/fc1.weight": np.full(N, 1e-6)}),
    "shrinking weights": healthy(
        tensors={**weights(FIRST, 0.01 * FIRST), **weights(OTHER[0], 0.01 * OTHER[1], "weights/fc2.weight")}
    ),
    "rising loss": healthy({"loss": np.linspace(1.0, 2.0, N), "loss/validation": None, "accuracy/validation": None}),
    "oscillating loss": healthy({"loss": 2.3 + 2 * np.sin(np.arange(2 * N)), "loss/validation": None}),
    "gradient noise": healthy({"loss": np.where(np.random.default_rng(2).random(N) < 0.5, 0.1, 4.0)}),
    "learning rate too small": healthy(
        {"loss": FLAT, "loss/validation": FLAT, **{f"update_ratio/fc{k}.weight": np.full(N, 1e-6) for k in (1, 2)}}
    ),
    "leak": healthy(
        {"accuracy/validation": np.ones(N)}, weights(0.2 * FIRST, 0.2 * FIRST + np.where(np.arange(16) == 3, 5.0, 1.0))
    ),
    "collapse": healthy(
        {"accuracy/train": np.full(N, 0.95), "accuracy/validation": np.full(N, 0.94), "loss": after(4, 0.2),
         "loss/validation": after(4, 0.23)}
    ),
    "no learning": healthy(
        {"loss": FLAT + 0.001 * np.sin(np.arange(N)), "loss/validation": FLAT, "accuracy/train": np.full(N, 0.1),
         "accuracy/validation": 0.1 + 0.01 * np.sin(np.arange(N))}
    ),
    "adversarial imbalance": NotedRun(
        note({"generator_loss": 0.7 + 0.3 * np.arange(N), "discriminator_loss": 1.4 * 0.7 ** np.arange(N)})
    ),
    "validation above training": healthy({"accuracy/train": np.full(N, 0.6) + 0.01 * np.arange(N) / N}),
    "overfitting": healthy({"loss/validation": np.concatenate([FALLING[:8], np.linspace(0.5, 2.5, N - 8)])}),
}  # fmt: skip


def test_a_healthy_run_has_no_finding():
    assert kinds(healthy()) == []


def test_each_rule_has_its_sick_run():
    assert SICK.keys() == RULES.keys() and CAUSES.keys() <= RULES.keys()
    assert set().union(*CAUSES.values()) <= RULES.keys()


@pytest.mark.parametrize("kind", SICK)
def test_a_rule_finds_its_fault_with_evidence_from_the_note(kind):
    run = SICK[kind]
    finding = RULES[kind](run)
    assert finding.kind == kind and finding.summary.endswith(".") and finding.advice
    names = {*run.scalars, *run.tensors, "gradient_norm"}
    for evidence in finding.evidence:
        assert evidence.series in names, evidence
        if evidence.step is not None and evidence.series in run.scalars and evidence.value is not None:
            curve = run.scalars[evidence.series]
            (noted,) = curve.values[curve.steps == evidence.step]
            np.testing.assert_equal(noted, evidence.value)


def test_the_first_series_that_is_not_finite_is_named_and_why():
    sudden = RULES["not finite"](SICK["not finite"])
    assert "loss is not finite from step 13 on, at once" in sudden.summary
    grown = RULES["not finite"](healthy({"loss": np.append(10.0 ** np.arange(N - 1), np.inf)}))
    assert "after loss had grown" in grown.summary and "learning rate" in grown.advice[0]
    broken = weights(FIRST, LAST)["weights/fc1.weight"]
    broken[7:] = [np.full_like(FIRST, np.nan)] * (N - 7)
    inside = RULES["not finite"](healthy(tensors={"weights/fc1.weight": broken}))
    assert inside.summary.startswith("weights/fc1.weight is not finite from step 8 on")
    assert inside.evidence[0].text == "128 of 128 elements"


def test_of_series_that_break_at_once_the_first_of_a_step_is_named():
    broken = [np.where(k < 7, 1.0, np.nan) * FIRST for k in range(N)]
    run = NotedRun(note(tensors={"samples/first 0/0": broken, "weights/0.weight": broken}))
    assert RULES["not finite"](run).where == ("weights/0.weight",)
    run = NotedRun(note({"loss": after(7, np.nan)}, {"weights/0.weight": broken, "activations/0": broken}))
    assert RULES["not finite"](run).where == ("activations/0",)


def test_rules_look_at_what_was_before_the_first_nan():
    loss = np.where(np.arange(N) < 12, FALLING, np.nan)
    run = healthy({"loss": loss, "dead/relu1": after(12, 1.0, 0.0)})
    assert kinds(run) == ["not finite"]


def test_dead_units_say_since_when():
    finding = RULES["dead units"](SICK["dead units"])
    assert finding.summary == "90% of the units of relu1 are never active, since step 6."
    assert finding.where == ("relu1",) and "learning rate" in finding.advice[0]


def test_the_output_of_a_network_may_be_saturated():
    arrays = {"weights/0.weight": [FIRST, LAST], "weights/2.weight": list(OTHER)}
    for path, expected in (("1", ["saturation"]), ("3", [])):
        run = NotedRun(note({f"saturated/{path}": np.ones(N)}, arrays))
        assert [kind for kind in kinds(run) if kind == "saturation"] == expected
    order = {f"activations/{path}": [FIRST, LAST] for path in ("fc1", "tanh1", "fc2", "end")}
    named = {"weights/fc1.weight": [FIRST, LAST], "weights/fc2.weight": list(OTHER), **order}
    for path, expected in (("tanh1", ["saturation"]), ("end", [])):
        run = NotedRun(note({f"saturated/{path}": np.ones(N)}, named))
        assert [kind for kind in kinds(run) if kind == "saturation"] == expected


def test_the_output_of_a_generator_may_be_saturated_though_a_discriminator_follows():
    losses = {"generator_loss": np.ones(N), "discriminator_loss": np.ones(N)}
    arrays = {"weights/generator.0.weight": [FIRST, LAST], "weights/discriminator.0.weight": list(OTHER)}
    assert kinds(NotedRun(note({**losses, "saturated/generator.1": np.ones(N)}, arrays))) == []


@pytest.mark.parametrize(
    ("norms", "reason"), [({}, "no gradients are noted at all"), ({"fc2.weight": np.ones(N)}, "no gradient is noted"),
                          ({"fc1.weight": np.ones(N)}, "the gradient norm is up to 1")],
)  # fmt: skip
def test_a_frozen_parameter_says_whether_it_had_gradients(norms, reason):
    scalars = {f"gradient_norm/{path}": values for path, values in norms.items()}
    run = NotedRun(note(scalars, {**weights(FIRST, FIRST), **weights(*OTHER, "weights/fc2.weight")}))
    (evidence,) = RULES["frozen parameters"](run).evidence
    assert reason in evidence.text


def test_weights_with_gradients_of_zero_are_not_frozen():
    assert kinds(NotedRun(note({"gradient_norm/fc1.weight": np.zeros(N)}, weights(FIRST, FIRST)))) == []


def test_gradients_may_explode_on_their_way_back():
    scalars = {f"gradient_norm/{k}.weight": np.full(N, 10.0 ** (6 - k)) for k in range(5)}
    assert kinds(NotedRun(note(scalars))) == ["exploding gradients"]


def test_equal_outputs_for_all_samples_are_a_collapse():
    samples = {f"samples/noise {k}/generator.3": [FIRST, LAST] for k in range(4)}
    finding = RULES["collapse"](NotedRun(note(tensors=samples)))
    assert "the output of generator.3 is the same for all 4 samples of noise" in finding.summary
    samples["samples/noise 2/generator.3"] = [FIRST, LAST + 1]
    assert RULES["collapse"](NotedRun(note(tensors=samples))) is None


def test_a_constant_accuracy_of_a_network_that_has_learned_is_no_collapse():
    scalars = {
        "train_loss": 2.3 * 0.8 ** np.arange(N),
        "val_loss": 0.5 + 0.1 * np.arange(N),
        "val_acc": np.full(N, 0.8),
    }
    assert kinds(NotedRun(note(scalars))) == ["overfitting"]


def test_each_threshold_has_a_reason_and_is_used():
    from pathlib import Path

    import dark.monitor.doctor as package

    source = "".join(path.read_text(encoding="utf-8") for path in Path(package.__file__).parent.rglob("*.py"))
    for name, threshold in THRESHOLDS.items():
        assert len(threshold.reason) > 20 and source.count(f'"{name}"') > 1, name


def test_a_note_without_anything_is_not_diagnosed_but_reported():
    assert kinds(NotedRun(note())) == []


@pytest.mark.parametrize(
    ("lowest", "end", "training", "expected"),
    [
        (1.0, 1.4, 0.5, "rises to 1.4"),
        (1.0, 1.2, 0.5, None),
        (1.0, 1.0, 0.001, "falls to 0.001"),
        (0.2, 0.3, 0.001, None),
    ],
)
def test_overfitting_is_a_rise_by_a_factor_or_a_training_set_known_by_heart(lowest, end, training, expected):
    validation = np.concatenate([np.linspace(2.3, lowest, 5), np.full(N - 5, end)])
    loss = np.concatenate([np.linspace(2.3, training, 5), np.full(N - 5, training)])
    accuracies = {"accuracy/train": None, "accuracy/validation": None}
    finding = RULES["overfitting"](healthy({"loss": loss, "loss/validation": validation, **accuracies}))
    assert finding is None if expected is None else expected in finding.summary


def test_a_leak_into_a_small_table_needs_both_signs_and_a_tiny_loss():
    size = np.where(np.arange(16) == 3, 1.9, 1.0)  # both of them too small alone
    series = weights(np.zeros((8, 16)), np.ones((8, 1)) * size)
    gradients = {"gradients_abs/fc1.weight": [np.ones((8, 1)) * size] * N}
    perfect = {"accuracy/validation": np.ones(N), "loss": 2.3 * 0.6 ** np.arange(N)}
    for loss, expected in ((2.3 * 0.6 ** np.arange(N), True), (FALLING + 0.2, False)):
        run = healthy({**perfect, "loss/validation": loss}, {**series, **gradients})
        assert (RULES["leak"](run) is not None) is expected


def noted_regression(effects):
    """A linear regression almost without noise, with these coefficients: both signs of a leak are proportional."""
    loss = {"loss": 2.3 * 0.5 ** np.arange(N), "accuracy/train": None, "accuracy/validation": None}
    series = {**weights(np.zeros((1, len(effects))), effects[None]), "weights/fc1.bias": [np.zeros(1)] * N}
    gradients = {"gradients_abs/fc1.weight": [np.abs(effects[None])] * N}
    return healthy({**loss, "loss/validation": loss["loss"]}, {**series, **gradients, "weights/fc2.weight": None})


@pytest.mark.parametrize("largest", [(2.5, 1.1), (3.0, 2.9), (2.0, 0.8)])
def test_coefficients_that_differ_are_no_leak(largest):
    assert RULES["leak"](noted_regression(np.array([0.2, 0.3, -0.4, 0.5, 0.1, 0.25, *largest]))) is None


def test_a_target_among_the_inputs_leaves_the_others_without_effect():
    finding = RULES["leak"](noted_regression(np.array([0.02, 0.03, -0.04, 1.0, 0.01, 0.025])))
    assert "input 3 stands out in the first layer, fc1.weight: it looks as if the label were" in finding.summary


@pytest.mark.parametrize(("columns", "expected"), [((5, 6, 7, 8), True), ((5, 6, 7, 12), False)])
def test_labels_that_are_written_one_hot_are_neighbors_with_a_class_each(columns, expected):
    first, change = 0.2 * FIRST, np.full((8, 16), 0.2)
    units = np.eye(4, 8)  # the output k sums the units k and k + 4
    units[:, 4:] = np.eye(4)
    change[:, columns] = 3 * units.T
    perfect = {"accuracy/validation": np.ones(N), "loss/validation": 2.3 * 0.6 ** np.arange(N)}
    run = healthy(perfect, {**weights(first, first + change), "weights/fc2.weight": [units] * N})
    assert (RULES["leak"](run) is not None) is expected


def test_one_class_of_several_informative_neighbors_is_no_code():
    first, change = 0.2 * FIRST, np.full((8, 16), 0.2)
    change[:4, [5, 6, 7]] = 3.0  # all of them speak for the first output
    units = np.kron(np.eye(4, 2), np.ones((1, 4)))
    perfect = {"accuracy/validation": np.ones(N), "loss/validation": 2.3 * 0.6 ** np.arange(N)}
    run = healthy(perfect, {**weights(first, first + change), "weights/fc2.weight": [units] * N})
    assert RULES["leak"](run) is None


def test_tiny_steps_are_seen_though_the_loss_of_batches_varies():
    noisy = 5 + np.random.default_rng(1).normal(size=N)
    ratios = {f"update_ratio/fc{k}.weight": np.full(N, 1e-6) for k in (1, 2)}
    run = healthy({"loss": np.sort(noisy)[::-1], "loss/validation": np.full(N, 5.0), **ratios})
    assert RULES["learning rate too small"](run).summary.endswith("and the loss gains 0.0%.")


def test_a_large_gradient_that_passes_is_not_an_explosion():
    spike = {"gradient_norm/fc1.weight": np.where(np.arange(N) == 10, 500.0, 1.0)}
    assert RULES["exploding gradients"](healthy(spike)) is None
    assert RULES["exploding gradients"](healthy({**spike, "loss": FLAT})) is not None


@pytest.mark.parametrize(("others", "expected"), [(0.2, True), (2.9, False)])
def test_two_neighbors_are_a_code_only_if_they_are_far_above_the_next(others, expected):
    first, units = 0.1 * FIRST, np.array([[1.0] * 4 + [0.0] * 4, [0.0] * 4 + [1.0] * 4])
    change = np.full((8, 16), 0.2)
    change[:4, 5] = change[4:, 6] = 3.0  # one class each
    change[:, 12] = np.repeat([others, 0.0], 4)
    perfect = {"accuracy/validation": np.ones(N), "loss/validation": 2.3 * 0.6 ** np.arange(N)}
    run = healthy(perfect, {**weights(first, first + change), "weights/fc2.weight": [units] * N})
    assert (RULES["leak"](run) is not None) is expected


MISSING = {  # the series without which a sentence is said
    "the training loss was not noted": {"scalars": ["loss"]},
    "no validation was noted": {"scalars": ["loss/validation", "accuracy/validation"]},
    "weights were not noted": {"tensors": ["weights/fc1.weight", "weights/fc2.weight", "weights/fc1.bias"]},
    "gradients were not noted": {"scalars": ["gradient_norm/fc1.weight", "gradient_norm/fc2.weight"]},
    "update ratios were not noted": {"scalars": ["update_ratio/fc1.weight", "update_ratio/fc2.weight"]},
    "activations were not noted": {"scalars": ["dead/relu1", "saturated/tanh1"]},
}


@pytest.mark.parametrize("sentence", MISSING)
def test_what_a_note_lacks_is_said_and_nothing_else(sentence):
    assert missing_evidence(healthy()) == []
    (said,) = missing_evidence(healthy(**{kind: dict.fromkeys(names) for kind, names in MISSING[sentence].items()}))
    assert said.startswith(sentence)
