"""Grade a folder of submissions, each in its own process with limits, and write a report."""

import secrets
import signal
import sys
from contextlib import closing, contextmanager
from functools import partial

from dark import __version__
from dark.cli.grade_again import Exercises, changes_text, flaky_text, list_similar, read_marks
from dark.cli.grade_arguments import add_grade_arguments
from dark.cli.grade_checks import check_exam, check_exports, check_out, only_here, released, too_little
from dark.cli.progress_line import ProgressLine
from dark.course.lessons.library import working_folder
from dark.grading.batch.batch import grade_all
from dark.grading.batch.folder import check_flaky, grade_folder, is_comparable
from dark.grading.batch.locked_folders import copied_exam, only_one
from dark.grading.batch.module_check import PreflightError
from dark.grading.batch.preflight import modules_of, preflight, read_assignment
from dark.grading.class_page import class_page
from dark.grading.cluster.cluster import Cluster
from dark.grading.exports import EXPORTS
from dark.grading.grader.grade import Settings, load_assignment
from dark.grading.grader.result import GRADED, NOT_JUDGED
from dark.grading.policy import EXAMPLE, MISSING, Course, Owners, Policy, read_course
from dark.grading.report.grade_table import grade_line, grades_text
from dark.grading.report.gradebook import Gradebook
from dark.grading.report.results_file import recorded_seed
from dark.grading.sandbox.confinement import confinement, hide_memory, root_warning
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_process import check_system
from dark.grading.self_test.catalog import self_test
from dark.grading.uploads import counting_best, find_submissions

PAGES = {"class.html": ("The class", class_page)}
SUBMISSION_FACTOR = 12  # time limit of a submission, as a multiple of the limit of an exercise


def add_arguments(parser):
    """Add the arguments of `dark grade`."""
    add_grade_arguments(parser)


def run(arguments):
    """Grade, print progress and results; return the exit code, as `dark grade --help` lists them."""
    if arguments.example_course:
        print(EXAMPLE, end="")
        return 0
    check_system()
    hide_memory()
    if arguments.scheduler is None:
        found = confinement()
        with copied_exam(arguments.exam) as exam:
            pool = partial(grade_all, jobs=arguments.jobs, exam=exam)
            return _run(arguments, found, pool, warning=root_warning(found.level))
    if arguments.self_test:
        raise only_here(arguments)
    with copied_exam(arguments.exam) as exam, Cluster(arguments.scheduler, partial(print, file=sys.stderr)) as cluster:
        print(cluster, file=sys.stderr)
        pool = partial(cluster.grade_all, exam=exam)
        return _run(arguments, cluster.confinement, pool, f"the worker {cluster.weakest_worker}")


def _run(arguments, found, pool, where="this machine", warning=""):
    """Grade with a pool, whose machines confine as `found` says."""
    if not found.reaches(arguments.require_confinement):
        print(too_little(found, arguments.require_confinement, where), file=sys.stderr)
        return 4
    if arguments.self_test:
        return 0 if self_test(found) else 4
    folder, (points, deadlines) = arguments.folder or working_folder(), released(arguments)
    submissions, policy, owners, roster = _class_of(arguments, folder, deadlines)
    check_out(arguments.out, folder)
    check_exports(arguments.export, submissions, roster)
    check_exam(arguments, folder)
    load = partial(load_assignment, private=arguments.exam) if arguments.exam else load_assignment
    assign = partial(load, arguments.module) if arguments.module else None
    settings = _settings(arguments, found, points)
    exercises = Exercises(load, arguments.module, submissions)
    try:
        if assign:
            read_assignment(arguments.module, assign)  # refuse an unknown module before anything is written
        only = exercises.touched(arguments.regrade) if arguments.regrade else ()
        marks = read_marks(arguments.rubric, submissions, exercises, owners) if arguments.rubric else None
        finish, tell = policy.rows if policy else counting_best, partial(print, file=sys.stderr)
        made = partial(Gradebook, arguments.out, settings, __version__, arguments.module, found, pages=PAGES)
        gradebook = made(finish=finish, owners=owners, tell=tell)
        stream = sys.stderr if arguments.json else sys.stdout
        warnings = [f"! {warning}"] if warning else []
        with closing(gradebook), only_one(arguments.out), _ended_as_by_ctrl_c():
            print(found, *warnings, *owners.lines(), sep="\n", file=stream)
            if marks is not None:
                gradebook.set_rubric(marks)
            rows = _rows(gradebook, submissions, settings, assign, arguments, only, pool)
            records = [record for record in rows if record["counts"]]
            _report(arguments, gradebook, rows, records)
            if arguments.similarity:
                list_similar(gradebook, submissions, rows, partial(print, file=stream))
            gradebook.close()
    except PreflightError as error:
        print(error, file=sys.stderr)
        return 3
    return int(any(_failed(record, arguments.fail_under) for record in records))


