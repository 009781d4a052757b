"""A teacher's private exam as a message: it goes to the machines of a cluster with the settings of a batch."""

import base64
import json
from pathlib import Path

from dark.course.exams.questions import private_fingerprint
from dark.errors import CourseError
from dark.grading.batch.locked_folders import PARTS

MEBIBYTE = 1 << 20
LARGEST_BYTES = 4 * MEBIBYTE  # it travels with each submission


def pack_exam(task: bytes, folder=None) -> bytes:
    """Return the first message to the graders of a batch: the message with the settings, and the private exam."""
    files = {} if folder is None else {path.relative_to(folder).as_posix(): path for path in _files(Path(folder))}
    if sum(path.stat().st_size for path in files.values()) > LARGEST_BYTES:
        what = f"--exam: the private exam has more than {LARGEST_BYTES // MEBIBYTE} MiB."
        expected = "an exam that can be sent to the workers of a cluster."
        raise CourseError(
            what, expected, f"use the folders {', '.join(PARTS)} without other files; or omit --scheduler"
        )
    exam = {name: base64.b64encode(path.read_bytes()).decode() for name, path in files.items()}
    fingerprint = None if folder is None else private_fingerprint(folder)
    return json.dumps({"task": task.decode(), "exam": exam, "fingerprint": fingerprint}).encode()


def unpack_exam(message: bytes, folder):
    """Write the private exam of a message, if any, into a folder; return the settings' message and the folder."""
    data, folder = json.loads(message), Path(folder)
    if data["fingerprint"] is None:
        return data["task"].encode(), None
    for name, content in data["exam"].items():
        path = folder.joinpath(*name.split("/"))
        if ".." in path.parts or name.split("/")[0] not in PARTS:
            raise OSError(f"the private exam has a file outside of its folders: {name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
    if private_fingerprint(folder) != data["fingerprint"]:
        raise OSError("the private exam is not the one that was sent: its hash differs")
    return data["task"].encode(), folder


def _files(folder):
    for part in PARTS:
        for path in sorted((folder / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path
