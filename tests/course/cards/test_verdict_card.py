"""Reports: their order, words, signs and length, and that all text of the student is escaped."""

import json
import re
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest

from dark.course.cards import graph as card_graph
from dark.course.cards.card import in_color
from dark.course.cards.verdict_card import Report, verdict_data
from dark.course.exams.draws import Expression
from dark.course.judging.judge import judge_exercise
from dark.course.judging.outcome import Outcome, first_wrong_node
from dark.course.judging.verdict import Fault, Finding, Verdict
from dark.errors import DrawingError
from tests.course import arithmetic
from tests.course.arithmetic import BANK, MODULE, TWICE


def judge(line="return Leaf(x.value**2, (x,), '<i>')", exercise="twice", source=None):
    source = source or f"def twice(x):\n    {line}"
    return judge_exercise(MODULE, exercise, {exercise: source}, exam=arithmetic.exam, bank=BANK)


def pictures_in(html):
    return [b64decode(data).decode("utf-8") for data in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", html)]


def places(text, phrases):
    return [text.index(phrase) for phrase in phrases]


ORDER = ["twice: runs, wrong", "Diagnosis:", "Next:", "hint(", "Twice the value.", "x = 1", "yours", "Your graph"]


@pytest.mark.parametrize("form", ["text", "html"])
def test_a_report_keeps_its_order(form):
    text = getattr(Report.of(judge()), form).replace("&quot;", '"')
    found = places(text, ORDER)
    assert found == sorted(found)


def test_a_wrong_answer_in_full():
    assert Report.of(judge()).text.splitlines() == [
        "✗ twice: runs, wrong, 1 of 3 points.",
        "  Diagnosis: It multiplies the value with itself.",
        "  Next: Multiply with 2.",
        '  Hint 1: hint("twice")',
        "",
        "  Test: Twice the value.",
        "  Smallest input: x = 1",
        "    where  yours  expected",
        "    value  1      2",
        "  Your graph; the first wrong node is marked: value 1, expected 2.",
        "    #  name  kind            operation  value  gradient  inputs",
        "    0        parameter       .          1      –",
        "  ✗ 1        result (wrong)  <i>        1      –         0",
        "",
        "  The other test passes.",
    ]


def test_success_is_a_line_with_points_and_the_reason():
    assert Report.of(judge(source=TWICE)).text == "✓ twice: right, 3 of 3 points.\n  It works.\n  It is used next."


def test_not_attempted_says_so_and_offers_a_hint():
    text = Report.of(judge(source=arithmetic.STUB_OF_TWICE)).text
    assert text == '· twice: not attempted, 0 of 3 points.\n  Hint 1: hint("twice")'


def test_a_missing_neighbor_is_named():
    sources = {"total": arithmetic.TOTAL}
    verdict = judge_exercise(MODULE, "total", sources, exam=arithmetic.exam, bank=(), all_yours=True)
    assert "It needs `twice`, which is not attempted yet." in Report.of(verdict).text


def test_an_error_shows_the_question_and_the_students_own_lines():
    text = Report.of(judge("return Leaf(1 / 0)")).text
    assert text.splitlines() == [
        "! twice: stopped by an error, 0 of 3 points.",
        "  Diagnosis: In line 2, something is divided by 0.",
        "  Next: Which input makes the denominator 0? Look for a formula without that division, or treat that case by "
        "itself.",
        '  Hint 1: hint("twice")',
        "",
        "  Test: Twice the value.",
        "  Smallest input: x = 0",
        "  ZeroDivisionError: division by zero",
        "    the test, where dark is your code:  y = dark.twice(dark.Leaf(x))",
        "    exercise twice, line 2:  return Leaf(1 / 0)",
        "",
        "  Also fails: The input is the one that went in.",
    ]


def test_a_stop_says_what_happened():
    text = Report.of(judge("raise SystemExit")).text
    assert "! twice: exited, 0 of 3 points." in text and "It ended the whole program (SystemExit)." in text


def test_the_questions_own_words_are_shown():
    text = Report.of(judge(exercise="total", source=arithmetic.TOTAL.replace("twice(twice(x))", "Leaf(3.0)"))).text
    assert "3.0 squared is not 4." in text and "a right answer" in text


def test_another_shape_is_said():
    assert "Your graph has 1 node; expected 2." in Report.of(judge("return Leaf(9.0)")).text


def test_numbers_that_differ_late_are_shown_with_all_digits():
    text = Report.of(judge("return Leaf(2 * x.value + 1e-8, (x,))")).text
    assert re.search(r"value  1e-08 +0", text) or "1.0000000" in text


HOSTILE = "<script>alert('x')</script>"


@pytest.mark.parametrize(
    "line",
    [
        f'return Leaf("{HOSTILE}", (x,), "{HOSTILE}")',
        f'raise ValueError("{HOSTILE}")',
        f'return type("{HOSTILE}", (), {{}})()',
        f'y = type("{HOSTILE}", (Leaf,), {{}})("{HOSTILE}", [x]); y.name = "{HOSTILE}"; y.grad = y; return y',
    ],
)
def test_html_escapes_everything_of_the_students(line):
    html = Report.of(judge(line)).html
    assert "<script>" not in html and "alert" in html


def test_a_report_is_at_most_25_lines_long():
    nodes = [{"kind": "result", "op": "add", "value": 1.0, "grad": 0.0, "name": None, "inputs": []} for _ in range(50)]
    right = [node | {"grad": 1.0} for node in nodes]
    lines = tuple({"where": "exercise twice", "line": k, "source": "x" * 100} for k in range(4))
    verdict = judge("return Leaf({}, (x,))")
    finding = replace(
        verdict.failing, error=Fault("E", "m", lines), yours_graph={"nodes": nodes}, expected_graph={"nodes": right},
        wrong_node=49, differences=verdict.failing.differences * 9,
    )  # fmt: skip
    text = Report.of(replace(verdict, findings=(finding,), diagnosis=None)).text
    assert "✗ 49" in text and "and 38 more nodes" in text and "and 3 more" in text
    assert len(text.splitlines()) <= 33  # an error and a graph never come together: 7 lines less


def test_without_a_picture_the_table_stands_in(monkeypatch):
    def fail(boxes):
        raise DrawingError("no layout engine.")

    monkeypatch.setattr(card_graph, "draw_boxes", fail)
    html = Report.of(judge()).html
    assert not pictures_in(html) and "✗ 1" in html


def test_the_picture_marks_the_wrong_node():
    svg = pictures_in(Report.of(judge()).html)[0]
    assert "<svg" in svg and "wrong" in svg


def test_a_graph_of_the_right_structure_is_compared_with_the_expected_one():
    html = Report.of(judge()).html
    yours, svg = pictures_in(html)
    assert "<details><summary>Your graph next to the expected one</summary>" in html
    assert ">yours</text>" in svg and ">expected</text>" in svg and "begins here" in svg
    other = replace(judge().failing, expected_graph={"nodes": []})
    assert "<details>" not in Report.of(replace(judge(), findings=(other,))).html


def test_an_expression_is_written_as_code():
    inputs = {"expression": ["add", ["mul", 2.0, "x"], "x"], "x": 1.0}
    finding = Finding("q", "It adds up.", 1, 0, "wrong", inputs)
    text = Report.of(Verdict("98", "twice", "wrong", (finding,), 0, 1)).text
    assert "Smallest input: a = mul(2, x); expression = add(a, x), x = 1" in text and Expression().size == 5


@pytest.mark.parametrize("line", ["return Leaf(float('nan'))", "return 1 / 0", "return x", "return twice"])
def test_a_report_as_data_is_strict_json(line):
    verdict = judge(line)
    data = json.loads(json.dumps(verdict_data(verdict), allow_nan=False))
    assert data["exercise"] == "twice" and data["status"] == verdict.status
    assert [question["question"] for question in data["questions"]] == ["doubles", "keeps_its_input"]


def test_an_outcome_keeps_its_kind():
    assert Outcome("error", error=Fault("TypeError", "")).kind == ("error", "TypeError")


GRAPHS = {
    "kind": ({"kind": "parameter"}, {"kind": "constant"}, "marked: x, a parameter, expected a constant."),
    "no operation": ({"op": None}, {"op": "Mul"}, "marked: x, no operation, expected one."),
    "an operation": ({"op": "Mul"}, {"op": None}, "marked: x, an operation, expected none."),
    "a gradient": ({"grad": 2.0}, {"grad": None}, "marked: x, gradient 2, expected none."),
    "no gradient": ({"grad": None}, {"grad": 2.0}, "marked: x, no gradient, expected 2."),
    "nothing": ({}, {}, "Your graph; the wrong node is marked."),
}


@pytest.mark.parametrize("mine, theirs, says", GRAPHS.values(), ids=GRAPHS)
def test_the_note_names_the_wrong_node_and_what_is_wrong_with_it(mine, theirs, says):
    node = {"kind": "result", "op": "Mul", "value": 1.0, "grad": 1.0, "name": "x", "inputs": []}
    graphs = {"nodes": [node | mine]}, {"nodes": [node | theirs]}
    finding = Finding("q", "T.", 1, 0, "wrong", {}, (), None, None, *graphs, wrong_node=0)
    assert says in card_graph.graph_note(finding)


ARRAYS = {
    "a number": (np.array([1.0, 3.0]), "gradient [1, 3], expected [1, 2]."),
    "a shape": (np.array([[1.0, 2.0]]), "gradient [[1, 2]], expected [1, 2]."),
    "a kind": (3.0, "gradient 3, expected [1, 2]."),
    "much": (np.ones((9, 9)), "gradient an array of shape (9, 9), expected [1, 2]."),
}


@pytest.mark.parametrize("grad, says", ARRAYS.values(), ids=ARRAYS)
def test_the_first_wrong_array_is_marked_and_drawn(grad, says):
    value, right = np.array([1.0, 2.0]), np.array([1, 2])
    leaf = {"kind": "parameter", "op": None, "value": value, "name": "x", "inputs": []}
    root = {"kind": "result", "op": "Sum", "value": 3.0, "grad": 1.0, "name": "y", "inputs": [0]}
    yours, expected = ({"nodes": [leaf | {"grad": each}, root]} for each in (grad, right))
    assert first_wrong_node(expected, expected) is None
    place = first_wrong_node(yours, expected)
    finding = Finding("q", "T.", 1, 0, "wrong", {}, (), None, None, yours, expected, wrong_node=place)
    assert place == 0 and card_graph.graph_note(finding).endswith(f"x, {says}")
    assert "<svg" in card_graph.drawing_of(finding).svg


def test_a_node_in_question_needs_no_graph_of_the_same_shape():
    node = {"kind": "result", "value": 1.0, "name": "x", "inputs": []}
    finding = Finding("q", "T.", 1, 0, "wrong", {}, yours_graph={"nodes": [node]}, wrong_node=0)
    assert card_graph.graph_note(finding) == "Your graph; the wrong node is marked."


def test_an_input_of_rows_is_shown_as_it_is():
    finding = Finding("q", "T.", 1, 0, "wrong", {"g": [[1, 2], [3, 4]], "shape": []})
    text = Report.of(Verdict("98", "twice", "wrong", (finding,), 0, 1)).text
    assert "Smallest input: g = [[1, 2], [3, 4]], shape = []" in text


def test_what_was_printed_is_shown():
    text = Report.of(judge("print('a'); print('b'); return Leaf(0, (x,))")).text
    assert "  Printed output:\n    a\n    b\n" in text
    assert ">&lt;b&gt;</pre>" in Report.of(judge("print('<b>'); return Leaf(0, (x,))")).html


def test_the_other_questions_that_are_wrong_are_named():
    findings = tuple(Finding(f"q{k}", f"Title {k}.", 1, 0, "wrong", {}) for k in range(5))
    text = Report.of(Verdict("98", "twice", "wrong", findings, 0, 5)).text
    assert "Also fails: Title 1.\n  Also fails: Title 2. And 2 more." in text


def test_text_in_backticks_is_code_in_html():
    assert "<code>Leaf</code> &lt;i&gt;" in Report.of(judge("raise ValueError('`Leaf` <i>')")).html


def test_hints_are_asked_for_as_in_the_notebook_or_terminal():
    verdict = replace(judge(), hints=4)
    assert 'Hint 2: hint("twice")' in Report.of(verdict, shown={1}).text
    assert "Hint 2: dark hint 98 twice" in Report.of(verdict, shown={1}, terminal=True).text


def test_after_the_last_hint_it_says_what_to_do():
    verdict, shown = replace(judge(), hints=4), {1, 2, 3, 4}
    text = Report.of(verdict, shown=shown).text
    assert 'You have seen all 4 hints. hint("twice", 4) shows the worked example again' in text
    assert "dark hint 98 twice 4 shows" in Report.of(verdict, shown=shown, terminal=True).text


LOOKS = {
    "✓": TWICE,
    "✗": "def twice(x): return Leaf(0)",
    "!": "def twice(x): return 1 / 0",
    "·": arithmetic.STUB_OF_TWICE,
}


def test_each_status_has_its_own_sign_and_color_in_styles_that_survive_without_trust():
    colors = set()
    for sign, source in LOOKS.items():
        html = Report.of(judge(source=source)).html
        color = re.search(rf'background-color: (#\w{{6}}); color: #ffffff; [^"]*">{sign} twice: ', html)[1]
        assert f"border-left: 4px solid {color};" in html and "<svg" not in html
        colors.add(color)
    assert len(colors) == len(LOOKS)


def test_what_also_fails_is_folded():
    findings = tuple(Finding(f"q{k}", f"Title {k}.", 1, 0, "wrong", {}) for k in range(5))
    html = Report.of(Verdict("98", "twice", "wrong", findings, 0, 5)).html
    assert html.endswith("<li>Title 4.</li></ul></details></div>") and "<summary>Also fails (4)</summary>" in html


def test_a_terminal_gets_the_same_text_in_color():
    text = Report.of(judge()).text
    colored = in_color(text)
    assert colored.startswith("\x1b[1;31m✗ twice: runs, wrong, 1 of 3 points.\x1b[0m\n  \x1b[1mDiagnosis:\x1b[0m It ")
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == text


def test_a_graph_with_a_gradient_of_another_shape_is_compared():
    node = {"kind": "parameter", "op": None, "value": np.ones((2, 3)), "grad": np.ones((2, 3)), "inputs": []}
    result = {**node, "kind": "result", "op": "sum", "value": 6.0, "grad": 1.0, "inputs": [0]}
    graphs = [{"nodes": [{**node, "grad": grad}, result]} for grad in (np.ones(6), np.ones((2, 3)))]
    finding = Finding("q", "A title.", 1, 0, "wrong", {}, yours_graph=graphs[0], expected_graph=graphs[1], wrong_node=0)
    html = Report.of(Verdict("98", "twice", "wrong", (finding,), 0, 1)).html
    assert "<summary>Your graph next to the expected one</summary>" in html


def dense(count, **fields):
    """Return a finding with a graph in which each node has all former ones as inputs."""
    node = {"kind": "result", "op": "add", "value": 1.0, "grad": None, "name": None} | fields
    graph = {"nodes": [node | {"inputs": list(range(k))} for k in range(count)]}
    expected = {"nodes": [node | {"value": 2.0, "inputs": list(range(k))} for k in range(count)]}
    return Finding("q", "T.", 1, 0, "wrong", {}, (), yours_graph=graph, expected_graph=expected, wrong_node=0)


@pytest.mark.parametrize(("count", "edges"), [(300, "44,850"), (50, "1,225")])
def test_a_graph_with_too_many_edges_is_told_and_not_drawn(count, edges):
    html = Report.of(Verdict("98", "twice", "wrong", (dense(count),), 0, 1)).html
    assert f"The picture is left out: {count} nodes with {edges} edges; at most" in html
    assert "<img" not in html and len(html) < 20_000
    assert pictures_in(Report.of(Verdict("98", "twice", "wrong", (dense(8),), 0, 1)).html)


def test_a_picture_has_a_number_of_bytes(monkeypatch):
    monkeypatch.setattr(card_graph, "MOST_BYTES", 5_000)
    html = Report.of(Verdict("98", "twice", "wrong", (dense(8),), 0, 1)).html
    assert re.search(r"The picture is left out: \d+ kB; at most 5 kB are shown.", html) and "<img" not in html
