"""Judge one exercise: generate inputs, run the student's code and the reference, and compare.

For the points, the student's answer to one exercise runs with the reference code of all others. If it
fails and depends on other exercises that the student defines differently, it is judged again with
those of them that are right by themselves, and the better result counts. With `all_yours`, all answers
of the student run together.
"""

from dataclasses import dataclass, field, replace

from dark.course.exams.exam import Exam
from dark.course.exams.questions import load_exam
from dark.course.judging.bank import load_bank
from dark.course.judging.bugs import diagnose, diagnose_one
from dark.course.judging.common_mistakes import find_mistake
from dark.course.judging.dependencies import dependencies_of
from dark.course.judging.implementation import arrange, is_attempted
from dark.course.judging.observe import LocalObserver
from dark.course.judging.submission_runner import SubmissionRunner, expected_observation, not_run
from dark.course.judging.unfinished import describe_stubs, stubs_in
from dark.course.judging.verdict import ERROR, NOT_ATTEMPTED, PARTLY, RIGHT, USES_REFERENCE, WRONG, Fault, Verdict
from dark.course.lessons.lesson import Module
from dark.errors import CourseError, near_misses

__all__ = ["expected_observation", "judge_exercise"]


def judge_exercise(module, exercise, sources, *, exam=None, bank=None, observer=LocalObserver, seed=0, all_yours=False):
    """Judge a student's answer to one exercise.

    Parameters
    ----------
    module : Module
        The module, with the reference code.
    exercise : str
        The id of the exercise.
    sources : dict of str to str
        The student's cells, by exercise id.
    exam : Exam, optional
        The questions; by default those of the module.
    bank : sequence of Answer, optional
        Known wrong answers; by default those of the exercise.
    observer : callable, default LocalObserver
        ``observer(exam)`` returns an `Observer`.
    seed : int, default 0
        Seed of the generated inputs.
    all_yours : bool, default False
        Use the student's answers to all exercises, not just this one.

    Returns
    -------
    Verdict

    Raises
    ------
    CourseError
        If the exercise does not exist or has no questions.
    """
    if exercise not in module.exercises:
        raise CourseError(
            f"module {module.id} has no exercise {exercise!r}.",
            "an exercise of this module.",
            near_misses(exercise, module.exercises),
        )
    exam = exam or load_exam(module.id)
    questions = exam.questions_of(exercise)
    if not is_attempted(sources.get(exercise), module.exercises[exercise].stub):
        fault = Fault(NOT_ATTEMPTED, "")
        findings = [not_run(question, NOT_ATTEMPTED, fault) for question in questions]
        return _verdict(module, exercise, findings)
    case = _Case(module, exam, sources, observer, seed)
    verdict, runner = case.examined(exercise, module.exercises if all_yours else [exercise])
    if not all_yours and any(finding.status in (WRONG, ERROR) for finding in verdict.findings):
        verdict, runner = case.with_dependencies(exercise, verdict, runner)
    if verdict.is_right or all_yours or verdict.status in (USES_REFERENCE, NOT_ATTEMPTED, PARTLY):
        return verdict
    bank = load_bank(module, exercise).bug if bank is None else bank
    return replace(verdict, diagnosis=_diagnosis(bank, module, runner, verdict, sources[exercise]))


@dataclass
class _Case:
    """A student's answers and how to run them; caches which are right by themselves."""

    module: Module
    exam: Exam
    sources: dict
    observer: object
    seed: int
    right: dict = field(default_factory=dict)

    def examined(self, exercise, theirs):
        """Judge one exercise with the student's answers to `theirs`; return the verdict and the runner."""
        runner = SubmissionRunner(self.exam, self.observer(self.exam), exercise)
        try:
            findings = runner.examine(self.exam.questions_of(exercise), self.parts(theirs), self.seed)
        finally:
            runner.observer.close()
        return _verdict(self.module, exercise, _partly(findings, self.sources.get(exercise, ""))), runner

    def parts(self, theirs):
        """Return the parts with the student's answers to `theirs`, and where the module has no solution."""
        replaced = {
            name: self.sources.get(name) or each.stub
            for name, each in self.module.exercises.items()
            if name in theirs or each.solution is None
        }
        return arrange(self.module.parts, replaced)

    def with_dependencies(self, exercise, verdict, runner):
        """Judge again with the dependencies of the answer; return the better verdict and its runner."""
        dependencies = self.dependencies(exercise)
        if dependencies:
            other, other_runner = self.examined(exercise, [exercise, *dependencies])
            if other.earned > verdict.earned:
                return replace(other, dependencies=dependencies), other_runner
        return verdict, runner

    def dependencies(self, exercise):
        """Return the dependencies of an answer that are right by themselves."""
        self.right.setdefault(exercise, False)  # ends the recursion of mutual dependencies
        return tuple(name for name in dependencies_of(self.module, exercise, self.sources) if self.is_right(name))

    def is_right(self, exercise):
        """Return whether an exercise is right, with the solutions or with its own dependencies."""
        if exercise not in self.right:
            self.right[exercise] = False
            verdict, runner = self.examined(exercise, [exercise])
            self.right[exercise] = verdict.is_right or self.with_dependencies(exercise, verdict, runner)[0].is_right
        return self.right[exercise]


def _partly(findings, source):
    """Mark the findings of questions that ran into a remaining stub of the answer."""
    fault = Fault(PARTLY, describe_stubs(stubs_in(source)))
    return [
        replace(finding, status=PARTLY, error=fault)
        if finding.status == NOT_ATTEMPTED and not finding.error.message
        else finding
        for finding in findings
    ]


def _diagnosis(bank, module, runner, verdict, source):
    """Return a bug that explains all answers, else a common mistake, else a bug that explains the first failure."""
    exercise, remembered = verdict.exercise, runner.remembered()
    known = diagnose(bank, module, runner.exam, exercise, remembered)
    known = known or find_mistake(source, module.exercises[exercise].solution, verdict)
    return known or diagnose_one(bank, module, runner.exam, exercise, remembered, verdict.failing.question)


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
