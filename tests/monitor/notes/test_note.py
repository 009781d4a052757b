"""Notes: recorded values are read back, by name, with their own steps, from disk."""

import json
import math
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import dark
from dark.errors import IndexingError, ShapeError, StorageError, UsageError, ValueTypeError
from dark.monitor import Note
from dark.monitor.notes import run_files
from tests.examples import examples

DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", ">f4", ">i8"]


@pytest.fixture
def note(tmp_path):
    """Return a note that is being written."""
    with Note(tmp_path / "run") as opened:
        yield opened


def reread(note):
    return Note.load(note.folder)


def test_a_series_has_the_steps_at_which_it_was_taken(note):
    for step in range(1, 6):
        tensors = {"w": np.full(2, step)} if step in (2, 5) else None
        note.take_down_scalars_and_tensors(step, {"loss": 1 / step} | ({"late": step} if step > 3 else {}), tensors)
    run = reread(note)
    assert run.scalar_dict["loss"].steps.tolist() == [1, 2, 3, 4, 5]
    assert run.scalar_dict["loss"].values.tolist() == [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]
    assert run.scalar_dict["late"].steps.tolist() == [4, 5]
    assert run.tensor_dict["w"].steps.tolist() == [2, 5] and run.tensor_dict["w"].steps.dtype == np.int64
    assert [value.tolist() for value in run.tensor_dict["w"]] == [[2, 2], [5, 5]]
    assert run.step_array.tolist() == [1, 2, 3, 4, 5] and run.has_history and run.damage == ()


def test_an_array_that_is_changed_in_place_keeps_what_it_was(note):
    array = np.zeros(2)
    for step in (1, 2, 3):
        array += 1
        note.take_down_scalars_and_tensors(step, tensors={"w": array})
    assert [value.tolist() for value in note.tensor_dict["w"]] == [[1, 1], [2, 2], [3, 3]]


@given(st.data(), st.sampled_from(DTYPES))
@examples(20)
def test_every_dtype_is_kept_bit_by_bit(tmp_path_factory, data, dtype):
    array = data.draw(arrays(np.dtype(dtype), array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)))
    array = data.draw(st.sampled_from([array, array.T, array[..., ::-1] if array.ndim else array]))
    with Note(tmp_path_factory.mktemp("run")) as note:
        note.take_down_scalars_and_tensors(0, tensors={"before": np.ones(3, "?"), "x": array})
    series = reread(note).tensor_dict["x"]
    assert series[0].tobytes() == array.astype(array.dtype.newbyteorder("=")).tobytes()
    assert series[0].shape == series.shape == array.shape and series.dtype == array.dtype.newbyteorder("=")
    assert not series[0].flags.writeable


@given(st.dictionaries(st.text(min_size=1).filter(lambda s: s != "__metadata__"), st.floats(width=64), max_size=4))
@examples(20)
def test_scalars_are_exact_also_nan_and_infinity(tmp_path_factory, scalars):
    with Note(tmp_path_factory.mktemp("run")) as note:
        note.take_down_scalars_and_tensors(7, scalars)
    found = reread(note).scalar_dict
    assert list(found) == list(scalars)
    np.testing.assert_array_equal([found[name][0] for name in found], list(scalars.values()))


def test_nan_and_infinity_are_standard_json(note):
    note.take_down_scalars_and_tensors(1, {"a": math.nan, "b": -math.inf, "c": np.float32(0.5)})
    note.put_down_criterion("best", math.inf)
    for path in note.folder.glob("*.jsonl"):
        for line in path.read_text().splitlines():
            json.loads(line, parse_constant=pytest.fail)
    assert note.scalar_dict["b"][0] == -math.inf and note.criteria == {"best": math.inf}


def test_nodes_numbers_and_arrays_of_one_number_are_scalars(note):
    given = {"node": dark.Parameter(2.0), "integer": np.int64(3), "array": np.array([0.5]), "bool": True, "big": 2**70}
    note.take_down_scalars_and_tensors(1, given, {"node": dark.Parameter(np.ones(2))})
    assert {name: series[0] for name, series in note.scalar_dict.items()} == {
        "node": 2.0, "integer": 3.0, "array": 0.5, "bool": 1.0, "big": 2.0**70,
    }  # fmt: skip
    assert note.tensor_dict["node"][0].tolist() == [1, 1]


