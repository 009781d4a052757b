"""Confinement by the kernel: the files that a student's code may open, the system calls that it may make."""

from dark.grading.sandbox.confinement.levels import (
    BEST,
    LEVELS,
    Confinement,
    confine,
    confinement,
    look_around,
    missing_namespaces,
    prepare,
    root_warning,
)
from dark.grading.sandbox.confinement.access_times import read_once
from dark.grading.sandbox.confinement.namespaces import mount_folder, same_number, separate, unmount_folder
from dark.grading.sandbox.confinement.process import hide_memory
from dark.grading.sandbox.confinement.python_files import closed_folders, files, folders, readable_paths

__all__ = [
    "BEST",
    "LEVELS",
    "Confinement",
    "closed_folders",
    "confine",
    "confinement",
    "files",
    "folders",
    "hide_memory",
    "look_around",
    "missing_namespaces",
    "mount_folder",
    "prepare",
    "read_once",
    "readable_paths",
    "root_warning",
    "same_number",
    "separate",
    "unmount_folder",
]
