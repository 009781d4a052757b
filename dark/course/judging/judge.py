"""Judge: draw inputs, ask both sides, compare; one exercise at a time.

Swap-in: the student's one exercise among the reference's code for all the others; this gives the
points. All yours: the student's whole module together.
"""

import json
from dataclasses import replace
from functools import lru_cache

from dark.course.exams.questions import load_exam
from dark.course.exams.strategies import search
from dark.course.judging.bugs import diagnose, diagnose_one, load_bugs
from dark.course.judging.implementation import arrange, is_attempted, reference
from dark.course.judging.observe import LocalObserver, observe
from dark.course.judging.outcome import first_wrong_node, graph_of, node_called, weigh
from dark.course.judging.slips import slip_in
from dark.course.judging.unfinished import say_stubs, stubs_in
from dark.course.judging.verdict import BORROWED, NOT_ATTEMPTED, PARTLY, RIGHT, STOPS, Fault, Finding, Verdict
from dark.errors import CourseError, near_misses

SHRINKS = 150  # inputs looked at after the first failure, in search of a smaller one
REMEMBERED = 4  # inputs of each question on which a diagnosis compares


def judge_exercise(module, exercise, sources, *, exam=None, bank=None, observer=LocalObserver, seed=0, all_yours=False):
    """Judge one exercise of a student's.

    Parameters
    ----------
    module : Module
        The module, with the reference's code.
    exercise : str
        The id of the exercise.
    sources : dict of str to str
        The student's cells, by exercise id.
    exam : Exam, optional
        The questions; found by the module's id.
    bank : sequence of Bug, optional
        Known wrong answers; found by the ids.
    observer : callable, default LocalObserver
        ``observer(exam)`` gives an `Observer`.
    seed : int, default 0
        The same seed asks the same.
    all_yours : bool, default False
        All exercises are the student's, not just this one.

    Returns
    -------
    Verdict

    Raises
    ------
    CourseError
        Where there is no such exercise, or no question for it.
    """
    if exercise not in module.exercises:
        raise CourseError(
            f"module {module.id} has no exercise {exercise!r}.",
            "one of its exercises.",
            near_misses(exercise, module.exercises),
        )
    exam = exam or load_exam(module.id)
    questions = exam.questions_of(exercise)
    if not is_attempted(sources.get(exercise), module.exercises[exercise].stub):
        fault = Fault(NOT_ATTEMPTED, "")
        findings = [_unasked(question, NOT_ATTEMPTED, fault) for question in questions]
        return _verdict(module, exercise, findings)
    side = _Side(exam, observer(exam), exercise)
    try:
        findings = side.examine(questions, _parts(module, exercise, sources, all_yours), seed)
        verdict = _verdict(module, exercise, _partly(findings, sources[exercise]))
        if verdict.is_right or all_yours or verdict.status in (BORROWED, NOT_ATTEMPTED, PARTLY):
            return verdict
        bank = load_bugs(module.id, exercise) if bank is None else bank
        return replace(verdict, diagnosis=_diagnosis(bank, module, side, verdict, sources[exercise]))
    finally:
        side.observer.close()


def _partly(findings, source):
    """Say of questions that met a stub in an answer which is more than a stub where it stands."""
    fault = Fault(PARTLY, say_stubs(stubs_in(source)))
    return [
        replace(finding, status=PARTLY, error=fault)
        if finding.status == NOT_ATTEMPTED and not finding.error.message
        else finding
        for finding in findings
    ]


def _diagnosis(bank, module, side, verdict, source):
    """A known mistake that explains everything, else a slip, else what explains the first failure."""
    exercise, remembered = verdict.exercise, side.remembered()
    known = diagnose(bank, module, side.exam, exercise, remembered)
    known = known or slip_in(source, module.exercises[exercise].solution, verdict)
    return known or diagnose_one(bank, module, side.exam, exercise, remembered, verdict.failing.question)


def _parts(module, exercise, sources, all_yours):
    """The student's exercise among the solutions; where these are not printed, among their own."""
    theirs = {
        name: sources.get(name) or each.stub
        for name, each in module.exercises.items()
        if all_yours or name == exercise or each.solution is None
    }
    return arrange(module.parts, theirs)


@lru_cache(maxsize=4096)
def _expected(question, implementation, key):
    return observe(question, implementation, json.loads(key))


