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
    """Grade all submissions into a gradebook.

    All submissions are copied before the first is graded; those during which an earlier batch ended come last.
    Each result is stored as soon as it is available; the tables are written at the end, and before at intervals
    that grow.
    After Ctrl-C, the tables list the submissions that are not graded yet.

    Parameters
    ----------
    gradebook : Gradebook
        Where the results are saved.
    submissions : list of Submission
        The files.
    settings : Settings
        Limits and seed, the same as in the gradebook.
    jobs : int, default 1
        Number of submissions in parallel.
    fresh : bool, default False
        Regrade unchanged submissions.
    only : tuple of str, optional
        Exercises to grade again in submissions that have not changed; the results of their others are kept.
    assign : callable, optional
        ``assign()`` returns the assignment; without it, each notebook names its own.
    pool : callable, optional
        Grades submissions; by default `grade_all`, with `jobs` processes of this machine.
    check : callable, optional
        Called with the submissions that are to be graded before the first of them is.
    clock : callable, optional
        Returns the time in seconds.

    Yields
    ------
    (dict, bool)
        A record, and whether it was reused.
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


def check_flaky(gradebook, submissions, records, settings, *, jobs=1, assign=None, pool=None):
    """Grade submissions a second time, with the same inputs, and note whose points differ.

    Parameters
    ----------
    gradebook : Gradebook
        Where all of them are graded. The points of the first run stay.
    submissions : list of Submission
        The files. Those that were compared already are not graded again.
    records : list of dict
        Their records, as `grade_folder` yields them; what is compared is replaced.
    settings : Settings
        Limits and seed, the same as in the gradebook.
    jobs, assign, pool
        As in `grade_folder`.

    Yields
    ------
    dict
        The record of each submission that is compared now.
    """
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
