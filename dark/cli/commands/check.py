"""Check the answers in your notebook: ✓ right, ✗ wrong, ! stopped, · not attempted."""

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from dark.course.judging.report import report_data
from dark.course.judging.verdict import NOT_ATTEMPTED
from dark.course.lessons.cells import collect
from dark.course.lessons.library import Module, find_exercise, load_module, notebook_path
from dark.course.lessons.notebook_files import read_notebook
from dark.course.student.examination import all_yours, all_yours_card, confined, examine, exercise_card, note
from dark.course.student.progress import Log, forgiven
from dark.course.student.records import records
from dark.errors import DarkError

PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class Task:
    """What was asked for: which exercises, of which notebook, and how to answer."""

    module: Module
    names: tuple
    path: Path
    seed: int
    all_yours: bool
    as_json: bool


def add_arguments(parser):
    """Declare what to check and how to say it."""
    parser.add_argument("module", help="number or name of the module, such as 01")
    parser.add_argument("exercise", nargs="*", default=[], help="such as backward; all by default")
    parser.add_argument("--file", type=Path, help="your notebook, if it lies somewhere else")
    parser.add_argument("--watch", action="store_true", help="check again whenever the file is saved")
    parser.add_argument("--all-yours", action="store_true", help="also judge your code all together")
    parser.add_argument("--seed", type=int, default=0, help="ask about other inputs")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")


def run(arguments):
    """Check once, or whenever the notebook is saved; 0 if all that was asked for is right."""
    module = load_module(arguments.module)
    task = Task(
        module,
        tuple(find_exercise(name, module.id).id for name in arguments.exercise) or tuple(module.exercises),
        arguments.file or notebook_path(module.id),
        arguments.seed,
        arguments.all_yours,
        arguments.json,
    )
    with confined() as observer:
        return watch(task, observer) if arguments.watch else check(task, observer, {})


def check(task, observer, known):
    """Judge the task's exercises and print what came of them.

    Parameters
    ----------
    task : Task
        What to check.
    observer : callable
        As in `judge_exercise`.
    known : dict of str to (str, Verdict)
        Answers that were judged before; an answer that has not changed is not judged again. It is
        brought up to date.

    Returns
    -------
    int
        0 if all is right, else 1.
    """
    sources = collect(read_notebook(task.path), task.module).sources
    changed = [name for name in task.names if name not in known or known[name][0] != sources.get(name)]
    log = Log(task.path.parent)
    events, _ = forgiven(_warn, log.read) or ((), ())
    for verdict in examine(task.module, changed, sources, records(events), observer=observer, seed=task.seed):
        known[verdict.exercise] = sources.get(verdict.exercise), verdict
        forgiven(_warn, note, log, verdict, sources)
        if not task.as_json:
            print(exercise_card(verdict, brief=len(changed) > 1, terminal=True).text, flush=True)
    verdicts = [known[name][1] for name in task.names]
    together = _together(task, sources, observer)
    print(_as_json(task, verdicts, together) if task.as_json else _summary(verdicts), flush=True)
    if together and not task.as_json:
        print(together.text, flush=True)
    return 0 if all(v.is_right for v in verdicts) and (together is None or together.ok) else 1


def watch(task, observer, pause=time.sleep):
    """Check whenever the notebook is saved, until Ctrl-C; give the last exit code."""
    known, code = {}, 1
    try:
        for _ in changes(task.path, pause):
            try:
                code = check(task, observer, known)
            except DarkError as error:  # saved in the middle of an edit: wait for the next one
                print(error, file=sys.stderr)
            print(f"Watching {task.path}; Ctrl-C ends.", file=sys.stderr)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return code


def changes(path, pause=time.sleep):
    """Yield at once, then whenever the file has been written again or has gone, for ever.

    Parameters
    ----------
    path : Path
        The file. It counts as gone when it is missing twice in a row: some programs save by
        putting a new file in the place of the old one.
    pause : callable, optional
        Waits for a number of seconds.
    """
    last = before = None
    while True:
        try:
            status = path.stat()
            stamp = status.st_mtime_ns, status.st_size, status.st_ino
        except OSError:
            stamp = "gone"
        if stamp != last and not (stamp == "gone" != before and last):
            last = stamp
            yield
        before = stamp
        pause(PAUSE_SECONDS)


def _warn(text):
    print(text, file=sys.stderr)


def _summary(verdicts):
    right = sum(verdict.is_right for verdict in verdicts)
    blank = sum(verdict.status == NOT_ATTEMPTED for verdict in verdicts)
    earned, points = sum(v.earned for v in verdicts), sum(v.points for v in verdicts)
    wrong = len(verdicts) - right - blank
    unsaved = "\nAn open notebook counts as it was saved last: Ctrl-S first." if blank else ""
    return (
        f"{right} of {len(verdicts)} right, {wrong} not yet right, {blank} not attempted; {earned} of {points} points."
        f"{unsaved}"
    )


def _together(task, sources, observer):
    if not task.all_yours:
        return None
    verdicts = all_yours(task.module, sources, observer=observer, seed=task.seed)
    return all_yours_card(task.module, sources, verdicts)


def _as_json(task, verdicts, together):
    data = {
        "module": task.module.stem,
        "notebook": str(task.path),
        "seed": task.seed,
        "earned": sum(verdict.earned for verdict in verdicts),
        "points": sum(verdict.points for verdict in verdicts),
        "exercises": [report_data(verdict) for verdict in verdicts],
        "all_yours": together.ok if together else None,
    }
    return json.dumps(data, ensure_ascii=False, indent=2)
