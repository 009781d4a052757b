"""One run of a project in a process of its own, in which `import dark` fails."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from dark.course.capstone.project import RUN

BLOCKED = """\
raise ModuleNotFoundError("No module named 'dark': a capstone runs from the exported package alone", name="dark")
"""
PROGRESS, RESULT = "progress.jsonl", "result.json"
POLL_SECONDS = 0.005
LAST_LINES = 6


@dataclass(frozen=True)
class Ended:
    """How a run has ended."""

    how: str  # finished, failed, too long or killed
    curve: list | None = None  # the points of a run that has finished
    seconds: float = 0.0  # as the run has measured it itself, or else the time of its process
    message: str = ""  # the last lines of the error stream of a run that has failed


@contextmanager
def without_dark(project):
    """Yield the environment of a process in which `import dark` fails and the package can be imported."""
    with tempfile.TemporaryDirectory(prefix="dark-capstone-") as folder:
        Path(folder, "dark.py").write_text(BLOCKED, encoding="utf-8")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "DARK_"))}
        paths = [folder, str(project.package.folder)]
        yield {**kept, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}


def run_once(project, variant, seed, out: Path, *, limit: float, kill_after: int | None = None) -> Ended:
    """Run a variant with a seed, until its end, the limit in seconds, or a kill after some measurements."""
    out.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, RUN, "--variant", variant, "--seed", str(seed), "--out", str(out.resolve())]
    begun = time.monotonic()
    with without_dark(project) as environment, tempfile.TemporaryFile() as errors:
        null = subprocess.DEVNULL
        process = subprocess.Popen(
            words, cwd=project.folder, env=environment, stdin=null, stdout=null, stderr=errors, start_new_session=True
        )
        try:
            how = _wait(process, out, begun + limit, kill_after)
        finally:
            _end(process)
        seconds = time.monotonic() - begun
        if how != "finished":
            return Ended(how, seconds=seconds)
        return _outcome(process, out, errors, seconds)


def _wait(process, out, deadline, kill_after):
    while process.poll() is None:
        if time.monotonic() > deadline:
            return "too long"
        if kill_after is not None and len(progress_of(out)) >= kill_after:
            return "killed"
        time.sleep(POLL_SECONDS if kill_after is None else POLL_SECONDS / 10)
    return "finished"


def _end(process):
    """Kill a process and all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _outcome(process, out, errors, seconds):
    errors.seek(0, os.SEEK_END)
    errors.seek(max(0, errors.tell() - 20_000))
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    message = "\n    ".join(lines[-LAST_LINES:])
    if process.returncode:
        return Ended("failed", seconds=seconds, message=message or f"exit code {process.returncode}")
    ended = finished_in(out, seconds)
    return ended or Ended("failed", seconds=seconds, message=f"it has written no curve into {RESULT}")


def finished_in(out, seconds=0.0):
    """Return the end of a run that has finished in a folder, or None; `seconds` is its time if it records none."""
    try:
        result = json.loads((out / RESULT).read_text(encoding="utf-8"))
        curve = [[step, float(value)] for step, value in result["curve"]]
        return Ended("finished", curve, float(result.get("seconds", seconds))) if curve else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def progress_of(out):
    """Return the steps at which a run has been measured, without a line that is not yet complete."""
    try:
        lines = (out / PROGRESS).read_text(encoding="utf-8").split("\n")[:-1]
        return [json.loads(line)["step"] for line in lines]
    except (OSError, ValueError, KeyError, TypeError):
        return []
