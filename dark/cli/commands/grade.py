"""Grade a folder of submissions, each in its own process with limits, and write a report."""

import os
import secrets
import signal
import sys
from argparse import ArgumentTypeError
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from dark import __version__
from dark.course.grading.confinement import LEVELS, confinement, hide_memory
from dark.course.grading.folder import grade_folder
from dark.course.grading.grade import Settings
from dark.course.grading.grade_table import grade_line, grades_text
from dark.course.grading.gradebook import Gradebook, recorded_seed
from dark.course.grading.graded_file import load_assignment
from dark.course.grading.limits import Limits
from dark.course.grading.report_lock import only_one
from dark.course.grading.worker_process import check_system
from dark.course.lessons.working_copy import working_folder
from dark.course.uploads import find_submissions
from dark.errors import UsageError

DAY = 24 * 60 * 60  # seconds
SUBMISSION_FACTOR = 12  # time limit of a submission, as a multiple of that of an exercise


def add_arguments(parser):
    """Add the arguments of `dark grade`."""
    parser.add_argument(
        "folder", type=Path, nargs="?", help="folder of notebooks, searched one level deep (default: your own in work)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("report"), metavar="REPORT", help="folder for the report (default: report)"
    )
    parser.add_argument("--module", help="the module to grade, such as 01; without it, each notebook names its own")
    parser.add_argument(
        "--jobs", type=_number(int, 1, 1024), default=_processors(), help="number of submissions graded in parallel"
    )
    seed_help = (
        "seed of the generated inputs (default: that of the report, or a random one, which results.json records)"
    )
    parser.add_argument("--seed", type=int, help=seed_help)
    parser.add_argument("--fresh", action="store_true", help="regrade unchanged submissions")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    for name, kind, default, unit in (
        ("wall", _number(float, 0.001, DAY), 10, "wall-clock seconds for one exercise (default: 10)"),
        ("cpu", _number(int, 1, DAY), 10, "CPU seconds for one exercise (default: 10)"),
        ("memory", _number(int, 256, 1 << 20), 1024, "MiB of memory (default: 1024)"),
    ):
        parser.add_argument(f"--{name}", type=kind, default=default, help=unit)
    parser.add_argument(
        "--require-confinement",
        choices=LEVELS,
        default="none",
        metavar="LEVEL",
        help="exit with code 4, before anything is graded, on a machine with less than this: limits (time, memory), "
        "files (also: only Python's own files can be read), full (also: no processes, no network); "
        "`dark doctor --grading` prints what a machine has (default: none)",
    )


def run(arguments):
    """Grade, print progress and results.

    Returns 0 only if every submission has all points, and 4 on a machine with too little confinement.
    """
    check_system()
    found = confinement()
    if not found.reaches(arguments.require_confinement):
        print(_too_little(found, arguments.require_confinement), file=sys.stderr)
        return 4
    hide_memory()
    folder = arguments.folder or working_folder()
    submissions = find_submissions(folder)
    _check_out(arguments.out, folder)
    assign = partial(load_assignment, arguments.module) if arguments.module else None
    if assign:
        assign()  # refuse an unknown module before anything is graded
    limits = Limits(
        wall_seconds=arguments.wall,
        cpu_seconds=arguments.cpu,
        memory_mib=arguments.memory,
        submission_seconds=SUBMISSION_FACTOR * arguments.wall,
        confinement=found.level,
    )
    seed = arguments.seed if arguments.seed is not None else recorded_seed(arguments.out)
    settings = Settings(limits, secrets.randbelow(1 << 32) if seed is None else seed)
    gradebook = Gradebook(arguments.out, settings, __version__, arguments.module, found)
    print(found, file=sys.stderr if arguments.json else sys.stdout)
    with only_one(arguments.out), _ended_as_by_ctrl_c():
        records = _grade(gradebook, submissions, settings, assign, arguments)
    records.sort(key=lambda record: record["name"])
    if arguments.json:
        print((arguments.out / "results.json").read_text(encoding="utf-8"), end="")
    else:
        print(f"\n{grades_text(records)}\n\n{arguments.out / 'index.html'}")
    return 0 if all(record["complete"] for record in records) else 1


@contextmanager
def _ended_as_by_ctrl_c():
    """Let the signals that end a program raise KeyboardInterrupt, so that the tables are written."""
    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.default_int_handler) for number in ends}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _too_little(found, wanted):
    """Return the error for a machine that cannot confine submissions as required."""
    return UsageError(
        f"--require-confinement {wanted}: this machine has less. {found}",
        f"the level '{wanted}'; submissions are foreign code.",
        "Linux 5.13 or newer with Landlock and libseccomp, see `dark doctor --grading`; or a lower level.",
    )


def _grade(gradebook, submissions, settings, assign, arguments):
    """Grade into the gradebook, printing one line a submission, on a terminal with a progress line."""
    say = partial(print, file=sys.stderr if arguments.json else sys.stdout, flush=True)
    progress = _ProgressLine(len(submissions))
    filling = grade_folder(gradebook, submissions, settings, jobs=arguments.jobs, fresh=arguments.fresh, assign=assign)
    records = []
    try:
        with closing(filling):
            progress.show(0)
            for record, was_kept in filling:
                records.append(record)
                progress.hide()
                say(grade_line(record) + ("  (unchanged)" if was_kept else ""))
                progress.show(len(records))
            progress.hide()
    except KeyboardInterrupt:
        progress.hide()
        done = f"{len(records)} of {len(submissions)} submissions are graded"
        print(f"\n{done}, saved in {gradebook.folder}; run the same command to continue.", file=sys.stderr)
        raise
    return records


class _ProgressLine:
    """A progress line on a terminal; elsewhere nothing."""

    def __init__(self, total):
        self.total = total
        self.is_shown = sys.stderr.isatty() and sys.stdout.isatty()

    def show(self, done):
        if self.is_shown:
            print(f"\r{done} of {self.total} graded ", end="", file=sys.stderr, flush=True)

    def hide(self):
        if self.is_shown:
            print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)


def _check_out(out, folder):
    inside, around = out.resolve(), folder.resolve()
    if inside == around or around in inside.parents:
        raise UsageError(
            f"--out {out}: this is inside the folder of the submissions, {folder}.",
            "a folder outside of it, so that the report and the submissions stay separate.",
            f"--out {folder.resolve().name}-report",
        )


def _number(kind, least, most):
    """Return an argparse type: a number in a range."""

    def number(text):
        value = kind(text)
        if not least <= value <= most:
            raise ArgumentTypeError(f"{text} is not between {least} and {most}.")
        return value

    number.__name__ = kind.__name__
    return number


def _processors():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
