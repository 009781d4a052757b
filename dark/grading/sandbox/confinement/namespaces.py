"""Namespaces: the worker sees no processes, network or shared memory but its own, and no files but Python's.

They are made once for a worker, before it forks its children. Where the kernel allows it, users other than root
make them inside a user namespace. The root folder of the worker is in memory and cannot be written; the files that
Python and NumPy read are mounted in it, with the same names. Each child has a file system of its own in memory.
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from dark.grading.sandbox.confinement.process import MOUNT, call, give_up_capabilities

MOUNTS, IPC, USER, PROCESSES, NETWORK = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000  # of unshare
PRIVATE, NO_PROGRAMS = (1 << 18) | (1 << 14), 2 | 4 | 8  # flags of mount: for all below; nosuid, nodev, noexec
READ_ONLY, NO_SET_USER, CHANGED, NO_TIMES = 1, 2, 1 << 5, 1 << 10  # also of mount: nosuid, remount, noatime
BOUND, WITH_ALL_BELOW, DETACHED = 1 << 12, 1 << 14, 2  # of mount, of mount, of umount2
DIE_WITH_PARENT, SET_DUMPABLE = 1, 4  # of prctl
FOLDER_MIB, FOLDER_FILES = 64, 5000  # of a child
LAST_NUMBER, LAST_NUMBER_DESCRIPTOR, FIRST_NUMBER = "/proc/sys/kernel/ns_last_pid", 201, b"9"  # of a process
EMPTY_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/proc")


def separate(folder: str, shown, hidden=()):
    """Continue this process in namespaces of its own, as their first process, with the folder in memory.

    Of files and folders, the processes find those `shown`, without what is in those `hidden`. The process that called
    waits for it outside, and ends with it; when it is killed, so are all inside.
    """
    with suppress(OSError):  # where /proc cannot be written, the children have numbers one after the other
        os.dup2(os.open(LAST_NUMBER, os.O_WRONLY), LAST_NUMBER_DESCRIPTOR, inheritable=False)
    enter(folder, shown, hidden)
    pid = os.fork()
    if pid:
        os.close(0)
        os.waitpid(pid, 0)
        os._exit(0)
    call("prctl", DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def enter(folder, shown=(), hidden=()):
    """Make the namespaces for this process and those it forks; of files, these see the ones of `separate`."""
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
    _change_root(os.path.realpath(folder), shown, hidden)
    if not is_root:
        give_up_capabilities(MOUNT)  # a child gives up this one, too


def same_number():
    """Let the next child have the number of the last one, so that it does not count how many there were before."""
    with suppress(OSError):
        os.pwrite(LAST_NUMBER_DESCRIPTOR, FIRST_NUMBER, 0)


def mount_folder(folder):
    """Mount an empty file system in memory on a folder, for the child whose folder it is."""
    _mount(folder, _in_memory(FOLDER_MIB, FOLDER_FILES, 700))


def unmount_folder(folder):
    """Unmount a file system from a folder, with all files in it."""
    call("umount2", os.fsencode(folder), DETACHED)


def _change_root(folder, shown, hidden):
    """Make a root folder in memory, in which only some files are found, and forget all others."""
    _mount(folder, _in_memory(4, FOLDER_FILES, 755))
    shown = [path for path in shown if os.path.exists(path)]
    inside, ends = {os.path.realpath(path) for path in hidden}, {os.path.realpath(path) for path in shown}
    for path in sorted(ends | inside, key=lambda path: (path.count("/"), path)):
        above = next((each for each in map(str, Path(path).parents) if each in ends | inside), None)
        if path in inside and above is not None:
            if above not in inside:  # what is in a closed folder is closed, such as an installed `dark`
                _mount(folder + path, _in_memory(1, FOLDER_FILES, 755))
        elif path in ends and (above is None or above in inside):
            _bind(path, folder + path)
    for path in shown:
        _link(path, folder)
    for path in (*EMPTY_FOLDERS, folder):
        os.makedirs(folder + path, exist_ok=True)
    for path in inside:
        if os.path.ismount(folder + path):
            call("mount", None, os.fsencode(folder + path), None, CHANGED | BOUND | READ_ONLY | NO_PROGRAMS, None)
    os.chdir(folder)
    call("pivot_root", b".", b".")
    call("umount2", b".", DETACHED)
    _mount(folder, _in_memory(1, FOLDER_FILES, 755))
    call("mount", None, b"/", None, CHANGED | BOUND | READ_ONLY | NO_PROGRAMS, None)
    os.chdir(folder)


def _link(path, root):
    """Make the symbolic links on the way to a path in another root folder, where they are not yet."""
    left, here = list(Path(path).parts[1:]), "/"
    while left:
        part = left.pop(0)
        here = os.path.dirname(here) if part == ".." else os.path.join(here, part)
        if os.path.islink(here):
            target = os.readlink(here)
            if not os.path.lexists(root + here):
                os.makedirs(os.path.dirname(root + here), exist_ok=True)
                os.symlink(target, root + here)
            here = "/" if os.path.isabs(target) else os.path.dirname(here)
            left[:0] = [each for each in target.split("/") if each not in ("", ".")]


def _bind(path, place):
    """Show a file or a folder at another place; its owner, root, shows it without access times and to be read only."""
    os.makedirs(place if os.path.isdir(path) else os.path.dirname(place), exist_ok=True)
    if not os.path.isdir(path):
        Path(place).touch()
    call("mount", os.fsencode(path), os.fsencode(place), None, BOUND | WITH_ALL_BELOW, None)
    with suppress(OSError):  # others than root cannot change the options of a mount
        call("mount", None, os.fsencode(place), None, CHANGED | BOUND | READ_ONLY | NO_SET_USER | NO_TIMES, None)


def _mount(folder, options):
    call("mount", b"tmpfs", os.fsencode(folder), b"tmpfs", NO_PROGRAMS | NO_TIMES, options)


def _in_memory(mebibytes, files, mode):
    return f"size={mebibytes}m,nr_inodes={files},mode={mode}".encode()
