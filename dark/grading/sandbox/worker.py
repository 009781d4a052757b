"""The worker process: it forks one child for each exercise, and cleans up after it.

It imports Python's common modules, NumPy, and what observes an answer, but no exam and no implementation; then it reads
two kinds of messages of `worker_process` from its standard input, a socket::

    {"start": limits}                       with the socket of the child attached
    {"end": pid, "grace_seconds": 0.5}

It never runs a student's code itself: the children do (`exercise_process`). When a child has ended, the processes it
started are killed and its folder is removed. When the parent ends, so do the worker and all its children. Where the
kernel allows it, all of them are in namespaces of their own.
"""

import fractions  # noqa: F401 (what answers use; imported once, for all children)
import gc
import json
import os
import random  # noqa: F401
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace

import numpy.random  # noqa: F401

from dark.grading.sandbox import exercise_process
from dark.grading.sandbox.confinement import python_files
from dark.grading.sandbox.confinement.access_times import read_once
from dark.grading.sandbox.confinement.levels import BEST, confinement, look_around, missing_namespaces, prepare
from dark.grading.sandbox.confinement.namespaces import mount_folder, same_number, separate, unmount_folder
from dark.grading.sandbox.confinement.process import call, hide_memory
from dark.grading.sandbox.limits import BROKEN, Limits, kill_group

BECOME_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl(2): adopt orphaned descendants
MESSAGE_BYTES = 1 << 16


def main():
    """Serve the parent until it closes the socket on standard input.

    In a child that was forked, return what it has to run: nothing of this function is left on its stack.
    """
    look_around()
    read_once(python_files.readable_paths()[1])
    if missing_namespaces():
        if sys.platform == "linux":
            call("prctl", BECOME_SUBREAPER, 1, 0, 0, 0)
    else:
        shown = [*python_files.folders(), *python_files.files()]
        separate(os.environ["HOME"], shown, python_files.closed_folders())
    hide_memory()
    python_files.forget_the_framework()  # once, for all children
    gc.freeze()  # a child does not copy these pages to collect garbage in them
    control = socket.socket(fileno=os.dup(0))
    children: dict[int, str] = {}
    job = None
    try:
        control.sendall(b"null\n")  # ready
        while job is None and (received := receive(control)) is not None:
            message, sockets = received
            job, answer = handle(message, sockets, children)
            if job is None:
                control.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:  # the folder was deleted or the parent has ended; the parent restarts a worker if needed
        pass
    finally:
        if job is None:
            for pid in list(children):
                end(pid, children, grace_seconds=0)
            shutil.rmtree(os.environ["HOME"], ignore_errors=True)  # the parent may have died
    control.close()
    return job


def receive(control):
    """Receive one message and the socket attached to it; None when the parent has closed the connection."""
    text, sockets = b"", []
    while not text.endswith(b"\n"):
        data, descriptors, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 1)
        if not data:
            return None
        text += data
        sockets += descriptors
    return json.loads(text), sockets


def handle(message, sockets, children):
    """Handle one message; return the job, in a new child, and the reply."""
    if "start" in message:
        return start(Limits(**message["start"]), sockets[0], children)
    return None, end(message["end"], children, message["grace_seconds"])


def start(limits, descriptor, children):
    """Fork the child of an exercise, with its own socket, folder and limits."""
    if limits.confinement == BEST:
        limits = replace(limits, confinement=confinement().level)
    prepare(limits.confinement, os.environ["HOME"])
    home = new_home(children)
    same_number()
    pid = os.fork()
    if pid == 0:
        return (descriptor, home, limits), None
    os.close(descriptor)
    children[pid] = home
    return None, {"pid": pid, "separate": is_separate()}


def new_home(children):
    """Return an empty folder for a child; in namespaces it is a file system of its own, on a folder that stays."""
    if not is_separate():
        return tempfile.mkdtemp(dir=os.environ["HOME"])
    places = (os.path.join(os.environ["HOME"], f"home-{number}") for number in range(len(children) + 1))
    home = next(place for place in places if place not in children.values())
    os.makedirs(home, exist_ok=True)
    mount_folder(home)
    return home


def is_separate():
    """Return whether this process is the first one of namespaces of its own."""
    return os.getpid() == 1


def end(pid, children, grace_seconds):
    """Wait for a child, then kill it and its processes; return how it ended."""
    deadline = time.monotonic() + grace_seconds
    found, status, usage = os.wait4(pid, os.WNOHANG)
    while found == 0 and time.monotonic() < deadline:
        time.sleep(0.002)
        found, status, usage = os.wait4(pid, os.WNOHANG)
    killed = found == 0
    kill_group(pid)
    if killed:
        _, status, usage = os.wait4(pid, 0)
    home = children.pop(pid)
    kill_orphans(children)
    if is_separate():
        unmount_folder(home)
    else:
        shutil.rmtree(home, ignore_errors=True)
    cpu_seconds = usage.ru_utime + usage.ru_stime
    peak_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    code = os.waitstatus_to_exitcode(status)
    return {"code": code, "killed": killed, "cpu_seconds": cpu_seconds, "peak_bytes": peak_bytes}


def kill_orphans(children):
    """Kill the processes that left their group and were adopted by this process."""
    if is_separate():  # all other processes of the namespace are its own
        if not children:
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            with suppress(ChildProcessError):
                while True:
                    os.waitpid(-1, 0)
        return
    for _ in range(100):
        orphans = [pid for pid in child_processes() if pid not in children]
        if not orphans:
            return
        for pid in orphans:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def child_processes():
    """Return the ids of the child processes; empty if the system does not list them."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


if __name__ == "__main__":
    if forked := main():
        try:
            exercise_process.run(*forked)
        finally:
            os._exit(BROKEN)
