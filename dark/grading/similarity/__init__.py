"""Similar answers of different students: a list for a human to look at, never a penalty.

Reading order: `fingerprints`, `pairs`, `reading`, and `pairs_page`, which joins them.
"""

from dark.grading.similarity.fingerprints import fingerprints
from dark.grading.similarity.pairs_page import compare_class, similarity_page
from dark.grading.similarity.pairs import Pair, similar_pairs
from dark.grading.similarity.reading import Work, read_works

__all__ = ["Pair", "Work", "compare_class", "fingerprints", "read_works", "similar_pairs", "similarity_page"]
