"""The time of each record: measured when it is taken, counted on by a resumed run, exported, absent in old notes."""

import io
import json
import time
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.engine import Engine, Events
from dark.errors import ValueTypeError
from dark.monitor import Note
from dark.monitor.notes.exporting import write_csv, write_tensorboard
from dark.monitor.notes.series import Part, merged


def note_at(folder, steps, **kind):
    """Take a number and an array at some steps; return the times before and after."""
    before = time.time()
    with Note(folder) as note:
        for step in steps:
            note.take_down_scalars_and_tensors(step, {"loss": step}, {"w": np.full(2, step)})
    return before, time.time()


def without_times(folder):
    """Rewrite the lines of a run as an older version wrote them."""
    for path in folder.glob("*.jsonl"):
        lines = []
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            for key in ("crc32", "time", "elapsed", "bytes"):
                record.pop(key, None)
            rest = json.dumps(record, separators=(",", ":"))[1:].encode()
            lines.append(b'{"crc32":"%08x",%b\n' % (crc32(rest), rest))
        path.write_bytes(b"".join(lines))


def test_each_value_has_its_time_and_a_resumed_run_counts_on(tmp_path):
    spans = [note_at(tmp_path, steps) for steps in ((1, 2, 3), (3, 4))]
    run = Note.load(tmp_path)
    for series in (run.scalar_dict["loss"], run.tensor_dict["w"]):
        assert series.steps.tolist() == [1, 2, 3, 4]
        for step, moment in zip(series.steps, series.times):
            before, after = spans[int(step > 2)]
            assert before - 1e-3 <= moment <= after + 1e-3
        assert series.elapsed[0] >= 0 and np.all(np.diff(series.elapsed) >= 0)
        assert series.elapsed[-1] <= sum(after - before for before, after in spans) + 1
    np.testing.assert_array_equal(run.scalar_dict["loss"].times, run.tensor_dict["w"].times)


def test_a_run_counts_on_from_the_last_intact_line(tmp_path):
    note_at(tmp_path, (1, 2))
    path = tmp_path / "scalars-0001.jsonl"
    rest = b'"step":3,"time":9.0,"elapsed":3600.0,"scalars":{"%b":1}}' % (b"long" * 40_000)
    damaged = b'{"crc32":"00000000","elapsed":1e9}\ntorn'
    path.write_bytes(path.read_bytes() + b'{"crc32":"%08x",%b\n%b' % (crc32(rest), rest, damaged))
    note_at(tmp_path, (4,))
    assert 3600 <= Note.load(tmp_path).scalar_dict["loss"].elapsed[-1] < 3700


def test_notes_of_older_versions_are_read_and_continued(tmp_path):
    note_at(tmp_path, (1, 2))
    without_times(tmp_path)
    run = Note.load(tmp_path)
    for series in (run.scalar_dict["loss"], run.tensor_dict["w"]):
        assert np.isnan(series.times).all() and np.isnan(series.elapsed).all() and len(series.times) == 2
    assert run.damage == () and run.tensor_dict["w"][0].tolist() == [1, 1]
    text = io.StringIO()
    write_csv(run, text)
    assert text.getvalue().splitlines() == ["step,time,elapsed,loss", "1,,,1.0", "2,,,2.0"]
    note_at(tmp_path, (3,))
    times = Note.load(tmp_path).scalar_dict["loss"].times
    assert np.isnan(times).tolist() == [True, True, False]


def test_a_note_of_an_engine_has_the_epochs_of_its_steps(tmp_path):
    engine = Engine(lambda engine, batch: 1.0)
    with Note(tmp_path) as note:
        note.attach(engine, Events.ITERATION_COMPLETED(every=3))
        note.attach(engine, Events.EPOCH_COMPLETED, lambda: ({"end": 0.0}, {"w": np.ones(2)}))
        engine.run(range(4), max_epochs=3)
        note.take_down_scalars_and_tensors(99, {"by hand": 1.0})
        note.take_down_scalars_and_tensors(99, {"by hand, too": 1.0}, epoch=2.5)
    run = Note.load(tmp_path)
    assert run.scalar_dict["loss"].epochs.tolist() == [0.75, 1.5, 2.25, 3.0]
    assert run.scalar_dict["end"].epochs.tolist() == run.tensor_dict["w"].epochs.tolist() == [1, 2, 3]
    assert np.isnan(run.scalar_dict["by hand"].epochs[0]) and run.scalar_dict["by hand, too"].epochs.tolist() == [2.5]
    with pytest.raises(ValueTypeError, match=r"(?s)epoch must be .*Expected:.*Try:"):
        Note(tmp_path).take_down_scalars_and_tensors(1, {"x": 1.0}, epoch="first")


def test_an_export_to_tensorboard_has_the_times_of_the_values(tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    note_at(tmp_path / "run", (1, 2, 3))
    run = Note.load(tmp_path / "run")
    write_tensorboard(run, tmp_path / "board")
    found = accumulator.EventAccumulator(str(tmp_path / "board"), {"scalars": 0, "histograms": 0})  # all
    found.Reload()
    assert [event.wall_time for event in found.Scalars("loss")] == run.scalar_dict["loss"].times.tolist()
    assert [event.wall_time for event in found.Histograms("w")] == run.tensor_dict["w"].times.tolist()


@given(st.lists(st.lists(st.integers(0, 6), max_size=6), min_size=1, max_size=4))
def test_moments_follow_the_steps_to_which_they_belong(steps):
    """Each record has itself as its moment, so that payload and moment must be equal after merging."""
    ids = iter(range(100))
    parts = []
    for one in steps:
        payload = np.array([next(ids) for _ in one], float)
        parts.append(Part(np.array(one, int), payload, np.stack([payload] * 3, axis=1)))
    found = merged(parts)
    np.testing.assert_array_equal(found.moments, np.stack([found.payload] * 3, axis=1))
    assert found.steps.tolist() == sorted(set(found.steps.tolist()))
