"""The system calls that an answer may make, each with the state that it can read or change and that outlives it.

A covert channel needs no file: whatever one process leaves in the kernel and another reads will do. So a call is on
this list only if all it reads or changes ends with the process, or is the same for everybody. What is left out, and
why, stands beside it. `dark.grading.sandbox.confinement.seccomp` makes a filter of the list; all others are refused.
"""

import os
from dataclasses import dataclass

EQUAL, LESS, MASKED_EQUAL = 4, 2, 7  # comparisons of an argument, as libseccomp numbers them
NOTHING = "nothing"
FOLDER = "its own folder, which ends with it"


@dataclass(frozen=True)
class Comparison:
    """A condition on one argument of a call."""

    argument: int  # its position, counted from 0
    how: int  # `EQUAL`, `LESS` or `MASKED_EQUAL`
    a: int  # what it is compared with; for `MASKED_EQUAL`, the mask
    b: int = 0  # for `MASKED_EQUAL`, the value of its bits


@dataclass(frozen=True)
class Allowed:
    """Calls that are allowed."""

    names: str  # their names, separated by spaces; an architecture has some of them
    state: str = NOTHING  # what they can read or change that outlives the process
    left_out: str = ""  # what else these, or calls like these, could read or change, and is refused
    # they are allowed if all comparisons of one of these tuples hold; an empty tuple allows them always
    conditions: tuple[tuple[Comparison, ...], ...] = ()


# Calls that return 0 instead of numbers which count the processes of a machine or a worker.
CONSTANT = "getpid gettid getppid getpgrp"
UNKNOWN = "clone3 statx openat2"  # answered as by a kernel without them, so that the C library asks in another way


