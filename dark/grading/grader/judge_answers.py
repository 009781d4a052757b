"""Judge the answers of a submission: first together, in one process, then by themselves those that are not right so.

As long as all answers are right together, none needs a process of its own, with the reference code of the others.
In the common process, only what is not attempted has its reference code, so no answer can use it.
Hidden questions are asked of an answer by itself.
"""

from dark.course.exams.plain import class_name
from dark.course.judging.judge import judge_exercise, judge_together
from dark.course.judging.verdict import NOT_ATTEMPTED, RIGHT, Fault, Finding, Verdict
from dark.grading.grader.result import NOT_JUDGED, short
from dark.grading.sandbox.shared_child import SharedChild

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
        ``observer(exam)`` returns a `WorkerObserver`.
    seed : int
        Seed of the generated inputs.

    Returns
    -------
    by_itself : dict of str to Verdict
        The verdicts that count.
    together : dict of str to str
        The statuses of all answers together, without exercises that have hidden questions only.
    """
    module, exam = assignment.module, assignment.exam
    shown = {question.exercise for question in exam.without_hidden.questions.values()}
    hidden = {question.exercise for question in exam.questions.values() if question.hidden}
    by_itself, together, all_right = {}, {}, True
    with SharedChild(observer(exam)) as shared:

        def judge_alone(name):
            bank = assignment.bank
            return judge_exercise(module, name, sources, exam=exam, bank=bank, observer=observer, seed=seed)

        def judge_with_others(name, most=None):
            for each in (lambda exam: shared, observer):  # an exercise before may have left something behind
                found = judge_together(module, name, sources, exam=exam, observer=each, seed=seed, most=most)
                if found.is_right:
                    break
            return found

        for name in names:
            if all_right and name in shown:
                together[name] = _guarded(judge_with_others, assignment, name)
                all_right = together[name].status in (RIGHT, NOT_ATTEMPTED)
            if name in together and together[name].is_right and name not in hidden:
                by_itself[name] = together[name]
                continue
            by_itself[name] = _guarded(judge_alone, assignment, name)
            if name in shown and name not in together:
                most = FEW if by_itself[name].is_right else None
                together[name] = _guarded(judge_with_others, assignment, name, most)
    return by_itself, {name: verdict.status for name, verdict in together.items()}


def _guarded(judge, assignment, name, *options):
    """Judge one exercise; if the judge itself fails, the other exercises are still judged."""
    try:
        return judge(name, *options)
    except MemoryError:  # the memory limit of this process
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
