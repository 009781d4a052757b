"""The arguments of `dark grade`; each help names its default."""

import os
from argparse import ArgumentTypeError, RawDescriptionHelpFormatter
from pathlib import Path

from dark.errors import near_misses
from dark.grading.exports import EXPORTS
from dark.grading.sandbox.confinement import LEVELS
from dark.grading.uploads import ATTEMPTS

DAY = 24 * 60 * 60  # seconds
FOLDER = "folder of notebooks, one level deep, also in zips; a zip of it; or one notebook (default: your own in work)"
EPILOG = """\
exit codes:
  0    every submission is graded, whatever its points
  1    a submission could not be graded, is flaky, or has less than --fail-under
  2    an invalid command line, folder or report; or the cluster is unfit or lost: what is graded is kept
  3    preflight: the course itself is faulty; nothing is graded
  4    this machine, or one of the cluster, confines less than --require-confinement: nothing is graded; or --self-test
       found a gap
  130  interrupted by Ctrl-C or a signal; the same command continues

examples:
  dark grade submissions --out report --module 01 --require-confinement full
  dark grade --example-course > course.toml
  dark grade class.zip --out report --module 01 --course course.toml --export canvas
  dark grade submissions --out report --module 01 --scheduler tls://10.0.0.5:8786 --require-confinement full
"""


def add_grade_arguments(parser):
    """Add the arguments of `dark grade`."""
    parser.epilog, parser.formatter_class = EPILOG, RawDescriptionHelpFormatter
    _add_inputs(parser.add_argument)
    _add_course(parser.add_argument)
    _add_outputs(parser.add_argument)
    _add_limits(parser.add_argument)


def _add_inputs(add):
    add("folder", type=Path, nargs="?", help=FOLDER)
    add("--out", type=Path, default=Path("report"), metavar="REPORT", help="folder for the report (default: report)")
    add("--module", help="the module to grade, such as 01 (default: each notebook names its own)")
    processors = count_processors()
    jobs_help = f"submissions graded in parallel on this machine (default: its processors, {processors})"
    add("--jobs", type=number_between(int, 1, 1024), default=processors, metavar="N", help=jobs_help)
    scheduler_help = (
        "grade on the workers of a dask cluster instead, as many in parallel as they have threads: HOST:PORT of "
        "`dask scheduler`; needs the extra 'cluster' (default: on this machine)"
    )
    add("--scheduler", metavar="ADDRESS", help=scheduler_help)
    seed_help = "seed of the generated inputs (default: the report's, or a random one; results.json records it)"
    add("--seed", type=int, metavar="N", help=seed_help)
    seeds_help = "other inputs for each student, from the seed and the name (default: the same for all)"
    add("--seed-per-student", action="store_true", help=seeds_help)
    exam_help = (
        "a private folder with questions/exam_NN_*.py, which are asked with the course's or replace them; students "
        "see category, count and hint of these only, REPORT/teacher shows all (default: none)"
    )
    add("--exam", type=Path, metavar="DIR", help=exam_help)


def _add_course(add):
    similar_help = (
        "then list students with similar answers, for you to look at: REPORT/teacher/similar.html (default: no)"
    )
    add("--similarity", action="store_true", help=similar_help)
    release_help = (
        "the release.toml of `dark release`: which exercises count, their points, and the deadline, unless --course "
        "names another (default: all count)"
    )
    add("--release", type=Path, metavar="FILE", help=release_help)
    course_help = "course.toml: a roster, deadlines, late days, extensions, groups (default: points only)"
    add("--course", type=Path, metavar="FILE", help=course_help)
    add("--example-course", action="store_true", help="print a course.toml with every key (default: grade)")
    attempt_help = "which of several attempts of a student counts: latest or best (default: as in --course, or latest)"
    add("--attempt", choices=ATTEMPTS, help=attempt_help)
    add("--fresh", action="store_true", help="regrade unchanged submissions (default: keep their results)")
    regrade_help = (
        "grade again only what these questions or exercises touch, with the course as it is now; the other results "
        "are kept, and a table lists the changes (default: regrade changed submissions completely)"
    )
    add("--regrade", type=names, default=(), metavar="NAMES", help=regrade_help)
    flaky_help = "grade a second time with the same inputs, and list the answers whose points differ (default: once)"
    add("--check-flaky", action="store_true", help=flaky_help)
    rubric_help = (
        "manual points and comments, a .toml or .csv as REPORT/teacher/rubric.html makes it; later runs keep them "
        "until another file replaces them (default: the marks of the last one)"
    )
    add("--rubric", type=Path, metavar="FILE", help=rubric_help)


def _add_outputs(add):
    add("--json", action="store_true", help="print the results as JSON (default: a table)")
    export_help = f"also write files for other systems, separated by commas: {', '.join(EXPORTS)} (default: none)"
    add("--export", type=export_names, default=(), metavar="NAMES", help=export_help)
    under_help = "exit with code 1 if a submission has less than this percentage (default: 0)"
    add("--fail-under", type=number_between(float, 0, 100), default=0, metavar="PERCENT", help=under_help)
    test_help = "grade hostile answers on this machine, print what each gets, exit with 0 or 4 (default: submissions)"
    add("--self-test", action="store_true", help=test_help)


def _add_limits(add):
    for name, kind, default, metavar, text in (
        ("wall", number_between(float, 0.001, DAY), 10, "SECONDS", "wall-clock seconds for one exercise"),
        ("cpu", number_between(int, 1, DAY), 10, "SECONDS", "CPU seconds for one exercise"),
        ("memory", number_between(int, 256, 1 << 20), 1024, "MIB", "MiB of memory"),
    ):
        add(f"--{name}", type=kind, default=default, metavar=metavar, help=f"{text} (default: {default})")
    add(
        "--require-confinement",
        choices=LEVELS,
        default="none",
        metavar="LEVEL",
        help="exit with code 4, before anything is graded, if a machine has less than this: limits (time, memory, "
        "size of files; no protection from malice: macOS, old kernels), files (also: only Python's own files can be "
        "read), full (also: no processes, no network); "
        "`dark doctor --grading` prints what a machine has (default: none)",
    )


def names(text):
    """Return the names in a list with commas, as an argparse type.

    >>> names("slope, add")
    ('slope', 'add')
    """
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def export_names(text):
    """Return the exports that are named, as an argparse type.

    >>> export_names("canvas,junit")
    ('canvas', 'junit')
    """
    names = tuple(text.split(","))
    for name in names:
        if name not in EXPORTS:
            raise ArgumentTypeError(f"{name!r} is not an export; try {near_misses(name, EXPORTS)}.")
    return names


def number_between(kind, least, most):
    """Return an argparse type: a number in a range.

    >>> number_between(int, 1, 8)("4")
    4
    """

    def number(text):
        value = kind(text)
        if not least <= value <= most:
            raise ArgumentTypeError(f"{text} is not between {least} and {most}.")
        return value

    number.__name__ = kind.__name__
    return number


def count_processors():
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
