"""Judge one exercise: generate inputs, run the student's code and the reference, and compare.

For the points, the student's answer to one exercise runs with the reference code of all others. If it fails and
depends on others that the student defines differently, it is judged again with those of them that are right by
themselves, and the better result counts. `judge_together` finds the answers that are right together in one go.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from dark.course.exams.exam import Exam
from dark.course.exams.questions import load_exam
from dark.course.judging.asking import Asked, Trial, not_opened, observations_of
from dark.course.judging.bank import load_bank
from dark.course.judging.dependencies import dependencies_of
from dark.course.judging.diagnosis import diagnose
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import Outcome, finding_of
from dark.course.judging.unfinished import describe_stubs, is_attempted, stubs_in
from dark.course.judging.verdict import (
    ERROR,
    NOT_ATTEMPTED,
    PARTLY,
    RIGHT,
    USES_REFERENCE,
    WRONG,
    Fault,
    Verdict,
    for_student,
)
from dark.course.lessons.lesson import Module
from dark.errors import CourseError, near_misses


@dataclass
class Known:
    """Facts about a student's answers, known from judging others of them."""

    right: dict[str, bool] = field(default_factory=dict)  # of exercises that were judged by themselves
    stopped: dict[frozenset[str], dict] = field(default_factory=dict)  # what is seen of cells that do not end


def judge_exercise(
    module, exercise, sources, *, exam=None, bank=None, observer=LocalObserver, seed=0, all_yours=False, known=None
) -> Verdict:
    """Judge a student's answer to one exercise; `sources` are the student's cells, by exercise.

    The questions and the known wrong answers are by default the module's own; with `all_yours`, the answers to all
    exercises are used. `known` is brought up to date.
    """
    if exercise not in module.exercises:
        says, expected = f"module {module.id} has no exercise {exercise!r}.", "an exercise of this module."
        raise CourseError(says, expected, near_misses(exercise, module.exercises))
    exam = exam or load_exam(module.id)
    if all_yours:  # what runs together with other answers could show them what was asked
        exam = exam.without_hidden
    case = _Case(module, exam, sources, observer, seed, known or Known())
    if exercise not in case.attempted:
        return case.blank(exercise)
    observations = case.observe(exercise, module.exercises if all_yours else [exercise])
    verdict = case.verdict(exercise, observations)
    if not all_yours:
        if any(finding.status in (WRONG, ERROR) for finding in verdict.findings):
            verdict, observations = case.with_dependencies(verdict, observations)
        case.known.right[exercise] = verdict.is_right
    if verdict.is_right or all_yours or verdict.status in (USES_REFERENCE, NOT_ATTEMPTED, PARTLY):
        return verdict
    seen, shown = for_student(verdict), [each for each in observations if each.question.hidden is None]
    if not any(finding.status != RIGHT for finding in seen.findings):  # a diagnosis would tell what is hidden
        return verdict
    bank = load_bank(module, exercise, exam.bank).bug if bank is None else bank
    return replace(verdict, diagnosis=diagnose(seen, sources[exercise], shown, bank, module, exam))


def judge_together(module, exercise, sources, *, exam, observer, seed=0, most=None, known=None):
    """Judge an answer together with all others of the student, up to the first question that fails.

    What is not attempted has its reference code, so no reference of an answer is beside an answer. Arguments are those
    of `judge_exercise`, whose verdict on a right answer it returns, and `most`, the inputs of each question.
    """
    case = _Case(module, exam.without_hidden, sources, observer, seed, known or Known())
    if exercise not in case.attempted:
        return case.blank(exercise)
    return case.verdict(exercise, case.observe(exercise, case.attempted, most=most, briefly=True))


