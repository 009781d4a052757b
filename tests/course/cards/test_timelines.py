"""Two timelines in a card: the first wrong event is marked, in a terminal and in a notebook."""

from dark.course.cards.verdict_card import Report
from dark.course.exams.differences import Difference
from dark.course.exams.rows import first_rows
from dark.course.judging.bank import edited
from dark.course.judging.judge import judge_exercise
from dark.course.judging.verdict import Finding, Verdict
from dark.course.lessons.library import load_module

MODULE = load_module("07")


def report(exercise, change):
    source = edited(MODULE.exercises[exercise].solution, change)
    return Report.of(judge_exercise(MODULE, exercise, {exercise: source}))


def test_the_first_wrong_event_of_a_run_is_marked():
    line = "self.announce(Events.EPOCH_COMPLETED)"
    shown = report("engine_run", {line: f"{line}\nself.fire_event(Events.COMPLETED)"})
    marked = [line for line in shown.text.splitlines() if line.startswith("  ✗")]
    assert len(marked) == 1 and marked[0].endswith("nothing") and "COMPLETED, epoch 1, iteration 1" in marked[0]
    assert "8th event: yours COMPLETED, expected nothing." in shown.text
    assert shown.html.count("6px solid #cf222e") == 2 and "✗ 8" in shown.html
    assert "trace[" not in shown.text and "[[" not in shown.text


def test_what_the_student_writes_is_escaped():
    found = first_rows([["<script>", 1]], [["a", 1]])
    finding = Finding("q", "A title.", 1, 0, "wrong", {}, rows=found)
    html = Report.of(Verdict("07", "state", "wrong", (finding,), 0, 1)).html
    assert "&lt;script&gt;" in html and "<script>" not in html


def test_the_kind_of_numbers_in_an_array_is_shown_where_only_it_differs():
    arrays = [{"array": dtype, "shape": [1], "list": [3]} for dtype in ("uint8", "int64")]
    finding = Finding("q", "A title.", 1, 0, "wrong", {}, (Difference("matrix", *arrays),))
    text = Report.of(Verdict("08", "confusion_matrix", "wrong", (finding,), 0, 1)).text
    assert "[3], dtype uint8" in text and "[3], dtype int64" in text
