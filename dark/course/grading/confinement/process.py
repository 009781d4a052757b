"""What a process gives up before it runs a student's code: the rights of root; and what a grader hides."""

import ctypes
import os
import struct

KEEP_CAPABILITIES, SET_DUMPABLE = 8, 4  # of prctl
CAPSET_VERSION = 0x20080522
READ_ALL_FILES = 1 << 2  # CAP_DAC_READ_SEARCH
NOBODY = 65534


def give_up_root(home):
    """Become the user nobody, for good; the folder is handed over. Does nothing if this process is not root's.

    One right of root is kept: to read files whatever their mode, since Python may be installed in root's own
    folders. Which files those may be is for `dark.course.grading.confinement.landlock` to say.

    Parameters
    ----------
    home : path
        The folder of the process.
    """
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    os.chown(home, NOBODY, NOBODY)
    libc.prctl(KEEP_CAPABILITIES, 1, 0, 0, 0)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    header = struct.pack("Ii", CAPSET_VERSION, 0)
    rights = struct.pack("6I", READ_ALL_FILES, READ_ALL_FILES, 0, 0, 0, 0)  # effective, permitted, inheritable; twice
    if libc.capset(header, rights):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def hide_memory():
    """Let no process of the same user read the memory and descriptors of this one, or trace it (Linux only)."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "prctl"):
        libc.prctl(SET_DUMPABLE, 0, 0, 0, 0)
