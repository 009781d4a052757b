"""Read the answers of a class in a process of its own, so that no notebook can exhaust the memory of the gradebook.

`Reader` starts ``python -m dark.grading.similarity.reading``, which reads a line of JSON for each submission, and
writes one before each answer and one at the end. An answer that exceeds the limits ends that process, and is left out.
"""

import json
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from dark.course.judging.unfinished import is_attempted
from dark.course.lessons.answers import collect
from dark.course.lessons.library import load_module
from dark.course.lessons.notebook_files import parse_notebook
from dark.grading.grader.messages import read_request, request
from dark.grading.sandbox.limits import bind_grader
from dark.grading.similarity.fingerprints import fingerprints

FILE_SECONDS = 3  # of CPU time, to read a file
STEP_SECONDS = 1.2  # of CPU time, to find the answers in a notebook, and for one of them: at most 3 with a new process
MOST_CHARACTERS = 50_000  # of an answer
MOST_PRINTS = 5_000  # of an answer; a usual one has a hundred
ALL = ""  # in place of an exercise: the notebook as a whole


@dataclass(frozen=True, eq=False)
class Work:
    """The answers of a student to a module."""

    name: str  # the name of the submission
    sources: dict[str, str]  # the attempted exercises
    prints: dict[str, dict] = field(repr=False)  # their fingerprints
    too_much: tuple[str, ...] = ()  # the exercises that are not compared because reading them takes too long, or `ALL`

    @classmethod
    def of(cls, name, sources):
        """Fingerprint the answers of a student."""
        return cls(name, sources, {exercise: fingerprints(source) for exercise, source in sources.items()})

    @property
    def data(self):
        """The answers as plain data."""
        prints = {name: [[value, *lines] for value, lines in each.items()] for name, each in self.prints.items()}
        return {"sources": self.sources, "prints": prints, "too_much": list(self.too_much)}

    @classmethod
    def from_data(cls, name, data):
        """Return the answers that were stored as `data`."""
        prints = {key: {value: tuple(lines) for value, *lines in each} for key, each in data["prints"].items()}
        return cls(name, data["sources"], prints, tuple(data["too_much"]))


def read_works(submissions, modules: dict[str, str]) -> dict[str, list[Work]]:
    """Read the answers of graded submissions, by module; the module of each is by name of the submission."""
    found: dict[str, list[Work]] = {modules[each.name]: [] for each in submissions if each.name in modules}
    with Reader() as reader:
        for each in submissions:
            if each.name in modules:
                found[modules[each.name]].append(reader.read(each, modules[each.name]))
    return found


class Reader(AbstractContextManager):
    """The process that reads, started again when an answer has ended it."""

    def __init__(self):
        self._process = None

    def __exit__(self, *error):
        self.close()

    def close(self):
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def read(self, submission, module) -> Work:
        """Read the answers of a submission to a module."""
        left_out: list[str] = []
        while ALL not in left_out:
            place = ALL
            for told in self._told(submission, module, left_out):
                if "sources" in told:
                    return Work.from_data(submission.name, told)
                place = told["reading"]
            left_out.append(place)
        return Work(submission.name, {}, {}, (ALL,))

    def _told(self, submission, module, left_out):
        """Yield the messages of the process about a submission, until it has read it or has ended."""
        asked = {"submission": request(submission).decode(), "module": module, "left_out": left_out}
        try:
            process = self._started()
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
            while (line := process.stdout.readline()).endswith(b"\n"):
                told = json.loads(line)
                yield told
                if "sources" in told:
                    return
        except BrokenPipeError:
            pass
        self.close()

    def _started(self):
        if self._process is None:
            command = [sys.executable, "-P", "-m", "dark.grading.similarity.reading"]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C goes only to the process of the gradebook
            )
        return self._process


def main():
    """Serve the parent until its last submission."""
    bind_grader()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        work = _read(read_request(asked["submission"]), load_module(asked["module"]), asked["left_out"])
        _tell(work.data)


def _tell(data):
    signal.setitimer(signal.ITIMER_PROF, STEP_SECONDS)  # when it has passed, the system ends this process
    print(json.dumps(data), flush=True)


def _read(submission, module, left_out):
    signal.setitimer(signal.ITIMER_PROF, FILE_SECONDS)
    try:
        notebook = parse_notebook(submission.read(), "the file", any_format=True)
        signal.setitimer(signal.ITIMER_PROF, STEP_SECONDS)
        found = collect(notebook, module).sources
    except MemoryError:
        return Work(submission.name, {}, {}, (ALL,))
    except Exception:  # it was not graded either
        return Work(submission.name, {}, {})
    sources, prints, too_much = {}, {}, list(left_out)
    for name, text in found.items():
        if name in left_out:
            continue
        _tell({"reading": name})
        if not is_attempted(text, module.exercises[name].stub):
            continue
        shown = _prints(text)
        if shown is None:
            too_much.append(name)
        else:
            sources[name], prints[name] = text, shown
    return Work(submission.name, sources, prints, tuple(too_much))


def _prints(text):
    if len(text) > MOST_CHARACTERS:
        return None
    try:
        found = fingerprints(text)
    except (MemoryError, RecursionError):
        return None
    return found if len(found) <= MOST_PRINTS else None


if __name__ == "__main__":
    main()
