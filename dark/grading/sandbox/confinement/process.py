"""The rights of a process: drop root's before a student's code runs, hide memory, or try in a process of its own."""

import ctypes
import json
import os
import struct
import sys
from functools import cache

KEEP_CAPABILITIES, SET_DUMPABLE = 8, 4  # of prctl
CAPSET_VERSION = 0x20080522
READ_ALL_FILES, MOUNT = 1 << 2, 1 << 21  # CAP_DAC_READ_SEARCH, CAP_SYS_ADMIN
NOBODY = 65534


@cache
def library():
    """Load the C library of this process, when it is first called: every system can import this file."""
    return ctypes.CDLL(None, use_errno=True)


def call(function: str, *arguments) -> int:
    """Call a function of the C library, such as `prctl` or `syscall`; a negative result is an OSError."""
    result = getattr(library(), function)(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def give_up_root(home):
    """Become the user nobody, for good; the folder is handed over. Others give up the right to mount, if they have it.

    One right of root is kept: to read files whatever their mode, since Python may be installed in root's own folders.
    Which files those may be is for `dark.grading.sandbox.confinement.landlock` to say.
    """
    if os.geteuid() != 0:
        if sys.platform == "linux":
            give_up_capabilities()
        return
    os.chown(home, NOBODY, NOBODY)
    call("prctl", KEEP_CAPABILITIES, 1, 0, 0, 0)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    give_up_capabilities(READ_ALL_FILES)


def give_up_capabilities(kept: int = 0):
    """Give up all capabilities but some of the first 32, given as bits."""
    header = struct.pack("Ii", CAPSET_VERSION, 0)
    call("capset", header, struct.pack("6I", kept, kept, 0, 0, 0, 0))  # effective, permitted, inheritable; twice


def hide_memory():
    """Prevent processes of the same user from tracing this one and reading its memory and descriptors (Linux)."""
    if sys.platform == "linux":
        call("prctl", SET_DUMPABLE, 0, 0, 0, 0)


def result_of(function, *arguments):
    """Call a function in a forked process; return why it failed, or an empty string, and its result, or None.

    The result travels as JSON.

    >>> result_of(max, 3, 4), result_of(int, "x")[0]
    (('', 4), "invalid literal for int() with base 10: 'x'")
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        answer = "", None
        try:
            answer = "", function(*arguments)
        except BaseException as error:
            answer = getattr(error, "strerror", None) or str(error) or type(error).__name__, None
        finally:
            with open(writing, "wb") as file:
                file.write(json.dumps(answer).encode())
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        found = file.read()
    os.waitpid(pid, 0)
    return tuple(json.loads(found)) if found else ("the process that tried it died", None)
