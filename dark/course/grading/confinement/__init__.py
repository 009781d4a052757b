"""What the kernel lets a student's code do: which files it opens, which system calls it makes."""

from dark.course.grading.confinement.levels import (
    BEST,
    LEVELS,
    Confinement,
    confine,
    confinement,
    missing_namespaces,
    prepare,
)
from dark.course.grading.confinement.namespaces import separate
from dark.course.grading.confinement.process import hide_memory, root_warning

__all__ = [
    "BEST",
    "LEVELS",
    "Confinement",
    "confine",
    "confinement",
    "hide_memory",
    "missing_namespaces",
    "prepare",
    "root_warning",
    "separate",
]
