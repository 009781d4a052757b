"""Trainings that look sick and are healthy, or look healthy and are sick: each a case of a review."""

import numpy as np
import pytest

import dark
from dark import losses, nn, optim
from dark.engine import Engine, Events
from dark.monitor import Monitor, Note, diagnose
from dark.monitor.doctor.doctor import findings
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.remarks import information, missing_evidence
from tests.monitor.doctor.in_memory import Series, note

N = 40
RNG = np.random.default_rng(0)
FALLING = 2.3 * np.exp(-np.arange(N) / 8) + 0.2


def found(scalars=(), tensors=(), first=1):
    """The findings by kind, of series whose steps begin with a number."""
    made = note(scalars, tensors)
    for table in (made.scalar_dict, made.tensor_dict):
        for name, series in table.items():
            table[name] = Series(series.values, first + np.arange(len(series)))
    run = NotedRun(made)
    return {finding.kind: finding for finding in findings(run)}, run


def entropy(p):
    """The loss of the best constant answer."""
    return -(p * np.log(p) + (1 - p) * np.log(1 - p))


@pytest.mark.parametrize("p", [0.6, 0.9, 0.97, 0.98, 0.99, 0.998])
def test_who_always_answers_the_majority_has_collapsed_at_any_share(p):
    loss = np.where(RNG.random(N) < 0.5, 0.4, 1.6) * entropy(p)  # batches with and without the rare class
    accuracies = {f"accuracy/{part}": np.append(0.3, np.full(N, p)) for part in ("train", "validation")}
    scalars = {"loss": np.append([0.9, 0.7], loss), "loss/validation": np.full(N, entropy(p)), **accuracies}
    kinds, _ = found(scalars)
    assert f"stays at exactly {p:.1%}" in kinds["collapse"].summary and kinds["collapse"].confidence == "medium"
    known = {**scalars, "loss/validation": np.full(N, 0.5 * entropy(p))}
    assert "collapse" not in found(known)[0]


def test_a_linear_model_of_noisy_labels_that_has_converged_favors_no_class():
    p, weights = 0.8, {"weights/fc.weight": [RNG.normal(size=(2, 5))] * N}
    scalars = {"loss": np.append([0.9], np.full(N - 1, entropy(p))), "loss/validation": np.full(N, entropy(p)),
               "accuracy/train": np.full(N, p), "accuracy/validation": np.full(N, p)}  # fmt: skip
    for scores, expected in (([0.05, -0.02], False), ([1.4, 0.0], True)):
        kinds, _ = found(scalars, {**weights, "activations/fc": [np.array(scores)] * N})
        assert ("collapse" in kinds) is expected


def test_a_loss_that_ends_above_its_beginning_is_said():
    kinds, _ = found({"loss": np.linspace(1, 2, N) + 0.02 * RNG.normal(size=N)})
    assert kinds.keys() == {"rising loss"} and kinds["rising loss"].steps
    assert not found({"loss": 1 + 0.2 * RNG.normal(size=N)})[0].keys() & {"rising loss"}
    better = {"loss": np.linspace(1, 2, N), "loss/validation": FALLING}  # a term that grows, perhaps
    assert "rising loss" not in found(better)[0]


@pytest.mark.parametrize("pace", [0.7, 1.0, 2.0, np.pi])
def test_a_loss_that_swings_for_ever_is_said(pace):
    kinds, _ = found({"loss": 2.3 + 2 * np.cos(pace * np.arange(60))})
    assert kinds.keys() == {"oscillating loss"} and "rhythm" in kinds["oscillating loss"].summary


def test_noise_is_no_rhythm():
    kinds = [found({"loss": 1 + 0.4 * np.random.default_rng(seed).normal(size=60)})[0] for seed in range(60)]
    assert not [k for k in kinds if "oscillating loss" in k]


def test_validation_far_above_training_is_said_and_a_little_above_is_dropout():
    low = {"loss": FALLING, "accuracy/train": np.full(N, 0.6), "accuracy/validation": np.full(N, 0.95)}
    assert found(low)[0].keys() == {"validation above training"}
    assert not found({**low, "accuracy/train": np.full(N, 0.8)})[0]


def test_a_posterior_that_is_the_prior_has_collapsed():
    kl = {"loss_total": FALLING, "loss_recon": FALLING, "loss_kl": 0.5 * np.exp(-np.arange(N))}
    assert "posterior collapse" in found(kl)[0]["collapse"].summary
    assert not found({**kl, "loss_kl": 4 - FALLING})[0]
    assert not found({"loss": FALLING, "kl": kl["loss_kl"]})[0]  # a student that has learned all of a teacher


