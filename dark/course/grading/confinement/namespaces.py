"""Namespaces: the worker sees no processes, network or shared memory but its own, and writes to memory only.

They are made once for a worker, before it forks its children. Where the kernel allows it, users other than root
make them inside a user namespace, whose rights are given up at once.
"""

import os
import signal
import sys

from dark.course.grading.confinement.libc import call
from dark.course.grading.confinement.process import give_up_capabilities

MOUNTS, IPC, USER, PROCESSES, NETWORK = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000  # of unshare
PRIVATE, NO_PROGRAMS = (1 << 18) | (1 << 14), 2 | 4 | 8  # flags of mount: for all below; nosuid, nodev, noexec
DIE_WITH_PARENT, SET_DUMPABLE = 1, 4  # of prctl
FOLDER_MIB, FOLDER_FILES = 64, 5000


def separate(folder):
    """Continue this process in namespaces of its own, as their first process, with the folder in memory.

    The process that called waits for it outside, and ends with it; when it is killed, so are all inside.

    Parameters
    ----------
    folder : str
        The folder in which the processes may write.
    """
    enter(folder)
    pid = os.fork()
    if pid:
        os.close(0)
        os.waitpid(pid, 0)
        os._exit(0)
    call("prctl", DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    os.chdir(folder)


def enter(folder):
    """Make the namespaces for this process and those it forks.

    Raises
    ------
    OSError
        If the kernel or the system does not allow it.
    """
    if sys.platform != "linux":
        raise OSError("only Linux has them")
    is_root = os.geteuid() == 0
    user, group = os.geteuid(), os.getegid()
    call("prctl", SET_DUMPABLE, 1, 0, 0, 0)  # the owner of /proc/self writes the maps
    call("unshare", MOUNTS | IPC | PROCESSES | NETWORK | (0 if is_root else USER))
    if not is_root:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    call("mount", b"none", b"/", None, PRIVATE, None)
    size = f"size={FOLDER_MIB}m,nr_inodes={FOLDER_FILES},mode=700".encode()
    call("mount", b"tmpfs", os.fsencode(folder), b"tmpfs", NO_PROGRAMS, size)
    if not is_root:
        give_up_capabilities()
