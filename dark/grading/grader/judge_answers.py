"""Judge the answers of a submission: first together, in one process, then by themselves those that are not right so.

As long as all answers are right together, none needs a process of its own, with the reference code of the others.
In the common process, only what is not attempted has its reference code, so no answer can use it; and it has ended
before the first answer is judged by itself. Hidden questions are asked of an answer by itself. How the other answers
do together is found out last, for the student's information, in what time is left.
"""

from dark.course.exams.plain import class_name
from dark.course.judging.judge import Known, judge_exercise, judge_together
from dark.course.judging.unfinished import is_attempted
from dark.course.judging.verdict import STOPS, Fault, Finding, Verdict, for_student
from dark.grading.grader.result import NOT_JUDGED, short
from dark.grading.sandbox.shared_child import SharedChild
from dark.grading.sandbox.worker_process import WorkerError

FEW = 5  # inputs of each question, together, for answers that are right by themselves on all inputs


def judge_answers(assignment, sources, names, *, observer, seed):
    """Judge the answers of a submission; if the judge itself fails on one, the others are still judged.

    Parameters
    ----------
    assignment : Assignment
        The module and its questions.
    sources : dict of str to str
        The student's cells, by exercise.
    names : sequence of str
        The exercises to judge.
    observer : callable
        ``observer(exam)``, with the option `stops`, returns a `WorkerObserver`.
    seed : int
        Seed of the generated inputs.

    Returns
    -------
    by_itself : dict of str to Verdict
        The verdicts that count.
    together : dict of str to str
        The statuses of all answers together, without exercises that have hidden questions only, and those for which
        no time was left.
    """
    case = _Submission(assignment, sources, observer, seed)
    together = case.right_together(names)
    by_itself = {}
    for name in names:
        is_settled = name in together and name not in case.hidden
        by_itself[name] = together[name] if is_settled else _guarded(case.alone, assignment, name)
    for name in sorted(names, key=lambda name: for_student(by_itself[name]).status not in STOPS):  # known ones first
        if name in case.shown and name not in together:
            found = case.with_others(name, by_itself[name])
            if found is not None:
                together[name] = found
    return by_itself, {name: together[name].status for name in names if name in together}


class _Submission:
    """The answers of a student, and the facts known about them.

    Parameters
    ----------
    assignment, sources, observer, seed
        As for `judge_answers`.
    """

    def __init__(self, assignment, sources, observer, seed):
        self._assignment, self._sources, self._observer, self._seed = assignment, sources, observer, seed
        questions = assignment.exam.questions.values()
        self.shown = {each.exercise for each in questions if not each.hidden}
        self.hidden = {each.exercise for each in questions if each.hidden}
        self._known, self._stops = Known(), 0

    def right_together(self, names):
        """Return the verdicts on the first answers, as long as all are right or not attempted, in one process."""
        found = {}
        with SharedChild(self._observer(self._assignment.exam)) as shared:
            for name in names:
                if name in self.shown:
                    verdict = _guarded(self._together, self._assignment, name, lambda exam: shared)
                    if not verdict.is_right and self._is_attempted(name):  # an answer may say that it is not
                        break
                    found[name] = verdict
        self._known.right.update({name: True for name, each in found.items() if each.is_right})
        return found

    def _is_attempted(self, name):
        return is_attempted(self._sources.get(name), self._assignment.module.exercises[name].stub)

    def alone(self, name):
        """Return the verdict on an answer; all its processes share the time limit of the exercise."""
        mine = self._observer(self._assignment.exam)
        given = {"exam": self._assignment.exam, "bank": self._assignment.bank, "seed": self._seed}
        return judge_exercise(
            self._assignment.module, name, self._sources, observer=lambda exam: mine, known=self._known, **given
        )

    def with_others(self, name, alone):
        """Return the verdict on one answer together with all others, or None if no time is left.

        An answer that was stopped by itself is not run again.
        """
        shown = for_student(alone)  # how a hidden question fails is not told
        if shown.status in (*STOPS, NOT_JUDGED):
            self._stops += shown.status in STOPS
            return shown
        mine = self._observer(self._assignment.exam, stops=min(self._stops, 1))
        if mine.is_over:
            return None
        most = FEW if alone.is_right else None
        found = _guarded(self._together, self._assignment, name, lambda exam: mine, most)
        self._stops += found.status in STOPS
        return found

    def _together(self, name, observer, most=None):
        given = {"exam": self._assignment.exam, "seed": self._seed, "known": self._known}
        return judge_together(self._assignment.module, name, self._sources, observer=observer, most=most, **given)


def _guarded(judge, assignment, name, *options):
    """Judge one exercise; if the judge itself fails, the other exercises are still judged."""
    try:
        return judge(name, *options)
    except (MemoryError, WorkerError):  # the memory limit of this process; no process for answers on this machine
        raise
    except Exception as error:
        questions = assignment.exam.questions_of(name)
        is_told = not any(question.hidden for question in questions)  # the message may quote a hidden value
        says = Fault(NOT_JUDGED, f"The judge itself failed on this answer ({short(error)}).")
        brief = says if is_told else Fault(NOT_JUDGED, f"The judge itself failed on this answer ({class_name(error)}).")
        findings = tuple(
            Finding(each.name, each.title, each.points, 0, NOT_JUDGED, {}, error=fault, hidden=each.hidden)
            for each in questions
            for fault in [says if each.hidden else brief]
        )
        points = sum(question.points for question in questions)
        return Verdict(assignment.module.id, name, NOT_JUDGED, findings, 0, points)
