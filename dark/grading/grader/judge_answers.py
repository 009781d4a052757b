"""Judge the answers of a submission: first together, in one process, then one by one if they are not right together.

As long as all answers are right together, none needs a process of its own, with the reference code of the others.
In the common process, only what is not attempted has its reference code, so no answer can use it; and it has ended
before the first answer is judged by itself. Hidden questions are asked of an answer by itself. How the other answers
do together is found out last, for the student's information, in what time is left.
"""

from contextlib import AbstractContextManager

from dark.course.exams.plain import class_name
from dark.course.judging.judge import Known, judge_exercise, judge_together
from dark.course.judging.unfinished import is_attempted
from dark.course.judging.verdict import STOPS, Fault, Finding, Verdict, for_student
from dark.grading.grader.result import NOT_JUDGED, short
from dark.grading.sandbox.worker_process import WorkerError

FEW = 5  # inputs of each question, together, for answers that are right by themselves on all inputs


def judge_answers(assignment, sources: dict[str, str], names, *, observer, seed: int):
    """Judge the answers, by exercise; return the verdicts that count, and the statuses of all answers together."""
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
    def __init__(self, assignment, sources, observer, seed):
        self._assignment, self._sources, self._observer = assignment, sources, observer
        questions = assignment.exam.questions.values()
        self.shown = {each.exercise for each in questions if not each.hidden}
        self.hidden = {each.exercise for each in questions if each.hidden}
        self._known, self._stops = Known(), 0
        self._given = {"exam": assignment.exam, "seed": seed, "known": self._known}

    def right_together(self, names):
        """Return the verdicts on the first answers, as long as all are right or not attempted, in one process."""
        found, stubs = {}, self._assignment.module.exercises
        with SharedChild(self._observer(self._assignment.exam)) as shared:
            for name in names:
                if name in self.shown:
                    verdict = _guarded(self._together, self._assignment, name, lambda exam: shared)
                    if not verdict.is_right and is_attempted(self._sources.get(name), stubs[name].stub):
                        break  # also if the answer says that it is not attempted
                    found[name] = verdict
        self._known.right.update({name: True for name, each in found.items() if each.is_right})
        return found

    def alone(self, name):
        """Return the verdict on an answer; all its processes share the time limit of the exercise."""
        mine, given = self._observer(self._assignment.exam), self._given | {"bank": self._assignment.bank}
        return judge_exercise(self._assignment.module, name, self._sources, observer=lambda exam: mine, **given)

    def with_others(self, name, alone):
        """Return the verdict on an answer with all others, unless it was stopped alone; None if no time is left."""
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
        return judge_together(self._assignment.module, name, self._sources, observer=observer, most=most, **self._given)


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


class SharedChild(AbstractContextManager):
    """An observer that keeps its child for one exercise after the other, as long as the cells are the same."""

    def __init__(self, observer):
        self._observer = observer
        self._running = None

    def __exit__(self, *error):
        self._observer.close()

    def open(self, parts):
        """Use the child that runs these parts, or a new one; the time limit of the exercise starts now."""
        self._observer.restart_clock()
        if parts == self._running:
            return None
        failure = self._observer.open(parts)
        self._running = None if failure else parts
        return failure

    def observe(self, question, inputs):
        """Run one question on one set of inputs."""
        return self._observer.observe(question, inputs)

    def observe_all(self, sheet):
        """Run all questions of a sheet, with one message, which is answered by one."""
        return self._observer.observe_together(sheet)

    def close(self):
        """Keep the child for the next exercise."""
