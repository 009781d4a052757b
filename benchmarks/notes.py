"""The cost of notes: 10,000 steps of 100 arrays are written and read again.

Each step records 100 arrays of ``--size`` float32 numbers and 10 scalars. The time of a step is measured by the
processor and by the clock; memory is the resident memory of the process after a tenth of the steps and at the end.
Then the run is opened, and one of its series is read. Run ``python -m benchmarks.notes``.
"""

import argparse
import os
import sys
import tempfile
from time import perf_counter, process_time

import numpy as np

from dark.monitor import Note


def resident_mb():
    """Return the resident memory of this process in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def write(folder, steps, tensors, size):
    """Write a run; return the seconds of each step, the processor's per step, and the growth of memory in MB."""
    rng = np.random.default_rng(0)
    arrays = {f"weights/layer{k}.weight": rng.normal(size=size).astype(np.float32) for k in range(tensors)}
    scalars = {f"update_ratio/layer{k}.weight": 1e-3 * k for k in range(10)}
    seconds, before = [], 0.0
    with Note(folder) as note:
        began = process_time()
        for step in range(1, steps + 1):
            if step == steps // 10:
                before = resident_mb()
            start = perf_counter()
            note.take_down_scalars_and_tensors(step, scalars, arrays)
            seconds.append(perf_counter() - start)
        processor = process_time() - began
        grown = resident_mb() - before
    return seconds, processor / steps, grown


def read(folder):
    """Return the seconds to open a run with all names and steps, and to read one series of arrays."""
    start = perf_counter()
    run = Note.load(folder)
    for series in (*run.scalar_dict.values(), *run.tensor_dict.values()):
        len(series)
    opened = perf_counter()
    checked = sum(len(array) for array in next(iter(run.tensor_dict.values())))
    assert checked
    return opened - start, perf_counter() - opened


def main():
    parser = argparse.ArgumentParser(
        "python -m benchmarks.notes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=10_000, help="steps (default 10000)")
    parser.add_argument("--tensors", type=int, default=100, help="arrays per step (default 100)")
    parser.add_argument("--size", type=int, default=100, help="numbers per array (default 100)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds, processor, grown = write(folder, arguments.steps, arguments.tensors, arguments.size)
        megabytes = sum(entry.stat().st_size for entry in os.scandir(folder)) / 1e6
        opening, reading = read(folder)
    print(
        f"{arguments.steps} steps of {arguments.tensors} arrays of {arguments.size} numbers, {megabytes:.0f} MB: "
        f"{1e3 * processor:.2f} ms of the processor per step; {1e3 * np.mean(seconds):.2f} ms per step, median "
        f"{1e3 * np.median(seconds):.2f} ms; memory grew by {grown:.1f} MB; opened in {opening:.2f} s, a series read "
        f"in {reading:.2f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
