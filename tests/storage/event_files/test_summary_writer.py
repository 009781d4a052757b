"""The writer of event files: what TensorBoard's own reader finds in them."""

import io
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.storage import SummaryWriter
from tests.storage.event_files.reading import curve, read

pytest.importorskip("tensorboard", reason="tensorboard is in the extra 'tensorboard'")


def test_histograms_count_finite_values(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_histogram("a", np.array([np.nan, np.inf, 1.0, 3.0, 3.0]), 5, bins=2)
        writer.add_histogram("b", np.array([np.nan]))
        writer.add_histogram("c", dark.Constant(np.arange(4)), bins="auto")
    found = read(tmp_path)
    assert sorted(found.Tags()["histograms"]) == ["a", "c"]
    (event,) = found.Histograms("a")
    assert (event.step, event.histogram_value.bucket, event.histogram_value.bucket_limit) == (5, [1, 2], [2, 3])


def test_images_are_png_and_several_are_a_sheet(tmp_path):
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("bytes", pixels, 1, dataformats="HWC")
        writer.add_image("floats", dark.Constant(np.moveaxis(pixels, 2, 0) / 255), 1)
        writer.add_image("gray", np.array([[0.0, 2.0], [-1.0, 0.5]]), dataformats="HW")
        writer.add_images("sheet", np.ones((10, 1, 2, 3)), 1)
    found, pillow = read(tmp_path), pytest.importorskip("PIL.Image")

    def image(tag):
        (event,) = found.Images(tag)
        picture = np.array(pillow.open(io.BytesIO(event.encoded_image_string)))
        assert picture.shape[:2] == (event.height, event.width)
        return picture

    assert (image("bytes") == pixels).all() and (image("floats") == pixels).all()
    assert image("gray").tolist() == [[0, 255], [0, 127]]
    assert image("sheet").shape == (4, 24) and image("sheet").sum() == 10 * 6 * 255


def test_other_tags_of_earlier_runs_stay(tmp_path):
    for run, tags in enumerate((("a", "b"), ("a", "c"))):
        with SummaryWriter(tmp_path) as writer:
            for step in range(3):
                for tag in tags:
                    writer.add_scalar(tag, run, step)
    found = read(tmp_path)
    assert {tag: [event.value for event in found.Scalars(tag)] for tag in "abc"} == {
        "a": [1, 1, 1], "b": [0, 0, 0], "c": [1, 1, 1],
    }  # fmt: skip


def test_a_value_after_closing_opens_another_file(tmp_path):
    writer = SummaryWriter(tmp_path, filename_suffix=".log")
    writer.add_scalar("a", 0, 0)
    writer.close()
    writer.close()
    writer.add_scalar("a", 1, 1)
    writer.flush()
    assert curve(tmp_path, "a") == [(0, 0), (1, 1)]
    assert [path.suffix for path in tmp_path.iterdir()] == [".log", ".log"]
    writer.close()


def test_an_incomplete_record_and_other_files_are_no_obstacle(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        for step in range(3):
            writer.add_scalar("a", step, step)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-3])
    (tmp_path / "model.pt").write_bytes(b"weights")
    (tmp_path / "events.out.tfevents.0.damaged").write_bytes(b"\x01" + bytes(11) + b"\xff" + bytes(4))
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", 10, 1)
        writer.add_scalar("a", 20, 2)
    (tmp_path / "events.out.tfevents.0.damaged").unlink()
    assert curve(tmp_path, "a") == [(0, 0), (1, 10), (2, 20)]


@pytest.mark.long
def test_a_killed_process_loses_nothing(tmp_path):
    code = (
        "import os, signal\nfrom dark.storage import SummaryWriter\n"
        f"writer = SummaryWriter({str(tmp_path)!r})\n"
        "for step in range(100):\n    writer.add_scalar('a', step, step)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == -signal.SIGKILL
    assert [step for step, _ in curve(tmp_path, "a")] == list(range(100))


def test_the_folder_is_named_after_the_time_and_the_machine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_lr0.1") as writer:
        assert writer.log_dir.startswith("runs") and writer.log_dir.endswith("_lr0.1")
    assert len(list((tmp_path / writer.log_dir).iterdir())) == 1


def test_integers_and_numbers_of_numpy_are_accepted(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", np.float32(0.5), np.int64(3), np.float64(7.5))
        writer.add_scalar("a", dark.Constant(np.ones(1)), np.uint8(4))
        writer.add_histogram("b", [1, 2], np.int64(3), bins=np.int32(4))
    found = read(tmp_path)
    assert [(event.step, event.value) for event in found.Scalars("a")] == [(3, 0.5), (4, 1.0)]
    assert found.Scalars("a")[0].wall_time == 7.5 and len(found.Histograms("b")[0].histogram_value.bucket) == 4


WRONG = {
    r"add_scalar: the value of 'a' must be one real number, got shape \(2,\)": (
        lambda w: w.add_scalar("a", np.ones(2)),
        ShapeError,
    ),
    "add_scalar: .* dtype <U4": (lambda w: w.add_scalar("a", "text"), ShapeError),
    "global_step must be an integer, got 1.5": (lambda w: w.add_scalar("a", 1.0, 1.5), ValueTypeError),
    "global_step must be an integer, got True": (lambda w: w.add_text("a", "b", True), ValueTypeError),
    "global_step must be 0 or more, got -1": (lambda w: w.add_scalar("a", 1.0, -1), UsageError),
    "walltime must be a finite number, got nan":
        (lambda w: w.add_scalar("a", 1.0, 1, walltime=float("nan")), UsageError),
    "the tag must be a nonempty string, got None": (lambda w: w.add_scalar(None, 1.0), ValueTypeError),
    "add_histogram: the values of 'a' must be real, got dtype complex128": (
        lambda w: w.add_histogram("a", np.ones(2) * 1j),
        ValueTypeError,
    ),
    "add_histogram: bins must be 1 or more, got 0": (lambda w: w.add_histogram("a", np.ones(2), bins=0), UsageError),
    "add_image: dataformats 'WH' is not supported": (
        lambda w: w.add_image("a", np.ones((2, 2)), dataformats="WH"),
        UsageError,
    ),
    r"an array of shape \(2, 5, 5\) is not an image of layout CHW": (
        lambda w: w.add_image("a", np.ones((2, 5, 5))), ShapeError,
    ),
    r"an array of shape \(5, 5\) is not an image of layout NCHW": (
        lambda w: w.add_images("a", np.ones((5, 5))), ShapeError,
    ),
    "pixels must be uint8 or floats, got dtype int64": (
        lambda w: w.add_image("a", np.ones((1, 2, 2), int)),
        ValueTypeError,
    ),
    "add_text: the text of 'a' must be a string, got a int": (lambda w: w.add_text("a", 5), ValueTypeError),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_an_invalid_value_raises_and_nothing_is_written(tmp_path, message):
    call, error = WRONG[message]
    with SummaryWriter(tmp_path) as writer, pytest.raises(error, match=message):
        call(writer)
    assert not any(read(tmp_path).Tags()[kind] for kind in ("scalars", "histograms", "images", "tensors"))
