"""When each file was submitted: from a table, from its name, or from the time of the file.

Times that a student can write are not believed: of a zip that a student has made, the time of the zip itself counts.
"""

import struct
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from dark.errors import CourseError
from dark.grading.policy.dates import local_moment
from dark.grading.policy.roster import check_columns, on_roster, read_table
from dark.grading.uploads.archive import UNREADABLE
from dark.grading.uploads.owners import readings, stem

COLUMNS = ("student", "submitted", "module", "file")
UNIX_TIME = 0x5455  # the field of a zip that has the time in UTC


class SubmissionTimes:
    """The times of all submissions of a class, found in a folder or a zip."""

    def __init__(self, course, folder, submissions):
        self._zone, self._order = course.zone, course.time_from
        self._table = _read_times(course) if course.times and "times" in course.time_from else []
        in_zip = _times_in(folder, course.zone) if Path(folder).is_file() else None
        self._files = {each.name: _time_of_file(each, in_zip) for each in submissions}

    def of(self, submission, student: str, module: str | None):
        """Return when a submission was made, and by which source; None and an empty string if it is not known."""
        for source in self._order:
            if source == "times":
                found = self._in_table(student, module, submission.file)
            else:
                found = self._files[submission.name] if source == "file" else self._in_name(submission)
            if found:
                return found, source
        return None, ""

    def _in_table(self, student, module, file):
        own = [row for row in self._table if row["student"] == student and row["module"] in ("", module)]
        return next((row["submitted"] for row in own if row["file"] in ("", file)), None)

    def _in_name(self, submission):
        """Return the time that a system has written; later text of the student is ignored."""
        if submission.owner:
            written = submission.owner.submitted
        else:
            texts = (submission.first,) if submission.first else (stem(submission.path.name), submission.name)
            written = next((each.submitted for text in texts for each in readings(text)[:1] if each.submitted), "")
        with suppress(ValueError):
            return _aware(datetime.fromisoformat(written), self._zone)
        return None


def _aware(moment, zone):
    return moment if moment.tzinfo else local_moment(moment, zone)


def _time_of_file(submission, in_zip):
    if in_zip is not None:
        return in_zip.get(submission.keys[0]) if submission.keys else None
    with suppress(OSError, OverflowError, ValueError):
        return datetime.fromtimestamp(int(submission.path.lstat().st_mtime), UTC)
    return None


def _times_in(path, zone):
    found = {}
    with suppress(OSError, *UNREADABLE), zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            with suppress(ValueError, OverflowError, OSError):
                seconds = _unix_time(info.extra)
                local = None if seconds is not None else local_moment(datetime(*info.date_time), zone)
                found[info.filename] = local or datetime.fromtimestamp(seconds, UTC)
    return found


def _unix_time(extra):
    """Return the seconds in the field of extended time of a zip, or None.

    >>> _unix_time(struct.pack("<HHBi", UNIX_TIME, 5, 1, 86400))
    86400
    """
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == UNIX_TIME and 5 <= size <= len(extra) - 4 and extra[4] & 1:
            return struct.unpack_from("<i", extra, 5)[0]
        extra = extra[4 + size :]
    return None


def _read_times(course):
    path = course.times
    head, rows = read_table(path, "table of times")
    check_columns(head, COLUMNS, COLUMNS[:2], path)
    return [_time_row(row, course, f"{path}, line {line}") for line, row in rows]


def _time_row(row, course, where):
    student, text = row["student"], row.get("submitted", "").strip()
    student = on_roster(course.roster, student, where)
    try:
        submitted = _aware(datetime.fromisoformat(text), course.zone)
    except ValueError:
        expected = "a date with a time, local or with an offset."
        raise CourseError(f"{where}: {text!r} is not a time.", expected, "2026-10-04 22:10:00") from None
    return {"student": student, "submitted": submitted} | {key: row.get(key) or "" for key in ("module", "file")}
