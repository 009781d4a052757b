"""What students have uploaded: the files, and whose they are.

Reading order: `submission` with `archive`, `outputs` and `owners`, `names`, `find`, `attempts`, `copies`.
"""

from dark.course.uploads.attempts import ATTEMPTS, counting_best
from dark.course.uploads.copies import copied
from dark.course.uploads.find import find_submissions
from dark.course.uploads.outputs import TooLargeError
from dark.course.uploads.submission import Submission

__all__ = ["ATTEMPTS", "Submission", "TooLargeError", "copied", "counting_best", "find_submissions"]
