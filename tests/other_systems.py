"""A stand-in for Windows: Python without what only Unix has, run as `python tests/other_systems.py MODULE WORDS…`.

Two things stay: the files of this system, and `sys.platform`, by which Python's own library chooses its functions.
"""

import os
import runpy
import shutil
import signal
import socket
import sys

MODULES = ("fcntl", "resource", "pwd", "grp", "termios")
NAMES = (
    (os, "fork forkpty geteuid getuid getegid getgid sched_getaffinity setsid killpg wait4 O_NOFOLLOW O_NONBLOCK"),
    (os, "O_DIRECTORY O_CLOEXEC"),
    (signal, "SIGHUP SIGKILL SIGXCPU SIGXFSZ SIGVTALRM SIGALRM SIGPROF SIGCONT setitimer getitimer alarm"),
    (signal, "ITIMER_REAL ITIMER_PROF ITIMER_VIRTUAL pthread_sigmask pthread_kill"),
    (socket, "send_fds recv_fds"),
)


def remove():
    """Remove the modules and functions from this process."""
    for name in MODULES:
        sys.modules[name] = None
    for owner, names in NAMES:
        for name in names.split():
            if hasattr(owner, name):
                delattr(owner, name)
    shutil._use_fd_functions = False  # chosen at import, where these flags are there


if __name__ == "__main__":
    remove()
    sys.argv = sys.argv[1:]
    sys.path[0] = ""
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
