"""Grade the catalog of hostile and damaged answers on this machine, and report which get the expected result.

A case holds if its exercise has one of its statuses, earns no points unless its answer is right, the honest exercise
beside it has all of its points, and an honest notebook that is graded afterwards, too. An answer that reads what the
first has left must earn nothing. Nothing may be left behind: no process, no file, no shared memory.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from dark.course.judging.verdict import RIGHT, TIMED_OUT
from dark.grading.grader.grade import Settings, grade_submission
from dark.grading.grader.result import GRADED, is_complete
from dark.grading.report.page_limits import MOST_REPORTS
from dark.grading.report.record import reports_of
from dark.grading.sandbox.confinement import LEVELS, missing_namespaces
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_process import Worker
from dark.grading.self_test.course import assignment, notebook
from dark.grading.self_test.traces import left_behind, segments

IMPATIENT = Limits(wall_seconds=1, cpu_seconds=1, memory_mib=512)  # of those that run into the limit of time
PATIENT = Limits(wall_seconds=30, cpu_seconds=20, memory_mib=512)
HONEST = {"double": "def double(x):\n    return x + x", "square": "def square(x):\n    return x**2"}
COLUMN = 57  # characters of the second column
PROMISES = {
    "limits": "a runaway, flooding or forging answer loses only its own points",
    "files": "only the files of Python and NumPy can be read, and one folder written",
    "full": "no processes, programs, connections, and no traces that another process could read",
}


@dataclass(frozen=True)
class Case:
    """One row of the catalog."""

    kind: str  # "runs_away", "floods", "forges", "peeks", "tells" or "damages"
    name: str  # what it tries
    cell: str  # the answer to the exercise `double`
    status: tuple[str, ...]  # the statuses that the exercise may have
    level: str  # the lowest level of confinement that holds it off
    namespaces: bool = False  # whether it needs namespaces as well
    reader: str = ""  # the answer to the exercise `square`, if it reads what the first one has left


@dataclass(frozen=True)
class Row:
    """The outcome of a case."""

    case: Case
    found: str  # the status of its exercise
    fault: str = ""  # what does not hold; empty if all does


def cases():
    """Return the catalog."""
    text = Path(__file__).with_name("cases.toml").read_text(encoding="utf-8")
    return [_case(kind, **each) for kind, found in tomllib.loads(text).items() for each in found]


def _case(kind, name, status, body="return 2 * x", before="", level="limits", namespaces=False, next=""):
    statuses = (status,) if isinstance(status, str) else tuple(status)
    cell = f"{before.strip()}\n\n\n{_function('double', body)}"
    return Case(kind, name, cell, statuses, level, namespaces, next and _function("square", next))


def _function(name, body):
    return f"def {name}(x):\n" + "".join(f"    {line}\n" for line in body.strip().splitlines())


def try_case(case: Case, worker: Worker) -> Row:
    """Grade a notebook with the case in it, then an honest one."""
    before = segments()
    hostile = notebook(**HONEST | {"double": case.cell} | ({"square": case.reader} if case.reader else {}))
    settings = Settings(IMPATIENT if TIMED_OUT in case.status else PATIENT)
    result = grade_submission(hostile, assignment(), worker=worker, settings=settings)
    if result.status != GRADED:
        return Row(case, result.status, f"it is not graded: {result.message}")
    double, square = result.verdicts
    if double.status not in case.status:
        return Row(case, double.status, f"expected: {' or '.join(case.status)}")
    if double.earned and double.status != RIGHT:
        return Row(case, double.status, f"it earns {double.earned} points")
    if case.reader and square.earned:
        return Row(case, double.status, f"what it leaves earns {square.earned} points")
    if not case.reader and not square.is_right:
        return Row(case, double.status, f"the exercise beside it is {square.status}")
    if (size := sum(map(len, reports_of(result).values()))) > MOST_REPORTS:
        return Row(case, double.status, f"its page has {size:,} characters")
    after = grade_submission(notebook(**HONEST), assignment(), worker=worker, settings=Settings(Limits()))
    if not is_complete(after):
        return Row(case, double.status, "the next submission lost points")
    left = left_behind(worker, before)
    return Row(case, double.status, f"it leaves behind: {left}" if left else "")


def self_test(found, tell=print) -> bool:
    """Try all cases, and print a table; return whether every case that this level promises to hold off is held off."""
    tell(str(found))
    rows = []
    with Worker() as worker:
        for level in LEVELS:
            known = [case for case in cases() if case.level == level]
            if not known:
                continue
            tell(f"\n{level}: {PROMISES[level]}")
            tried = []
            for case in known:
                if missing := _missing(case, found):
                    tell(f"·  {case.name:<{COLUMN}} needs {missing}")
                    continue
                tried.append(try_case(case, worker))
                tell(_line(tried[-1]))
            held = sum(not row.fault for row in tried)
            tell(f"{level}: {held} of {len(tried)}" + _not_tried(len(known) - len(tried)))
            rows += tried
    held = sum(not row.fault for row in rows)
    tell(f"\n{held} of {len(rows)} answers are graded as they should be{_not_tried(len(cases()) - len(rows))}.")
    return held == len(rows)


def _missing(case, found):
    """Return the requirement of a case that this machine lacks; an empty string if it lacks none."""
    if not found.reaches(case.level):
        return f"the level {case.level!r}"
    return "namespaces" if case.namespaces and missing_namespaces() else ""


def _not_tried(count):
    return f", {count} not tried" * (count > 0)


def _line(row):
    sign = "✗" if row.fault else "✓"
    return f"{sign}  {row.case.name:<{COLUMN}} {row.found}" + f" — {row.fault}" * bool(row.fault)
