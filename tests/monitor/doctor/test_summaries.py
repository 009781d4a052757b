"""Tests of the doctor on notes with histograms instead of arrays, and on its words for PyTorch."""

import inspect
import re

import numpy as np
import pytest

from dark import nn, optim, relu
from dark.engine import Events
from dark.monitor import Monitor, Note, diagnose
from dark.monitor.doctor import rules, wording
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.rules import RULES
from dark.monitor.summary import histogram
from dark.trainers import create_supervised_trainer
from tests.monitor.doctor.in_memory import note


class Network(nn.Module):
    """Three layers, with functions between them."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(6, 8, seed=0), nn.Linear(8, 8, seed=1), nn.Linear(8, 2, seed=2)

    def forward(self, x):
        """Return the scores."""
        return self.c(relu(self.b(relu(self.a(x)))))


def trained(folder, change=lambda net: None, weight_decay=0.0, bad_step=None, detail="summary"):
    """Train a network of three layers on two classes with a monitor in summary mode; return the diagnosis."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 6))
    y = (x[:, 0] > 0).astype(int)
    net = Network()
    change(net)
    optimizer = optim.SGD(net.parameters(), lr=0.1, weight_decay=weight_decay)
    trainer = create_supervised_trainer(net, optimizer, nn.CrossEntropyLoss())
    if bad_step is not None:
        broken = np.where(x == x.max(), np.nan, x)
        batches = [(broken if k == bad_step else x, y) for k in range(40)]
    else:
        batches = [(x, y)] * 40
    with Note(folder) as run:
        Monitor(net, detail=detail).attach(trainer, Events.ITERATION_COMPLETED(every=1), note=run)
        trainer.run(batches)
    return diagnose(folder)


def test_a_healthy_run_in_summary_mode_has_no_finding_and_is_not_told_to_attach_a_monitor(tmp_path):
    found = trained(tmp_path / "run")
    assert found.is_healthy
    assert any("histograms only" in text for text in found.missing)
    assert not any("weights were not noted" in text or "activations were not" in text for text in found.missing)


def test_a_layer_without_gradients_is_found_by_norms(tmp_path):
    def kill(net):
        net.b.bias.value[...] = -50

    (finding,) = trained(tmp_path / "run", kill).findings
    assert finding.kind == "dead units" and "gradient_norm/b.weight" in finding.series


def test_weights_that_decay_are_found_by_norms(tmp_path):
    found = trained(tmp_path / "run", weight_decay=3.0)
    assert "shrinking weights" in found.kinds
    assert "weight_norm/a.weight" in next(f for f in found.findings if f.kind == "shrinking weights").series


def test_the_first_layer_that_is_not_finite_is_found_in_histograms(tmp_path):
    (finding,) = trained(tmp_path / "run", bad_step=20).findings
    assert finding.kind == "not finite" and finding.steps[-1] == 21
    assert finding.where == ("histograms/activations/a",)
    assert re.search(r"[1-9]\d* of \d+ elements", finding.evidence[0].text)


def test_the_numbers_of_elements_are_read_from_histograms():
    arrays = {"weights/a.weight": np.ones((3, 4)), "weights/a.bias": np.ones(3)}
    full, short = note((), {name: [a] * 2 for name, a in arrays.items()}), note(
        (), {f"histograms/{name}": [histogram(a)] * 2 for name, a in arrays.items()}
    )  # fmt: skip
    assert NotedRun(full).sizes == NotedRun(short).sizes == {"a.weight": 12, "a.bias": 3}
    assert NotedRun(full).outputs == NotedRun(short).outputs == 3


def test_series_of_a_user_that_are_named_like_histograms_are_not_taken_for_those_of_a_monitor(tmp_path):
    rng = np.random.default_rng(0)
    with Note(tmp_path / "run") as run:
        for k in range(12):
            own = {"histograms/own": np.ones(4), "histograms/weights/own": np.array([1.0, np.nan if k > 5 else 2.0])}
            tensors = {"weights/a.weight": rng.normal(size=(3, 4)), **own}
            run.take_down_scalars_and_tensors(k, {"loss": 1 / (1 + k)}, tensors)
    found = diagnose(tmp_path / "run")
    assert not any("histograms only" in text for text in found.missing)
    (finding,) = (finding for finding in found.findings if finding.kind == "not finite")
    assert finding.evidence[0].text == "1 of 2 elements"


def test_no_advice_for_pytorch_names_a_thing_of_dark():
    texts = [inspect.getsource(inspect.getmodule(rule)) for rule in RULES.values()]
    said = "".join(line for text in texts for line in text.splitlines(True) if not line.startswith("from "))
    assert "dark." in said and rules.__name__.startswith("dark")
    for framework in wording.COLUMNS:
        assert not re.search(r"\bdark\.", wording.worded(said, framework)), framework


@pytest.mark.parametrize(("given", "words"), [(False, "torch.nn.utils.clip_grad_norm_"), (True, "to a norm of 1")])
def test_the_words_are_those_of_the_framework_that_the_note_knows(tmp_path, given, words):
    torch = pytest.importorskip("torch")
    monitor = Monitor() if given else Monitor(torch.nn.Linear(3, 2))
    with Note(tmp_path / "run") as run:
        monitor.attach(note=run)
        for step in range(1, 13):
            run.take_down_scalars_and_tensors(step, {"loss": 2.0**step, "gradient_norm/weight": 3.0**step})
    assert Note.load(tmp_path / "run").framework == ("arrays" if given else "torch")
    advice = [text for finding in diagnose(tmp_path / "run").findings for text in finding.advice]
    assert any(words in text for text in advice) and not any("dark." in text for text in advice)
    run.save(tmp_path / "packed.zip")
    assert Note.load(tmp_path / "packed.zip").framework == run.framework


def test_a_rare_class_that_is_half_found_is_no_leak():
    rng = np.random.default_rng(0)
    first, last = rng.normal(size=(8, 6)) / 6, rng.normal(size=(2, 8))
    end = first + rng.normal(size=(8, 6)) / 20
    end[:, 2] += 2.5
    tensors = {"weights/0.weight": [first, end], "weights/0.bias": [np.zeros(8)] * 2, "weights/2.weight": [last] * 2}
    found = {}
    for share in (0.97, 0.5):
        errors = (1 - share) * np.array([1, 1, 0.9, 0.8, 0.7, 0.6, 0.6]) if share > 0.9 else np.linspace(0.5, 0.018, 7)
        loss = -(share * np.log(share) + (1 - share) * np.log(1 - share)) * np.linspace(1, 0.4, 7)
        found[share] = RULES["leak"](
            NotedRun(note({"accuracy/validation": 1 - errors, "loss/validation": loss}, tensors))
        )
    assert found[0.97] is None and found[0.5].kind == "leak"
