"""How long a check takes: every exercise, solved and as its slowest banked mistake, in this process.

Run ``python benchmarks/check.py``; a student waits under a second for each.
"""

import time

from dark.course.judging.bugs import load_bugs
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules


def seconds(module, name, source):
    """Time one check of an exercise; the first of a session also loads the drawing of inputs."""
    sources = {each: exercise.solution for each, exercise in module.exercises.items()}
    start = time.perf_counter()
    judge_exercise(module, name, {**sources, name: source})
    return time.perf_counter() - start


def main():
    print("| exercise | solved, s | slowest mistake, s | which |")
    print("|---|---|---|---|")
    for module in map(load_module, modules()):
        for name, exercise in module.exercises.items():
            right = seconds(module, name, exercise.solution)
            wrong = max((seconds(module, name, bug.source), bug.name) for bug in load_bugs(module.id, name))
            print(f"| {module.id} {name} | {right:.2f} | {wrong[0]:.2f} | {wrong[1]} |", flush=True)


if __name__ == "__main__":
    main()