def test_nested_mappings_are_joined_by_slashes(note):
    note.take_down_scalars_and_tensors(1, {"accuracy": {"train": 1.0}}, {"samples/a 0": {"fc1": np.ones(1)}})
    assert list(note.scalar_dict) == ["accuracy/train"] and list(note.tensor_dict) == ["samples/a 0/fc1"]
    assert note.tensor_dict["samples/a 0/fc1"].kind == 2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((True,), ValueTypeError, "step must be a number, got True"),
        (("1",), ValueTypeError, "step must be a number, got '1'"),
        ((math.nan,), UsageError, "step must be finite, got nan"),
        ((10**30,), UsageError, "step must have at most 64 bits, got 1000"),
        ((1, {"loss": 10**999}), UsageError, "the scalar 'loss' must be a number that a float can hold"),
        ((1, {"loss": "low"}), ValueTypeError, "the scalar 'loss' must be a real number, got 'low'"),
        ((1, {"loss": 1j}), ValueTypeError, "the scalar 'loss' must be a real number, got 1j"),
        ((1, {"loss": np.ones(2)}), ShapeError, r"a single number, got shape \(2,\)"),
        ((1, {3: 1.0}), ValueTypeError, "invalid name 3 .* of scalars"),
        ((1, {"": 1.0}), ValueTypeError, "invalid name '' .* of scalars"),
        ((1, [1.0]), ValueTypeError, r"scalars must be a mapping, got \[1.0\]"),
        ((1, {"a/b": 1.0, "a": {"b": 2.0}}), UsageError, "two scalars have the name 'a/b'"),
        ((1, {}, {"__metadata__": np.ones(1)}), ValueTypeError, "invalid name '__metadata__' .* of tensors"),
        ((1, {}, {"w": np.ones(1, complex)}), ValueTypeError, "the tensor 'w' must be numeric"),
        ((1, {}, {"w": "text"}), ValueTypeError, "the tensor 'w' must be numeric, got 'text'"),
        ((1, {}, {"w": [[1], [1, 2]]}), ValueTypeError, "the tensor 'w' must be numeric"),
    ],
)
def test_what_cannot_be_taken_is_refused_and_changes_nothing(note, arguments, error, message):
    with pytest.raises(error, match=message) as caught:
        note.take_down_scalars_and_tensors(*arguments, *[{"fine": 1.0}][len(arguments) - 1 :])
    assert "Expected: " in str(caught.value) and "Try: " in str(caught.value)
    assert not note.has_history


def test_equal_steps_keep_the_last_value_and_steps_increase(note):
    for step, value in ((1, 1), (3, 3), (2, 2), (3, 33)):
        note.take_down_scalars_and_tensors(step, {"x": value}, {"x": np.array(value)})
    assert note.scalar_dict["x"].steps.tolist() == [1, 2, 3]
    assert note.scalar_dict["x"].values.tolist() == [1, 2, 33] == [int(x) for x in note.tensor_dict["x"]]


def test_values_are_found_by_index_and_by_step(note):
    for step in (10, 20, 30):
        note.take_down_scalars_and_tensors(step, {"x": step / 10}, {"x": np.array([step])})
    for series, value in ((note.scalar_dict["x"], float), (note.tensor_dict["x"], lambda x: x[0] / 10)):
        assert len(series) == 3 and value(series[-1]) == 3 and [value(x) for x in series[:2]] == [1, 2]
        assert [value(series.at(step)) for step in (10, 19, 20, 99.5)] == [1, 1, 2, 3]
        with pytest.raises(UsageError, match="x begins at step 10; it has no value at step 9"):
            series.at(9)
        with pytest.raises(IndexingError, match="index 3 is out of bounds for 3 values"):
            series[3]
        assert repr(series).endswith("'x': 3 steps from 10 to 30>")


