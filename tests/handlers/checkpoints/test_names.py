"""The file names of checkpoints stay in their folder, whatever they are made of."""

import os

import pytest

from dark.engine import Engine, Events
from dark.errors import UsageError, ValueTypeError
from dark.handlers import Checkpoint, DiskSaver, ModelCheckpoint
from dark.nn import ReLU

OUTSIDE = ["../x", "/tmp/x", "a/b", "a\\b", "..", ".", "a\0b"]
THREE_PARTS = r".* is .*, which (leads out of the folder|contains a NUL)\.\n  Expected: a name without.*\n  Try: "


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "checkpoints").mkdir()
    return tmp_path / "checkpoints"


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_prefix_or_a_key_with_a_separator_is_refused_before_the_training(folder, name):
    for settings in ({"filename_prefix": name}, {"score_name": name}, {"filename_pattern": name}):
        with pytest.raises(UsageError, match=f"Checkpoint: {next(iter(settings))}" + THREE_PARTS):
            Checkpoint({"model": ReLU()}, folder, **settings)
        with pytest.raises(UsageError, match=f"Checkpoint: {next(iter(settings))}" + THREE_PARTS):
            ModelCheckpoint(folder, **settings)
    with pytest.raises(UsageError, match="Checkpoint: the key in to_save" + THREE_PARTS):
        Checkpoint({name: ReLU()}, folder)
    assert os.listdir(folder) == [] and os.listdir(folder.parent) == ["checkpoints"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_saver_neither_writes_nor_removes_outside_its_folder(folder, name):
    (folder.parent / "x").write_text("precious")
    saver = DiskSaver(folder)
    for call in (lambda: saver({"a": 1}, name), lambda: saver.remove(name)):
        with pytest.raises(UsageError, match="DiskSaver: filename" + THREE_PARTS):
            call()
    assert (folder.parent / "x").read_text() == "precious" and os.listdir(folder) == []


@pytest.mark.parametrize("name", OUTSIDE)
def test_the_state_of_a_checkpoint_cannot_name_files_outside_its_folder(folder, name):
    checkpoint = Checkpoint({"model": ReLU()}, folder)
    with pytest.raises(UsageError, match="Checkpoint: a saved file name" + THREE_PARTS):
        checkpoint.load_state_dict({"_saved": [(1, "model_1.pt"), (2, name)]})
    assert checkpoint.last_checkpoint is None


def test_a_key_with_a_separator_is_refused_when_it_is_saved(folder):
    handler, engine = ModelCheckpoint(folder), Engine(lambda engine, batch: None)
    engine.add_event_handler(Events.EPOCH_COMPLETED, handler, {"a/b": ReLU()})
    with pytest.raises(UsageError, match="DiskSaver: filename" + THREE_PARTS):
        engine.run([0])
    assert os.listdir(folder) == []


def test_keys_of_several_objects_and_scores_outside_the_name_may_be_anything(folder):
    engine = Engine(lambda engine, batch: None)
    engine.state.metrics["val/accuracy"] = 0.5
    checkpoint = Checkpoint(
        {"nets/a": ReLU(), "nets/b": ReLU()}, folder, score_name="val/accuracy", filename_pattern="{name}_{score}.{ext}"
    )
    checkpoint(engine)
    assert os.listdir(folder) == ["checkpoint_0.5000.pt"]
    Checkpoint.load_objects({"nets/a": ReLU(), "nets/b": ReLU()}, checkpoint.last_checkpoint)


@pytest.mark.parametrize("name", [3, b"best", ("a",)])
def test_a_prefix_that_is_not_a_string_is_refused(folder, name):
    with pytest.raises(ValueTypeError, match="Checkpoint: filename_prefix must be a string[^$]*Expected: a string"):
        Checkpoint({"model": ReLU()}, folder, filename_prefix=name)


@pytest.mark.parametrize("dirname", ["a\0b", "\ud800"])
def test_a_folder_that_cannot_exist_is_refused(dirname):
    for make in (DiskSaver, ModelCheckpoint, lambda dirname: Checkpoint({"model": ReLU()}, dirname)):
        with pytest.raises(UsageError, match=r"DiskSaver: .* contains a character that no file name can contain"):
            make(dirname)
