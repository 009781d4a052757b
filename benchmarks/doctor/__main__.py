"""How often the doctor is right, over small training runs: healthy ones, and ones with a known fault.

`python -m benchmarks.doctor` trains all of them, which takes about 20 minutes, and prints tables and each mistake: runs
of families that are trained both in `dark` and in PyTorch, for some seeds; then runs of `dark` on which the first
thresholds were tuned, and runs that were held out then. With `--keep`, runs in the folder are not trained again.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from threadpoolctl import threadpool_limits  # comes with scikit-learn
from tqdm import tqdm

from benchmarks.doctor.both import shared_cases
from benchmarks.doctor.cases import all_cases
from dark.draw import Table
from dark.monitor import Note, diagnose
from dark.monitor.doctor.diagnosis import CONFIDENCES

LEAST_ACCURACY = 0.7  # of a training that is called healthy
HEADING = ("training runs", "kind", "number", "right", "wrong", "share")


def main(arguments=None):
    """Train, diagnose, and print the tables; the exit code is 1 if a healthy training has a finding."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.doctor", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seeds", type=int, nargs="*", default=(0, 1, 2), metavar="S", help="of runs in both libraries"
    )
    parser.add_argument("--count", type=int, default=4, metavar="N", help="of each other family and fault (default 4)")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="number of the first of each, as a seed")
    parser.add_argument("--only", default="", metavar="TEXT", help="only runs whose name contains this")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a folder for the notes")
    options = parser.parse_args(arguments)
    others = all_cases(options.count, options.first) if options.count else []
    cases = [case for case in (*shared_cases(options.seeds), *others) if options.only in case.name]
    with tempfile.TemporaryDirectory() as temporary, threadpool_limits(1):
        folder = options.keep or Path(temporary)
        results = [(case, diagnosed(case, folder)) for case in tqdm(cases, unit="training", leave=False)]
    results = [(case, findings) for case, findings in results if findings is not None]
    print(Table(HEADING, tuple(rows_of(results))))
    print()
    print(Table(("confidence", "findings", "right", "share"), tuple(confidences_of(results))))
    print()
    print(Table(("found", "times in sick runs", "times right", "in healthy runs"), tuple(findings_of(results))))
    for case, findings in results:
        wrong = [kind for kind in kinds(findings) if kind not in case.expected]
        if wrong or not is_right(case, kinds(findings)):
            verdict = "right" if is_right(case, kinds(findings)) else "WRONG"
            found = ", ".join(kinds(findings)) or "nothing"
            print(f"{verdict}: {case.name}: {found}; expected {' or '.join(case.expected) or 'nothing'}")
    return int(any(findings for case, findings in results if not case.expected))


def kinds(findings):
    """Return the kinds of findings."""
    return tuple(finding.kind for finding in findings)


def diagnosed(case, folder):
    """Train a case, and return the findings; None if a healthy one did not learn, as some random ones."""
    place = folder / case.name.replace(" ", "-").replace("%", "percent")
    if not place.exists():
        case.run(place)
    is_drawn = case.group in ("tuned on", "held out")  # of the families in both libraries, all count
    return None if is_drawn and not case.expected and has_failed(Note.load(place)) else diagnose(place).findings


def has_failed(note):
    """Return whether the training accuracy is low, or the training loss has not fallen."""
    series = note.scalar_dict.get("accuracy/train")
    if series is not None:
        return series[-1] < LEAST_ACCURACY
    losses = note.scalar_dict["loss"].values if "loss" in note.scalar_dict else None
    return losses is not None and losses[-1] > 0.95 * losses[0]


def is_right(case, found):
    """Return whether a healthy training has no finding, or a sick one a right one."""
    return bool(set(found) & set(case.expected)) if case.expected else not found


def share(part, whole):
    """Return a share in percent."""
    return f"{part / max(whole, 1):.1%}"


def rows_of(results):
    """Yield the rows of the table of right and wrong ones."""
    for group in dict.fromkeys(case.group for case, _ in results):
        for is_sick in (False, True):
            some = [(case, found) for case, found in results if (case.group, bool(case.expected)) == (group, is_sick)]
            right = sum(is_right(case, kinds(found)) for case, found in some)
            names = group, "sick" if is_sick else "healthy"
            yield (*names, *map(str, (len(some), right, len(some) - right)), share(right, len(some)))


def confidences_of(results):
    """Yield how often findings of each confidence are right."""
    pairs = [(finding, case) for case, findings in results for finding in findings]
    for level in CONFIDENCES:
        some = [finding.kind in case.expected for finding, case in pairs if finding.confidence == level]
        yield level, str(len(some)), str(sum(some)), share(sum(some), len(some))


def findings_of(results):
    """Yield how often each finding appears, and how often it is one of the expected ones."""
    found, right, healthy = Counter(), Counter(), Counter()
    for case, findings in results:
        (found if case.expected else healthy).update(kinds(findings))
        right.update(set(kinds(findings)) & set(case.expected))
    for kind in sorted({*found, *healthy}, key=lambda kind: -found[kind]):
        yield kind, str(found[kind]), str(right[kind]), str(healthy[kind])


if __name__ == "__main__":
    sys.exit(main())
