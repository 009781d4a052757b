"""The time of a check: every exercise, once with its solution and once with its slowest known mistake.

Run ``python -m benchmarks.check``. A student should wait less than a second for each.
"""

import argparse
import time

from benchmarks.networks.machine import processor
from dark.course.judging.bank import load_bank
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules


def seconds(module, name, source):
    """Time one check of an exercise; the first in a process also imports the input generators."""
    sources = {each: exercise.solution for each, exercise in module.exercises.items()}
    start = time.perf_counter()
    judge_exercise(module, name, {**sources, name: source})
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser("python -m benchmarks.check", description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as 01 (default: all)")
    chosen = [load_module(name) for name in parser.parse_args().modules or modules()]
    print(f"Processor: {processor()}\n")
    print("| exercise | solved, s | slowest mistake, s | which |")
    print("|---|---|---|---|")
    for module in chosen:
        for name, exercise in module.exercises.items():
            right = seconds(module, name, exercise.solution)
            wrong = max((seconds(module, name, bug.source), bug.name) for bug in load_bank(module, name).bug)
            print(f"| {module.id} {name} | {right:.2f} | {wrong[0]:.2f} | {wrong[1]} |", flush=True)


if __name__ == "__main__":
    main()
