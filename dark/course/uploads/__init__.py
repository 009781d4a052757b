"""What students have uploaded: the files, and whose they are.

Reading order: `submission` with `archive` and `owners`, `find`, `attempts`, `copies`.
"""

from dark.course.uploads.attempts import ATTEMPTS, counting_best
from dark.course.uploads.copies import copied
from dark.course.uploads.find import find_submissions
from dark.course.uploads.submission import LARGEST_BYTES, Submission

__all__ = ["ATTEMPTS", "LARGEST_BYTES", "Submission", "copied", "counting_best", "find_submissions"]
