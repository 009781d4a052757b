"""Judge: draw inputs, ask both sides, compare; one exercise at a time.

Swap-in: the student's one exercise among the reference's code for all the others; this gives the
points. Where it fails and asks for things that other exercises of the student's define differently,
it is judged once more with those of them that are right by themselves, and the better counts.
All yours: the student's whole module together.
"""

from dataclasses import dataclass, field, replace

from dark.course.exams.exam import Exam
from dark.course.exams.questions import load_exam
from dark.course.judging.bugs import diagnose, diagnose_one, load_bugs
from dark.course.judging.common_mistakes import slip_in
from dark.course.judging.dependencies import dependencies_of
from dark.course.judging.implementation import arrange, is_attempted
from dark.course.judging.observe import LocalObserver
from dark.course.judging.submission_runner import SubmissionRunner, expected_observation, unasked
from dark.course.judging.unfinished import say_stubs, stubs_in
from dark.course.judging.verdict import ERROR, NOT_ATTEMPTED, PARTLY, RIGHT, USES_REFERENCE, WRONG, Fault, Verdict
from dark.course.lessons.lesson import Module
from dark.errors import CourseError, near_misses

__all__ = ["expected_observation", "judge_exercise"]


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
        findings = [unasked(question, NOT_ATTEMPTED, fault) for question in questions]
        return _verdict(module, exercise, findings)
    case = _Case(module, exam, sources, observer, seed)
    verdict, runner = case.examined(exercise, module.exercises if all_yours else [exercise])
    if not all_yours and any(finding.status in (WRONG, ERROR) for finding in verdict.findings):
        verdict, runner = case.among_theirs(exercise, verdict, runner)
    if verdict.is_right or all_yours or verdict.status in (USES_REFERENCE, NOT_ATTEMPTED, PARTLY):
        return verdict
    bank = load_bugs(module.id, exercise) if bank is None else bank
    return replace(verdict, diagnosis=_diagnosis(bank, module, runner, verdict, sources[exercise]))


@dataclass
class _Case:
    """A student's answers and how they are asked; it remembers which are right by themselves."""

    module: Module
    exam: Exam
    sources: dict
    observer: object
    seed: int
    right: dict = field(default_factory=dict)

    def examined(self, exercise, theirs):
        """Judge one exercise, some of them being the student's; give the verdict and the runner."""
        runner = SubmissionRunner(self.exam, self.observer(self.exam), exercise)
        try:
            findings = runner.examine(self.exam.questions_of(exercise), self.parts(theirs), self.seed)
        finally:
            runner.observer.close()
        return _verdict(self.module, exercise, _partly(findings, self.sources.get(exercise, ""))), runner

    def parts(self, theirs):
        """The student's exercises among the solutions; where these are not printed, among their own."""
        replaced = {
            name: self.sources.get(name) or each.stub
            for name, each in self.module.exercises.items()
            if name in theirs or each.solution is None
        }
        return arrange(self.module.parts, replaced)

    def among_theirs(self, exercise, verdict, runner):
        """Judge once more with what the answer asks for; give the better verdict, and its runner."""
        dependencies = self.dependencies(exercise)
        if dependencies:
            other, its_side = self.examined(exercise, [exercise, *dependencies])
            if other.earned > verdict.earned:
                return replace(other, dependencies=dependencies), its_side
        return verdict, runner

    def dependencies(self, exercise):
        """Name the exercises that this one asks for, as far as they are right by themselves."""
        self.right.setdefault(exercise, False)  # what is being judged answers for nobody
        return tuple(name for name in dependencies_of(self.module, exercise, self.sources) if self.is_right(name))

    def is_right(self, exercise):
        """Tell whether an exercise is right, among the solutions or in its own dependencies."""
        if exercise not in self.right:
            self.right[exercise] = False
            verdict, runner = self.examined(exercise, [exercise])
            self.right[exercise] = verdict.is_right or self.among_theirs(exercise, verdict, runner)[0].is_right
        return self.right[exercise]


def _partly(findings, source):
    """Say of questions that met a stub in an answer which is more than a stub where it stands."""
    fault = Fault(PARTLY, say_stubs(stubs_in(source)))
    return [
        replace(finding, status=PARTLY, error=fault)
        if finding.status == NOT_ATTEMPTED and not finding.error.message
        else finding
        for finding in findings
    ]


def _diagnosis(bank, module, runner, verdict, source):
    """A known mistake that explains everything, else a mistake, else what explains the first failure."""
    exercise, remembered = verdict.exercise, runner.remembered()
    known = diagnose(bank, module, runner.exam, exercise, remembered)
    known = known or slip_in(source, module.exercises[exercise].solution, verdict)
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
