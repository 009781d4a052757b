"""Check that the chosen code of all modules answers the exams as a whole, not only each answer by itself."""

from dark.course.exams.questions import load_exam
from dark.course.export.chosen import YOURS
from dark.course.judging.asking import observations_of
from dark.course.judging.observe import LocalObserver

__all__ = ["settle"]


def settle(chosen, progress=iter):
    """Replace answers that are right by themselves and do not work with the others; note what still fails.

    The modules are asked in order, each with the code that the package will have. Where a question fails, the
    student's answers to the failing exercises of the module are replaced, then all of them. If it still fails,
    the student's code of an earlier module is at fault, and the exercises are noted in `failing`.

    Parameters
    ----------
    chosen : list of ChosenModule
        It is changed in place.
    progress : callable, optional
        Wraps the list, such as `tqdm`.
    """
    done = {}
    for each in progress(chosen):
        earlier = [done[number] for number in each.earlier]
        if any(cell.whose == YOURS for one in (*earlier, each) for cell in one.cells):
            _settle(each, earlier)
        done[each.module.id] = each


def _settle(each, earlier):
    failing = _failing(each, earlier)
    while failing and _yours(each):
        each.with_reference(failing & _yours(each) or _yours(each))
        failing = _failing(each, earlier)
    each.failing = tuple(name for name in each.module.exercises if name in failing)


def _yours(each):
    return {cell.exercise for cell in each.exercises if cell.whose == YOURS}


def _failing(each, earlier):
    """Return the exercises of a module whose questions are not answered."""
    if not each.module.exercises:
        return set()
    exam, parts = load_exam(each.module.id), []
    for one in (*earlier, each):
        parts.append((f"earlier than {one.module.id}", ""))
        parts += [(cell.label, cell.source) for cell in one.cells]
    asked = {name: observations_of(parts, name, exam, LocalObserver, 0, briefly=True) for name in each.module.exercises}
    return {name for name, seen in asked.items() if any(one.failure for one in seen)}
