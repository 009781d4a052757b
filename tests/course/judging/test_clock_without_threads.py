"""The time limit where Python has neither timers nor threads: the running code looks at the clock itself."""

import contextlib
import itertools
import sys
import threading
import time

import numpy as np
import pytest

from dark.course.judging import timing
from dark.course.judging.observe import watch
from dark.course.judging.timing import TimeIsUp, alarm

SECONDS = 0.1


@pytest.fixture(autouse=True, params=["events", "trace"])
def no_threads(request, monkeypatch):
    """Take away timers and threads, and for one of the two clocks what Python 3.12 brought."""

    def start(thread):
        raise RuntimeError("can't start new thread")

    if request.param == "trace":
        monkeypatch.setattr(timing, "MONITORING", None)
    elif not hasattr(sys, "monitoring"):
        pytest.skip("Python 3.11 has no sys.monitoring")
    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr(timing, "TIMERS", {})
    timing.threads_start.cache_clear()
    yield
    monkeypatch.undo()
    timing.threads_start.cache_clear()


def loop():
    while True:
        pass


def ones():
    while True:
        yield 1


def deep(n):
    return deep(n - 1) if n else 0


def in_a_try():
    try:
        while True:
            pass
    except ValueError:
        return None


def calls():
    while True:
        deep(20)


def catches():
    for _ in range(3):
        with contextlib.suppress(BaseException):
            loop()
    loop()


def sleeps():
    while True:
        time.sleep(0.001)


ENDLESS = (
    loop, in_a_try, calls, sleeps, lambda: [one + 1 for one in ones()], lambda: sum(ones()),
    lambda: sum(1 for _ in itertools.count()), lambda: [np.ones(9).sum() for _ in itertools.count()],
)  # fmt: skip


@pytest.mark.parametrize("function", ENDLESS)
def test_an_endless_answer_is_stopped(function):
    began = time.monotonic()
    assert watch(function, SECONDS)["stopped"] == "timed out"
    assert SECONDS <= time.monotonic() - began < 20 * SECONDS


@pytest.mark.parametrize("no_threads", ["events"], indirect=True)
def test_an_answer_that_catches_everything_is_stopped_again_and_again():
    assert watch(catches, SECONDS)["stopped"] == "timed out"


def test_an_answer_within_its_time_is_not_stopped():
    assert watch(lambda: sum(range(1000)), 60) == {"result": 499500}


def test_nothing_is_raised_after_the_end_of_a_block():
    with alarm() as clock:
        clock.start(SECONDS)
        clock.stop()
        time.sleep(1.5 * SECONDS)
        deep(20)
        sum(1 for _ in range(1000))


def test_one_block_after_another_has_a_time_of_its_own():
    with alarm() as clock:
        for _ in range(3):
            with pytest.raises(TimeIsUp):
                try:
                    clock.start(SECONDS)
                    loop()
                finally:
                    clock.stop()
            clock.start(60)
            deep(20)
            clock.stop()


def test_a_limit_that_ends_in_a_finalizer_is_not_lost(capfd):
    class Slow:
        def __del__(self):
            end = time.monotonic() + 3 * SECONDS
            while time.monotonic() < end:
                pass

    def drop():
        while True:
            Slow()

    assert watch(drop, SECONDS)["stopped"] == "timed out"
    assert capfd.readouterr().err == ""


def test_what_watched_before_watches_again():
    before = sys.gettrace()
    tools = [sys.monitoring.get_tool(each) for each in range(6)] if hasattr(sys, "monitoring") else None
    with alarm() as outer, alarm() as inner:
        outer.start(60)
        inner.start(60)
        inner.stop()
        outer.stop()
    assert sys.gettrace() is before
    if tools:
        assert [sys.monitoring.get_tool(each) for each in range(6)] == tools
