"""Grade the catalog of hostile and damaged answers on this machine, and say which get what they should.

Each case is the cell of one exercise. It holds if the exercise has one of its statuses, earns no points unless
its answer is right, the honest exercise beside it has all of its points, and an honest notebook that is graded
afterwards, too. Nothing may be left behind: no process, no file, no shared memory.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from dark.course.judging.verdict import RIGHT, TIMED_OUT
from dark.grading.grader.grade import Settings, grade_submission
from dark.grading.grader.result import GRADED, is_complete
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_process import Worker
from dark.grading.self_test.course import assignment, notebook
from dark.grading.self_test.traces import left_behind, segments

IMPATIENT = Limits(wall_seconds=1, cpu_seconds=1, memory_mib=512)  # of those that run into the limit of time
PATIENT = Limits(wall_seconds=30, cpu_seconds=20, memory_mib=512)
HONEST = {"double": "def double(x):\n    return x + x", "square": "def square(x):\n    return x**2"}
COLUMN = 46  # characters of the second column


@dataclass(frozen=True)
class Case:
    """One row of the catalog.

    Parameters
    ----------
    kind : str
        "runs away", "floods", "forges", "peeks" or "damages".
    name : str
        What it tries.
    cell : str
        The answer to the exercise `double`.
    status : tuple of str
        The statuses that the exercise may have.
    level : str
        The lowest level of confinement that holds it off.
    """

    kind: str
    name: str
    cell: str
    status: tuple
    level: str


@dataclass(frozen=True)
class Row:
    """The outcome of a case.

    Parameters
    ----------
    case : Case
        The case.
    found : str
        The status of its exercise.
    fault : str
        What does not hold; empty if all does.
    """

    case: Case
    found: str
    fault: str = ""


def cases():
    """Return the catalog."""
    text = Path(__file__).with_name("cases.toml").read_text(encoding="utf-8")
    return [_case(kind, **each) for kind, found in tomllib.loads(text).items() for each in found]


def _case(kind, name, status, body="", before="", level="limits"):
    indented = "".join(f"    {line}\n" for line in body.strip().splitlines())
    statuses = (status,) if isinstance(status, str) else tuple(status)
    return Case(kind, name, f"{before.strip()}\n\n\ndef double(x):\n{indented or '    return 2 * x'}", statuses, level)


def try_case(case, worker):
    """Grade a notebook with the case in it, then an honest one.

    Parameters
    ----------
    case : Case
        The case.
    worker : Worker
        It runs the answers.

    Returns
    -------
    Row
    """
    before = segments()
    hostile = notebook(**HONEST | {"double": case.cell})
    settings = Settings(IMPATIENT if TIMED_OUT in case.status else PATIENT)
    result = grade_submission(hostile, assignment(), worker=worker, settings=settings)
    if result.status != GRADED:
        return Row(case, result.status, f"it is not graded: {result.message}")
    double, square = result.verdicts
    if double.status not in case.status:
        return Row(case, double.status, f"expected: {' or '.join(case.status)}")
    if double.earned and double.status != RIGHT:
        return Row(case, double.status, f"it earns {double.earned} points")
    if not square.is_right:
        return Row(case, double.status, f"the exercise beside it is {square.status}")
    after = grade_submission(notebook(**HONEST), assignment(), worker=worker, settings=Settings(Limits()))
    if not is_complete(after):
        return Row(case, double.status, "the next submission lost points")
    left = left_behind(worker, before)
    return Row(case, double.status, f"it leaves behind: {left}" if left else "")


def self_test(found, tell=print):
    """Try all cases, and print a table.

    Parameters
    ----------
    found : Confinement
        The confinement of this machine.
    tell : callable, default print
        Called with each line.

    Returns
    -------
    bool
        Whether every case that this level of confinement promises to hold off gets what it should.
    """
    tell(str(found))
    rows, count = [], len(cases())
    with Worker() as worker:
        for case in cases():
            if not found.reaches(case.level):
                tell(f"·  {case.name:<{COLUMN}} needs the level {case.level!r}")
                continue
            rows.append(try_case(case, worker))
            tell(_line(rows[-1]))
    held = sum(not row.fault for row in rows)
    left = f", {count - len(rows)} not tried" * (count > len(rows))
    tell(f"\n{held} of {len(rows)} answers are graded as they should be{left}.")
    return held == len(rows)


def _line(row):
    sign = "✗" if row.fault else "✓"
    return f"{sign}  {row.case.name:<{COLUMN}} {row.found}" + f" — {row.fault}" * bool(row.fault)
