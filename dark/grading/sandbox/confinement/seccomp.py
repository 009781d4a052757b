"""seccomp: the kernel refuses all system calls that are not in the list of `system_calls`.

The filter is built with libseccomp, which knows the numbers of the calls on each architecture. A call that
is not allowed fails with `PermissionError`; one of another architecture ends the process.
"""

import ctypes
import errno
import os
import tempfile
from functools import cache

from dark.grading.sandbox.confinement.process import call
from dark.grading.sandbox.confinement.system_calls import CONSTANT, UNKNOWN, allowed_calls

ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
RETURN_ZERO, REFUSE, NO_CALL = (0x00050000 | number for number in (0, errno.EPERM, errno.ENOSYS))
BAD_ARCHITECTURE, OPTIMIZE = 2, 8  # attributes of a filter
SET_SECCOMP, FILTER, NO_NEW_PRIVILEGES = 22, 2, 38  # of prctl


class _Comparison(ctypes.Structure):
    _fields_ = (("argument", ctypes.c_uint), ("how", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def library():
    """Load libseccomp; None where it is not installed."""
    try:
        found = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    except OSError:
        return None
    found.seccomp_init.restype = ctypes.c_void_p
    found.seccomp_init.argtypes = [ctypes.c_uint32]
    for name, *arguments in (
        ("attr_set", ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32),
        ("rule_add_array", ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p),
        ("export_bpf", ctypes.c_void_p, ctypes.c_int),
        ("release", ctypes.c_void_p),
        ("syscall_resolve_name", ctypes.c_char_p),
    ):
        getattr(found, f"seccomp_{name}").argtypes = arguments
    return found


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def restrict_calls():
    """Refuse all system calls of this process but the ones for computing with files it may open; it cannot be undone.

    So it cannot start processes, threads or programs, open sockets or shared memory, mount, send signals, change modes
    or owners, or raise limits.
    """
    instructions = program()
    given = _Program(len(instructions) // 8, instructions)
    call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    call("prctl", SET_SECCOMP, FILTER, ctypes.byref(given), 0, 0)


@cache
def program() -> bytes:
    """Return the instructions of the filter, 8 bytes each; made once, and inherited by forked processes."""
    seccomp = library()
    if seccomp is None:
        raise OSError("libseccomp.so.2 is not installed")
    rules = seccomp.seccomp_init(REFUSE)
    try:
        seccomp.seccomp_attr_set(rules, BAD_ARCHITECTURE, KILL_PROCESS)
        seccomp.seccomp_attr_set(rules, OPTIMIZE, 2)  # a binary tree instead of a list
        for each in allowed_calls():
            for name in each.names.split():
                for comparisons in each.conditions or ((),):
                    _add(seccomp, rules, ALLOW, name, comparisons)
        for action, names in ((RETURN_ZERO, CONSTANT), (NO_CALL, UNKNOWN)):
            for name in names.split():
                _add(seccomp, rules, action, name)
        with tempfile.TemporaryFile() as file:
            result = seccomp.seccomp_export_bpf(rules, file.fileno())
            if result < 0:
                raise OSError(-result, os.strerror(-result))
            file.seek(0)
            return file.read()
    finally:
        seccomp.seccomp_release(rules)


def _add(seccomp, rules, action, name, comparisons=()):
    """Add a rule for one call, where its arguments are so; calls that this architecture lacks are left out."""
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    if number >= 0:
        given = [_Comparison(each.argument, each.how, each.a, each.b) for each in comparisons]
        array = (_Comparison * len(given))(*given)
        if seccomp.seccomp_rule_add_array(rules, action, number, len(given), array) < 0:
            raise OSError(f"libseccomp refuses the rule for {name}")
