"""Damage: files that end anywhere, changed bytes; the rest is read, the damage is named, writing continues."""

import os
import random
import shutil

import numpy as np
import pytest

from dark.errors import StorageError
from dark.monitor import Note

STEPS = range(1, 13)
FILES = ("run-0001.jsonl", "scalars-0001.jsonl", "tensors-0001.jsonl", "tensors-0001.segments")


def array(step):
    return np.arange(step, step + 5, dtype="f4")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the folder of a run that was killed between two notes, so without a line about its end."""
    folder = tmp_path_factory.mktemp("whole")
    with Note(folder / "ended") as note:
        note.put_down_configs({"lr": 0.1})
        for step in STEPS:
            note.take_down_scalars_and_tensors(step, {"loss": 1 / step}, {"w": array(step), "flag": np.array(step > 3)})
            note.write_line(f"step {step}")
        shutil.copytree(note.folder, folder / "killed")
    return folder / "killed"


def ends(whole, name):
    """Return where the records of a file end: of its lines, or of the segments."""
    content = (whole / name).read_bytes()
    if name.endswith(".jsonl"):
        return [k + 1 for k, byte in enumerate(content) if byte == 10]
    size = len(content) // len(STEPS)
    return [size * k for k in range(1, len(STEPS) + 1)]


def check(run, name, readable):
    """Check which values of a run are read if some records of a file can be read, and all of the other files."""
    scalars = [*STEPS][:readable] if name.startswith("scalars") else [*STEPS]
    tensors = [*STEPS][:readable] if name.startswith("tensors") else [*STEPS]
    loss, w = run.scalar_dict.get("loss", []), run.tensor_dict.get("w", [])
    assert list(loss) == [1 / step for step in scalars]
    assert [x.tolist() for x in w] == [array(step).tolist() for step in tensors]
    lines = len(STEPS) if not name.startswith("run") else max(readable - 2, 0)
    assert run.content == [f"step {step}" for step in STEPS][:lines]


def cuts(whole, count, seed):
    """Return files and lengths to which they are cut, among them the first and the last bytes."""
    rng, sizes = random.Random(seed), {name: (whole / name).stat().st_size for name in FILES}
    edges = [(name, size) for name in FILES for size in (0, 1, sizes[name] - 1)]
    return edges + [(name, rng.randrange(sizes[name])) for name in rng.choices(FILES, k=count)]


def cut_and_continue(whole, folder, name, size):
    shutil.copytree(whole, folder)
    os.truncate(folder / name, size)
    run, places = Note.load(folder), ends(whole, name)
    check(run, name, sum(place <= size for place in places))
    torn = size not in (0, *places) or (name.startswith("run") and size == 0)
    assert any(text.startswith(name) for text in run.damage) or not torn
    if not torn and not name.startswith("tensors"):  # as if it had been killed there
        assert run.damage == ()
    with Note(folder) as note:
        note.take_down_scalars_and_tensors(99, {"loss": 99.0}, {"w": array(99)})
    again = Note.load(folder)
    assert again.scalar_dict["loss"][-1] == 99 and again.tensor_dict["w"][-1].tolist() == array(99).tolist()
    assert len(again.scalar_dict["loss"]) == len(run.scalar_dict.get("loss", [])) + 1
    assert again.damage == run.damage


def test_a_run_that_was_killed_between_two_notes_is_whole(whole):
    run = Note.load(whole)
    check(run, "", 0)
    assert run.damage == () and run.status == "interrupted"


@pytest.mark.parametrize("count", [20, pytest.param(500, marks=pytest.mark.long)])
def test_a_file_may_end_anywhere(whole, tmp_path, count):
    for k, (name, size) in enumerate(cuts(whole, count, seed=count)):
        cut_and_continue(whole, tmp_path / str(k), name, size)


def test_a_missing_file_loses_only_what_it_held(whole, tmp_path):
    for name in FILES:
        folder = tmp_path / name
        shutil.copytree(whole, folder)
        (folder / name).unlink()
        check(Note.load(folder), name, 0)
        with Note(folder) as note:
            note.take_down_scalars_and_tensors(99, {"loss": 99.0}, {"w": array(99)})
        assert Note.load(folder).scalar_dict["loss"][-1] == 99


def readable(series):
    """Return the steps of a series of arrays that can be read, and check what is read."""
    found = []
    for k, step in enumerate(series.steps):
        try:
            value = series[k]
        except StorageError as error:
            assert f"at step {step} is damaged" in str(error)
        else:
            assert value.tolist() == (array(step).tolist() if series.name == "w" else step > 3)
            found.append(step)
    return found


@pytest.mark.parametrize("name", FILES)
def test_a_changed_byte_costs_the_record_that_it_belongs_to(whole, tmp_path, name):
    rng = random.Random(name)
    content = (whole / name).read_bytes()
    for k in range(12):
        folder, place = tmp_path / str(k), rng.randrange(len(content))
        shutil.copytree(whole, folder)
        (folder / name).write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        run = Note.load(folder)
        values = run.scalar_dict["loss"]
        assert [*values] == [1 / step for step in values.steps]
        found = [len(values), len(run.content), *[len(readable(series)) for series in run.tensor_dict.values()]]
        records = 2 if content[place] == ord("\n") else 1  # two lines become one
        assert all(count >= len(STEPS) - records for count in found)
        assert run.damage or name.endswith("segments")  # whose damage is found when it is read


def test_damaged_bytes_of_an_array_are_named_when_it_is_read(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "run")
    path = tmp_path / "run" / "tensors-0001.segments"
    content = path.read_bytes()
    place = content.index(array(7).tobytes())
    path.write_bytes(content[:place] + b"\xff" + content[place + 1 :])
    run = Note.load(tmp_path / "run")
    with pytest.raises(StorageError, match="'w' at step 7 is damaged"):
        run.tensor_dict["w"].at(7)
    assert run.tensor_dict["w"].at(8).tolist() == array(8).tolist() and run.tensor_dict["flag"].at(7)


def test_lines_of_another_program_are_left_out(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "run")
    with open(tmp_path / "run" / "scalars-0001.jsonl", "a") as file:
        file.write('{"step":99,"scalars":{"loss":1}}\nnot json\n[]\n')
    run = Note.load(tmp_path / "run")
    check(run, "", 0)
    assert run.damage == tuple([f"scalars-0001.jsonl: line {n} is damaged and was left out" for n in (13, 14, 15)])


def test_a_newer_format_is_refused(tmp_path):
    Note(tmp_path).close()
    from dark.monitor.notes.json_lines import to_line

    (tmp_path / "run-0001.jsonl").write_bytes(to_line({"format": "dark note 9"}))
    with pytest.raises(StorageError, match="has the unknown format 'dark note 9'"):
        Note.load(tmp_path)


@pytest.mark.parametrize("is_saved", [False, True])
def test_a_process_that_begins_while_a_run_is_read_is_not_damaged(whole, tmp_path, is_saved):
    """A process creates its file, locks it and writes; here it does the last two after it was asked for its lock."""
    folder = tmp_path / "run"
    folder.mkdir()
    for name in FILES:
        shutil.copy(whole / name, folder / name.replace("0001", "0002"))
    (folder / "run-0001.jsonl").touch()
    run = Note.load(folder)

    def begin_after_the_question(number, is_live=run._reader.files.is_live):
        answer = is_live(number)
        for name in FILES[:2] + FILES[3:]:  # in the middle of lines, before the index lists the segment
            content = (whole / name).read_bytes()
            (folder / name).write_bytes(content[: len(content) // 2])
        return answer

    run._reader.files.is_live = begin_after_the_question
    if is_saved:
        run.save(tmp_path / "copy.zip")
    assert (Note.load(tmp_path / "copy.zip") if is_saved else run).damage == ()
    assert (folder / "scalars-0001.jsonl").exists()


@pytest.mark.parametrize("name", FILES[1:])
@pytest.mark.parametrize("kept", [None, 0, 100])
def test_a_file_of_an_ended_run_that_is_missing_or_cut_is_named(whole, tmp_path, name, kept):
    shutil.copytree(whole.parent / "ended", tmp_path / "run")
    assert Note.load(tmp_path / "run").damage == ()
    file = tmp_path / "run" / name
    size = file.stat().st_size
    if kept is None:
        file.unlink()
    else:
        os.truncate(file, kept)
    damage = Note.load(tmp_path / "run").damage
    assert f"{name}: {size - (kept or 0)} of {size} bytes are missing" in damage


def test_arrays_that_were_left_out_of_a_saved_file_are_not_missing(whole, tmp_path):
    run = Note.load(whole.parent / "ended")
    run.tensor_free.save(tmp_path / "small.zip")
    run.save(tmp_path / "all.zip")
    assert Note.load(tmp_path / "small.zip").damage == Note.load(tmp_path / "all.zip").damage == ()
