"""A resumed process replaces what an interrupted one had taken after the checkpoint, in all series; adding does not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import StorageError, UsageError
from dark.monitor import Note, select
from dark.monitor.notes.expression import Expression

NAMES = ("loss", "other", "w", "v")


def take(folder, records, arrays=("w", "v")):
    """Take down records, as pairs of a step and names, in a process of their own."""
    with Note(folder) as note:
        for step, names in records:
            scalars = {name: step for name in names if name not in arrays}
            note.take_down_scalars_and_tensors(step, scalars, {n: np.array([step]) for n in names if n in arrays})


def steps_of(folder):
    run = Note.load(folder)
    return {name: s.steps.tolist() for name, s in {**run.scalar_dict, **run.tensor_dict}.items()}


def test_a_series_that_is_not_written_again_yet_has_no_old_tail(tmp_path):
    take(tmp_path, [(step, NAMES if step % 20 == 0 else ("loss", "w")) for step in range(10, 160, 10)])
    live = Note.load(tmp_path)
    assert live.scalar_dict["other"].steps.tolist()[-1] == 140
    take(tmp_path, [(step, ("loss",)) for step in (110, 120)])
    live.refresh()
    found = steps_of(tmp_path)
    assert found["loss"] == [*range(10, 130, 10)] and found["w"] == [*range(10, 110, 10)]
    assert found["other"] == found["v"] == [20, 40, 60, 80, 100]
    assert live.scalar_dict["other"].steps.tolist() == live.tensor_dict["v"].steps.tolist() == found["v"]


def test_an_evaluation_afterwards_adds_series_and_may_be_repeated(tmp_path):
    take(tmp_path, [(step, ("loss", "w")) for step in (1, 2, 3)])
    for steps in ((1, 2, 3), (2,)):
        take(tmp_path, [(step, ("test",)) for step in steps])
    assert steps_of(tmp_path) == {"loss": [1, 2, 3], "w": [1, 2, 3], "test": [1, 2]}


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 8), st.sets(st.sampled_from(NAMES), min_size=1)), max_size=5), max_size=4
    )
)
def test_what_is_read_is_what_an_independent_loop_reads(tmp_path_factory, processes):
    folder = tmp_path_factory.mktemp("runs") / "run"
    for records in processes:
        take(folder, records)
    kept: list[set] = []  # of each process: the pairs (step, name)
    for records in processes:
        new = {(step, name) for step, names in records for name in names}
        for k, old in enumerate(kept):
            known = {name for step, names in processes[k] for name in names}
            first = min((step for step, name in new if name in known), default=99)
            kept[k] = {(step, name) for step, name in old if step < first}
        kept.append(new)
    expected = {name: sorted({s for pairs in kept for s, n in pairs if n == name}) for name in NAMES}
    found = steps_of(folder) if processes else {}
    assert {name: found.get(name, []) for name in NAMES} == expected


@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_damage_names_the_arrays_whose_bytes_have_changed(tmp_path, place):
    with Note(tmp_path) as note:
        for step in range(5):
            note.take_down_scalars_and_tensors(step, {}, {"w": np.full(3, step, "f4"), "b": np.zeros(2)})
    segments = tmp_path / "tensors-0001.segments"
    content = bytearray(segments.read_bytes())
    step = {"first": 0, "middle": 2, "last": 4}[place]
    begin = content.index(np.full(3, step, "f4").tobytes()) if step else content.index(b"}", 8) + 1
    begin = content.index(np.full(3, step, "f4").tobytes(), begin)
    content[begin + 1] ^= 0x10
    assert Note.load(tmp_path).damage == ()
    segments.write_bytes(content)
    run = Note.load(tmp_path)
    assert len(run.damage) == 1 and f"at step {step} is damaged" in run.damage[0] and "tensors-0001" in run.damage[0]
    with pytest.raises(StorageError):
        run.tensor_dict[run.damage[0].split("'")[1]].at(step)
    assert len(run.damage) == 1 and run.damage == run.verify() and run.tensor_free.damage == ()
    assert run.damage == Note.load(tmp_path).damage


@pytest.mark.parametrize("condition", ["lr<" + "9" * 5000, "lr in [" + "1" * 4301 + "]"])
def test_a_number_that_is_too_long_is_a_usage_error(condition):
    with pytest.raises(UsageError, match=r"(?s)the number .* characters is too long.*Expected: .*Try: a float"):
        select([], condition)
    assert Expression("lr<" + "9" * 300)


def test_the_error_for_a_long_condition_is_short():
    with pytest.raises(UsageError) as caught:
        Expression("lr<" + "(" * 20_000)
    assert len(str(caught.value)) < 500
