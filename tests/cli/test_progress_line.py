"""Tests of the progress line: how far, and about how long it still takes."""

import io

import pytest

from dark.cli.progress_line import ProgressLine


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def clock():
    """Return a clock that a test sets: call it with a time to set it."""
    now = [0.0]

    def read(*time):
        now[:] = time or now
        return now[0]

    return read


def test_a_terminal_sees_the_time_left(monkeypatch, clock):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    line = ProgressLine(10, Terminal(), clock)
    line.show(0)
    clock(40)
    line.show(6, kept=2)
    line.hide()
    shown = line._stream.getvalue().split("\r")
    assert shown[1] == "0 of 10 graded" and shown[4] == "6 of 10 graded, about 40 s left"
    assert shown[-1] == "" and set(shown[-2]) == {" "}


def test_a_log_gets_a_line_every_minute(clock):
    line = ProgressLine(10, io.StringIO(), clock)
    for second in range(0, 130, 10):
        clock(second)
        line.tell("testing the course")
        line.show(1 + second // 20)
        line.hide()
    assert line._stream.getvalue() == "4 of 10 graded, about 2 min left\n7 of 10 graded, about 50 s left\n"


def test_a_phrase_is_shown_only_after_two_seconds(monkeypatch, clock):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    line = ProgressLine(10, Terminal(), clock)
    line.tell("early")
    clock(3)
    line.tell("late")
    assert "early" not in line._stream.getvalue() and "late" in line._stream.getvalue()
    line.restart()
    line.tell("again early")
    assert "again" not in line._stream.getvalue()
