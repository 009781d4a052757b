"""What students have uploaded: the files, and whose they are.

Reading order: `submission`, `find`, `copies`.
"""

from dark.course.uploads.copies import copied
from dark.course.uploads.find import find_submissions
from dark.course.uploads.submission import LARGEST_BYTES, Submission

__all__ = ["LARGEST_BYTES", "Submission", "copied", "find_submissions"]
