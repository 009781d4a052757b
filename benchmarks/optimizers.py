"""The step of each optimizer compared with another checkout: CPU instructions where valgrind is installed, and time.

Run ``python -m benchmarks.optimizers DIR``; DIR holds the other checkout (``git worktree add --detach DIR REVISION``).
Each optimizer has its own process in each checkout. valgrind's callgrind writes what it has counted at every call of
`getppid`: the instructions of a step are those between two calls, without the start and the first steps. The time is
the median ratio of blocks of steps that alternate between two processes. Below 1, this checkout is the faster one.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

OPTIMIZERS = {
    "SGD": ("SGD", {"lr": 1e-3}),
    "SGD, momentum": ("SGD", {"lr": 1e-3, "momentum": 0.9}),
    "SGD, Nesterov": ("SGD", {"lr": 1e-3, "momentum": 0.9, "nesterov": True}),
    "SGD, decay": ("SGD", {"lr": 1e-3, "weight_decay": 1e-2}),
    "Adam": ("Adam", {}),
    "Adam, amsgrad": ("Adam", {"amsgrad": True}),
    "AdamW": ("AdamW", {}),
    "NAdam": ("NAdam", {}),
    "RAdam": ("RAdam", {}),
    "Adagrad": ("Adagrad", {}),
    "RMSprop": ("RMSprop", {}),
    "RMSprop, centered": ("RMSprop", {"momentum": 0.9, "centered": True}),
}
WORKLOADS = {  # the shapes of the parameters, and the steps that are counted
    "one number": ([()], 200),
    "six small arrays": ([(4, 3), (4,), (3, 3), (3,), (2, 3), (2,)], 200),
    "784-100-10": ([(784, 100), (100,), (100, 10), (10,)], 20),
    "10⁶ elements": ([(1000, 1000)], 3),
}
ROUNDS, BLOCK_SECONDS = 15, 0.02
WORKER = """
import gc, os, sys, time
import numpy as np
import dark
from dark import optim

gc.disable()
kind, options, jobs = eval(sys.argv[1])
ready = []
for shapes, count in jobs:
    rng, parameters = np.random.default_rng(0), []
    for shape in shapes:
        parameters.append(p := dark.Parameter(rng.normal(size=shape) if shape else 1.5))
        p.grad = rng.normal(size=shape) if shape else 0.5
    ready.append((getattr(optim, kind)(parameters, **options), count))
    for _ in range(max(10, count)):  # CPython adapts its bytecode
        ready[-1][0].step()
if len(sys.argv) > 2:
    for optimizer, count in ready:
        os.getppid()
        for _ in range(count):
            optimizer.step()
        os.getppid()
else:
    for line in sys.stdin:
        optimizer, count = ready[int(line.split()[0])][0], int(line.split()[1])
        start = time.process_time()
        for _ in range(count):
            optimizer.step()
        print(time.process_time() - start, flush=True)
"""


def process(checkout, name, workloads, *before):
    """Return command and environment of a process that takes the steps of an optimizer of a checkout."""
    kind, options = OPTIMIZERS[name]
    jobs = repr((kind, options, [WORKLOADS[each] for each in workloads]))
    settings = {"PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    return [*before, sys.executable, "-P", "-c", WORKER, jobs], {**os.environ, **settings}


def instructions(checkout, name, workloads):
    """Count the instructions of one step, for each workload."""
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--tool=callgrind", "--dump-before=getppid", f"--callgrind-out-file={folder}/counts"]
        command, environment = process(checkout, name, workloads, *valgrind)
        subprocess.run([*command, "count"], env=environment, check=True, capture_output=True)
        parts = [Path(folder, f"counts.{2 * k + 2}").read_text(encoding="utf-8") for k in range(len(workloads))]
    totals = [next(int(line.split()[1]) for line in text.splitlines() if line.startswith("totals:")) for text in parts]
    return [total / WORKLOADS[each][1] for total, each in zip(totals, workloads)]


def times(checkouts, name, workloads, rounds):
    """Return, for each workload, the median ratio of the first checkout's time to the second's."""
    workers = []
    for checkout in checkouts:
        command, environment = process(checkout, name, workloads)
        workers.append(
            subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )

    def seconds(worker, k, count):
        print(k, count, file=worker.stdin, flush=True)
        return float(worker.stdout.readline())

    found = []
    for k in range(len(workloads)):
        count = 1
        while seconds(workers[0], k, count) < BLOCK_SECONDS:
            count *= 2
        ratios = []
        for i in range(rounds):
            block = {w: seconds(w, k, count) for w in (workers, workers[::-1])[i % 2]}
            ratios.append(block[workers[0]] / block[workers[1]])
        found.append(statistics.median(ratios))
    for worker in workers:
        worker.communicate()
    return found


def main():
    parser = argparse.ArgumentParser("python -m benchmarks.optimizers", description=__doc__.partition("\n")[0])
    parser.add_argument("other", metavar="DIR", help="a checkout to compare this one with")
    parser.add_argument("--optimizers", nargs="*", metavar="NAME", choices=OPTIMIZERS, default=[*OPTIMIZERS])
    parser.add_argument("--workloads", nargs="*", metavar="NAME", choices=WORKLOADS, default=[*WORKLOADS])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of blocks whose time is measured; 0 for none")
    parser.add_argument("--time", action="store_true", help="the time alone, without valgrind")
    arguments = parser.parse_args()
    if not Path(arguments.other, "dark", "optim").is_dir():
        parser.error(f"{arguments.other} is not a checkout: it has no folder dark/optim")
    checkouts, names = (Path(__file__).resolve().parents[1], Path(arguments.other).resolve()), arguments.workloads
    counts, clock = not arguments.time and shutil.which("valgrind") is not None, arguments.rounds > 0
    columns = [f"{name}, {what}" for what in ["instructions"] * counts + ["time"] * clock for name in names]
    print(f"| this checkout / the other | {' | '.join(columns)} |\n{'|---' * (len(columns) + 1)}|", flush=True)
    for name in arguments.optimizers:
        row = []
        if counts:
            own, others = (instructions(checkout, name, names) for checkout in checkouts)
            row += [f"{a / b:.3f} ({a:,.0f})" for a, b in zip(own, others)]
        if clock:
            row += [f"{ratio:.2f}" for ratio in times(checkouts, name, names, arguments.rounds)]
        print(f"| {name} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
