"""Find traces that an answer has left behind: processes below the worker, files, and shared memory."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from dark.grading.sandbox.confinement import missing_namespaces

MARK = "dark-left-behind"  # the name of each file that an answer of the catalog tries to leave
PLACES = {"/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir()}


def segments():
    """Return the ids of the shared memory, where it is listed, that no running process has made or uses."""
    with suppress(OSError):
        head, *lines = [line.split() for line in Path("/proc/sysvipc/shm").read_text().splitlines()]
        found = [dict(zip(head, line)) for line in lines]
        unused = [one for one in found if one["nattch"] == "0" and not os.path.exists(f"/proc/{one['cpid']}")]
        return {one["shmid"] for one in unused}
    return set()


def left_behind(worker, segments_before: set[str]) -> str:
    """Return the traces of answers that an idle worker has run, in words, and remove the files."""
    found = []
    idle = 0 if missing_namespaces() else 1  # the first process of the namespaces
    if worker.pid is not None and (count := len(_below(worker.pid)) - idle) > 0:
        found.append("1 process" if count == 1 else f"{count} processes")
    for path in [*(Path(place, MARK) for place in PLACES), *_files_of(worker)]:
        if path.exists():
            found.append(str(path))
            path.unlink()
    if segments() - segments_before:
        found.append("shared memory")
    return ", ".join(found)


def _below(pid):
    found = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *_below(child)]
    return found


def _files_of(worker):
    folder = worker.folder
    return [path for path in Path(folder).rglob("*") if path.is_file()] if folder and os.path.isdir(folder) else []
