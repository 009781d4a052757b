"""The cost of grading: `dark grade` beside nbgrader and otter-grader, on the same exercises of module 01.

Solved, half-solved and blank notebooks are graded in turns, and the CPU time of all processes is counted: `dark grade`
asks 887 drawn inputs in a confined process and writes a report, the others run 180 asserts. Work that a grader does
once, such as drawing the inputs of a seed, is divided by the size of a batch: `dark grade` grades a batch as large as
nbgrader's, and a large class. Further tables show what each level of confinement costs, beside the student's code
alone, and a class with reports on the clock.

Run ``python -m benchmarks.grading --others PYTHON``, the Python of an environment with `benchmarks/graders.txt`.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.graders.notebooks import KINDS, for_dark
from benchmarks.graders.runs import ROOT, Dark, NbGrader, Otter, write_class
from benchmarks.networks.machine import processor
from dark.course.exams.inputs import inputs_of
from dark.course.exams.questions import load_exam
from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.library import load_module
from dark.grading.grader.grade import Settings, grade_submission
from dark.grading.sandbox.confinement import LEVELS
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_process import Worker

# A small process of its own: the largest memory that the system reports includes the memory of its parent process.
MEASURED = """\
import json, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
TARGETS = {"solved": 1 / 6, "half": 1 / 8, "blank": 1 / 20}  # of nbgrader's CPU time


def main():
    parser = argparse.ArgumentParser("python -m benchmarks.grading", description=__doc__.split("\n\n")[0])
    parser.add_argument("--others", default=sys.executable, metavar="PYTHON", help="Python with nbgrader and otter")
    parser.add_argument("--size", type=int, default=100, help="submissions in a batch (default: 100)")
    parser.add_argument("--rounds", type=int, default=2, help="turns of each grader (default: 2)")
    parser.add_argument("--otter-size", type=int, default=4, help="submissions for otter-grader (default: 4)")
    parser.add_argument("--students", type=int, default=1000, help="a large class, dark only (default: 1000)")
    arguments = parser.parse_args()
    check_others(arguments.others)
    print(f"Processor: {processor()}\n")
    with tempfile.TemporaryDirectory(prefix="dark-benchmark-") as folder:
        compare(Path(folder), arguments)
        print_levels()
        print_class(Path(folder), arguments.students)


def check_others(python):
    """Stop with a clear message if an interpreter does not have the other graders."""
    done = subprocess.run([python, "-c", "import nbgrader, otter"], capture_output=True, text=True)
    if done.returncode:
        what = done.stderr.strip().splitlines()[-1] if done.stderr else "it does not run"
        raise SystemExit(
            f"{python} does not have the other graders ({what}).\n"
            "  Expected: nbgrader and otter-grader in one environment.\n"
            "  Try: python3 -m venv others && others/bin/pip install -r benchmarks/graders.txt, "
            "then --others others/bin/python"
        )


def compare(folder, arguments):
    """Print the CPU seconds of each grader for each kind of notebook."""
    sizes = [arguments.size, arguments.students]
    graders = [
        *(Dark(folder / f"class-of-{size}", size) for size in sizes),
        NbGrader(folder, arguments.size, arguments.others),
        Otter(folder, arguments.otter_size, arguments.others),
    ]
    print("CPU seconds a submission (wall-clock seconds; marks of the first), and dark / nbgrader:\n")
    print(f"| notebook | dark, {sizes[0]} | dark, {sizes[1]} | nbgrader | otter run | ratios | target |")
    print("|---|---|---|---|---|---|---|")
    for kind in KINDS:
        rounds = [[grader.run(kind) for grader in graders] for _ in range(arguments.rounds)]
        cpu, wall = ([median(each[n] for each in column) for column in zip(*rounds, strict=True)] for n in (0, 1))
        marks = [grader.earned(kind) for grader in graders]
        cells = [f"{c:.3f} ({w:.2f}; {m:.0%})" for c, w, m in zip(cpu, wall, marks, strict=True)]
        ratios = ", ".join(f"1/{cpu[2] / each:.1f}" for each in cpu[:2])
        print(f"| {kind} | {' | '.join(cells)} | {ratios} | 1/{1 / TARGETS[kind]:.0f} |", flush=True)


def print_levels(size=20):
    """Print what the student's code costs alone, and a solved submission at each level of confinement."""
    print("\nMilliseconds of CPU time for a solved submission:\n")
    print("| what | ms |")
    print("|---|---|")
    print(f"| the student's code alone, all questions on all inputs | {1000 * floor(size):.0f} |")
    for level in LEVELS:
        print(f"| graded, confinement `{level}` | {1000 * graded(level, size):.0f} |", flush=True)


def floor(size):
    """Return the CPU seconds of a solution's cells and of all questions about it, with nothing around them."""
    module, exam = load_module("01"), load_exam("01")
    parts = arrange(module.parts, {name: exercise.solution for name, exercise in module.exercises.items()})
    asked = [(question.body, inputs) for question in exam.questions.values() for inputs in inputs_of(question, 1)]
    copies = [json.dumps(inputs) for _, inputs in asked]
    start = time.process_time()
    for _ in range(size):
        implementation = assemble(parts)
        for (body, _), copy in zip(asked, copies, strict=True):
            body(implementation, **json.loads(copy))
    return (time.process_time() - start) / size


def graded(level, size):
    """Return the CPU seconds of a solved submission in a running grader, with its children."""
    settings = replace(Settings(seed=1), limits=Limits(confinement=level))
    contents = [json.dumps(for_dark("solved", student)).encode() for student in range(1 + size)]
    spent = []
    for count in (1, 1, 1 + size):  # the first prepares what is kept; the difference leaves out what starts once
        before = _cpu()
        with Worker() as worker:
            for content in contents[:count]:
                result = grade_submission(content, worker=worker, settings=settings)
        assert result.earned == result.points, result
        spent.append(_cpu() - before)
    return (spent[2] - spent[1]) / size


def _cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def print_class(folder, students):
    """Print how long a class takes on two cores, and the largest memory of its processes."""
    print("\nA class, two submissions at a time (7 of 10 solved, 2 half, 1 blank), with a report:\n")
    print("| students | wall-clock s | CPU s a submission | largest process, MiB | report, MiB |")
    print("|---|---|---|---|---|")
    for count in (students // 10, students):
        submissions = folder / f"class-{count}"
        write_class(submissions, count)
        report = folder / f"class-{count}.report"
        command = [sys.executable, "-m", "dark", "grade", submissions, "--out", report, "--module", "01"]
        command += ["--seed", "1", "--jobs", "2", "--require-confinement", "full"]
        settings = {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, *map(str, command)], cwd=folder, env=os.environ | settings,
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        wall, (cpu, kibibytes) = time.perf_counter() - start, json.loads(done.stdout)
        size = sum(path.stat().st_size for path in report.rglob("*") if path.is_file()) / 2**20
        print(f"| {count} | {wall:.0f} | {cpu / count:.3f} | {kibibytes / 1024:.0f} | {size:.1f} |", flush=True)


if __name__ == "__main__":
    main()
