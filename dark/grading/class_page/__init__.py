"""The page of a class: how the points are distributed, how hard each exercise is, and the most frequent mistakes.

Reading order: `statistics`, `drawings`, `page`.
"""

from dark.grading.class_page.page import class_page
from dark.grading.class_page.statistics import ExerciseStatistics, Mistake, ModuleStatistics, statistics_of

__all__ = ["ExerciseStatistics", "Mistake", "ModuleStatistics", "class_page", "statistics_of"]
