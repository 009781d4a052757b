"""Scalar graphs compared with micrograd: time and memory per node.

Run ``python -m benchmarks.scalar``; it needs the extra `test`. First checks that both engines compute the same
gradients, then measures them in alternation and prints a table.
"""

import argparse
import gc
import math
import statistics
import sys
import time
import tracemalloc

import dark
from benchmarks.networks.machine import processor
from benchmarks.workloads import chain, run, wide

WORKLOADS = {
    "wide 1k": lambda: wide(1_000),
    "wide 10k": lambda: wide(10_000),
    "wide 100k": lambda: wide(100_000),
    "chain 100k": lambda: chain(100_000),
}


def peers():
    """Return, for each engine, its leaf class and its relu function."""
    from micrograd.engine import Value

    return {"dark": (dark.Parameter, dark.relu), "micrograd": (Value, Value.relu)}


def seconds(engine, program, least=0.05):
    """Time one forward and backward pass, repeated for at least `least` seconds."""
    gc.collect()
    start, count = time.process_time(), 0
    while True:
        run(*engine, program)
        count += 1
        spent = time.process_time() - start
        if spent > least:
            return spent / count


def size_bytes(engine, program):
    """Measure the peak memory of a forward and a backward pass, above the memory held before."""
    gc.collect()
    tracemalloc.start()
    run(*engine, program)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def measure(program, rounds):
    """Return nanoseconds and bytes per node for each engine, and the ratio to micrograd in each round."""
    engines, nodes = peers(), len(program[1])
    times = {name: [] for name in engines}
    failed = set()
    for _ in range(rounds):
        for name, engine in engines.items():
            try:
                if name not in failed:
                    times[name].append(seconds(engine, program))
            except RecursionError:
                failed.add(name)
    rows = {}
    for name, engine in engines.items():
        if name in failed:
            rows[name] = None
            continue
        rows[name] = (1e9 * statistics.median(times[name]) / nodes, size_bytes(engine, program) / nodes)
    ratios = [] if failed else [a / b for a, b in zip(times["dark"], times["micrograd"])]
    return rows, ratios


def same_gradients(program):
    """Return whether both engines compute the same gradients."""
    found, expected = (run(*engine, program)[0] for engine in peers().values())
    return all(math.isclose(p.grad or 0.0, v.grad, rel_tol=1e-9, abs_tol=1e-12) for p, v in zip(found, expected))


def main():
    parser = argparse.ArgumentParser("python -m benchmarks.scalar", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="number of alternating measurements (default 9)")
    rounds = parser.parse_args().rounds
    if not same_gradients(wide(500)):
        sys.exit("dark and micrograd compute different gradients; nothing was measured")
    print(f"Processor: {processor()}\n")
    print("| workload | dark ns/node | micrograd ns/node | ratio | dark bytes/node | micrograd bytes/node |")
    print("|---|---|---|---|---|---|")
    for name, make in WORKLOADS.items():
        rows, ratios = measure(make(), rounds)
        cells = [f"{rows[p][0]:.0f}" if rows[p] else "recursion error" for p in ("dark", "micrograd")]
        cells.append(f"{statistics.median(ratios):.2f}" if ratios else "–")
        cells += [f"{rows[p][1]:.0f}" if rows[p] else "–" for p in ("dark", "micrograd")]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