def allowed_calls() -> tuple[Allowed, ...]:
    """Return the list."""
    import fcntl  # Unix only; every system imports this file

    never = os.O_PATH | os.O_DIRECT | os.O_NOATIME | fcntl.FASYNC
    commands = (fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL)
    return (
        Allowed(
            "open",
            "access times of the files of Python and NumPy, which are read before the first answer; " + FOLDER,
            "O_PATH and O_DIRECT, which pass by what is read; signals of O_ASYNC",
            (_none_of(1, never),),
        ),
        Allowed(
            "openat",
            "as open",
            "as open; openat2, whose flags are in memory that a filter does not see",
            (_none_of(2, never),),
        ),
        Allowed(
            "read readv pread64 getdents getdents64 readlink readlinkat sendfile sendfile64 copy_file_range",
            "access times, as open",
            "preadv2, readahead and fadvise64, which show or change the pages of a file in memory",
        ),
        Allowed(
            "stat stat64 lstat lstat64 access faccessat faccessat2",
            "names, sizes and times of files that do not change while answers run",
            "statx, which numbers mounts; statfs and its kin, which count the inodes and blocks of a file system",
        ),
        Allowed(
            "fstat fstat64 fstatat64 newfstatat",
            "as stat",
            "the inode of the connection to the judge, which the machine numbers",
            (_below(0, CONNECTION), *((Comparison(0, EQUAL, value),) for value in CURRENT_FOLDER)),
        ),
        Allowed(
            "write writev pwrite64 ftruncate ftruncate64 truncate truncate64 fsync fdatasync mkdir mkdirat rmdir"
            " unlink unlinkat rename renameat renameat2",
            FOLDER,
            "links, modes, owners, times and extended attributes",
        ),
        Allowed("chdir getcwd umask close close_range lseek _llseek", left_out="fchdir"),
        Allowed("dup dup2 dup3", NOTHING, "copies of the connection to the judge", (_below(0, CONNECTION),)),
        Allowed("poll ppoll ppoll_time64 select _newselect pselect6", left_out="epoll, eventfd"),
        Allowed(
            "fcntl fcntl64",
            left_out="record locks, leases, F_NOTIFY, and F_SETOWN, F_SETSIG and O_ASYNC, which send signals; flock;"
            " pipe and pipe2, whose inodes are numbered for the whole machine",
            conditions=(
                *[(Comparison(1, EQUAL, command), *_below(0, CONNECTION)) for command in commands],
                (Comparison(1, EQUAL, fcntl.F_SETFL), *_none_of(2, fcntl.FASYNC)),
            ),
        ),
        Allowed(
            "ioctl",
            left_out="owners of signals, and requests of devices",
            conditions=tuple((Comparison(1, EQUAL, request),) for request in TERMINAL_REQUESTS),
        ),
        Allowed("brk munmap mremap mprotect"),
        Allowed("msync", "as fsync"),
        Allowed(
            "mmap mmap2",
            "as read",
            "huge pages, a fixed number on each machine, and locked ones; mincore, which shows the pages of a"
            " file in memory",
            (_none_of(3, MAP_LOCKED | MAP_HUGETLB),),
        ),
        Allowed(
            "madvise",
            left_out="advice that moves pages of a file out of memory, or merges equal pages of processes",
            conditions=tuple((Comparison(2, EQUAL, advice),) for advice in ADVICE),
        ),
        Allowed(
            "futex futex_time64",
            left_out="futexes that are not private: two processes that map one file can wait for each other at it",
            conditions=((Comparison(1, MASKED_EQUAL, FUTEX_PRIVATE, FUTEX_PRIVATE),),),
        ),
        Allowed(
            "clock_gettime clock_gettime64 clock_getres clock_getres_time64 clock_nanosleep clock_nanosleep_time64",
            "the time",
            "clocks of other processes, whose numbers are negative",
            (_below(0, CLOCKS),),
        ),
        Allowed(
            "gettimeofday time times nanosleep alarm getitimer setitimer",
            "the time",
            "timer_create, which counts for all processes of a user; getrusage, which counts pages read from a disk",
        ),
        Allowed(
            "prlimit64",
            left_out="limits of other processes; raising one",
            conditions=((Comparison(0, EQUAL, 0), Comparison(2, EQUAL, 0)),),
        ),
        Allowed(
            "sched_getaffinity",
            "the processors of the machine",
            "priorities, groups, sessions and affinities of other processes",
            ((Comparison(0, EQUAL, 0),),),
        ),
        Allowed(
            "getuid geteuid getgid getegid getuid32 geteuid32 getgid32 getegid32 getgroups getgroups32 getresuid"
            " getresgid getresuid32 getresgid32 getrlimit ugetrlimit uname",
            "the same for all processes of answers",
            "sysinfo, which shows the memory and load of the machine; numbers of processes, for which 0 is returned",
        ),
        Allowed("getrandom sched_yield restart_syscall exit exit_group"),
        Allowed(
            "rt_sigaction rt_sigprocmask rt_sigpending rt_sigreturn rt_sigsuspend rt_sigtimedwait sigaltstack sigreturn"
            " pause",
            left_out="sending a signal, also to itself",
        ),
    )


TERMINAL_REQUESTS = (0x5401, 0x5450, 0x5451, 0x5421)  # TCGETS, FIONCLEX, FIOCLEX, FIONBIO
MAP_LOCKED, MAP_HUGETLB = 0x2000, 0x40000
ADVICE = (4, 8, 14)  # MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE: what allocators of memory use
FUTEX_PRIVATE = 128
CONNECTION = 100  # the lowest descriptor that the connection to the judge may have; a file of an answer has a lower one
CURRENT_FOLDER = (0xFFFFFF9C, 0xFFFFFFFFFFFFFF9C)  # AT_FDCWD, in 32 and 64 bits
CLOCKS = 12  # the clocks of the system and of this process have the numbers 0 to 11


def _below(argument, value):
    return (Comparison(argument, LESS, value),)


def _none_of(argument, bits):
    return (Comparison(argument, MASKED_EQUAL, bits, 0),)
