"""The uploads of students: the files, and whose they are.

Reading order: `submission` with `archive`, `outputs` and `owners`, `names`, `find`,
`attempts`.
"""

from dark.grading.uploads.attempts import ATTEMPTS, counting_best
from dark.grading.uploads.find import find_submissions
from dark.grading.uploads.outputs import TooLargeError
from dark.grading.uploads.submission import Submission, copied

__all__ = ["ATTEMPTS", "Submission", "TooLargeError", "copied", "counting_best", "find_submissions"]
