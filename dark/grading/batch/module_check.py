"""Test one module of the course: the solution has full points, the blank none, the reference answers every question."""

import json
from functools import partial
from typing import Any

from dark.course.judging.asking import expected_observation
from dark.course.judging.implementation import arrange
from dark.course.judging.judge import judge_exercise
from dark.course.judging.observe import LocalObserver, one_by_one
from dark.course.judging.outcome import compare_observations
from dark.course.judging.verdict import RIGHT
from dark.course.lessons.answers import collect
from dark.errors import CourseError
from dark.grading.grader.result import short

BLANK_TRIALS = 5  # inputs of each question that the blank is asked
LONGEST = 200  # characters of a value in a message


class PreflightError(CourseError):
    """A fault of the course itself, found before any submission is graded."""


def check_assignment(assignment, seed: int = 0, tell=lambda text: None):
    """Refuse a module with a wrong solution, points for the blank, a failing reference, or hidden questions only."""
    module = assignment.module
    _check_shown(assignment)
    blank = collect(module.blank, module).sources
    for name, exercise in module.exercises.items():
        tell(f"testing the course: {module.stem}, {name}")
        asked: dict[str, list[Any]] = {}
        verdict = _judge(assignment, name, partial(_Witness, asked, exercise.solution is None), seed)
        for question, trials in asked.items():
            _check_reference(assignment, question, trials)
        if not verdict.is_right:
            raise _not_full(assignment, verdict)
        _check_blank(assignment, name, blank.get(name, exercise.stub), asked)


def _check_shown(assignment):
    """Refuse an exercise that students cannot check; the questions of a private folder may all be hidden."""
    exam = assignment.exam
    for name in sorted(exam.without_hidden.only_hidden) if exam.bank is None else ():
        what = f"module {assignment.module.id}, exercise {name}: all its questions are hidden; no student can check it."
        advice = "one without hidden=True; or the hidden ones in a private folder, for --exam"
        raise PreflightError(what, f"at least one question in {exam.path} that students see.", advice)


class _Witness:
    """An observer that remembers the inputs of each question; without a solution it observes the reference."""

    def __init__(self, asked, is_reference, exam):
        self._asked, self._is_reference, self._exam = asked, is_reference, exam
        self._local = LocalObserver(exam)

    def open(self, parts):
        return None if self._is_reference else self._local.open(parts)

    def observe(self, question, inputs):
        self._asked.setdefault(question, []).append(inputs)
        if self._is_reference:
            return expected_observation(self._exam, self._exam.questions[question], inputs)
        return self._local.observe(question, inputs)

    def observe_all(self, sheet):
        return (one_by_one(self, row) for row in sheet.rows)

    def close(self):
        self._local.close()


def _judge(assignment, name, observer, seed):
    """Judge the solution of an exercise, or the reference where an exercise has no solution."""
    module, exam = assignment.module, assignment.exam
    sources = {name: module.exercises[name].solution or "reference = True"}
    try:
        return judge_exercise(module, name, sources, exam=exam, bank=(), observer=observer, seed=seed)
    except Exception as error:
        what = f"module {module.id}, exercise {name}: judging the solution fails ({short(error)})."
        expected = "questions, and judges of questions, that can judge the solution."
        raise PreflightError(
            what, expected, f"check the questions and judges of this exercise, in {exam.path}"
        ) from error


def _check_reference(assignment, name, trials):
    """Refuse a question to which the reference has no answer."""
    exam = assignment.exam
    question = exam.questions[name]
    for inputs in trials:
        expected = expected_observation(exam, question, inputs)
        if "returned" not in expected:
            kind = expected.get("raised") or expected.get("stopped") or "not attempted"
            reason = f"{kind}: {expected.get('message', '')}"[:LONGEST].rstrip(": ")
            raise PreflightError(
                f"{_place(assignment, question)}: the reference fails ({reason}){_shown(inputs)}.",
                "an answer of the reference to all inputs; where it fails, too, a wrong answer would count as right.",
                f"correct the question in {exam.path}; one about errors catches them and returns their kind",
            )


def _check_blank(assignment, name, source, asked):
    module, exam = assignment.module, assignment.exam
    observer = LocalObserver(exam)
    if observer.open(arrange(module.parts, {name: source})) is not None:
        return
    for key, trials in asked.items():
        question = exam.questions[key]
        if all(_is_right(observer, exam, question, inputs) for inputs in trials[:BLANK_TRIALS]):
            what = f"{_place(assignment, question)}: the blank notebook answers it correctly."
            advice = "let the question use what the exercise defines; `dark build` prints the blank notebooks"
            raise PreflightError(what, "no points for a notebook without answers.", advice)


def _is_right(observer, exam, question, inputs):
    seen, expected = observer.observe(question.name, inputs), expected_observation(exam, question, inputs)
    return compare_observations(question, inputs, seen, expected, question.exercise).status == RIGHT


def _not_full(assignment, verdict):
    finding = verdict.failing
    reason = finding.remark or (finding.error and finding.error.message) or ""
    return PreflightError(
        f"{_place(assignment, assignment.exam.questions[finding.question])}: the solution is {finding.status}"
        f"{_shown(finding.inputs)}. {reason[:LONGEST]}".rstrip(),
        f"full points for the solution; it has {verdict.earned} of {verdict.points}.",
        f"check the question in {assignment.exam.path}, its judge and tolerance; `dark build` prints changed solutions",
    )


def _place(assignment, question):
    return f"module {assignment.module.id}, exercise {question.exercise}, question {question.name}"


def _shown(inputs):
    text = ", ".join(f"{name} = {json.dumps(value)}" for name, value in inputs.items())
    return f", for {text[:LONGEST]}" if text else ""
