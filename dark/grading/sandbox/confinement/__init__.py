"""Confinement by the kernel: the files that a student's code may open, the system calls that it may make.

Reading order: `levels`, `landlock` with `python_files` and `access_times`, `seccomp` with `system_calls`, `namespaces`
and `process`.
"""

from dark.grading.sandbox.confinement.levels import BEST, LEVELS, Confinement, confine, confinement
from dark.grading.sandbox.confinement.levels import missing_namespaces, root_warning
from dark.grading.sandbox.confinement.process import hide_memory