@dataclass
class _Case:
    """A student's answers and how to run them."""

    module: Module
    exam: Exam
    sources: dict
    observer: object
    seed: int
    known: Known

    @cached_property
    def right(self):
        """Which exercises are right; facts found on the way to one verdict are not used for others."""
        return dict(self.known.right)

    @cached_property
    def attempted(self):
        """The exercises that are attempted."""
        exercises = self.module.exercises.items()
        return {name for name, each in exercises if is_attempted(self.sources.get(name), each.stub)}

    def blank(self, exercise):
        """Return the verdict on an exercise that is not attempted."""
        outcome = Outcome(NOT_ATTEMPTED, error=Fault(NOT_ATTEMPTED, ""))
        asked = [Asked(each, Trial(each, {}, {}, {}, outcome)) for each in self.exam.questions_of(exercise)]
        return self.verdict(exercise, asked)

    def observe(self, exercise, theirs, **options):
        """Observe one exercise with the student's answers to `theirs`, and where the module has no solution."""
        replaced = {
            name: self.sources.get(name) or each.stub
            for name, each in self.module.exercises.items()
            if name in theirs or each.solution is None
        }
        answers = self.attempted & set(theirs)
        for cells, seen in self.known.stopped.items():
            if cells <= answers:
                return not_opened(self.exam, exercise, seen)

        note = partial(self.known.stopped.__setitem__, frozenset(answers))
        parts = arrange(self.module.parts, replaced)
        return observations_of(parts, exercise, self.exam, self.observer, self.seed, stopped=note, **options)

    def verdict(self, exercise, observations, dependencies=()):
        """Return the verdict on observations."""
        each, findings = self.module.exercises[exercise], tuple(map(finding_of, observations))
        if exercise in self.attempted:
            findings = _partly(findings, self.sources[exercise])
        status = next((finding.status for finding in findings if finding.status != RIGHT), RIGHT)
        earned, points = (sum(getattr(f, name) for f in findings) for name in ("earned", "points"))
        known = {"hints": len(each.hints), "why": each.why, "dependencies": dependencies}
        return Verdict(self.module.id, exercise, status, findings, earned, points, **known)

    def with_dependencies(self, verdict, observations):
        """Judge again with the dependencies of an answer that are right by themselves; return the better result."""
        exercise = verdict.exercise
        self.right.setdefault(exercise, False)  # ends the recursion of mutual dependencies
        needed = {*dependencies_of(self.module, exercise, self.sources), *self._met(observations)}
        names = tuple([name for name in self.module.exercises if name in needed and self._is_right(name)])
        if names:
            other = self.observe(exercise, [exercise, *names])
            better = self.verdict(exercise, other, names)
            if better.earned > verdict.earned:
                is_told = _shown(better) > _shown(verdict)  # where only hidden questions differ, a student is not told
                return replace(better, dependencies=names if is_told else ()), other
        return verdict, observations

    def _met(self, observations):
        """Return whose reference code has raised an error: the student's own may accept other arguments."""
        failures = [each.failure for each in observations if each.failure and each.question.hidden is None]
        found = {failure.seen.get("within") for failure in failures}
        return [name for name in found if self.sources.get(name)]

    def _is_right(self, exercise):
        """Return whether an exercise is right, with the solutions or with its own dependencies."""
        if exercise not in self.right:
            self.right[exercise] = False
            alone = self.observe(exercise, [exercise])
            verdict = self.verdict(exercise, alone)
            self.right[exercise] = verdict.is_right or self.with_dependencies(verdict, alone)[0].is_right
        return self.right[exercise]


def _shown(verdict):
    """Return the points earned by questions that a student sees."""
    return sum(finding.earned for finding in verdict.findings if finding.hidden is None)


def _partly(findings, source):
    """Mark the findings of questions that ran into a remaining stub of the answer."""
    met = [each for each in findings if each.status == NOT_ATTEMPTED and not each.error.message]
    fault = Fault(PARTLY, describe_stubs(stubs_in(source))) if met else None
    return tuple(replace(each, status=PARTLY, error=fault) if each in met else each for each in findings)
