"""A note never writes an old record under a new step: what it has of a step, a monitor at each step would have had."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import losses, nn, optim
from dark.engine import Engine, Events
from dark.monitor import Monitor, Note, diagnose

LENGTH, EPOCHS = 6, 3
EVENTS = {
    "each": Events.ITERATION_COMPLETED,
    "5": Events.ITERATION_COMPLETED(every=5),
    "7": Events.ITERATION_COMPLETED(every=7),
    "once": Events.ITERATION_COMPLETED(once=11),
    "filter": Events.ITERATION_COMPLETED(event_filter=lambda engine, k: k % 4 == 1),
    "epoch": Events.EPOCH_COMPLETED,
    "end": Events.ITERATION_COMPLETED(every=9) | Events.COMPLETED,
}


class Log(nn.Module):
    """The logarithm of a square; in one step, 1 is subtracted from the square, so that it is NaN there."""

    def __init__(self, nan_at=None):
        super().__init__()
        self.calls, self.nan_at = 0, nan_at

    def forward(self, x):
        self.calls += self.training
        return dark.log(x * x + 1e-3 - (1e3 if self.calls == self.nan_at else 0.0))


def training(nan_at=None):
    first, last = (nn.Linear(3, 4, seed=0), nn.Tanh()), nn.Linear(4, 2, seed=2)
    network = nn.Sequential(*first, nn.Linear(4, 4, seed=1), Log(nan_at), last)
    optimizer = optim.SGD(network.parameters(), lr=0.05)

    def step(engine, rows):
        optimizer.zero_grad()
        loss = losses.mse(network(rows), rows[:, :2])
        loss.backward()
        optimizer.step()
        return loss.item()

    data = [np.random.default_rng(k).normal(size=(5, 3)) for k in range(LENGTH)]
    return network, Engine(step), data


def run(engine, data, epochs=EPOCHS):
    with np.errstate(all="ignore"):
        engine.run(data, max_epochs=epochs)


def records_of_each_step(nan_at=None, epochs=EPOCHS):
    """Return what a monitor at each step has, by step and name."""
    network, engine, data = training(nan_at)
    monitor, found = Monitor(network, stats_max_length=1), {}
    monitor.attach(engine, Events.ITERATION_COMPLETED)

    def keep(engine):
        found[engine.state.iteration] = {**monitor.scalars(), **monitor.tensors()}

    engine.add_event_handler(Events.ITERATION_COMPLETED, keep)
    run(engine, data, epochs)
    return found


TRUE, TRUE_NAN = records_of_each_step(), records_of_each_step(nan_at=13)


def assert_true(folder, true):
    """Assert that a note has nothing but what a monitor at each step has; return the steps of the loss."""
    note = Note.load(folder)
    for name, series in {**note.scalar_dict, **note.tensor_dict}.items():
        if not name.startswith("flips/"):  # counts of a past that depends on the cadence
            for k, step in enumerate(series.steps.tolist()):
                value = series.values[k] if name in note.scalar_dict else series[k]
                np.testing.assert_array_equal(value, true[step][name], err_msg=f"{name} at {step}")
    return note.scalar_dict["loss"].steps.tolist() if "loss" in note.scalar_dict else []


def noted(folder, monitor_at, note_at, note_first=False, nan_at=None, monitors=1, budget_ms=None, **options):
    network, engine, data = training(nan_at)
    with Note(folder) as note:
        made = [Monitor(network, stats_max_length=1, budget_ms=budget_ms) for _ in range(monitors)]
        attach = [lambda m=m, k=k: m.attach(engine, EVENTS[monitor_at[k]]) for k, m in enumerate(made)]
        attach += [lambda m=m: note.attach(engine, EVENTS[note_at], m, **options) for m in made]
        for one in reversed(attach) if note_first else attach:
            one()
        run(engine, data)
    return assert_true(folder, TRUE if nan_at is None else TRUE_NAN)


def steps_of(event):
    """Return the steps at which an event fires."""
    engine, found = Engine(lambda engine, batch: None), []
    engine.add_event_handler(EVENTS[event], lambda engine: found.append(engine.state.iteration))
    engine.run(range(LENGTH), max_epochs=EPOCHS)
    return sorted(set(found))


@pytest.mark.parametrize("note_first", [False, True])
def test_a_note_has_the_record_of_each_of_its_steps_whatever_the_cadence_of_its_monitor(tmp_path, note_first):
    for monitor_at, note_at in product(EVENTS, EVENTS):
        found = noted(tmp_path / f"{monitor_at} {note_at}", [monitor_at], note_at, note_first)
        assert found == steps_of(note_at), (monitor_at, note_at)
        run = Note.load(tmp_path / f"{monitor_at} {note_at}")
        for name in ("weights/0.weight", "activations/1", "update_ratio/0.weight", "gradient_norm/0.weight"):
            series = run.scalar_dict[name] if name in run.scalar_dict else run.tensor_dict[name]
            assert series.steps.tolist() == found, (name, monitor_at, note_at)


@given(
    monitor_at=st.lists(st.sampled_from(list(EVENTS)), min_size=2, max_size=2),
    note_at=st.sampled_from(list(EVENTS)),
    note_first=st.booleans(),
    nan_at=st.sampled_from([None, 13]),
    monitors=st.integers(1, 2),
    on_best=st.sampled_from([None, "loss"]),
    when_nan=st.booleans(),
    every=st.sampled_from([1, {"weights/*": 2, "activations*": 0}]),
)
def test_every_record_in_a_note_is_that_of_its_step(tmp_path_factory, monitor_at, note_at, **settings):
    noted(tmp_path_factory.mktemp("run") / "run", monitor_at, note_at, better="lower", **settings)


def test_a_note_says_once_that_its_monitor_skips_steps_to_keep_to_a_budget(tmp_path):
    for k, (event, first) in enumerate(product(("each", "5"), (False, True))):
        with pytest.warns(UserWarning) as caught:
            found = noted(tmp_path / str(k), ["each"], event, first, budget_ms=1e-6)
        said = [str(warning.message) for warning in caught if "Note.attach" in str(warning.message)]
        assert len(said) == 1 and "no record of a step" in said[0] and "budget_ms" in said[0]
        assert len(found) <= 1


def test_a_best_value_within_a_budget_is_of_its_step_or_absent(tmp_path):
    with warnings.catch_warnings(action="ignore"):
        noted(tmp_path / "run", ["5"], "7", budget_ms=1e-6, on_best="loss", better="lower")


@pytest.mark.parametrize("budget_ms", [None, 1e-6])
@pytest.mark.parametrize("note_first", [False, True])
@pytest.mark.parametrize("event", ["each", "5", "7", "epoch"])
def test_the_step_that_makes_nan_is_noted_and_its_layer_named(tmp_path, event, note_first, budget_ms):
    with warnings.catch_warnings(action="ignore"):
        noted(tmp_path / "run", [event], "7", note_first, nan_at=13, budget_ms=budget_ms, when_nan=True)
    series = Note.load(tmp_path / "run").scalar_dict["loss"]
    assert np.isnan(series.at(13)) and 13 in series.steps
    if budget_ms is None:
        finding = diagnose(tmp_path / "run").findings[0]
        assert finding.kind == "not finite" and finding.where == ("activations/3",) and "step 13" in finding.summary


@pytest.mark.parametrize("event", ["5", "7", "epoch"])
def test_a_layer_is_not_named_where_the_first_nan_was_between_two_notes(tmp_path, event):
    noted(tmp_path / "run", [event], event, nan_at=13)
    finding = diagnose(tmp_path / "run").findings[0]
    before, after = [next(s for s in order if ok(s)) for order, ok in _sides(steps_of(event))]
    assert finding.kind == "not finite" and finding.where == () and "when_nan=True" in finding.advice[0]
    assert f"between step {before} and step {after}; which series was the first is not known" in finding.summary


def _sides(steps):
    return (steps[::-1], lambda s: s < 13), (steps, lambda s: s >= 13)


@pytest.mark.parametrize("event", [Events.ITERATION_COMPLETED(once=13), Events.ITERATION_COMPLETED(every=13)])
def test_a_layer_is_named_where_a_rare_note_meets_the_first_nan(tmp_path, event):
    network, engine, data = training(nan_at=13)
    monitor = Monitor(network)
    monitor.attach(engine, event)
    with Note(tmp_path / "run") as note:
        note.attach(engine, event, monitor)
        run(engine, data)
    assert diagnose(tmp_path / "run").findings[0].where == ("activations/3",)


def test_nan_that_arises_in_the_backward_pass_is_noted_at_its_step_and_named_by_the_last_layer(tmp_path):
    network = nn.Sequential(nn.Linear(3, 3, seed=0), nn.Linear(3, 3, seed=1), nn.Linear(3, 1, seed=2))
    optimizer = optim.SGD(network.parameters(), lr=0.01)

    def step(engine, rows):
        optimizer.zero_grad()
        hidden = network[1](network[0](rows))
        if engine.state.iteration == 13:
            hidden = hidden + dark.sqrt(hidden * 0.0)  # 0, with a derivative that is not finite
        loss = losses.mse(network[2](hidden), rows[:, :1])
        loss.backward()
        optimizer.step()
        return loss.item()

    engine, monitor = Engine(step), Monitor(network)
    event = Events.ITERATION_COMPLETED(every=10)
    monitor.attach(engine, event)
    with Note(tmp_path / "run") as note:
        note.attach(engine, event, monitor, when_nan=True)
        run(engine, training()[2])
    finding = diagnose(tmp_path / "run").findings[0]
    assert finding.where[0].startswith("gradient_norm/1.") and "step 13" in finding.summary


def test_a_second_run_of_an_engine_does_not_take_records_of_the_first(tmp_path):
    network, engine, data = training()
    monitor, true = Monitor(network, stats_max_length=1), {}
    with Note(tmp_path / "first") as note:
        handles = note.attach(engine, EVENTS["5"], monitor), monitor.attach(engine, EVENTS["5"])
        run(engine, data)
        for handle in handles:
            handle.remove()
    engine.add_event_handler(EVENTS["each"], lambda engine: true.update({engine.state.iteration: engine.state.output}))
    with Note(tmp_path / "second") as note:
        note.attach(engine, Events.STARTED | EVENTS["5"], monitor)
        monitor.attach(engine, EVENTS["5"])
        run(engine, data)
    loss = Note.load(tmp_path / "second").scalar_dict["loss"]
    assert dict(zip(loss.steps.tolist(), loss.values)) == {s: true[s] for s in (5, 10, 15)}


def test_a_note_at_an_event_of_an_evaluator_has_the_steps_of_the_training(tmp_path):
    network, engine, data = training()
    evaluator = Engine(lambda evaluator, rows: losses.mse(network(rows), rows[:, :2]).item())
    monitor = Monitor(network, stats_max_length=1)
    with Note(tmp_path / "run") as note:
        note.attach(evaluator, Events.COMPLETED, monitor)
        monitor.attach(engine, EVENTS["5"])
        engine.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: evaluator.run(data[:2]) and None)
        run(engine, data)
    assert assert_true(tmp_path / "run", TRUE) == [6, 12, 18]


def test_a_removed_note_no_longer_makes_its_monitor_observe(tmp_path):
    network, engine, data = training()
    monitor = Monitor(network)
    with Note(tmp_path / "run") as note:
        note.attach(engine, EVENTS["epoch"], monitor, when_nan=True).remove()
        run(engine, data)
    assert monitor.records == 0 and Note.load(tmp_path / "run").scalar_dict == {}


def test_training_with_a_note_that_asks_for_records_has_the_same_bits(tmp_path):
    plain, engine, data = training()
    run(engine, data)
    network, engine, data = training()
    with Note(tmp_path / "run") as note:
        note.attach(engine, EVENTS["epoch"], Monitor(network), when_nan=True, on_best="loss", better="lower")
        run(engine, data)
    assert all(np.array_equal(a.value, b.value) for a, b in zip(plain.parameters(), network.parameters()))


def test_a_record_of_the_user_s_own_in_a_step_is_taken_at_that_step(tmp_path):
    network, _, data = training()
    monitor = Monitor(network, monitor_activations=False, stats_max_length=1)

    def step(engine, rows):
        monitor.begin()
        loss = losses.mse(network(rows), rows[:, :2])
        loss.backward()
        monitor.record()

    engine = Engine(step)
    with Note(tmp_path / "run") as note:
        note.attach(engine, Events.ITERATION_COMPLETED(every=2), monitor)
        engine.run(data)
    series = Note.load(tmp_path / "run").tensor_dict["weights/0.weight"]
    assert monitor.records == LENGTH and series.steps.tolist() == [2, 4, 6]
