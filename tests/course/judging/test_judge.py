"""The judge: the reference is right, every fault is found, the student's code cannot influence the verdict."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from dark.course.exams import inputs
from dark.course.exams.plain import Difference
from dark.course.judging.judge import judge_exercise
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import compare_observations, first_wrong_node, node_called, wrong_field
from dark.course.judging.verdict import STATUSES, Finding, sign_of
from dark.course.lessons.library import Module, Part
from dark.errors import CourseError
from tests.course import arithmetic
from tests.course.arithmetic import MODULE, SOLVED, TOTAL, TWICE


class Quick(LocalObserver):
    """A local observer with a short time limit for infinite loops."""

    def __init__(self, exam):
        super().__init__(exam, seconds=0.2)


def judge(exercise="twice", source=None, **options):
    sources = options.pop("sources", {exercise: source})
    return judge_exercise(MODULE, exercise, sources, exam=arithmetic.exam, bank=(), **options)


def twice(line):
    return judge("twice", f"def twice(x):\n    {line}")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("exercise", MODULE.exercises)
@pytest.mark.parametrize("all_yours", [False, True])
def test_the_reference_judged_against_itself_is_right(seed, exercise, all_yours):
    verdict = judge(exercise, sources=SOLVED, seed=seed, all_yours=all_yours)
    assert verdict.is_right and verdict.earned == verdict.points and verdict.failing is None
    assert verdict.why == "It works.\nIt is used next."


def test_a_class_pays_once_for_the_inputs(monkeypatch):
    judge(sources=SOLVED, seed=7)
    monkeypatch.setattr(inputs, "inputs_from", lambda *arguments: pytest.fail("drawn again"))
    assert judge(sources=SOLVED, seed=7).is_right


RIGHT_OTHERWISE = [
    "return Leaf(x.value + x.value, [x])",
    "import numpy\n    return Leaf(numpy.float64(2 * x.value), (x,), op=int)",
    "return Leaf(x.value * 2 * (1 + 1e-12), (x,))",
]


@pytest.mark.parametrize("line", RIGHT_OTHERWISE)
def test_an_answer_written_differently_is_right(line):
    assert twice(line).is_right


WRONG = {
    "return Leaf(x.value**2, (x,))": {"x": 1.0},
    "return Leaf(abs(2 * x.value), (x,))": {"x": -1.0},
    "return Leaf(2 * x.value if x.value < 2 else 0, (x,))": {"x": 2.0},
    "return Leaf(str(2 * x.value), (x,))": {"x": 0.0},
    "return Leaf(x.value > 0, (x,))": {"x": 0.0},
}


@pytest.mark.parametrize("line", WRONG)
@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_answer_is_wrong_and_shrunk_for_every_seed(line, seed):
    verdict = judge("twice", f"def twice(x):\n    {line}", seed=seed)
    finding = verdict.findings[0]
    assert (verdict.status, finding.status, finding.earned) == ("wrong", "wrong", 0)
    assert abs(finding.inputs["x"]) <= abs(WRONG[line]["x"]) and [d.path for d in finding.differences] == ["value"]
    assert verdict.hints == 4


def test_each_question_is_judged_for_itself():
    verdict = twice("return Leaf(0, (x,))")
    assert [finding.status for finding in verdict.findings] == ["wrong", "right"]
    assert (verdict.earned, verdict.points) == (1, 3)


def test_an_object_that_equals_everything_never_passes():
    verdict = judge("twice", arithmetic.ALWAYS_EQUAL)
    assert verdict.earned == 0 and verdict.status == "wrong"
    assert verdict.findings[0].differences == (Difference("value", {"object": "Anything"}, 0.0),)


def test_the_same_seed_gives_the_same_verdict():
    for source in (TWICE, "def twice(x): return Leaf(x.value ** 2)"):
        assert judge("twice", source, seed=7) == judge("twice", source, seed=7)


STATUS_OF = {
    "return 1 / 0": "error",
    "return twice(x)": "error",
    "while True: pass": "timed out",
    "raise SystemExit": "exited",
    "return Leaf(bytearray(10**16))": "out of memory",
    "raise NotImplementedError": "not attempted",
    "import dark; return dark.mul(x, 2)": "uses the reference",
}


@pytest.mark.parametrize("line", STATUS_OF)
def test_every_way_to_fail_has_its_word(line):
    verdict = judge("twice", f"def twice(x):\n    'Other.'\n    {line}", observer=Quick)
    assert verdict.status == STATUS_OF[line] in STATUSES and verdict.earned == 0
    assert {finding.status for finding in verdict.findings} == {verdict.status}


def test_a_stop_is_not_repeated_in_search_of_a_smaller_input():
    asked = []

    class Counting(Quick):
        def observe(self, question, inputs):
            asked.append(question)
            return super().observe(question, inputs)

    judge("twice", "def twice(x): raise SystemExit", observer=Counting)
    assert asked == ["doubles", "keeps_its_input"]


@pytest.mark.parametrize("source", [None, "", arithmetic.STUB_OF_TWICE])
def test_blank_is_not_attempted_and_nothing_is_run(source):
    verdict = judge("twice", source, observer=lambda exam: None)
    assert (verdict.status, verdict.earned, verdict.points) == ("not attempted", 0, 3)
    assert verdict.failing.error.message == ""


def test_a_cell_that_cannot_be_read_in_fails_every_question_with_its_line():
    verdict = judge("twice", "def twice(x):\n    return (")
    assert [finding.status for finding in verdict.findings] == ["error", "error"]
    assert verdict.failing.error.lines[0]["line"] == 2


def test_an_error_keeps_its_own_kind_while_it_shrinks():
    verdict = twice("return Leaf(1 / 0 if x.value > 1 else {}[0] if x.value < 0 else 2 * x.value, (x,))")
    error = verdict.failing.error
    assert verdict.failing.inputs == ({"x": 2.0} if error.type == "ZeroDivisionError" else {"x": -1.0})


def test_swap_in_uses_the_solutions_of_the_others_and_all_yours_does_not():
    sources = {"twice": "def twice(x): return Leaf(0.0)", "total": TOTAL}
    assert judge("total", sources=sources).is_right
    verdict = judge("total", sources=sources, all_yours=True)
    assert [finding.status for finding in verdict.findings] == ["right", "right", "wrong"]


def test_all_yours_names_the_exercise_that_is_missing():
    verdict = judge("total", sources={"total": TOTAL}, all_yours=True)
    assert verdict.status == "not attempted" and verdict.earned == 4
    assert verdict.failing.error.message == "It needs `twice`, which is not attempted yet."


def test_without_printed_solutions_the_others_are_the_students():
    exercises = {name: replace(each, solution=None) for name, each in MODULE.exercises.items()}
    parts = [Part(p.kind, p.exercise, exercises[p.exercise].stub if p.exercise else p.source) for p in MODULE.parts]
    module = Module("98", "arithmetic", "Arithmetic", tuple(parts), exercises, {})
    assert judge_exercise(module, "total", SOLVED, exam=arithmetic.exam, bank=()).is_right


def test_errors_by_design_are_judged_by_their_class():
    refusing = "def four(x): return twice(twice(x))\nclass E(TypeError): pass\ndef total(n):\n"
    for raised, status in [("TypeError", "right"), ("E", "right"), ("ValueError", "wrong")]:
        line = f"    if 'a' in n: raise {raised}('no')\n    return sum(n, 0.0)"
        assert judge("total", refusing + line).findings[1].status == status
    verdict = judge("total", refusing + "    return 0.0 if 'a' in n else sum(n, 0.0)")
    assert verdict.findings[1].differences == (Difference("error", {"missing": True}, {"object": "TypeError"}),)


def four(line):
    return judge("total", f"{TOTAL.split('def four')[0]}def four(x):\n    {line}").findings[2]


def test_a_question_may_judge_for_itself():
    assert four("return Leaf(-2.0)").status == "right"
    finding = four("return Leaf(3.0)")
    assert (finding.status, finding.remark) == ("wrong", "3.0 squared is not 4.")


def test_a_judge_that_did_not_think_of_an_answer_calls_it_wrong():
    def strict(answer, inputs):
        return None if answer["value"] else "empty"

    question = replace(arithmetic.exam.questions["one_of_two"], judge=strict)
    outcome = compare_observations(question, {}, {"returned": [1]}, {"returned": 2.0}, "total")
    assert outcome.remark == "The answer has an unexpected type (TypeError): [1]"


def test_the_graph_is_drawn_but_not_judged_and_its_first_wrong_node_is_found():
    assert twice("return Leaf(2 * x.value, (Leaf(x.value), Leaf(1)))").findings[0].status == "right"
    finding = twice("return Leaf(3 * x.value + 1, (x,))").findings[0]
    assert finding.wrong_node == 1 and len(finding.yours_graph["nodes"]) == 2
    finding = twice("return Leaf(3 * x.value + 1, (Leaf(1.0), x))").findings[0]
    assert finding.wrong_node is None and len(finding.yours_graph["nodes"]) == 3


def graph(*nodes):
    named = enumerate(nodes)
    return {"nodes": [{"value": value, "grad": grad, "inputs": list(range(k))} for k, (value, grad) in named]}


FIRST_WRONG = {
    "nothing": (graph((1.0, 5.0), (2.0, 1.0)), None),
    "a value before all gradients": (graph((1.0, 0.0), (9.0, 0.0)), 1),
    "gradients from the root back": (graph((1.0, 0.0), (2.0, 0.0)), 1),
    "the last gradient": (graph((1.0, 0.0), (2.0, 1.0)), 0),
    "a missing gradient": (graph((1.0, None), (2.0, 1.0)), 0),
    "another shape": (graph((1.0, 5.0)), None),
    "a value that overflowed": (graph((1.0, 0.0), (math.inf, 1.0)), 1),
    "a gradient that is nan": (graph((1.0, math.nan), (2.0, 1.0)), 0),
}


@pytest.mark.parametrize("yours, place", FIRST_WRONG.values(), ids=FIRST_WRONG)
def test_the_first_wrong_node_in_the_order_of_the_computation(yours, place):
    assert first_wrong_node(yours, graph((1.0, 5.0), (2.0, 1.0))) == place


def test_a_gradient_where_none_is_expected_is_wrong_after_everything_else():
    assert first_wrong_node(graph((1.0, 3.0)), graph((1.0, None))) == 0
    assert first_wrong_node(graph((1.0, 3.0), (2.0, 0.0)), graph((1.0, None), (2.0, 1.0))) == 1


@pytest.mark.parametrize("key, other", [("kind", "constant"), ("op", None)])
def test_a_node_of_another_kind_or_without_its_operation_is_wrong_first(key, other):
    right = graph((1.0, None), (2.0, None))
    for node in right["nodes"]:
        node |= {"kind": "result", "op": "Mul"}
    wrong = {"nodes": [right["nodes"][0] | {"value": 1.0}, right["nodes"][1] | {key: other, "value": 9.0}]}
    assert first_wrong_node(wrong, right) == 1
    assert wrong_field(wrong["nodes"][1], right["nodes"][1]) == key
    assert first_wrong_node({"nodes": [node | {"op": "Times"} for node in right["nodes"]]}, right) is None


def test_a_question_that_judges_itself_may_name_the_node():
    question = replace(arithmetic.exam.questions["one_of_two"], judge=lambda answer, inputs: ("No.", "b"))
    outcome = compare_observations(question, {}, {"returned": [1]}, {"returned": 2.0}, "total")
    assert (outcome.remark, outcome.node) == ("No.", "b")
    assert node_called("b", {"nodes": [{"name": "a"}, {"name": "b"}]}) == 1
    assert node_called("c", {"nodes": [{"name": "a"}]}) is node_called("a", None) is None


def test_what_the_failing_call_prints_is_kept_its_first_lines():
    finding = twice("print('hello')\n    return Leaf(0)").findings[0]
    assert finding.printed == "hello"
    finding = twice("for k in range(3000): print(k)\n    return Leaf(0)").findings[0]
    assert finding.printed == "0\n1\n2\n3\n4\n…"
    assert twice("print('hello')\n    return Leaf(2 * x.value, (x,))").findings[0].printed is None


def test_an_exercise_that_is_not_there_is_named_with_near_misses():
    with pytest.raises(CourseError, match=r"module 98 has no exercise 'twise'(.|\n)*Try: twice"):
        judge("twise")


def test_inputs_reach_the_verdict_as_json():
    finding = judge("total", "def total(n): return 0.0\ndef four(x): return twice(twice(x))").findings[0]
    assert json.loads(json.dumps(finding.inputs)) == {"numbers": [1.0]}


def test_signs_differ_for_right_wrong_and_not_attempted():
    assert len({sign_of(status) for status in ("right", "wrong", "not attempted", "error")}) == 4


def test_findings_with_graphs_of_arrays_can_be_compared():
    graph = {"nodes": [{"value": np.ones(3), "grad": None, "inputs": []}]}
    one, other = (Finding("q", "title", 1, 0, "wrong", {"x": 1.0}, yours_graph=graph | {"k": k}) for k in (1, 2))
    assert one == other and one != replace(one, inputs={"x": 2.0})


def error(raised, kinds):
    return {"raised": raised, "kinds": kinds, "message": ""}


@pytest.mark.parametrize(
    "mine, is_right",
    [
        (error("ValueError", "ValueError"), True),
        (error("UnicodeError", "UnicodeError ValueError"), True),
        (error("TooLarge", "TooLarge ValueError"), True),
        (error("Anything", "Anything TypeError ValueError"), False),
        (error("Mine", "Mine"), False),
        (error("Exception", ""), False),
    ],
)
def test_an_error_counts_as_its_nearest_built_in_class(mine, is_right):
    question = arithmetic.exam.questions["refuses_text"]
    outcome = compare_observations(question, {}, mine, error("ShapeError", "ShapeError DarkError ValueError"), "total")
    assert (outcome.status == "right") is is_right


def test_a_judge_that_wants_it_gets_the_answer_of_the_reference():
    question = replace(arithmetic.exam.questions["one_of_two"], judge=lambda answer, inputs, expected: str(expected))
    assert compare_observations(question, {}, {"returned": 1.0}, {"returned": 2.0}, "total").remark == "2.0"
