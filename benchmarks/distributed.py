"""Training on two processes: time of a sum over processes by its size, of a training step, and what follows for many.

Run ``python -m benchmarks.distributed``; it starts ``mpiexec -n 2`` itself and needs the extra `mpi`. ``--seconds`` is
the time for each measurement; its fastest round counts. The last table is computed from the latency and the
bandwidth of the first, not measured.
"""

import argparse
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.networks.machine import processor
from dark import losses, nn, optim
from dark.distributed import MPI, OneProcess, Replicas

SIZES = {"8 B": 8, "1 kB": 1 << 10, "64 kB": 1 << 16, "1 MB": 1 << 20, "16 MB": 1 << 24}
NETWORKS = {"64-128-10": (64, 128, 10), "784-512-512-10": (784, 512, 512, 10)}
ROWS = 256
LARGE = {"9,610 (digits)": 9_610, "1 million": 1_000_000, "100 million": 100_000_000}
RANKS = (2, 8, 64, 1000)
COMPUTE_SECONDS = 0.1  # of a step on each process; two thirds are the backward pass


def seconds_of(function, strategy, budget):
    """Return the fastest time of a function that all processes call, within a budget of seconds."""
    function()
    start = time.perf_counter()
    function()
    rounds = strategy.broadcast(max(3, min(1000, int(budget / (time.perf_counter() - start)))))
    times = []
    for _ in range(rounds):
        strategy.barrier()
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return max(strategy.all_gather(min(times)))


def sums(strategy, budget):
    """Return the seconds of a sum of float32 arrays over two processes, by their bytes."""
    return {size: seconds_of(lambda a=a: strategy.reduce([a]), strategy, budget) for size, a in _arrays()}


def _arrays():
    return [(size, np.ones(size // 4, np.float32)) for size in SIZES.values()]


def step_of(strategy, sizes):
    """Return a training step of a perceptron on one batch, in float32."""
    layers = [layer for n, m in pairwise(sizes) for layer in (nn.Linear(n, m, seed=n), nn.ReLU())]
    net = nn.Sequential(*layers[:-1]).float()
    optimizer = optim.SGD(net.parameters(), lr=0.01)
    rng = np.random.default_rng(0)
    batch = rng.random((ROWS, sizes[0]), dtype=np.float32), rng.integers(sizes[-1], size=ROWS)

    def step():
        optimizer.zero_grad()
        strategy.backward(lambda rows: losses.cross_entropy(net(rows[0]), rows[1]), batch, net)
        optimizer.step()

    return step, sum(p.size for p in net.parameters())


def line(seconds):
    """Return latency and bandwidth: half the time of the smallest sum, and the best rate of the larger ones.

    Each process sends a sum of n bytes in two rounds, with messages of n/2 bytes.

    Examples
    --------
    >>> line({8: 2e-5, 1_000_008: 1.02e-3, 2_000_008: 9e-3})
    (1e-05, 1000000000.0)
    """
    (small, fast), *others = sorted(seconds.items())
    return fast / 2, round(max((size - small) / (slow - fast) for size, slow in others if slow > fast), 3)


def predicted(ranks, size_bytes, latency, bandwidth):
    """Return the predicted seconds of a sum: two rounds; in each, a process sends to all others."""
    share = (ranks - 1) / ranks
    return 2 * (ranks - 1) * latency + 2 * share * size_bytes / bandwidth


def work(budget):
    """Measure, on each process; the first prints the tables."""
    pair, eight = MPI(2, timeout=60), MPI(8, timeout=60)
    show = print if pair.rank == 0 else lambda *_, **__: None
    show(f"Processor: {processor()}, two processes\n\n| size | sum, µs | MB/s |\n|---|---|---|")
    measured = sums(pair, budget)
    for name, size in SIZES.items():
        show(f"| {name} | {1e6 * measured[size]:.0f} | {size / measured[size] / 1e6:.0f} |")
    latency, bandwidth = line(measured)
    show(f"\nLatency {1e6 * latency:.0f} µs, bandwidth {bandwidth / 1e9:.2f} GB/s.\n")
    show("| step of 256 rows, ms | parameters | OneProcess | 8 shards, 1 process | 8 shards, 2 processes | its sum |")
    show("|---|---|---|---|---|---|")
    for name, sizes in NETWORKS.items():
        parameters = step_of(pair, sizes)[1]
        whole, shards = (_alone(pair, lambda s=s: step_of(s, sizes)[0], budget) for s in (OneProcess(), Replicas(1)))
        both = seconds_of(step_of(eight, sizes)[0], eight, budget)
        buffers = [np.ones(parameters, np.float32)] * len(eight.own)
        total = seconds_of(lambda buffers=buffers: eight.reduce(buffers), eight, budget)
        times = " | ".join(f"{1e3 * t:.2f}" for t in (whole, shards, both, total))
        show(f"| {name} | {parameters:,} | {times} |")
    if pair.rank == 0:
        paper(latency, bandwidth)


def _alone(strategy, make, budget):
    """Measure a step on the first process, while the others wait."""
    found = seconds_of(make(), OneProcess(), budget) if strategy.rank == 0 else None
    return strategy.broadcast(found)


def paper(latency, bandwidth):
    """Print the efficiency of many processes, without and with overlap of the sum and the backward pass."""
    print("\n| parameters, float32 | " + " | ".join(f"{ranks} processes" for ranks in RANKS) + " |")
    print("|---|" + "---|" * len(RANKS))
    for name, parameters in LARGE.items():
        cells = []
        for ranks in RANKS:
            sending = predicted(ranks, 4 * parameters, latency, bandwidth)
            hidden = max(0.0, sending - COMPUTE_SECONDS * 2 / 3)
            without, overlapped = (COMPUTE_SECONDS / (COMPUTE_SECONDS + t) for t in (sending, hidden))
            cells.append(f"{1e3 * sending:.3g} ms, {without:.0%}, {overlapped:.0%}")
        print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(
        "python -m benchmarks.distributed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each measurement (default 1)")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(options.seconds)
    launcher = Path(sys.executable).with_name("mpiexec")
    command = [str(launcher) if launcher.exists() else "mpiexec", "-n", "2", sys.executable, "-m", "mpi4py"]
    command += ["-m", "benchmarks.distributed", "--worker", "--seconds", str(options.seconds)]
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, env={**os.environ, **threads}).returncode


if __name__ == "__main__":
    sys.exit(main())
