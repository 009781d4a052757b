"""The student's side of an exam: it is asked, its answers are weighed, the smallest failing inputs found."""

import json
from functools import lru_cache

from dark.course.exams.strategies import search
from dark.course.judging.implementation import reference
from dark.course.judging.observe import observe
from dark.course.judging.outcome import first_wrong_node, graph_of, node_called, weigh
from dark.course.judging.verdict import RIGHT, STOPS, Finding

__all__ = ["SubmissionRunner", "expected_observation", "unasked"]

SHRINKS = 150  # inputs looked at after the first failure, in search of a smaller one
REMEMBERED = 4  # inputs of each question on which a diagnosis compares


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


class SubmissionRunner:
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
        return unasked(question, outcome.status, outcome.error)

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

    def __init__(self, runner, question):
        self.runner, self.question = runner, question
        self.kind, self.left = None, SHRINKS

    def fails(self, inputs):
        """Whether the question fails on these inputs, in the way it failed first."""
        if self.kind and not self.runner.has_answered(self.question, inputs):
            if self.left == 0 or self.kind[0] in STOPS:  # a stop is costly; it is not repeated
                return False
            self.left -= 1
        outcome = self.runner.answer(self.question, inputs)[2]
        if outcome.status == RIGHT:
            return False
        self.kind = self.kind or outcome.kind
        return outcome.kind == self.kind


def unasked(question, status, fault):
    """The finding on a question that was not put, and earns nothing."""
    return Finding(question.name, question.title, question.points, 0, status, {}, error=fault)
