"""Grade a folder into a gradebook: reuse unchanged results, grade the rest, save as it goes."""

import time
from contextlib import closing
from dataclasses import replace
from functools import partial

from dark.grading.batch.batch import grade_all
from dark.grading.grader.result import GRADED
from dark.grading.uploads import copied

SECONDS_BETWEEN_TABLES = 5  # at least
GROWTH = 0.05  # of the time since the beginning, which makes the tables of a long batch a small part of its work


def grade_folder(
    gradebook,
    submissions,
    settings,
    *,
    jobs=1,
    fresh=False,
    only=(),
    assign=None,
    pool=None,
    check=lambda submissions: None,
    clock=time.monotonic,
):
    """Grade all submissions into a gradebook; yield each record, and whether an earlier one was reused.

    All submissions are copied, and `check` is called with them, before the first is graded; those during which an
    earlier batch ended come last. Each result is stored as soon as it is available; after Ctrl-C, the tables list those
    that are left. The exercises in `only` are graded again in submissions that have not changed. `pool` grades, by
    default `grade_all`.
    """
    begun = written = clock()
    pool = pool or partial(grade_all, jobs=jobs)
    records, left = [], {submission.name: submission for submission in submissions}
    try:
        for submission in submissions:
            record = None if fresh else gradebook.kept(submission, only)
            if record is not None:
                records.append(record)
                del left[submission.name]
                yield record, True
        parts = {name for name, submission in left.items() if only and gradebook.keeps_others(submission, only)}
        check(tuple(left.values()))
        with copied(sorted(left.values(), key=gradebook.was_interrupted), gradebook.folder) as copies:
            whole = [each for each in copies if each.name not in parts]
            again = [each for each in copies if each.name in parts]
            batches = ((whole, settings), (again, replace(settings, only=tuple(only))))
            with closing(_graded(pool, batches, assign=assign, started=gradebook.begin)) as grading:
                for submission, graded in grading:
                    keep = gradebook.keep_part if submission.name in parts else gradebook.keep
                    records.append(keep(submission, graded))
                    del left[submission.name]
                    now = clock()
                    if now - written > max(SECONDS_BETWEEN_TABLES, GROWTH * (now - begun)):
                        gradebook.write(records, left.values(), now - begun)
                        written = clock()
                    yield records[-1], False
        gradebook.check_course()
    finally:
        try:
            gradebook.write(records, left.values(), clock() - begun)
        finally:
            gradebook.close()


def _graded(pool, batches, **options):
    """Grade several batches; whoever closes this generator ends what still runs, also after an error."""
    for submissions, settings in batches:
        yield from pool(submissions, settings=settings, **options)


def check_flaky(gradebook, submissions, records: list[dict], settings, *, jobs=1, assign=None, pool=None):
    """Grade submissions a second time, with the same inputs; note the points that differ."""
    pool = pool or partial(grade_all, jobs=jobs)
    begun, places = time.monotonic(), {record["name"]: k for k, record in enumerate(records)}
    try:
        left = [each for each in submissions if is_comparable(records[places[each.name]])]
        with copied(left, gradebook.folder) as copies:
            batches, options = ((copies, settings),), {"assign": assign, "started": gradebook.begin}
            with closing(_graded(pool, batches, **options)) as grading:
                for submission, graded in grading:
                    records[places[submission.name]] = gradebook.keep_second(submission, graded)
                    yield records[places[submission.name]]
        gradebook.check_course()
    finally:
        try:
            gradebook.write(records, (), time.monotonic() - begun)
        finally:
            gradebook.close()


def is_comparable(record):
    """Return whether a submission was graded, and not yet a second time."""
    return record["status"] == GRADED and "flaky" not in record