def _class_of(arguments, folder, deadlines):
    """Return the submissions of a folder, the policy of their course, None without one, their owners and the roster."""
    course = read_course(arguments.course, arguments.attempt, deadlines) if arguments.course else None
    submissions = find_submissions(folder, "best" if course else arguments.attempt or "latest")
    around = _around(folder)
    policy = Policy(course, submissions, around, arguments.module) if course else None
    owners = policy.owners if policy else Owners(Course(around), submissions)
    return submissions, policy, owners, course and course.roster


def _rows(gradebook, submissions, settings, assign, arguments, only, pool):
    """Grade the submissions, twice to find points that differ if that is asked for; return the rows of the report."""
    records = _grade(gradebook, submissions, settings, assign, arguments, only, pool)
    if arguments.check_flaky:
        _check_flaky(gradebook, submissions, records, settings, assign, arguments, pool)
    return gradebook.rows(records)


def _report(arguments, gradebook, rows, records):
    """Write the exports, and print the marks without a row, and the points."""
    _export(arguments.export, gradebook, rows)
    for unused in gradebook.by_hand.unused(rows, gradebook.students.of_row):
        print(f"! rubric: this mark matches no row of this report: {unused}", file=sys.stderr)
    if arguments.json:
        print((arguments.out / "results.json").read_text(encoding="utf-8"), end="")
    else:
        print(f"\n{grades_text(records)}\n\n{arguments.out / 'index.html'}", flush=True)


def _around(path):
    """Return the folder of a notebook that is graded alone; a folder or a zip of a class is returned as it is."""
    return path.parent if path.suffix.lower() == ".ipynb" and path.is_file() else path


def _settings(arguments, found, points):
    limits = Limits(
        wall_seconds=arguments.wall,
        cpu_seconds=arguments.cpu,
        memory_mib=arguments.memory,
        submission_seconds=SUBMISSION_FACTOR * arguments.wall,
        confinement=found.level,
    )
    seed = arguments.seed if arguments.seed is not None else recorded_seed(arguments.out)
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    return Settings(limits, seed, arguments.seed_per_student, arguments.exam, points)


def _failed(record, least):
    """Return whether a submission could not be graded, or has less than a percentage of its points."""
    if record["status"] == MISSING:
        return False
    statuses = [each["status"] for each in record["exercises"]]
    if record["status"] != GRADED or NOT_JUDGED in statuses or record.get("flaky"):
        return True
    return 100 * record["earned"] < least * record["points"]


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


def _check_flaky(gradebook, submissions, records, settings, assign, arguments, pool):
    """Grade everything a second time, and print the students whose points differ."""
    progress = ProgressLine(sum(map(is_comparable, records)))
    comparing = check_flaky(gradebook, submissions, records, settings, assign=assign, pool=pool)
    with closing(comparing):
        for done, _ in enumerate(comparing, 1):
            progress.show(done)
    progress.hide()
    named = [record | {"name": gradebook.students.shown(record)} for record in records]
    print(f"\n{flaky_text(named)}", file=sys.stderr if arguments.json else sys.stdout)


def _grade(gradebook, submissions, settings, assign, arguments, only, pool):
    """Grade into the gradebook, printing a line for each submission, and the remaining time."""
    say = partial(print, file=sys.stderr if arguments.json else sys.stdout, flush=True)
    progress = ProgressLine(len(submissions))
    check = partial(_check_course, gradebook, settings, {arguments.module: assign} if assign else None, progress)
    filling = grade_folder(
        gradebook, submissions, settings, fresh=arguments.fresh, only=only, assign=assign, pool=pool, check=check
    )
    records, kept = [], 0
    try:
        with closing(filling):
            progress.show(0)
            for record, was_kept in filling:
                records.append(record)
                kept += was_kept
                progress.hide()
                line = grade_line(record | {"name": gradebook.students.shown(record)})
                say(line + ("  (unchanged)" if was_kept else ""))
                progress.show(len(records), kept)
    except KeyboardInterrupt:
        progress.hide()
        done = f"{len(records)} of {len(submissions)} submissions are graded"
        print(f"\n{done}, saved in {gradebook.folder}; run the same command to continue.", file=sys.stderr)
        raise
    finally:
        progress.hide()
    if only or gradebook.changes:
        shown = {record["name"]: gradebook.students.shown(record) for record in records}
        changes = [each | {"name": shown[each["name"]]} for each in gradebook.changes]
        say(f"\n{changes_text(changes, len(records) - kept)}")
    return records


def _check_course(gradebook, settings, assignments, progress, submissions):
    """Test the modules that are to be graded, before the first submission is."""
    if assignments is None:
        load = partial(load_assignment, private=settings.exam) if settings.exam else load_assignment
        assignments = {name: partial(load, name) for name in modules_of(submissions)}
    if submissions:
        course = {key: gradebook.heading[key] for key in ("python", "exam")} | gradebook.heading["course"]
        preflight(assignments, course, settings.seed, progress.tell)
    progress.restart()


def _export(names, gradebook, rows):
    for name in names:
        for file, text in EXPORTS[name]({"submissions": rows}).items():
            gradebook.save(file, text)