@pytest.mark.parametrize(("size", "expected"), [(0.01, True), (0.9, False)])
def test_a_code_is_known_by_two_layers_of_one_shape_before_a_decoder(size, expected):
    shapes = {"encode": (8, 12), "fc21": (2, 8), "fc22": (2, 8), "decode": (8, 2), "out": (12, 8)}
    tensors = {f"weights/{name}.weight": [RNG.normal(size=shape) for _ in range(N)] for name, shape in shapes.items()}
    tensors |= {f"activations_abs/{name}": [np.full(2, size)] * N for name in ("fc21", "fc22")}
    kinds, _ = found({"loss": FALLING}, tensors)
    assert (kinds.get("collapse") is not None) is expected


def silent(share):
    """Gradients and a loss of which a share of the batches has none."""
    none = np.arange(N) % 10 < 10 * share
    norms = {f"gradient_norm/0.{kind}": np.where(none, 0.0, 1 + 0.1 * RNG.random(N)) for kind in ("weight", "bias")}
    return {"loss": 1.4 + 0.1 * RNG.random(N) - 0.01 * np.arange(N), **norms}


def test_dropout_that_leaves_nothing_in_some_batches_is_said():
    kinds, _ = found(silent(0.5))
    assert "no gradient reaches 0.weight" in kinds["gradient noise"].summary
    assert kinds["gradient noise"].advice[0].startswith("a smaller rate of dropout")
    assert "gradient noise" not in found(silent(0))[0]
    done = {**silent(0.5), "loss": np.where(np.arange(N) % 10 < 5, 0.0, 0.3)}  # a margin that is kept needs no gradient
    assert "gradient noise" not in found(done)[0]


def test_what_is_worse_in_training_mode_than_without_knowledge_has_too_much_noise():
    scalars = {"loss": 2.0 + 0.3 * RNG.random(N), "loss/validation": 1.39 - 0.01 * np.arange(N)}
    assert "in training mode the loss stays" in found(scalars)[0]["gradient noise"].summary


def tokens(factor):
    """A table of 12 tokens of which 3 move farther, each for a class, and a head."""
    first, change = 0.1 * RNG.normal(size=(12, 6)), 0.3 * RNG.normal(size=(12, 6))
    change[[2, 5, 7]] = factor * np.eye(3, 6)
    table = [first + change * k / (N - 1) for k in range(N)]
    tensors = {"weights/embedding.weight": table, "weights/out.weight": [np.eye(3, 6)] * N,
               "weights/out.bias": [np.zeros(3)] * N}  # fmt: skip
    return {"loss": FALLING - 0.2, "loss/validation": FALLING - 0.2, "accuracy/validation": np.ones(N)}, tensors


def test_a_label_among_the_tokens_makes_as_many_tokens_stand_out_as_there_are_classes():
    finding = found(*tokens(5.0))[0]["leak"]
    assert "of the tokens of embedding.weight, 2, 5, 7 stand out" in finding.summary and finding.where
    assert "leak" not in found(*tokens(0.3))[0]


def test_a_run_that_goes_on_is_not_stuck():
    flat = 1.2 + 0.002 * RNG.normal(size=N)
    assert "no learning" in found({"loss": flat})[0]
    kinds, run = found({"loss": flat}, first=500)
    assert not kinds and "the network was trained before: the first note is of step 500." in information(run)[0]
    tensors = {"weights/embedding.weight": [RNG.normal(size=(8, 4)) for _ in range(N)],
               "weights/head.weight": [RNG.normal(size=(8, 4)) for _ in range(N)],
               "weights/head.bias": [np.full(8, 0.01 * k) for k in range(N)]}  # fmt: skip
    for level, expected in ((1.2, False), (np.log(8), True)):  # a network that begins answers at random
        assert ("no learning" in found({"loss": level + 0.002 * RNG.normal(size=N)}, tensors)[0]) is expected


def test_large_steps_of_a_loss_that_falls_undisturbed_are_no_fault():
    ratios = {f"update_ratio/{k}.weight": np.full(N, 0.6) for k in range(2)}
    fast = {"loss": 2.3 * 0.7 ** np.arange(N), **ratios}  # as by LBFGS
    assert not found(fast)[0]
    assert not found({**fast, "loss": 1 + 0.5 * 0.7 ** np.arange(N)})[0]  # the rest is noise of the data
    assert "learning rate too large" in found({**fast, "loss": np.where(np.arange(N) == 3, 9.0, fast["loss"])})[0]


