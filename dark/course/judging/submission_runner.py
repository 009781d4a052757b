"""Run the questions of an exam on a submission, and find the smallest failing inputs."""

import json
from functools import lru_cache

from dark.course.exams.strategies import search
from dark.course.judging.implementation import reference
from dark.course.judging.observe import observe
from dark.course.judging.outcome import compare_observations, first_wrong_node, graph_of, node_called
from dark.course.judging.verdict import RIGHT, STOPS, Finding

__all__ = ["SubmissionRunner", "expected_observation", "not_run"]

SHRINKS = 150  # inputs tried after the first failure, to find a smaller one
REMEMBERED = 4  # inputs of each question that a diagnosis compares


@lru_cache(maxsize=4096)
def _expected(question, implementation, key):
    return observe(question, implementation, json.loads(key))


def expected_observation(exam, question, inputs):
    """Return the observation of the reference; repeated calls are cached.

    Parameters
    ----------
    exam : Exam
        The exam, with its reference.
    question : Question
        The question.
    inputs : dict
        Plain values.

    Returns
    -------
    dict
        An observation.
    """
    return _expected(question, exam.reference or reference(), json.dumps(inputs, sort_keys=True))


class SubmissionRunner:
    """Runs the questions of one exercise on a student's code, and caches the answers."""

    def __init__(self, exam, observer, exercise):
        self.exam, self.observer, self.exercise = exam, observer, exercise
        self.answers = {}  # (question, inputs as JSON) -> (inputs, observation, outcome)
        self.smallest = {}  # question -> inputs

    def examine(self, questions, parts, seed):
        """Run every question; the findings are independent of each other."""
        failure = self.observer.open(parts)
        if failure is None:
            return [self.ask(question, seed) for question in questions]
        return [self.unopened(question, failure) for question in questions]

    def unopened(self, question, failure):
        """Return the finding of a question whose implementation could not be built."""
        outcome = compare_observations(question, {}, failure, {}, self.exercise)
        return not_run(question, outcome.status, outcome.error)

    def ask(self, question, seed):
        """Search for the smallest inputs on which a question fails, and return the finding."""
        search_state = _Search(self, question)
        inputs = search(question.draws, search_state.fails, examples=question.examples, seed=seed)
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
        """Return inputs, observation and outcome of a question, from the cache if possible."""
        key = question.name, json.dumps(inputs, sort_keys=True)
        if key not in self.answers:
            seen = self.observer.observe(question.name, inputs)
            expected = expected_observation(self.exam, question, inputs)
            outcome = compare_observations(question, inputs, seen, expected, self.exercise)
            self.answers[key] = inputs, seen, outcome
        return self.answers[key]

    def has_answered(self, question, inputs):
        """Return whether a question was run on these inputs."""
        return (question.name, json.dumps(inputs, sort_keys=True)) in self.answers

    def remembered(self):
        """Return the answers for a diagnosis: of each question the smallest failing inputs first."""
        chosen = []
        for name in dict.fromkeys(name for name, _ in self.answers):
            asked = [answer for key, answer in self.answers.items() if key[0] == name]
            asked.sort(key=lambda answer: answer[0] != self.smallest.get(name))
            chosen += [(self.exam.questions[name], *answer) for answer in asked[:REMEMBERED]]
        return chosen


class _Search:
    """The search for the smallest failing inputs of one question, for one kind of failure."""

    def __init__(self, runner, question):
        self.runner, self.question = runner, question
        self.kind, self.left = None, SHRINKS

    def fails(self, inputs):
        """Return whether the question fails on these inputs, with the same kind of failure as at first."""
        if self.kind and not self.runner.has_answered(self.question, inputs):
            if self.left == 0 or self.kind[0] in STOPS:  # a stop is expensive and not repeated
                return False
            self.left -= 1
        outcome = self.runner.answer(self.question, inputs)[2]
        if outcome.status == RIGHT:
            return False
        self.kind = self.kind or outcome.kind
        return outcome.kind == self.kind


def not_run(question, status, fault):
    """Return the finding of a question that was not run and earns no points."""
    return Finding(question.name, question.title, question.points, 0, status, {}, error=fault)
