"""The question sheet of an exercise, the same for every student; each hidden question has a sheet of its own."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dark.course.exams.exam import Question
from dark.course.exams.inputs import inputs_of, key_of
from dark.course.judging.implementation import reference
from dark.course.judging.observe import SECONDS, ask, observe, watching
from dark.course.judging.outcome import Outcome, compare_observations
from dark.course.judging.verdict import RIGHT


@dataclass(frozen=True, eq=False)
class Drawn:
    """One set of inputs of a question, and the reference's answer."""

    question: Question
    inputs: dict
    key: str
    expected: dict

    @cached_property
    def plain(self):
        """The observation of the reference without its graph: None replaces a graph that is drawn."""
        answer = self.expected.get("returned")
        if not (isinstance(answer, dict) and "graph" in answer.get("dict", ())):
            return self.expected
        return self.expected | {"returned": {"dict": answer["dict"] | {"graph": None}}}

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of an answer that is the reference's own."""
        return compare_observations(self.question, self.inputs, self.plain, self.expected, self.question.exercise)


@dataclass(frozen=True, eq=False)
class Row:
    """A question with all its drawn inputs, the simplest first."""

    question: Question
    drawn: tuple[Drawn, ...]

    @cached_property
    def same(self):
        """The observations of an answer that is the reference's own: an observer may return this very tuple."""
        return tuple([each.plain for each in self.drawn])

    @cached_property
    def is_same_right(self):
        """Whether such an answer is right, as it is unless a judge refuses the reference."""
        return all(each.outcome.status == RIGHT for each in self.drawn)


@dataclass(frozen=True, eq=False)
class Sheet:
    """Questions that are asked together."""

    rows: tuple[Row, ...]

    @property
    def is_hidden(self):
        """Whether its question is hidden: it is asked in a process that has not seen another."""
        return any(row.question.hidden is not None for row in self.rows)


def sheets_of(exam, exercise, seed, most=None) -> Iterator[Sheet]:
    """Yield cached sheets of an exercise: its shown questions, then each hidden one, so that no other has seen it."""
    questions = exam.questions_of(exercise)
    shown = tuple(each for each in questions if each.hidden is None)
    for asked in (shown, *((each,) for each in questions if each.hidden is not None)):
        if asked:
            yield _sheet(asked, exam.reference or reference(), seed, most)


@lru_cache(maxsize=512)
def _sheet(questions, implementation, seed, most):
    return Sheet(tuple([Row(each, _drawn(each, implementation, seed)[:most]) for each in questions]))


@lru_cache(maxsize=512)
def _drawn(question, implementation, seed):
    """Return the inputs of a question, none after one for which the reference is stopped: preflight refuses it."""
    drawn = []
    with watching(implementation, question.body) as run:
        for inputs in inputs_of(question, seed):
            key = key_of(inputs)
            expected = ask(run, question.body, implementation, json.loads(key), SECONDS)
            drawn.append(Drawn(question, inputs, key, expected))
            if "stopped" in expected:
                break
    return tuple(drawn)


@lru_cache(maxsize=4096)
def _expected(question, implementation, key):
    return observe(question.body, implementation, json.loads(key))


def expected_observation(exam, question, inputs):
    """Return the observation of the reference on some inputs; repeated calls are cached."""
    return _expected(question, exam.reference or reference(), key_of(inputs))