def test_gradients_that_nobody_clears_do_not_explode():
    norms = {f"gradient_norm/{k}.weight": np.ones(N) for k in range(2)}
    forgotten = {"loss": FALLING, **norms, "gradient_norm/2.weight": 10.0 ** np.linspace(0, 4, N)}
    updates = {f"update_ratio/{k}.weight": np.full(N, 1e-3 * (k < 2)) for k in range(3)}
    assert found(forgotten)[0].keys() == {"exploding gradients"}
    assert "exploding gradients" not in found({**forgotten, **updates})[0]


class Functional(nn.Module):
    """A network whose activation functions are no modules, of which the second is dead."""

    def __init__(self, bias):
        super().__init__()
        self.a, self.b, self.o = nn.Linear(6, 8, seed=0), nn.Linear(8, 8, seed=1), nn.Linear(8, 3, seed=2)
        self.b.bias.value = np.full(8, bias)

    def forward(self, x):
        return self.o(dark.relu(self.b(dark.relu(self.a(x)))))


def train(network, folder, every=1, steps=30, broken=None, **settings):
    """Train on three clusters; return the diagnosis."""
    y = RNG.integers(0, 3, 64)
    x = (RNG.normal(size=(3, 6))[y] + 0.3 * RNG.normal(size=(64, 6))).astype(np.float32)
    optimizer = optim.SGD([p for p in network.parameters() if p.requires_grad], lr=0.1)

    def step(engine, batch):
        network.zero_grad()
        inputs = x * np.float32(np.nan) if engine.state.iteration == broken else x
        loss = losses.cross_entropy(network(inputs), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    engine, event = Engine(step), Events.ITERATION_COMPLETED(every=every)
    monitor = Monitor(network)
    monitor.attach(engine, event)
    with Note(folder) as taken:
        taken.attach(engine, event, monitor, **settings)
        engine.run(range(steps))
    return diagnose(folder)


@pytest.mark.parametrize(("bias", "expected"), [(-50.0, True), (0.0, False)])
def test_dead_units_of_functions_are_found_by_gradients_of_zero(tmp_path, bias, expected):
    diagnosis = train(Functional(bias), tmp_path / "run")
    assert ("dead units" in diagnosis.kinds) is expected
    if expected:
        (finding,) = diagnosis.findings
        assert finding.where == ("a.weight", "b.weight") and finding.confidence == "high"
        assert "100% of the units of b get gradients of exactly 0" in finding.summary
    assert any(text.startswith("no activation function was seen as a module") for text in diagnosis.missing)


def test_parameters_that_are_not_trained_on_purpose_are_information(tmp_path):
    network = nn.Sequential(nn.Linear(6, 8, seed=0), nn.ReLU(), nn.Linear(8, 3, seed=1))
    for p in network[0].parameters():
        p.requires_grad = False
    diagnosis = train(network, tmp_path / "run")
    assert diagnosis.is_healthy and diagnosis.information == (
        "0.bias, 0.weight require no gradient, and so do not change: on purpose, as in fine-tuning.",
    )


def test_a_nan_between_two_notes_is_not_blamed_on_a_layer_unless_its_step_was_taken(tmp_path):
    make = lambda: nn.Sequential(nn.Linear(6, 8, seed=0), nn.ReLU(), nn.Linear(8, 3, seed=1))
    with np.errstate(all="ignore"):
        coarse = train(make(), tmp_path / "coarse", every=10, broken=17).findings[0]
        exact = train(make(), tmp_path / "exact", every=10, broken=17, when_nan=True).findings[0]
    assert coarse.summary.startswith("NaN or infinity arose between step 10 and step 20; which series was the first is")
    assert coarse.where == () and "when_nan=True" in coarse.advice[0] and coarse.confidence == "high"
    assert exact.summary.startswith("activations/0 is not finite from step 17 on")


def test_missing_activation_modules_are_not_missed_in_linear_models():
    _, run = found({"loss": FALLING}, {"weights/fc.weight": [np.ones((2, 2))] * N, "activations/fc": [np.ones(2)] * N})
    assert not [text for text in missing_evidence(run) if text.startswith("no activation function")]
