"""Monitors and notes against a loop of its own: at every step that a note has, each value is that of this step."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import losses, nn, optim
from dark.engine import Engine, Events
from dark.monitor import Monitor, Note

STEPS, EPOCHS = 7, 3
EVENTS = st.sampled_from([
    Events.ITERATION_COMPLETED, Events.ITERATION_COMPLETED(every=2), Events.ITERATION_COMPLETED(every=5),
    Events.ITERATION_COMPLETED(once=9), Events.EPOCH_COMPLETED,
    Events.ITERATION_COMPLETED(every=4) | Events.COMPLETED,
    Events.ITERATION_COMPLETED(event_filter=lambda engine, k: k % 3 == 1),
])  # fmt: skip
MONITORS = st.fixed_dictionaries({
    "event": EVENTS,
    "budget_ms": st.sampled_from([None, None, 1e-6, 0.3, 50]),
    "averages": st.sampled_from(["window", "exponential"]),
})  # fmt: skip
NOTES = st.fixed_dictionaries({
    "event": EVENTS,
    "when_nan": st.booleans(),
    "on_best": st.sampled_from([None, "loss"]),
    "every": st.sampled_from([1, {"weights/*": 2, "loss": 3}, {"activations*": 0}]),
    "first": st.booleans(),
})  # fmt: skip


class Shadow:
    """A training that writes down by hand, at each step, what a monitor should have of it."""

    def __init__(self, nan_at):
        self.layers = nn.Linear(3, 4, seed=0), nn.Tanh(), nn.Linear(4, 2, seed=1)
        self.net, self.nan_at, self.truth = nn.Sequential(*self.layers), nan_at, {}
        self.optimizer = optim.SGD(self.net.parameters(), lr=0.1)
        self.engine = Engine(self.step)

    def step(self, engine, rows):
        k = engine.state.iteration
        if k == self.nan_at:
            rows = np.where(rows > 1, np.nan, rows)
        found, inputs = {}, rows
        with dark.no_grad():
            for n, layer in enumerate(self.layers):
                inputs = layer(inputs)
                found[f"activations/{n}"] = inputs.value.sum(axis=0) / len(rows)
                found[f"activations_abs/{n}"] = np.abs(inputs.value).sum(axis=0) / len(rows)
        before = {name: p.value.copy() for name, p in self.net.named_parameters()}
        self.optimizer.zero_grad()
        loss = losses.mse(self.net(rows), np.nan_to_num(rows[:, :2]))
        loss.backward()
        self.optimizer.step()
        for name, p in self.net.named_parameters():
            grad, now, old = np.array(p.grad), p.value.copy(), before[name]
            found |= {f"gradients/{name}": grad, f"gradients_abs/{name}": abs(grad), f"weights/{name}": now}
            found |= {f"gradient_norm/{name}": np.sqrt((grad**2).sum()), f"weight_norm/{name}": np.sqrt((now**2).sum())}
            found[f"update_ratio/{name}"] = np.sqrt(((now - old) ** 2).sum() / (old**2).sum())
        self.truth[k] = {**found, "loss": loss.item()}
        return loss.item()


@pytest.mark.long
@given(st.lists(MONITORS, min_size=2, max_size=2), st.lists(NOTES, min_size=2, max_size=2), st.sampled_from([None, 11]))
def test_two_monitors_with_cadences_triggers_and_budgets_keep_the_step_of_each_record(
    tmp_path_factory, monitors, notes, nan_at
):
    compare(tmp_path_factory.mktemp("run"), monitors, notes, nan_at)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("nan_at", [None, 11])
@pytest.mark.parametrize("budget_ms", [None, 0.3])
def test_two_monitors_keep_the_step_of_each_record(tmp_path, first, nan_at, budget_ms):
    often, rarely = Events.ITERATION_COMPLETED(every=2), Events.ITERATION_COMPLETED(every=5)
    monitors = [
        {"event": often, "budget_ms": budget_ms, "averages": "window"},
        {"event": Events.EPOCH_COMPLETED, "budget_ms": None, "averages": "exponential"},
    ]
    notes = [
        {"event": rarely, "when_nan": True, "on_best": "loss", "every": 1, "first": first},
        {
            "event": often,
            "when_nan": False,
            "on_best": "loss",
            "every": {"weights/*": 2, "loss": 3},
            "first": not first,
        },
    ]
    runs = compare(tmp_path, monitors, notes, nan_at)
    if budget_ms is None:
        assert {5, 10, 15, 20} <= set(runs[0].scalar_dict["loss"].steps.tolist())
        assert nan_at is None or nan_at in runs[0].tensor_dict["weights/0.weight"].steps


def compare(folder, monitors, notes, nan_at):
    """Train with two monitors and two notes, and compare what these have with a shadow; return the runs."""
    shadow, attach = Shadow(nan_at), []
    engine = shadow.engine
    made = [Monitor(shadow.net, stats_max_length=1, budget_ms=m["budget_ms"], averages=m["averages"]) for m in monitors]
    written = [Note(folder / str(k)) for k in range(2)]
    for k, (monitor, settings, note) in enumerate(zip(made, monitors, notes)):
        options = {"when_nan": note["when_nan"], "on_best": note["on_best"], "better": "lower", "every": note["every"]}
        pair = [
            lambda m=monitor, e=settings["event"]: m.attach(engine, e),
            lambda m=monitor, e=note["event"], k=k, options=options: written[k].attach(engine, e, m, **options),
        ]
        attach += reversed(pair) if note["first"] else pair
    for one in attach:
        one()
    data = [np.random.default_rng(k).normal(size=(4, 3)) for k in range(STEPS)]
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        engine.run(data, max_epochs=EPOCHS)
    for note, monitor in zip(written, monitors):
        note.close()
        check(Note.load(note.folder), shadow.truth, monitor["averages"])
    return [Note.load(note.folder) for note in written]


def check(run, truth, averages):
    """Assert that each value of a run is the one at its step; exponential averages are kept in float32."""
    tolerance = 1e-9 if averages == "window" else 1e-5
    for name, series in {**run.scalar_dict, **run.tensor_dict}.items():
        if name.startswith(("flips/", "gradient_noise/", "saturated/")):
            continue
        expected = np.array([truth[step][name] for step in series.steps.tolist()])
        np.testing.assert_allclose(np.array([*series]), expected, rtol=tolerance, atol=tolerance, err_msg=name)
