"""Tests of the access times: all that an answer can read has been read before, so that it leaves no trace."""

import os
import sys
import time

import pytest

from dark.grading.sandbox.confinement import levels
from dark.grading.sandbox.confinement.access_times import read_once, strict_access_times
from dark.grading.sandbox.confinement.python_files import files, readable_paths
from tests.grading.sandbox.test_confinement import needs_full, run

if sys.platform != "linux":
    pytest.skip("the files of Linux", allow_module_level=True)

from dark.grading.sandbox.confinement import access_times


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "inner").mkdir()
    for name in ("one", "inner/two"):
        (tmp_path / name).write_text("text")
    (tmp_path / "link").symlink_to("one")
    return tmp_path


def set_times(tree, read, changed):
    for path in [*tree.rglob("*"), tree]:
        os.utime(path, (read, changed), follow_symlinks=False)


def test_what_would_have_a_new_access_time_is_read_once(tree):
    now = time.time()
    set_times(tree, now - 1000, now - 10)  # changed since it was read
    assert read_once([tree]) == 5  # two files, two folders, one link
    set_times(tree, now + 10, now - 10)
    assert read_once([tree]) == 0
    assert read_once([tree / "missing"]) == 0


def test_a_file_that_is_changed_or_was_read_long_ago_is_read_again(tree, monkeypatch):
    now = time.time()
    set_times(tree, now + 10, now - 10)
    monkeypatch.setattr(access_times, "FRESH_SECONDS", -100)
    assert read_once([tree]) == 5


@needs_full
def test_no_reading_of_an_answer_changes_an_access_time(exam, worker):
    code = """
import os
folder = os.path.dirname(os.__file__)
paths = [os.path.join(folder, name) for name in os.listdir(folder)]
before = [os.lstat(path).st_atime_ns for path in [folder, *paths]]
for path in paths:
    if os.path.islink(path):
        os.readlink(path)
    elif os.path.isdir(path):
        try: os.listdir(path)
        except OSError: pass
    else:
        open(path, "rb").read()
return [path for path, time in zip([folder, *paths], before) if os.lstat(path).st_atime_ns != time]
"""
    for _ in range(2):
        assert run(exam, worker, code, "full") == {"returned": {"dict": {"value": []}}}


def test_an_answer_can_read_few_files_but_the_libraries_of_python():
    listed, readable = readable_paths()
    assert all(os.path.isabs(path) and os.path.realpath(path) == path for path in [*listed, *readable])
    assert not {"/", "/usr", "/usr/lib", "/lib", "/etc", "/usr/local/lib"} & {*listed, *readable}
    assert any("libc" in path.name or "musl" in path.name for path in files())
    assert not any("site-packages" in path and "numpy" not in path for path in readable)


def test_a_mount_that_notes_each_reading_is_found_and_said_in_the_report(monkeypatch):
    relative, none = access_times.RELATIVE_TIMES, access_times.NO_TIMES
    flags = {"/strict": 2, "/relative": relative, "/none": none, "/read-only": os.ST_RDONLY}
    monkeypatch.setattr(access_times, "_flags", flags.get)
    assert strict_access_times(flags) == ["/strict"]
    monkeypatch.setattr(levels, "strict_access_times", lambda paths: ["/usr", "/opt"])
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert levels._traces(False) == ["Each reading of /usr leaves an access time (mount option strictatime)."]
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert levels._traces(False) == [] != levels._traces(True)
