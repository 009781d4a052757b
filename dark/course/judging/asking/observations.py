"""The observations of an answer: every question is asked, and its smallest failing inputs are searched for."""

import json
from dataclasses import dataclass, replace
from itertools import islice

from dark.course.exams.exam import Question
from dark.course.exams.inputs import key_of, smallest
from dark.course.judging.asking.sheet import Drawn, expected_observation, sheets_of
from dark.course.judging.outcome import Outcome, answer_of, compare_observations, graph_of
from dark.course.judging.verdict import NOT_ATTEMPTED, RIGHT, STOPS

SHRINKS = 150  # inputs tried after the first failure, to find a smaller one
REMEMBERED = 8  # inputs of each question that a diagnosis compares
COMPARED = 4  # failing inputs of the question that a student sees are compared: one alone shows no regularity
FURTHER = 12  # inputs, at most, are asked to find them


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
    """A question asked on many inputs."""

    question: Question
    failure: Trial | None  # the one with the smallest failing inputs; None if all are right
    trials: tuple[Trial, ...] = ()  # some of all, for a diagnosis: the failure first
    keeps_state: bool = False  # whether the failure is right when asked first: something is kept between calls


def observations_of(parts, exercise, exam, observer, seed, most=None, briefly=False, stopped=None) -> tuple[Asked, ...]:
    """Ask every question of an exercise; each is asked whatever became of the others, unless a status is enough.

    `parts` is the code with the student's answer, as `arrange` returns it; `observer(exam)` returns an `Observer`; at
    most `most` inputs of each question are asked. If it is asked `briefly`, the first question that fails is the last,
    and no smaller inputs are searched for. `stopped` is called with the observation of cells that do not end.
    """
    opened = observer(exam)
    try:
        failure = opened.open(parts)
        if failure is None:
            asked = []
            for sheet in sheets_of(exam, exercise, seed, most):
                if sheet.is_hidden:
                    opened.close()  # the next question is asked in a new process
                for row, seen in zip(sheet.rows, opened.observe_all(sheet)):
                    if seen is row.same and row.is_same_right:  # an answer that is the reference's own
                        drawn = row.drawn[:REMEMBERED]
                        given = [(row.question, each.inputs, each.plain, each.expected, each.outcome) for each in drawn]
                        asked.append(Asked(row.question, None, tuple([Trial(*each) for each in given])))
                        continue
                    is_first = not briefly and not any(each.failure for each in asked)
                    asked.append(_asked(row, iter(seen), exam, opened, seed, is_first))
                    if briefly and asked[-1].failure:
                        return tuple(asked)
            first = next((k for k, each in enumerate(asked) if each.failure), None)
            if first is not None and _keeps_state(asked[first].failure, parts, exercise, opened):
                asked[first] = replace(asked[first], keeps_state=True)
            return tuple(asked)
    finally:
        opened.close()
    if stopped and "stopped" in failure:
        stopped(failure)
    return not_opened(exam, exercise, failure)


def not_opened(exam, exercise, failure) -> tuple[Asked, ...]:
    """Return the questions of an exercise whose code fails before the first one, each with that observation."""
    outcomes = [(each, compare_observations(each, {}, failure, {}, exercise)) for each in exam.questions_of(exercise)]
    return tuple([Asked(question, Trial(question, {}, failure, {}, outcome)) for question, outcome in outcomes])


def _keeps_state(failure, parts, exercise, observer):
    """Return whether a failure is right when it is asked first."""
    if failure.outcome.status in STOPS or observer.open(parts) is not None:
        return False
    question, inputs = failure.question, failure.inputs
    seen = observer.observe(question.name, inputs)
    return compare_observations(question, inputs, seen, failure.expected, exercise).status == RIGHT


def _asked(row, seen_at_once, exam, observer, seed, is_first):
    """Ask a question on its inputs, the simplest first, until one fails.

    Of the first one that fails, a student sees the smallest inputs that fail in the same way; if possible, not by what
    looks like rounding.
    """
    question, trials, left = row.question, {}, SHRINKS

    def try_out(drawn):
        seen = next(seen_at_once, None) or observer.observe(question.name, drawn.inputs)
        given = question, drawn.inputs, seen, drawn.expected
        trials[drawn.key] = Trial(*given, compare_observations(*given, question.exercise))
        return trials[drawn.key]

    def fails_alike(inputs):
        nonlocal left
        key = key_of(inputs)
        if key not in trials:
            if left == 0 or kind[0] in STOPS:  # a stop is expensive and not repeated
                return False
            left -= 1
            try_out(Drawn(question, inputs, key, expected_observation(exam, question, inputs)))
        return trials[key].outcome.kind == kind

    def fails_visibly(inputs):
        return fails_alike(inputs) and trials[key_of(inputs)].outcome.is_visible

    failure = next((trial for trial in map(try_out, row.drawn) if trial.outcome.status != RIGHT), None)
    if failure is None:
        return Asked(question, None, tuple(trials.values())[:REMEMBERED])
    kind = failure.outcome.kind
    if is_first and kind[0] != NOT_ATTEMPTED:  # which shows no evidence
        for drawn in row.drawn[len(trials) :][:FURTHER] if kind[0] not in STOPS else ():
            if sum(each.outcome.status != RIGHT for each in trials.values()) == COMPARED:
                break
            try_out(drawn)
        seen_at_once = iter(())
        alike = [each for each in trials.values() if each.outcome.kind == kind]
        visible = next((each for each in alike if each.outcome.is_visible), None)
        first, fails = (visible, fails_visibly) if visible else (failure, fails_alike)
        failure = trials[key_of(smallest(question, seed, first.inputs, fails))]
    if not failure.outcome.is_visible:
        others = [each for each in trials.values() if each.outcome.kind == kind and each.outcome.is_visible]
        failure = min(others, key=lambda each: len(json.dumps(each.inputs)), default=failure)
    return Asked(question, _with_graph(failure, observer), _remembered(failure, list(trials.values())))


def _remembered(failure, trials):
    """Return some trials: the failure, then right and wrong ones in the order in which they were asked."""
    others = [each for each in trials if each is not failure]
    wrong = [each for each in others if each.outcome.status != RIGHT][: COMPARED - 1]
    kept = set(islice(dict.fromkeys(map(id, [*wrong, *others])), REMEMBERED - 1))
    return failure, *(each for each in others if id(each) in kept)


def _with_graph(trial, observer):
    """Ask once more if the answer lacks its graph; another answer than before does not count."""
    if "returned" not in trial.seen or graph_of(trial.seen) or not graph_of(trial.expected):
        return trial
    seen = observer.observe(trial.question.name, trial.inputs)
    return replace(trial, seen=seen) if answer_of(seen) == answer_of(trial.seen) else trial
