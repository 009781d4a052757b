"""Namespaces: the worker sees no processes, network, shared memory or temporary files but its own.

They are made once for a worker, before it forks its children. Where the kernel allows it, users other than root
make them inside a user namespace, whose rights are given up at once. The folder of the worker is in memory; the
folders in which all users of a machine write are empty, and cannot be written.
"""

import os
import signal
import sys
from pathlib import Path

from dark.grading.sandbox.confinement.libc import call
from dark.grading.sandbox.confinement.process import give_up_capabilities

MOUNTS, IPC, USER, PROCESSES, NETWORK = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000  # of unshare
PRIVATE, NO_PROGRAMS = (1 << 18) | (1 << 14), 2 | 4 | 8  # flags of mount: for all below; nosuid, nodev, noexec
READ_ONLY, CHANGED, SAME = 1, 1 << 5, (1 << 12) | (1 << 14)  # also of mount: remount; bind, with all below
DIE_WITH_PARENT, SET_DUMPABLE = 1, 4  # of prctl
FOLDER_MIB, FOLDER_FILES = 64, 5000
SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm")


def separate(folder, kept=()):
    """Continue this process in namespaces of its own, as their first process, with the folder in memory.

    The process that called waits for it outside, and ends with it; when it is killed, so are all inside.

    Parameters
    ----------
    folder : str
        The folder in which the processes may write.
    kept : iterable of path
        Files and folders that they can still find in `SHARED_FOLDERS`, such as a Python that is installed there.
    """
    enter(folder, kept)
    pid = os.fork()
    if pid:
        os.close(0)
        os.waitpid(pid, 0)
        os._exit(0)
    call("prctl", DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    os.chdir(folder)


def enter(folder, kept=()):
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
    for place in {Path(each).resolve() for each in SHARED_FOLDERS if os.path.isdir(each)}:
        _empty(place, [Path(folder)], [Path(path).resolve() for path in kept if os.path.exists(path)])
    call("mount", b"tmpfs", os.fsencode(folder), b"tmpfs", NO_PROGRAMS, _in_memory(FOLDER_MIB, FOLDER_FILES, 700))
    if not is_root:
        give_up_capabilities()


def _empty(place, made, kept):
    """Replace a folder by an empty one that cannot be written; in it are folders that are made, and what is kept."""
    opened = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in kept if place in path.parents]
    call("mount", b"tmpfs", os.fsencode(place), b"tmpfs", NO_PROGRAMS, _in_memory(1, FOLDER_FILES, 755))
    for path in made:
        if place in path.resolve().parents:
            path.mkdir(parents=True)
    for path, descriptor in opened:
        source = f"/proc/self/fd/{descriptor}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(exist_ok=True) if os.path.isdir(source) else path.touch()
        call("mount", source.encode(), os.fsencode(path), None, SAME, None)
        os.close(descriptor)
    call("mount", None, os.fsencode(place), None, CHANGED | READ_ONLY | NO_PROGRAMS, None)


def _in_memory(mebibytes, files, mode):
    """Return the options of a file system in memory."""
    return f"size={mebibytes}m,nr_inodes={files},mode={mode}".encode()
