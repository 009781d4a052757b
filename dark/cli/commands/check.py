"""Check the answers in your notebook: ✓ right, ✗ wrong, ! stopped, · not attempted."""

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dark.cli.targets import find_target
from dark.course.cards.card import in_color
from dark.course.cards.verdict_card import Report, verdict_data
from dark.course.judging.judge import judge_exercise
from dark.course.judging.verdict import NOT_ATTEMPTED
from dark.course.lessons.answers import collect
from dark.course.lessons.library import Module
from dark.course.lessons.notebook_files import read_notebook
from dark.course.student.examination import all_yours, all_yours_card
from dark.course.student.progress import Log
from dark.course.student.records import record_check, records
from dark.errors import DarkError
from dark.grading.sandbox.worker_observer import isolated_observer

PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class Task:
    """A check that was asked for: the exercises of a notebook, and the form of the report."""

    module: Module
    names: tuple
    path: Path
    seed: int
    all_yours: bool
    as_json: bool


def add_arguments(parser):
    """Add the arguments of `dark check`."""
    add = parser.add_argument
    add(
        "module",
        nargs="?",
        help="number or name of the module, such as 01; a notebook file; or an exercise, such as backward",
    )
    add("exercise", nargs="*", default=[], help="such as backward (default: all)")
    add("--file", type=Path, help="path to the notebook")
    add("--watch", action="store_true", help="check again whenever the file is saved")
    add("--all-yours", action="store_true", help="also test your answers together, without the reference")
    add("--seed", type=int, default=0, help="seed of the generated inputs (default: 0)")
    add("--json", action="store_true", help="print the verdicts as JSON")


def run(arguments):
    """Check once, or whenever the notebook is saved; return 0 if every checked answer is right."""
    words = [arguments.module, *arguments.exercise] if arguments.module else []
    module, names, path = find_target(words, arguments.file)
    task = Task(module, names or tuple(module.exercises), path, arguments.seed, arguments.all_yours, arguments.json)
    with isolated_observer() as observer:
        return watch(task, observer) if arguments.watch else check(task, observer, {})


def check(task: Task, observer: Callable, known: dict[str, tuple[str | None, Any]]) -> int:
    """Judge the exercises of a task, print the results, and return 0 if all are right, else 1.

    `known` has the source and verdict of each exercise judged before: an unchanged answer is not judged again.
    """
    sources = collect(read_notebook(task.path), task.module).sources
    changed = [name for name in task.names if name not in known or known[name][0] != sources.get(name)]
    log = Log(task.path.parent, warn=_warn)
    noted = records(log.read()[0])
    for name in changed:
        verdict = judge_exercise(task.module, name, sources, observer=observer, seed=task.seed)
        known[name] = sources.get(name), verdict
        record_check(log, verdict, sources.get(name))
        if not task.as_json:
            _print(_told(verdict, noted[name].hints, brief=len(changed) > 1))
    verdicts = [known[name][1] for name in task.names]
    together = _together(task, sources, observer)
    print(_as_json(task, verdicts, noted, together) if task.as_json else _summary(verdicts), flush=True)
    if together and not task.as_json:
        _print(together.text)
    return 0 if all(v.is_right for v in verdicts) and (together is None or together.ok) else 1


def watch(task, observer, pause=time.sleep):
    """Check whenever the notebook is saved, until Ctrl-C; return the last exit code."""
    known: dict[str, tuple[str | None, Any]] = {}
    code = 1
    try:
        for _ in changes(task.path, pause):
            try:
                code = check(task, observer, known)
            except DarkError as error:  # saved in the middle of an edit: wait for the next one
                print(error, file=sys.stderr)
            print(f"Watching {task.path}; press Ctrl-C to stop.", file=sys.stderr)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return code


def changes(path, pause=time.sleep):
    """Yield immediately, then whenever the file has been written or deleted, without end.

    It counts as deleted when it is missing twice in a row: some programs save by replacing the file.
    """
    last = before = None
    while True:
        try:
            status = path.stat()
            stamp = status.st_mtime_ns, status.st_size, status.st_ino
        except OSError:
            stamp = "deleted"
        if stamp != last and not (stamp == "deleted" != before and last):
            last = stamp
            yield
        before = stamp
        pause(PAUSE_SECONDS)


def _told(verdict, shown, brief):
    is_short = brief and (verdict.is_right or verdict.status == NOT_ATTEMPTED)
    return verdict.headline if is_short else Report.of(verdict, shown=shown, terminal=True).text


def _print(text):
    """Print the text of a card, in color in a terminal unless the environment says NO_COLOR."""
    is_colored = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    print(in_color(text) if is_colored else text, flush=True)


def _warn(text):
    print(text, file=sys.stderr)


def _summary(verdicts):
    right = sum(verdict.is_right for verdict in verdicts)
    blank = sum(verdict.status == NOT_ATTEMPTED for verdict in verdicts)
    earned, points = sum(v.earned for v in verdicts), sum(v.points for v in verdicts)
    wrong = len(verdicts) - right - blank
    unsaved = "\nOnly what is saved is checked: press Ctrl-S in an open notebook first." if blank else ""
    return (
        f"{right} of {len(verdicts)} right, {wrong} not yet right, {blank} not attempted; {earned} of {points} points."
        f"{unsaved}"
    )


def _together(task, sources, observer):
    if not task.all_yours:
        return None
    verdicts = all_yours(task.module, sources, observer=observer, seed=task.seed)
    return all_yours_card(task.module, sources, verdicts, observer=observer, seed=task.seed)


def _as_json(task, verdicts, noted, together):
    data = {
        "module": task.module.stem,
        "notebook": str(task.path),
        "seed": task.seed,
        "earned": sum(verdict.earned for verdict in verdicts),
        "points": sum(verdict.points for verdict in verdicts),
        "exercises": [verdict_data(verdict, noted[verdict.exercise].hints) for verdict in verdicts],
        "all_yours": together.ok if together else None,
    }
    return json.dumps(data, ensure_ascii=False, indent=2)