def expected_observation(exam, question, inputs):
    """Give the reference's observation; the same question is asked of it once.

    Parameters
    ----------
    exam : Exam
        Whose reference is asked.
    question : Question
        What is asked.
    inputs : dict
        Plain values.

    Returns
    -------
    dict
        An observation.
    """
    return _expected(question, exam.reference or reference(), json.dumps(inputs, sort_keys=True))


class _Side:
    """The student's side of one exercise, and what it has answered so far."""

    def __init__(self, exam, observer, exercise):
        self.exam, self.observer, self.exercise = exam, observer, exercise
        self.answers = {}  # (question, inputs as JSON) -> (inputs, observation, outcome)
        self.smallest = {}  # question -> inputs

    def examine(self, questions, parts, seed):
        """Ask every question; each finding is independent of the others."""
        failure = self.observer.open(parts)
        if failure is None:
            return [self.ask(question, seed) for question in questions]
        return [self.unopened(question, failure) for question in questions]

    def unopened(self, question, failure):
        """The finding where the code could not even be read in."""
        outcome = weigh(question, {}, failure, {}, self.exercise)
        return _unasked(question, outcome.status, outcome.error)

    def ask(self, question, seed):
        """Look for the smallest inputs on which the question fails, and report on them."""
        hunt = _Hunt(self, question)
        inputs = search(question.draws, hunt.fails, examples=question.examples, seed=seed)
        if inputs is None:
            earned = question.points
            return Finding(question.name, question.title, question.points, earned, RIGHT, {})
        self.smallest[question.name] = inputs
        _, seen, outcome = self.answer(question, inputs)
        expected = graph_of(expected_observation(self.exam, question, inputs))
        yours = graph_of(seen)
        return Finding(
            question.name,
            question.title,
            question.points,
            0,
            outcome.status,
            inputs,
            outcome.differences,
            outcome.remark,
            outcome.error,
            yours,
            expected,
            first_wrong_node(yours, expected) if outcome.node is None else node_called(outcome.node, yours),
            seen.get("printed"),
        )

    def answer(self, question, inputs):
        """Observe, or remember, and weigh."""
        key = question.name, json.dumps(inputs, sort_keys=True)
        if key not in self.answers:
            seen = self.observer.observe(question.name, inputs)
            expected = expected_observation(self.exam, question, inputs)
            outcome = weigh(question, inputs, seen, expected, self.exercise)
            self.answers[key] = inputs, seen, outcome
        return self.answers[key]

    def has_answered(self, question, inputs):
        """Whether this was asked before."""
        return (question.name, json.dumps(inputs, sort_keys=True)) in self.answers

    def remembered(self):
        """For a diagnosis: of each question the smallest failing inputs, then the first asked."""
        chosen = []
        for name in dict.fromkeys(name for name, _ in self.answers):
            asked = [answer for key, answer in self.answers.items() if key[0] == name]
            asked.sort(key=lambda answer: answer[0] != self.smallest.get(name))
            chosen += [(self.exam.questions[name], *answer) for answer in asked[:REMEMBERED]]
        return chosen


class _Hunt:
    """The hunt for one question's smallest failing inputs: it stays with one kind of failure."""

    def __init__(self, side, question):
        self.side, self.question = side, question
        self.kind, self.left = None, SHRINKS

    def fails(self, inputs):
        """Whether the question fails on these inputs, in the way it failed first."""
        if self.kind and not self.side.has_answered(self.question, inputs):
            if self.left == 0 or self.kind[0] in STOPS:  # a stop is costly; it is not repeated
                return False
            self.left -= 1
        outcome = self.side.answer(self.question, inputs)[2]
        if outcome.status == RIGHT:
            return False
        self.kind = self.kind or outcome.kind
        return outcome.kind == self.kind


def _unasked(question, status, fault):
    return Finding(question.name, question.title, question.points, 0, status, {}, error=fault)


def _verdict(module, exercise, findings):
    status = next((f.status for f in findings if f.status != RIGHT), RIGHT)
    each = module.exercises[exercise]
    return Verdict(
        module.id,
        exercise,
        status,
        tuple(findings),
        sum(finding.earned for finding in findings),
        sum(finding.points for finding in findings),
        next_hint=1 if status != RIGHT and each.hints else None,
        why=each.why,
    )
