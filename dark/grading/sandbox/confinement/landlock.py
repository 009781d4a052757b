"""Landlock: the kernel lets a process open only the files that it was given, from Linux 5.13 on, without root.

The three system calls have no wrapper in the C library; their numbers are the same on all architectures
that Python runs on. Documentation: https://docs.kernel.org/userspace-api/landlock.html
"""

import os
import struct
import sys
from contextlib import suppress
from pathlib import Path

from dark.grading.sandbox.confinement.process import call

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls
VERSION_FLAG, PATH_BENEATH, NO_NEW_PRIVILEGES = 1, 1, 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_DIR, MAKE_REG, TRUNCATE = 1 << 7, 1 << 8, 1 << 14
FILE_RIGHTS_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
TCP_RIGHTS, TCP_VERSION = 0b11, 4  # bind and connect
SCOPES, SCOPE_VERSION = 0b11, 6  # abstract sockets, and signals to processes outside

READ = READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | TRUNCATE
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE  # rights that a rule on a file, not a folder, may have


def version() -> int:
    """Return the version of Landlock in this kernel; 0 if it has none, or if it is switched off."""
    if sys.platform != "linux":
        return 0
    try:
        return call("syscall", CREATE_RULESET, None, 0, VERSION_FLAG)
    except OSError:
        return 0


def rules(listed, readable, writable) -> int:
    """Make rules: which files and folders a process can still open; return a descriptor, which the caller closes.

    In the folders `listed`, and below them, names may be listed; files, and folders with all they contain, may be read
    or written. Missing ones are left out. Programs cannot be executed. Where the kernel can, TCP and signals to other
    processes are refused, too.
    """
    found = version()
    if not found:
        raise OSError("this kernel has no Landlock")
    handled = max(rights for since, rights in FILE_RIGHTS_BY_VERSION.items() if since <= found)
    fields = [handled, TCP_RIGHTS, SCOPES][: 1 + (found >= TCP_VERSION) + (found >= SCOPE_VERSION)]
    attributes = struct.pack(f"{len(fields)}Q", *fields)
    made = call("syscall", CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for paths, rights in ((listed, READ_DIR), (readable, READ), (writable, WRITE)):
            for path in paths:
                with suppress(FileNotFoundError, NotADirectoryError):
                    _allow(made, path, rights & handled)
    except BaseException:
        os.close(made)
        raise
    return made


def restrict_files(made: int):
    """Restrict this process, and those it starts, by rules, for good, and close them; of several rules, all hold."""
    try:
        call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        call("syscall", RESTRICT_SELF, made, 0)
    finally:
        os.close(made)


def _allow(ruleset, path, rights):
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not Path(path).is_dir():
            rights &= OF_A_FILE
        rule = struct.pack("=Qi", rights, descriptor)
        call("syscall", ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
