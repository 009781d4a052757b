"""seccomp: the kernel refuses the system calls that computing does not need.

The filter is built with libseccomp, which knows the numbers of the calls on each architecture. A call that
is not allowed fails with `PermissionError`; one of another architecture ends the process.
"""

import ctypes
import errno
import os
import tempfile
from functools import cache

from dark.grading.sandbox.confinement.libc import call

ALLOW, KILL_PROCESS, REFUSE, UNKNOWN = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
BAD_ARCHITECTURE, OPTIMIZE = 2, 8  # attributes of a filter
EQUAL = 4  # a comparison of an argument
NO_SUCH_CALL = -1
SET_SECCOMP, FILTER, NO_NEW_PRIVILEGES = 22, 2, 38  # of prctl

FILES = """
    open openat openat2 close close_range read write pread64 pwrite64 readv writev lseek _llseek stat stat64
    lstat lstat64 fstat fstat64 fstatat64 newfstatat statx statfs statfs64 fstatfs fstatfs64 access faccessat
    faccessat2 readlink readlinkat getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat
    rename renameat renameat2 ftruncate ftruncate64 truncate truncate64 fsync fdatasync dup dup2 dup3 fcntl
    fcntl64 flock umask fadvise64 fadvise64_64 copy_file_range sendfile sendfile64 poll ppoll ppoll_time64
    select _newselect pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait pipe pipe2 eventfd
    eventfd2
"""
MEMORY = "brk mmap mmap2 munmap mremap mprotect madvise mincore msync membarrier"
TIME = """clock_gettime clock_gettime64 clock_getres clock_getres_time64 clock_nanosleep clock_nanosleep_time64
    gettimeofday nanosleep time times getitimer setitimer alarm timer_create timer_settime timer_delete timer_gettime"""
PROCESS = """exit exit_group futex futex_time64 getpid gettid getppid getpgrp getpgid getsid getuid geteuid getgid
    getegid getuid32 geteuid32 getgid32 getegid32 getgroups getgroups32 getresuid getresgid getresuid32 getresgid32
    getrlimit ugetrlimit getrusage getpriority getrandom getcpu sched_yield sched_getaffinity sched_getparam
    sched_getscheduler set_robust_list get_robust_list set_tid_address rseq restart_syscall rt_sigaction
    rt_sigprocmask rt_sigpending rt_sigreturn rt_sigsuspend rt_sigtimedwait sigaltstack sigreturn pause sysinfo uname
    wait4 waitid"""
TERMINAL_REQUESTS = (0x5401, 0x5450, 0x5451, 0x5421)  # of ioctl: TCGETS, FIONCLEX, FIOCLEX, FIONBIO


class _Comparison(ctypes.Structure):
    _fields_ = (("argument", ctypes.c_uint), ("how", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def library():
    """Load libseccomp.

    Returns
    -------
    ctypes.CDLL or None
        None where it is not installed.
    """
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
    """Refuse all system calls of this process but those of computing with files it may open; it cannot be undone.

    So it cannot start processes, threads or programs, open sockets or shared memory, mount, send signals, change
    modes or owners, or raise limits.

    Raises
    ------
    OSError
        If libseccomp is missing, or the kernel has no filters.
    """
    instructions = program()
    given = _Program(len(instructions) // 8, instructions)
    call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    call("prctl", SET_SECCOMP, FILTER, ctypes.byref(given), 0, 0)


@cache
def program():
    """Return the instructions of the filter, 8 bytes each; made once, and inherited by forked processes.

    Returns
    -------
    bytes

    Raises
    ------
    OSError
        If libseccomp is missing.
    """
    seccomp = library()
    if seccomp is None:
        raise OSError("libseccomp.so.2 is not installed")
    rules = seccomp.seccomp_init(REFUSE)
    try:
        seccomp.seccomp_attr_set(rules, BAD_ARCHITECTURE, KILL_PROCESS)
        seccomp.seccomp_attr_set(rules, OPTIMIZE, 2)  # a binary tree instead of a list
        for name in f"{FILES} {MEMORY} {TIME} {PROCESS}".split():
            _add(seccomp, rules, ALLOW, name)
        for request in TERMINAL_REQUESTS:
            _add(seccomp, rules, ALLOW, "ioctl", (1, request))
        _add(seccomp, rules, ALLOW, "prlimit64", (2, 0))  # reading a limit
        _add(seccomp, rules, UNKNOWN, "clone3")  # so that the C library asks with `clone`, which is refused
        with tempfile.TemporaryFile() as file:
            result = seccomp.seccomp_export_bpf(rules, file.fileno())
            if result < 0:
                raise OSError(-result, os.strerror(-result))
            file.seek(0)
            return file.read()
    finally:
        seccomp.seccomp_release(rules)


def _add(seccomp, rules, action, name, *comparisons):
    """Add a rule for one call, where its arguments are equal to these; calls this architecture lacks are left out."""
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    if number != NO_SUCH_CALL:
        given = (_Comparison * len(comparisons))(*[_Comparison(which, EQUAL, value, 0) for which, value in comparisons])
        seccomp.seccomp_rule_add_array(rules, action, number, len(comparisons), given)
