"""Tests of the attempts and hints summed up from the log."""

from dark.course.student.records import fingerprint, records


def test_the_same_source_twice_is_one_attempt():
    def check(source, status="wrong"):
        return {"event": "check", "exercise": "slope", "source": source, "status": status}

    events = [check("a"), check("a"), check("b", "right"), check("c", "not attempted")]
    assert records(events)["slope"].attempts == 2


def test_a_hint_that_was_skipped_does_not_count_as_shown():
    events = [{"event": "hint", "exercise": "slope", "number": n} for n in (1, 4, 4)]
    assert records(events)["slope"].hints == {1, 4}
    assert records(events)["add"].hints == set()


def test_events_of_no_exercise_are_passed_over():
    assert records([{"event": "predict", "prediction": "01.1a"}]) == {}


def test_the_fingerprint_tells_sources_apart_but_not_their_margins():
    assert fingerprint("x = 1\n\n") == fingerprint("x = 1")
    assert fingerprint("x = 1") != fingerprint("x = 2")
