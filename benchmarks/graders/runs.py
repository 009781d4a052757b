"""One batch of each grader, in a process of its own: CPU seconds of all its processes, and the marks it gave."""

import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.graders.notebooks import KINDS, for_dark, for_nbgrader, for_otter, otter_tests

ROOT = Path(__file__).parents[2]


def cpu_of(command, folder):
    """Run a command; return the CPU seconds and the wall-clock seconds of it and of all processes it waited for.

    Raises
    ------
    SystemExit
        If it fails.
    """
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    here = os.pathsep.join([str(Path(command[0]).parent), os.environ["PATH"]])
    settings = {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PATH": here}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [str(each) for each in command], cwd=folder, env=inherited | settings,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - start


class Dark:
    """`dark grade`, with one job, a report with pages, and full confinement."""

    name = "dark"

    def __init__(self, folder, size):
        self.size = size
        self.folders = {kind: folder / f"dark-{kind}" for kind in KINDS}
        folder.mkdir(exist_ok=True)
        for kind, each in self.folders.items():
            write_class(each, size, (kind,))
        self.run("blank")  # not counted: Python compiles the files, and the course is tested once a version

    def run(self, kind):
        """Grade the batch anew; return CPU and wall-clock seconds a submission."""
        report = self.folders[kind].with_suffix(".report")
        shutil.rmtree(report, ignore_errors=True)
        command = [sys.executable, "-m", "dark", "grade", self.folders[kind], "--out", report]
        command += ["--module", "01", "--seed", "1", "--jobs", "1", "--require-confinement", "full"]
        cpu, wall = cpu_of(command, report.parent)
        return cpu / self.size, wall / self.size

    def earned(self, kind):
        """Return the part of all points that the first student has."""
        results = json.loads((self.folders[kind].with_suffix(".report") / "results.json").read_text(encoding="utf-8"))
        first = results["submissions"][0]
        return first["earned"] / first["points"]


class NbGrader:
    """`nbgrader autograde`: the students' notebooks with the asserts of the instructor, into its gradebook."""

    name = "nbgrader"

    def __init__(self, folder, size, python):
        self.size, self.python, self.course = size, python, folder / "nbgrader"
        for kind in KINDS:
            source = self.course / "source" / kind / "one.ipynb"
            source.parent.mkdir(parents=True)
            source.write_text(json.dumps(for_nbgrader("solved")), encoding="utf-8")
            self._nbgrader("generate_assignment", kind)
            for k in range(size):
                path = self.course / "submitted" / f"student{k:04d}" / kind / "one.ipynb"
                path.parent.mkdir(parents=True)
                path.write_text(json.dumps(self._answered(kind)), encoding="utf-8")

    def _answered(self, kind):
        """Fill the answers into the notebook that was released."""
        released = json.loads((self.course / "release" / kind / "one.ipynb").read_text(encoding="utf-8"))
        sources = {cell["id"]: cell["source"] for cell in for_nbgrader(kind)["cells"]}
        for cell in released["cells"]:
            if cell["metadata"]["nbgrader"]["solution"]:
                cell["source"] = sources[cell["id"]]
        return released

    def _nbgrader(self, *words):
        return cpu_of([_program(self.python, "nbgrader"), *words, "--course-dir", self.course.resolve()], self.course)

    def run(self, kind):
        """Grade the batch anew; return CPU and wall-clock seconds a submission."""
        cpu, wall = self._nbgrader("autograde", kind, "--force")
        return cpu / self.size, wall / self.size

    def earned(self, kind):
        """Return the part of all points that the first student has."""
        table = self.course / "grades.csv"
        database = f"sqlite:///{self.course.resolve()}/gradebook.db"
        cpu_of([_program(self.python, "nbgrader"), "export", "--to", table, "--db", database], self.course)
        with open(table, newline="", encoding="utf-8") as file:
            row = next(row for row in csv.DictReader(file) if row["assignment"] == kind)
        return float(row["raw_score"]) / float(row["max_score"])


class Otter:
    """`otter run`, once for each submission: without containers, as `otter grade` needs Docker."""

    name = "otter"

    def __init__(self, folder, size, python):
        self.size, self.python, self.folder = size, python, folder / "otter"
        tests = self.folder / "tests"
        tests.mkdir(parents=True)
        for name, source in otter_tests().items():
            (tests / f"{name}.py").write_text(source, encoding="utf-8")
        for kind in KINDS:
            (self.folder / f"{kind}.ipynb").write_text(json.dumps(for_otter(kind)), encoding="utf-8")
        self._otter("generate", "-t", "tests", "-o", "autograder.zip", "--no-environment", "--no-requirements")

    def _otter(self, *words):
        return cpu_of([_program(self.python, "otter"), *words], self.folder)

    def run(self, kind):
        """Grade one submission after the other; return CPU and wall-clock seconds for each."""
        out = self.folder / f"out-{kind}"
        out.mkdir(exist_ok=True)
        words = ["run", f"{kind}.ipynb", "-a", "autograder.zip", "-o", out.name, "--no-logo"]
        pairs = [self._otter(*words) for _ in range(self.size)]
        return tuple(sum(each) / self.size for each in zip(*pairs, strict=True))

    def earned(self, kind):
        """Return the part of all points that the submission has."""
        tests = json.loads((self.folder / f"out-{kind}" / "results.json").read_text(encoding="utf-8"))["tests"]
        graded = [test for test in tests if test.get("max_score")]
        return sum(test["score"] for test in graded) / sum(test["max_score"] for test in graded)


def _program(python, name):
    """Return a program of the environment of an interpreter."""
    return Path(python).parent / name


def write_class(folder, size, kinds=("solved",) * 7 + ("half",) * 2 + ("blank",)):
    """Write submissions of these kinds in turns; no two are the same file, or have the same answer."""
    folder.mkdir(parents=True)
    for k in range(size):
        notebook = for_dark(kinds[k % len(kinds)], k)
        own = {"id": "own", "cell_type": "markdown", "metadata": {}, "source": f"Notes of student {k}."}
        text = json.dumps(notebook | {"cells": [*notebook["cells"], own]})
        (folder / f"student{k:04d}.ipynb").write_text(text, encoding="utf-8")
