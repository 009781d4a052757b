"""Fill a gradebook: take over what has not changed, grade the rest, lose nothing on the way."""

import time

from dark.course.grading.batch import grade_all

SECONDS_BETWEEN_TABLES = 5


def grade_folder(gradebook, submissions, settings, *, jobs=1, fresh=False, assign=None, clock=time.monotonic):
    """Grade all submissions into a gradebook.

    Each record and page is written as soon as it is there, the tables every few seconds and at the
    end. The end may come early, by Ctrl-C: the tables then list what is left.

    Parameters
    ----------
    gradebook : Gradebook
        Where the results go.
    submissions : list of Submission
        The files.
    settings : Settings
        Limits and seed; the gradebook's own.
    jobs : int, default 1
        How many at a time.
    fresh : bool, default False
        Grade again what has not changed, too.
    assign : callable, optional
        ``assign()`` gives the assignment for notebooks that name none.
    clock : callable, optional
        Gives the time in seconds.

    Yields
    ------
    (dict, bool)
        A record, and whether it was taken over.
    """
    begun = written = clock()
    records, left = [], list(submissions)
    try:
        for submission in submissions:
            record = None if fresh else gradebook.kept(submission)
            if record is not None:
                records.append(record)
                left.remove(submission)
                yield record, True
        for submission, graded in grade_all(tuple(left), jobs=jobs, settings=settings, assign=assign):
            records.append(gradebook.keep(submission, graded))
            left.remove(submission)
            if clock() - written > SECONDS_BETWEEN_TABLES:
                gradebook.write(records, left, clock() - begun)
                written = clock()
            yield records[-1], False
    finally:
        gradebook.write(records, left, clock() - begun)
