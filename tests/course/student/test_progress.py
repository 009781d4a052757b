"""Tests of the progress log: what is appended is read, and damage costs only the damaged line."""

import json
import os
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.student.progress import Log
from dark.errors import CourseError

NAMES = st.sampled_from(["slope", "backward", "minimize"])
EVENTS = st.fixed_dictionaries({"event": st.sampled_from(["check", "hint"]), "exercise": NAMES, "note": st.text()})


@pytest.fixture
def log(tmp_path):
    """A log with a constant clock."""
    return Log(tmp_path, clock=lambda: datetime(2026, 1, 2, tzinfo=UTC))


@given(st.lists(EVENTS, max_size=6))
def test_what_is_appended_is_read_back_in_order(tmp_path_factory, events):
    log = Log(tmp_path_factory.mktemp("log"))
    for event in events:
        log.append(**event)
    read, damages = log.read()
    assert [{name: e[name] for name in ("event", "exercise", "note")} for e in read] == events
    assert damages == ()


@given(st.lists(EVENTS, min_size=1, max_size=5), st.binary(max_size=30), st.integers(0, 5))
def test_any_bytes_in_the_log_cost_no_other_event(tmp_path_factory, events, garbage, place):
    log = Log(tmp_path_factory.mktemp("log"))
    for event in events:
        log.append(**event)
    lines = log.path.read_bytes().splitlines(keepends=True)
    place = min(place, len(lines))
    log.path.write_bytes(b"".join([*lines[:place], garbage + b"\n", *lines[place:]]))
    before = log.path.read_bytes()
    read, damages = log.read()
    assert [e["note"] for e in read] == [e["note"] for e in events]
    assert log.path.read_bytes() == before
    for damage in damages:
        assert damage.kept.read_bytes() in garbage.split(b"\n")


def test_a_damaged_line_is_named_by_its_number_and_kept_aside(log):
    log.append("hint", exercise="slope", number=1)
    with open(log.path, "ab") as file:
        file.write(b'{"event": "hi')
    log.append("hint", exercise="slope", number=2)
    events, (damage,) = log.read()
    assert [e["number"] for e in events] == [1, 2]
    assert damage.line == 2
    assert damage.kept.name == "progress.jsonl.damaged-2"
    assert damage.kept.read_bytes() == b'{"event": "hi'
    assert str(damage).startswith("line 2 is damaged and was ignored")


def test_deeply_nested_brackets_are_only_a_damaged_line(log):
    log.append("hint", exercise="slope")
    with open(log.path, "ab") as file:
        file.write(b"[" * 200_000 + b"\n")
    events, damages = log.read()
    assert (len(events), len(damages)) == (1, 1)


def test_reading_twice_keeps_one_copy(log):
    log.append("hint", exercise="slope")
    log.path.write_bytes(log.path.read_bytes() + b"?\n")
    assert log.read() == log.read()
    assert len(list(log.path.parent.iterdir())) == 2


def test_a_log_that_is_not_there_is_empty(log):
    assert log.read() == ((), ())


def test_an_event_carries_its_time(log):
    log.append("hint", exercise="slope")
    assert json.loads(log.path.read_text())["time"] == "2026-01-02T00:00:00+00:00"


def test_a_log_that_cannot_be_written_is_a_clear_error(tmp_path):
    (tmp_path / ".dark").write_text("a file where the folder should be")
    with pytest.raises(CourseError, match="(?s)cannot be written .* a folder with write permission"):
        Log(tmp_path).append("hint")


def test_a_log_that_cannot_be_read_is_a_clear_error(log):
    os.makedirs(log.path)
    with pytest.raises(CourseError, match="(?s)cannot be read .* rename it"):
        log.read()
