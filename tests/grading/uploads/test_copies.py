"""Tests of the copies of submissions: what becomes of the originals changes nothing."""

import os
from pathlib import Path

import pytest

from dark.errors import CourseError
from dark.grading.uploads import Submission, copied


@pytest.fixture
def submissions(tmp_path):
    """Return two submissions, one that cannot be graded, and one that is gone."""
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.ipynb").write_bytes(name.encode())
    found = [Submission(name, tmp_path / f"{name}.ipynb") for name in ("ann", "bob", "gone")]
    return [*found, Submission("up", tmp_path / "up", "It is a link; only files themselves are graded.")]


def test_a_copy_keeps_name_and_content_when_the_original_is_deleted(submissions, tmp_path):
    (tmp_path / "out").mkdir()
    with copied(submissions, tmp_path / "out") as copies:
        for name in ("ann", "bob"):
            (tmp_path / f"{name}.ipynb").unlink()
        assert [copy.read() for copy in copies[:2]] == [b"ann", b"bob"]
        assert [copy.name for copy in copies] == ["ann", "bob", "gone", "up"]
        assert [copy.path.name for copy in copies[:2]] == ["ann.ipynb", "bob.ipynb"]
        assert copies[2:] == submissions[2:]
    assert os.listdir(tmp_path / "out") == []


def test_what_a_killed_batch_has_left_is_removed(submissions, tmp_path):
    left = tmp_path / ".copies" / "7" / "old.ipynb"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"old")
    with copied(submissions, tmp_path):
        assert not left.exists()


def test_a_full_disk_is_an_error_in_three_parts(submissions, tmp_path, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    match = "cannot be copied .No space left(.|\n)*Expected: (.|\n)*Try: "
    with pytest.raises(CourseError, match=match), copied(submissions, tmp_path):
        raise AssertionError("nothing may run")
    assert not (tmp_path / ".copies").exists()
