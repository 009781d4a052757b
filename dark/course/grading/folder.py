"""Grade a folder into a gradebook: reuse unchanged results, grade the rest, save as it goes."""

import time

from dark.course.grading.batch import grade_all
from dark.course.uploads import copied

SECONDS_BETWEEN_TABLES = 5  # at least
GROWTH = 0.05  # of the time since the beginning, which makes the tables of a long batch a small part of its work


def grade_folder(
    gradebook,
    submissions,
    settings,
    *,
    jobs=1,
    fresh=False,
    assign=None,
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
        Limits and seed, the same as those of the gradebook.
    jobs : int, default 1
        Number of submissions in parallel.
    fresh : bool, default False
        Regrade unchanged submissions.
    assign : callable, optional
        ``assign()`` returns the assignment; without it, each notebook names its own.
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
    records, left = [], {submission.name: submission for submission in submissions}
    try:
        for submission in submissions:
            record = None if fresh else gradebook.kept(submission)
            if record is not None:
                records.append(record)
                del left[submission.name]
                yield record, True
        check(tuple(left.values()))
        with copied(sorted(left.values(), key=gradebook.was_interrupted), gradebook.folder) as copies:
            grading = grade_all(copies, jobs=jobs, settings=settings, assign=assign, started=gradebook.begin)
            for submission, graded in grading:
                records.append(gradebook.keep(submission, graded))
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
