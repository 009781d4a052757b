"""Release a module to a class: which exercises count, for how many points, until when, and nothing that answers them.

Reading order: `terms`, `notebook`, `leaks`, `gradescope_autograder`, and `writing`, which joins them.
"""

from dark.grading.release.leaks import Leak, find_leaks
from dark.grading.release.writing import FORMATS, LeakError, write_release
from dark.grading.release.terms import Terms, choose, read_terms

__all__ = ["FORMATS", "Leak", "LeakError", "Terms", "choose", "find_leaks", "read_terms", "write_release"]
