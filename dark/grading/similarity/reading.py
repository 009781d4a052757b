"""Read the answers of a class in a process of its own, so that no notebook can exhaust the memory of the gradebook.

`read_works` starts ``python -m dark.grading.similarity.reading``, which reads from its standard input a line of JSON
for each submission, and answers with one. A submission that exceeds the limits ends that process, and is left out.
"""

import json
import subprocess
import sys
from dataclasses import dataclass, field

from dark.course.judging.unfinished import is_attempted
from dark.course.lessons.answers import collect
from dark.course.lessons.library import load_module
from dark.course.lessons.notebook_files import parse_notebook
from dark.grading.grader.messages import read_request, request
from dark.grading.sandbox.limits import bind_grader, watch_grader
from dark.grading.similarity.fingerprints import fingerprints


@dataclass(frozen=True, eq=False)
class Work:
    """The answers of one student to a module.

    Parameters
    ----------
    name : str
        The name of the submission.
    sources : dict of str to str
        The attempted exercises.
    prints : dict of str to dict
        Their fingerprints.
    """

    name: str
    sources: dict
    prints: dict = field(repr=False)

    @classmethod
    def of(cls, name, sources):
        """Fingerprint the answers of a student."""
        return cls(name, sources, {exercise: fingerprints(source) for exercise, source in sources.items()})


def read_works(submissions, modules):
    """Read the answers of graded submissions.

    Parameters
    ----------
    submissions : sequence of Submission
        The files.
    modules : dict of str to str
        The module of each, by name of the submission; others are left out.

    Returns
    -------
    dict of str to list of Work
        By module.
    """
    waiting = [(each, modules[each.name]) for each in submissions if each.name in modules]
    found = {module: [] for _, module in waiting}
    while waiting:
        read = _read_until_it_ends(waiting)
        for name, module, sources, prints in read:
            shown = {exercise: {int(key): tuple(lines) for key, lines in each} for exercise, each in prints.items()}
            found[module].append(Work(name, sources, shown))
        waiting = waiting[len(read) + 1 :]  # the next one has ended the process
    return found


def _read_until_it_ends(waiting):
    """Return what one process reads of the submissions, in order, until one of them ends it."""
    command = [sys.executable, "-P", "-m", "dark.grading.similarity.reading"]
    lines = [json.dumps({"submission": request(each).decode(), "module": module}) for each, module in waiting]
    content = "\n".join(lines).encode()
    done = subprocess.run(command, input=content, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line) for line in done.stdout.splitlines(True) if line.endswith(b"\n")]


def main():
    """Serve the parent until its last submission."""
    bind_grader()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        submission, module = read_request(asked["submission"]), asked["module"]
        with watch_grader():
            print(json.dumps([submission.name, module, *_read(submission, load_module(module))]), flush=True)


def _read(submission, module):
    try:
        found = collect(parse_notebook(submission.read(), "the file", any_format=True), module).sources
    except Exception:  # it was not graded either
        return {}, {}
    sources = {name: text for name, text in found.items() if is_attempted(text, module.exercises[name].stub)}
    work = Work.of(submission.name, sources)
    return sources, {name: list(prints.items()) for name, prints in work.prints.items()}


if __name__ == "__main__":
    main()
