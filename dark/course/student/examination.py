"""An examination: the exercises of a module judged one after another, and what is said of them.

Used wherever a student asks: in the notebook, by `dark check`, by `dark progress`, by the tests.
"""

import socket
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePath

from dark.course.grading.worker_observer import Worker, WorkerObserver
from dark.course.judging.implementation import is_attempted
from dark.course.judging.judge import judge_exercise
from dark.course.judging.observe import LocalObserver
from dark.course.judging.report import report_html, report_text
from dark.course.judging.report_blocks import headline
from dark.course.judging.verdict import NOT_ATTEMPTED, RIGHT
from dark.course.lessons.cells import collect
from dark.course.lessons.library import load_module, modules
from dark.course.lessons.notebook_files import source_of
from dark.course.student.cards import Card, card
from dark.course.student.hints import next_hint
from dark.course.student.records import Record, fingerprint

__all__ = ["all_yours", "all_yours_card", "confined", "examine", "exercise_card", "missing", "note", "which_module"]


def which_module(notebook, file_name=""):
    """Find out to which module a notebook belongs.

    Parameters
    ----------
    notebook : dict
        As its JSON stands, or as a session saw it.
    file_name : str, optional
        Where it lies.

    Returns
    -------
    Module
        The one it was printed from, else the one its name begins with, else the one whose
        exercises most of its cells answer, else the one that printed most of them.
    """
    loaded = [load_module(name) for name in modules()]
    if not loaded:
        load_module("01")  # raises, and says that no module is printed
    printed_from = notebook.get("metadata", {}).get("dark", {}).get("module")
    stem = PurePath(file_name).stem
    return max(
        loaded,
        key=lambda module: (
            module.id == printed_from,
            stem.startswith(f"{module.id}-"),
            len(collect(notebook, module).sources),
            _printed_by(module, notebook),
        ),
    )


def _printed_by(module, notebook):
    """Count the cells of a notebook that stand in a module as they are."""
    printed = {source_of(cell) for cell in module.blank["cells"]}
    return sum(source_of(cell) in printed for cell in notebook["cells"])


def examine(module, names, sources, known, *, observer=LocalObserver, seed=0):
    """Judge some exercises, each among the reference's code for all the others.

    Parameters
    ----------
    module : Module
        The module.
    names : iterable of str
        The exercises' ids.
    sources : dict of str to str
        The student's answers.
    known : dict of str to Record
        What the log knows, for the number of the next hint.
    observer : callable, optional
        As in `judge_exercise`.
    seed : int, default 0
        The same seed asks the same.

    Yields
    ------
    Verdict
        As soon as it is known.
    """
    for name in names:
        verdict = judge_exercise(module, name, sources, observer=observer, seed=seed)
        used = known.get(name, Record()).hints_used
        exercise = module.exercises[name]
        following = None if verdict.is_right else next_hint(exercise, used)
        all_given = not verdict.is_right and following is None
        yield replace(verdict, next_hint=following, last_hint=len(exercise.hints) if all_given else None)


@contextmanager
def confined():
    """Give an observer whose code runs in child processes, as far as the system has them.

    Yields
    ------
    callable
        For `examine`; where processes cannot be confined, `LocalObserver`.
    """
    if not hasattr(socket, "send_fds"):
        yield LocalObserver
        return
    worker = Worker()
    try:
        yield lambda exam: WorkerObserver(exam, worker)
    finally:
        worker.close()


def note(log, verdict, sources):
    """Write into the log that an exercise was checked; a stub is no attempt.

    Parameters
    ----------
    log : Log
        The student's.
    verdict : Verdict
        What came of it.
    sources : dict of str to str
        The student's answers.
    """
    if verdict.status != NOT_ATTEMPTED:
        log.append(
            "check",
            exercise=verdict.exercise,
            source=fingerprint(sources[verdict.exercise]),
            status=verdict.status,
            earned=verdict.earned,
            points=verdict.points,
        )


def exercise_card(verdict, *, brief=False, terminal=False):
    """Make the card of one verdict.

    Parameters
    ----------
    verdict : Verdict
        What the judge found.
    brief : bool, default False
        One line where nothing is wrong, for a list of several.
    terminal : bool, default False
        Whether it is read in a terminal; hints are asked for differently there.

    Returns
    -------
    Card
    """
    if brief and verdict.status in (RIGHT, NOT_ATTEMPTED):
        return card(headline(verdict), ok=verdict.is_right)
    return Card(report_text(verdict, terminal=terminal), report_html(verdict), verdict.is_right)


def all_yours(module, sources, *, observer=LocalObserver, seed=0):
    """Judge every exercise on the student's code alone.

    Parameters
    ----------
    module : Module
        The module.
    sources : dict of str to str
        The student's answers.
    observer, seed
        As in `examine`.

    Returns
    -------
    tuple of Verdict
        Empty while there are exercises that are not attempted: the code cannot stand alone.
    """
    if missing(module, sources):
        return ()
    return tuple(
        judge_exercise(module, name, sources, observer=observer, seed=seed, all_yours=True) for name in module.exercises
    )


def missing(module, sources):
    """List the exercises of a module that are not attempted."""
    exercises = module.exercises.items()
    return [name for name, each in exercises if not is_attempted(sources.get(name), each.stub)]


def all_yours_card(module, sources, verdicts, absent="Not attempted"):
    """Say what came of the student's whole module.

    Parameters
    ----------
    module : Module
        The module.
    sources : dict of str to str
        The student's answers.
    verdicts : sequence of Verdict
        What `all_yours` gave.
    absent : str, optional
        What to say of exercises that are not there.

    Returns
    -------
    Card
    """
    if not verdicts:
        names = ", ".join(missing(module, sources))
        return card("· All yours: not yet.", f"{absent}: {names}.", ok=False)
    failing = [verdict for verdict in verdicts if not verdict.is_right]
    if not failing:
        said = f"{len(verdicts)} exercises work together, without a line of the reference's."
        return card("✓ All yours: right.", said, ok=True)
    first, *others = (replace(verdict, next_hint=None) for verdict in failing)
    body = "\n".join([report_text(first), *map(headline, others)])
    return card(f"✗ All yours: {len(failing)} of {len(verdicts)} exercises fail together.", body, ok=False)
