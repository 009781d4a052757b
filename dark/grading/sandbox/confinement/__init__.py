"""What the kernel lets a student's code do: which files it opens, which system calls it makes."""

from dark.grading.sandbox.confinement.levels import (
    BEST,
    LEVELS,
    Confinement,
    confine,
    confinement,
    missing_namespaces,
    prepare,
    root_warning,
)
from dark.grading.sandbox.confinement.namespaces import separate
from dark.grading.sandbox.confinement.process import hide_memory
from dark.grading.sandbox.confinement.python_files import broad_paths

__all__ = [
    "BEST",
    "LEVELS",
    "Confinement",
    "broad_paths",
    "confine",
    "confinement",
    "hide_memory",
    "missing_namespaces",
    "prepare",
    "root_warning",
    "separate",
]