def test_a_series_of_scalars_is_an_array_that_can_only_be_read(note):
    note.take_down_scalars_and_tensors(1, {"x": 0.5})
    series = note.scalar_dict["x"]
    assert np.asarray(series, "f4").dtype == np.float32 and (np.array(series) == [0.5]).all()
    for array in (series.steps, series.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3


def test_notes_without_a_folder_have_new_ones(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notes = [Note() for _ in range(3)]
    assert len({note.folder for note in notes}) == 3 and all(note.folder.parent.name == "runs" for note in notes)
    for note in notes:
        note.close()


def test_several_threads_take_notes(note):
    def work(k):
        for step in range(50):
            note.take_down_scalars_and_tensors(step, {f"x{k}": step}, {f"w{k}": np.full(step, k)})
            note.write_line(f"{k}: {step}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run = reread(note)
    assert run.verify() == () and len(run.content) == 200
    assert all(series.values.tolist() == [*range(50)] for series in run.scalar_dict.values())
    assert all([len(w) for w in series] == [*range(50)] for series in run.tensor_dict.values())


def test_an_interrupted_step_does_not_spoil_those_after_it(note, monkeypatch):
    from dark.monitor.notes import writer

    note.take_down_scalars_and_tensors(1, tensors={"w": np.ones(3)})
    with monkeypatch.context() as patched:
        patched.setattr(writer, "to_line", lambda record: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            note.take_down_scalars_and_tensors(2, tensors={"w": np.ones(3)})
    note.take_down_scalars_and_tensors(3, tensors={"w": np.full(3, 3.0)})
    assert reread(note).verify() == () and reread(note).tensor_dict["w"].at(3).tolist() == [3, 3, 3]


def test_parts_of_epochs_are_float_steps(note):
    for step in (0.5, 1, 1.5):
        note.take_down_scalars_and_tensors(step, {"x": step})
    assert note.scalar_dict["x"].steps.tolist() == [0.5, 1.0, 1.5]


def test_the_shape_of_a_series_may_change(note):
    for n in (1, 2, 1):
        note.take_down_scalars_and_tensors(n * 10 + len(note.step_array), tensors={"x": np.ones(n, "f4")})
    assert [x.shape for x in note.tensor_dict["x"]] == [(1,), (1,), (2,)] and note.tensor_dict["x"].shape == (2,)


def test_settings_and_results_are_read_back_with_their_types(note):
    configs = {"lr": np.float32(0.5), "layers": (3, [4]), "optimizer": {"name": "adam", "eps": math.inf}, "x": None}
    note.put_down_configs(configs)
    note.put_down_configs({"lr": 0.25, "batch": np.arange(2)})
    note.put_down_criterion("accuracy", 0.9, better="max")
    note.put_down_criterion("time", 3, unit="s", better="lower")
    note.put_down_criterion("accuracy", np.float64(0.95), better="higher")
    note.write_line("first\nstill first")
    note.write_line("second")
    run = reread(note)
    assert run.configs == configs | {"lr": 0.25, "batch": [0, 1]} and list(run.configs) == [*configs, "batch"]
    assert run.criteria == {"accuracy": 0.95, "time": 3} and type(run.criteria["time"]) is int
    assert run.criterion_dict["accuracy"].better == "higher" and run.criterion_dict["time"].unit == "s"
    assert run.content == ["first\nstill first", "second"] and not run.has_history


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda note: note.put_down_configs([1]), "put_down_configs"),
        (
            lambda note: note.put_down_configs({"a": {"f": print}}),
            "a.f must be plain data, got <built-in function print>",
        ),
        (lambda note: note.put_down_configs({1: 2}), "must be strings, got 1"),
        (lambda note: note.put_down_criterion("a", "text"), "a must be a real number, got 'text'"),
        (lambda note: note.put_down_criterion("a", np.ones(2)), "a must be a real number, got array"),
        (lambda note: note.put_down_criterion("a", True), "a must be a real number, got True"),
        (lambda note: note.put_down_criterion("a", 1j), "a must be a real number, got 1j"),
        (lambda note: note.put_down_criterion("", 1), "name must be a str that is not empty, got ''"),
        (lambda note: note.put_down_criterion("a", 1, unit=3), "unit must be a str, got 3"),
        (lambda note: note.write_line(3), "write_line: the line must be a str, got 3"),
    ],
)
def test_settings_results_and_lines_are_typed(note, call, message):
    with pytest.raises(ValueTypeError, match=message):
        call(note)
    assert not note.configs and not note.criteria and not note.content


def test_better_is_one_of_two_directions(note):
    with pytest.raises(UsageError, match="invalid better 'more'"):
        note.put_down_criterion("a", 1.0, better="more")


def test_a_loaded_run_follows_what_is_appended(note):
    note.take_down_scalars_and_tensors(1, {"x": 1.0}, {"w": np.ones(2)})
    run = reread(note)
    assert len(run.scalar_dict["x"]) == len(run.tensor_dict["w"]) == 1 and run.status == "running"
    assert not run.refresh()
    note.take_down_scalars_and_tensors(2, {"x": 2.0, "y": 0.0}, {"w": np.ones(2)})
    note.put_down_configs({"lr": 1})
    assert run.refresh() and not run.refresh()
    assert run.scalar_dict["x"].steps.tolist() == run.tensor_dict["w"].steps.tolist() == [1, 2]
    assert list(run.scalar_dict) == ["x", "y"] and run.configs == {"lr": 1}
    note.close()
    assert run.status == "ended" and run.refresh() and run.status == "ended"


def test_a_run_is_continued_and_what_is_repeated_replaces_the_old(tmp_path):
    for first, values in ((1, "aaaa"), (3, "bb")):
        with Note(tmp_path) as note:
            for step in range(first, first + len(values)):
                name = ord(values[0])
                note.take_down_scalars_and_tensors(step, {"x": name, f"only {first}": step}, {"w": np.array(name)})
    run = Note.load(tmp_path)
    assert run.scalar_dict["x"].steps.tolist() == [1, 2, 3, 4]
    assert [chr(int(x)) for x in run.scalar_dict["x"]] == list("aabb") == [chr(x) for x in run.tensor_dict["w"]]
    assert run.scalar_dict["only 1"].steps.tolist() == [1, 2]  # the steps 3 and 4 are those of a run that was left
    assert len(list(tmp_path.glob("run-*.jsonl"))) == 2


def test_a_closed_note_can_take_more(note):
    note.take_down_scalars_and_tensors(1, {"x": 1.0})
    note.close()
    note.take_down_scalars_and_tensors(2, {"x": 2.0})
    assert note.scalar_dict["x"].values.tolist() == [1, 2]


def test_two_notes_of_one_process_share_a_run(note):
    other = Note(note.folder)
    for step in (1, 2):
        note.take_down_scalars_and_tensors(step, {"a": step})
        other.take_down_scalars_and_tensors(step, {"b": step})
    other.close()
    assert list(reread(note).scalar_dict) == ["a", "b"] and other.folder == note.folder


def test_the_status_tells_how_a_run_ended(tmp_path):
    with pytest.raises(ZeroDivisionError), Note(tmp_path / "failed"):
        1 / 0
    assert Note.load(tmp_path / "failed").status == "failed"
    code = f"from dark.monitor import Note; import os; note = Note({str(tmp_path / 'x')!r}); note.write_line('a')"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert Note.load(tmp_path / "x").status == "ended" and repr(Note.load(tmp_path / "x")).endswith("/x': ended>")


def test_a_run_that_is_read_cannot_be_written(note):
    with pytest.raises(UsageError, match="is read-only; it was opened by Note.load"):
        reread(note).take_down_scalars_and_tensors(1, {"x": 1.0})


def test_what_is_not_a_run_is_refused_with_near_misses(note, tmp_path):
    with pytest.raises(StorageError, match=r"(?s)runn: this run does not exist.*Try: .*run"):
        Note.load(tmp_path / "runn")
    with pytest.raises(StorageError, match=r"(?s)the folder does not hold a run.*Try: .*run"):
        Note.load(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="is not a packed run"):
        Note.load(tmp_path / "file")
    with pytest.raises(StorageError, match="file is not a folder, but a file, or below one"):
        Note(tmp_path / "file")
    with pytest.raises(StorageError, match="is not a folder, but a file, or below one"):
        Note(tmp_path / "file" / "run")


def test_a_run_is_saved_to_one_file(note, tmp_path):
    for step in range(3):
        note.take_down_scalars_and_tensors(step, {"x": step}, {"w": np.full(3, step, "f2")})
    note.put_down_configs({"lr": 0.1})
    note.save(tmp_path / "run.zip")
    with open(note.folder / "scalars-0001.jsonl", "a") as file:
        file.write("a line that is being written")
    note.save(tmp_path / "run.zip")
    run = Note.load(tmp_path / "run.zip")
    assert (
        run.verify() == ()
        and run.configs == {"lr": 0.1}
        and run.scalar_dict["x"].values.tolist() == [0, 1, 2]
        and run.damage == ()
    )
    assert run.tensor_dict["w"].at(2).tolist() == [2, 2, 2] and run.tensor_dict["w"].dtype == np.float16
    run.save(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "run.zip").read_bytes()
    free = run.tensor_free
    free.save(tmp_path / "free.zip")
    assert free.tensor_dict == {} == Note.load(tmp_path / "free.zip").tensor_dict
    assert list(Note.load(tmp_path / "free.zip").scalar_dict) == ["x"]
    with pytest.raises(StorageError, match="does not exist"):
        run.save(tmp_path / "missing" / "run.zip")
    (tmp_path / "half.zip").write_bytes((tmp_path / "run.zip").read_bytes()[:-30])
    with pytest.raises(StorageError, match="is not a packed run"):
        Note.load(tmp_path / "half.zip")


def test_whatever_else_belongs_to_a_run_is_written_when_it_is_assigned(note):
    note.misc["commit"] = "a1b2c3"
    note.misc.update({"tuple": (1, None), "nested": {"rate": math.inf}})
    assert reread(note).misc == note.misc == {"commit": "a1b2c3", "tuple": (1, None), "nested": {"rate": math.inf}}
    del note.misc["commit"]
    assert list(reread(note).misc) == ["tuple", "nested"] and repr(note.misc).startswith("{'tuple'")
    with pytest.raises(KeyError):
        del note.misc["commit"]
    with pytest.raises(ValueTypeError, match="misc: .* is not a name"):
        note.misc[3] = 1
    with pytest.raises(ValueTypeError, match="misc: network must be plain data"):
        note.misc["network"] = object()
    with pytest.raises(UsageError, match="is read-only"):
        reread(note).misc["x"] = 1


def test_several_runs_are_saved_to_one_file(tmp_path):
    for name in ("a", "sub/a", "b"):
        with Note(tmp_path / name) as each:
            each.take_down_scalars_and_tensors(1, {"x": len(name)}, {"w": np.full(3, len(name), "f2")})
    runs = Note.load_all(tmp_path)
    Note.save_all(runs, tmp_path / "all.zip")
    Note.save_all({"sweep/first": runs[0], "b": runs[1].tensor_free}, tmp_path / "named.zip")
    found = {str(run.folder.relative_to(tmp_path)): run for run in Note.load_all(tmp_path / "all.zip")}
    assert list(found) == ["all.zip/a", "all.zip/a-2", "all.zip/b"]
    assert [run.scalar_dict["x"][-1] for run in found.values()] == [1, 5, 1]
    assert [run.tensor_dict["w"].at(1).tolist() for run in found.values()] == [[1] * 3, [5] * 3, [1] * 3]
    assert all(run.verify() == () and run.status == "ended" and not run.refresh() for run in found.values())
    first = Note.load(str(tmp_path / "named.zip" / "sweep" / "first"))
    assert first.scalar_dict["x"][-1] == 1 and Note.load(tmp_path / "named.zip/b").tensor_dict == {}
    first.save(tmp_path / "first.zip")  # one run again
    assert Note.load(tmp_path / "first.zip").tensor_dict["w"].at(1).tolist() == [1, 1, 1]
    assert [run.folder.name for run in Note.load_all(tmp_path)] == ["a", "b", "a"]  # not their packed copies


def test_a_file_of_several_runs_is_not_one_run(tmp_path):
    with Note(tmp_path / "a") as one, Note(tmp_path / "b") as two:
        Note.save_all([one, two], tmp_path / "all.zip")
    with pytest.raises(StorageError, match=r"all\.zip holds 2 runs in folders: a, b\.[^$]*Note\.load_all\('"):
        Note.load(tmp_path / "all.zip")
    with pytest.raises(StorageError, match=r"all\.zip/c: this run does not exist[^$]*all\.zip/"):
        Note.load(tmp_path / "all.zip" / "c")
    with pytest.raises(StorageError, match="this run does not exist"):
        Note.load(tmp_path / "all.zip" / "a" / "b")


@pytest.mark.parametrize("name", ["", "..", "a/../b", "/a", "a//b", "a\\b", "./a"])
def test_a_name_that_leaves_the_archive_is_refused(note, tmp_path, name):
    with pytest.raises(UsageError, match="cannot be the folder of a run in an archive"):
        Note.save_all({name: note}, tmp_path / "all.zip")
    assert not (tmp_path / "all.zip").exists()


def test_only_runs_are_saved_to_one_file(note, tmp_path):
    with pytest.raises(ValueTypeError, match="save_all: 'runs/first' .* is not a run"):
        Note.save_all(["runs/first"], tmp_path / "all.zip")
    with pytest.raises(StorageError, match="does not exist"):
        Note.save_all([note], tmp_path / "missing" / "all.zip")


def test_without_locks_a_number_that_another_process_has_just_taken_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr(run_files, "fcntl", None)
    with Note(tmp_path / "a") as note:
        note.take_down_scalars_and_tensors(1, {"loss": 3.0})
    monkeypatch.setattr(run_files, "numbers_in", lambda names: [])  # as if both had listed the folder at once
    with Note(tmp_path / "a") as note:
        note.take_down_scalars_and_tensors(2, {"loss": 2.0})
    monkeypatch.undo()
    run = Note.load(tmp_path / "a")
    assert list(run.scalar_dict["loss"]) == [3.0, 2.0] and run.damage == ()
