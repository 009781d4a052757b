"""What the kernel lets a student's code do: which files it opens, which system calls it makes."""

from dark.course.grading.confinement.levels import BEST, LEVELS, Confinement, confine, confinement, prepare
from dark.course.grading.confinement.process import hide_memory

__all__ = ["BEST", "LEVELS", "Confinement", "confine", "confinement", "hide_memory", "prepare"]
