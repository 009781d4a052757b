"""How often the doctor is right, over small training runs: healthy ones, and ones with a known fault.

`python -m benchmarks.doctor` trains all of them, which takes some minutes, and prints a table, and each mistake.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from threadpoolctl import threadpool_limits  # comes with scikit-learn
from tqdm import tqdm

from benchmarks.doctor.cases import all_cases
from dark.draw import Table
from dark.monitor import Note, diagnose

LEAST_ACCURACY = 0.7  # of a training that is called healthy
HEADING = ("training runs", "kind", "number", "right", "wrong")


def main(arguments=None):
    """Train, diagnose, and print the tables; the exit code is 1 if a healthy training has a finding."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.doctor", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=4, metavar="N", help="of each family and fault (default 4)")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="number of the first of each, as a seed")
    parser.add_argument("--only", default="", metavar="TEXT", help="only runs whose name contains this")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a new folder for the notes")
    options = parser.parse_args(arguments)
    cases = [case for case in all_cases(options.count, options.first) if options.only in case.name]
    with tempfile.TemporaryDirectory() as temporary, threadpool_limits(1):
        folder = options.keep or Path(temporary)
        results = [(case, diagnosed(case, folder)) for case in tqdm(cases, unit="training", leave=False)]
    results = [(case, kinds) for case, kinds in results if kinds is not None]
    print(Table(HEADING, tuple(rows_of(results))))
    print()
    print(Table(("found", "times in sick runs", "times right"), tuple(findings_of(results))))
    for case, kinds in results:
        if not is_right(case, kinds):
            print(f"{case.name}: {', '.join(kinds) or 'nothing'} instead of {' or '.join(case.expected) or 'nothing'}")
    return int(any(kinds for case, kinds in results if not case.expected))


def diagnosed(case, folder):
    """Train a case, and return the kinds of the findings; None if a healthy one did not learn, as some random ones."""
    place = folder / case.name.replace(" ", "-").replace("%", "percent")
    if not place.exists():
        case.run(place)
    return None if not case.expected and has_failed(Note.load(place)) else diagnose(place).kinds


def has_failed(note):
    """Return whether the training accuracy is low, or the training loss has not fallen."""
    series = note.scalar_dict.get("accuracy/train")
    if series is not None:
        return series[-1] < LEAST_ACCURACY
    losses = note.scalar_dict["loss"].values if "loss" in note.scalar_dict else None
    return losses is not None and losses[-1] > 0.95 * losses[0]


def is_right(case, kinds):
    """Return whether a healthy training has no finding, or a sick one a right one."""
    return bool(set(kinds) & set(case.expected)) if case.expected else not kinds


def rows_of(results):
    """Yield the rows of the confusion table."""
    for held_out in (False, True):
        for is_sick in (False, True):
            group = [pair for pair in results if (pair[0].held_out, bool(pair[0].expected)) == (held_out, is_sick)]
            right = sum(is_right(case, kinds) for case, kinds in group)
            names = "held out" if held_out else "tuned on", "sick" if is_sick else "healthy"
            yield tuple(map(str, (*names, len(group), right, len(group) - right)))


def findings_of(results):
    """Yield how often each finding appears, and how often it is one of the expected ones."""
    found, right = Counter(), Counter()
    for case, kinds in results:
        if case.expected:
            found.update(kinds)
            right.update(set(kinds) & set(case.expected))
    for kind, count in found.most_common():
        yield kind, str(count), str(right[kind])


if __name__ == "__main__":
    sys.exit(main())
