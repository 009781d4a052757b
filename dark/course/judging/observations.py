"""The observations of one answer: every question is asked, and its smallest failing inputs are searched for."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache

from dark.course.exams.exam import Question
from dark.course.exams.strategies import inputs_of, search
from dark.course.judging.implementation import reference
from dark.course.judging.observe import observe
from dark.course.judging.outcome import Outcome, answer_of, compare_observations, graph_of
from dark.course.judging.verdict import NOT_ATTEMPTED, RIGHT, STOPS

__all__ = ["Asked", "Trial", "expected_observation", "observations_of"]

SHRINKS = 150  # inputs tried after the first failure, to find a smaller one
REMEMBERED = 8  # inputs of each question that a diagnosis compares


@dataclass(frozen=True)
class Trial:
    """A question asked on one set of inputs: the observations of the student's code and of the reference."""

    question: Question
    inputs: dict
    seen: dict
    expected: dict
    outcome: Outcome


@dataclass(frozen=True)
class Asked:
    """A question asked on many inputs.

    Parameters
    ----------
    question : Question
    failure : Trial or None
        The one with the smallest failing inputs; None if all are right.
    trials : tuple of Trial
        Some of all, for a diagnosis: the failure first.
    keeps_state : bool
        Whether the failure is right when it is the first that is asked: something is kept between calls.
    """

    question: Question
    failure: Trial | None
    trials: tuple = ()
    keeps_state: bool = False


@lru_cache(maxsize=4096)
def _expected(question, implementation, key):
    return observe(question.body, implementation, json.loads(key))


def expected_observation(exam, question, inputs):
    """Return the observation of the reference on some inputs; repeated calls are cached."""
    return _expected(question, exam.reference or reference(), _key(inputs))


def _key(inputs):
    return json.dumps(inputs, sort_keys=True)


@lru_cache(maxsize=512)
def _drawn(question, implementation, seed):
    """Return the drawn inputs of a question, each with its key and the observation of the reference."""
    keyed = [(inputs, _key(inputs)) for inputs in inputs_of(question, seed)]
    return tuple([(inputs, key, _expected(question, implementation, key)) for inputs, key in keyed])


def observations_of(parts, exercise, exam, observer, seed, most=None):
    """Ask every question of an exercise; each is asked whatever became of the others.

    Parameters
    ----------
    parts : list of (str, str)
        The code with the student's answer, as `arrange` returns it.
    exercise : str
        The judged exercise.
    exam : Exam
        The questions.
    observer : callable
        ``observer(exam)`` returns an `Observer`.
    seed : int
        Seed of the generated inputs.
    most : int, optional
        The largest number of inputs of each question; by default all.

    Returns
    -------
    tuple of Asked
        One for each question.
    """
    # the hidden ones last: what the code has seen of them cannot show in what it answers to the others
    questions, opened = sorted(exam.questions_of(exercise), key=lambda each: each.hidden is not None), observer(exam)
    try:
        failure = opened.open(parts)
        if failure is None:
            asked = []
            for question in questions:
                is_first = not any(each.failure for each in asked)
                asked.append(_asked(question, exercise, exam, opened, seed, most, is_first))
            first = next((k for k, each in enumerate(asked) if each.failure), None)
            if first is not None and _keeps_state(asked[first].failure, parts, exercise, opened):
                asked[first] = replace(asked[first], keeps_state=True)
            return tuple(asked)
    finally:
        opened.close()
    outcomes = [(question, compare_observations(question, {}, failure, {}, exercise)) for question in questions]
    return tuple([Asked(question, Trial(question, {}, failure, {}, outcome)) for question, outcome in outcomes])


def _keeps_state(failure, parts, exercise, observer):
    """Return whether a failure is right when it is asked first."""
    if failure.outcome.status in STOPS or observer.open(parts) is not None:
        return False
    question, inputs = failure.question, failure.inputs
    seen = observer.observe(question.name, inputs)
    return compare_observations(question, inputs, seen, failure.expected, exercise).status == RIGHT


def _asked(question, exercise, exam, observer, seed, most, is_first):
    """Ask a question on its inputs, the simplest first, until one fails.

    For the first question that fails, whose inputs a student sees as evidence, the smallest that fails in the same way
    is searched for. A failure that is easy to see is preferred to a smaller one that looks like rounding.
    """
    drawn = _drawn(question, exam.reference or reference(), seed)[:most]
    seen_at_once = iter(observer.observe_all(question.name, [inputs for inputs, _, _ in drawn]))
    trials, left = {}, SHRINKS

    def try_out(inputs, key, expected, seen=None):
        seen = seen or observer.observe(question.name, inputs)
        outcome = compare_observations(question, inputs, seen, expected, exercise)
        trials[key] = Trial(question, inputs, seen, expected, outcome)
        return trials[key]

    def fails_alike(inputs):
        nonlocal left
        key = _key(inputs)
        if key not in trials:
            if left == 0 or kind[0] in STOPS:  # a stop is expensive and not repeated
                return False
            left -= 1
            try_out(inputs, key, expected_observation(exam, question, inputs))
        return trials[key].outcome.kind == kind

    tried = (try_out(*each, next(seen_at_once, None)) for each in drawn)
    failure = next((trial for trial in tried if trial.outcome.status != RIGHT), None)
    if failure is None:
        return Asked(question, None, tuple(trials.values())[:REMEMBERED])
    kind = failure.outcome.kind
    if is_first and kind[0] != NOT_ATTEMPTED:  # which shows no evidence
        failure = trials[_key(search(question.draws, fails_alike, examples=question.examples, seed=seed))]
    if not failure.outcome.is_visible:
        others = [each for each in trials.values() if each.outcome.kind == kind and each.outcome.is_visible]
        failure = min(others, key=lambda each: len(json.dumps(each.inputs)), default=failure)
    remembered = sorted(trials.values(), key=lambda each: each is not failure)[:REMEMBERED]
    return Asked(question, _with_graph(failure, observer), tuple(remembered))


def _with_graph(trial, observer):
    """Ask once more if the answer lacks its graph; another answer than before does not count."""
    if "returned" not in trial.seen or graph_of(trial.seen) or not graph_of(trial.expected):
        return trial
    seen = observer.observe(trial.question.name, trial.inputs)
    return replace(trial, seen=seen) if answer_of(seen) == answer_of(trial.seen) else trial
