"""The steps of a run with their times and epochs, and the findings: what the page asks beside the series."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.engine import Engine, Events
from dark.errors import UsageError
from dark.monitor import Note, diagnose
from dark.monitor.viewer.answers import Answers
from dark.monitor.viewer.moments import epoch_length, epochs_of, moments_of
from dark.monitor.viewer.views import MOST_SHOWN, openers_of
from tests.monitor.viewer.test_page import answers_in


class Run:
    """A run with configs and scalars, as the functions read it."""

    def __init__(self, configs=None, scalars=None):
        self.configs, self.scalar_dict, self.tensor_dict = configs or {}, scalars or {}, {}


class Values:
    """A series of scalars."""

    def __init__(self, steps, values, elapsed=None):
        self.steps, self.values = np.array(steps), np.array(values, float)
        self.elapsed = np.array(elapsed, float) if elapsed else np.full(len(steps), np.nan)
        self.times, self.epochs = 1000 + self.elapsed, np.full(len(steps), np.nan)

    def __len__(self):
        return len(self.steps)


def test_each_step_has_its_time(tmp_path):
    with Note(tmp_path / "run") as note:
        for step in (1, 2, 5):
            note.take_down_scalars_and_tensors(step, {"loss": 1.0}, {"w": np.ones(2)} if step > 1 else {})
    steps, elapsed, times, epochs = moments_of(note)
    series = note.scalar_dict["loss"]
    assert steps.tolist() == [1, 2, 5] and np.isnan(epochs).all()
    assert np.array_equal(elapsed, series.elapsed) and np.array_equal(times, series.times)


def test_of_equal_steps_the_earliest_known_time_counts():
    late, unknown = Values([2, 3], [0, 0], [7, 9]), Values([1, 2], [0, 0])
    found = moments_of(Run(scalars={"b": late, "a": unknown, "c": Values([3, 4], [0, 0], [8, 10])}))
    assert found.steps.tolist() == [1, 2, 3, 4] and found.elapsed.tolist()[1:] == [7, 8, 10]
    assert np.isnan(found.elapsed[0]) and found.times.tolist()[1:] == [1007, 1008, 1010]
    assert [len(each) for each in moments_of(Run())] == [0, 0, 0, 0]


def test_the_epochs_of_a_note_of_an_engine_are_those_of_its_records(tmp_path):
    trainer = Engine(lambda engine, batch: batch / 2)
    with Note(tmp_path / "run") as note:
        note.attach(trainer, Events.ITERATION_COMPLETED(every=2))
        trainer.run(range(4), max_epochs=3)
    assert moments_of(note).steps.tolist() == [2, 4, 6, 8, 10, 12]
    assert moments_of(note).epochs.tolist() == [0.5, 1, 1.5, 2, 2.5, 3]
    answers = answers_in(dark.monitor.page(note))
    assert len(answers['["timeline","run",null,null,null]']["data"]) == 4


def test_epochs_come_from_the_steps_the_configs_or_a_series():
    steps = np.array([0.0, 10, 20, 25])
    assert epochs_of(Run({"epoch_length": 10}), steps).tolist() == [0, 1, 2, 2.5]
    assert epochs_of(Run(scalars={"meta/epoch": Values([0, 20], [1, 3])}), steps).tolist() == [1, 2, 3, 3]
    assert epochs_of(Run({"epoch_length": 10}), np.array([0.5, 1.0])).tolist() == [0.5, 1]  # steps are epochs already
    assert np.isnan(epochs_of(Run(scalars={"epoch": Values([0, 1], [np.nan, np.nan])}), steps)).all()


@pytest.mark.parametrize("value", [0, -3, True, "30", None, float("inf"), float("nan")])
def test_what_is_no_length_of_an_epoch_is_ignored(value):
    assert epoch_length({"epoch_length": value}) is None


@given(st.lists(st.lists(st.integers(0, 50), min_size=1, unique=True), min_size=1, max_size=5))
def test_the_steps_are_those_of_all_series_once_and_sorted(all_steps):
    series = {
        str(k): Values(sorted(steps), steps, [2.0 * step for step in sorted(steps)])
        for k, steps in enumerate(all_steps)
    }
    found = moments_of(Run({"steps_per_epoch": 5}, series))
    assert found.steps.tolist() == sorted({step for steps in all_steps for step in steps})
    assert np.array_equal(found.elapsed, 2 * found.steps) and np.array_equal(found.epochs, found.steps / 5)


def test_the_findings_are_those_of_the_doctor(tmp_path):
    with Note(tmp_path / "run") as note:
        for step in range(1, 40):
            note.take_down_scalars_and_tensors(
                step, {"loss": float("nan") if step > 30 else 1 / step, "dead/relu": 0.99}
            )
    wanted = diagnose(tmp_path / "run").as_dict()
    for run in (tmp_path / "run", note):
        header = Answers(*openers_of([run], "view")).answer({"ask": "findings", "run": "run"}).header
        assert [one["kind"] for one in header["findings"]] == [one["kind"] for one in wanted["findings"]] != []
        json.dumps(header, allow_nan=False)  # NaN of the evidence is a string
    page = answers_in(dark.monitor.page(note))
    assert page['["findings","run",null,null,null]']["header"]["findings"] == header["findings"]


def test_a_page_that_is_thinned_has_the_findings_of_the_whole_run(tmp_path):
    with Note(tmp_path / "run") as note:
        for step in range(2000):
            note.take_down_scalars_and_tensors(step, {"loss": 1 / (step + 1), "dead/relu": 0.99})
    page = dark.monitor.page(note, limit_mb=0.02)
    header = answers_in(page)['["findings","run",null,null,null]']["header"]
    assert page.left_out and [one["kind"] for one in header["findings"]] == list(diagnose(note).kinds)


def test_many_runs_are_shown_and_too_many_are_refused(tmp_path):
    for k in range(MOST_SHOWN + 1):
        with Note(tmp_path / f"run{k:02}") as note:
            note.take_down_scalars_and_tensors(1, {"loss": k})
    runs = sorted(tmp_path.iterdir())
    page = dark.monitor.page(*runs[:6], None, limit_mb=5)
    assert answers_in(page)['["runs",null,null,null,null]']["header"]["shown"] == [run.name for run in runs[:6]]
    with pytest.raises(UsageError, match="13 runs are too many(.|\n)*at most 12"):
        dark.monitor.page(*runs)


def test_what_a_page_of_several_runs_left_out_names_the_run(tmp_path):
    for name, count in (("short", 3), ("long", 3000)):
        with Note(tmp_path / name) as note:
            for step in range(count):
                note.take_down_scalars_and_tensors(step, {"loss": step})
    (sentence,) = dark.monitor.page(tmp_path / "short", tmp_path / "long", limit_mb=0.02).left_out
    assert sentence.startswith("long: Scalars have ")
