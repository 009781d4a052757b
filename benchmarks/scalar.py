"""Scalar graphs beside micrograd, in one run and in turn: time and memory a node.

Run ``python benchmarks/scalar.py``; it needs the extra `test`. Prints a table and checks on the
way that both give the same gradients.
"""

import argparse
import gc
import math
import statistics
import sys
import time
import tracemalloc

from workloads import chain, run, wide

import dark

WORKLOADS = {
    "wide 1k": lambda: wide(1_000),
    "wide 10k": lambda: wide(10_000),
    "wide 100k": lambda: wide(100_000),
    "chain 100k": lambda: chain(100_000),
}


def peers():
    """Return name -> (leaf, relu) of the engines measured."""
    from micrograd.engine import Value

    return {"dark": (dark.Parameter, dark.relu), "micrograd": (Value, Value.relu)}


def seconds(engine, program, least=0.05):
    """Time one build and backward, repeated until `least` seconds have passed."""
    gc.collect()
    start, count = time.process_time(), 0
    while True:
        run(*engine, program)
        count += 1
        spent = time.process_time() - start
        if spent > least:
            return spent / count


def size_bytes(engine, program):
    """Measure the most memory that one build and backward holds, above what was held before."""
    gc.collect()
    tracemalloc.start()
    run(*engine, program)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def measure(program, rounds):
    """Return per engine the nanoseconds and bytes a node, and each round's ratio to micrograd."""
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
    """Say whether both engines give the same gradients."""
    ours, theirs = (run(*engine, program)[0] for engine in peers().values())
    return all(math.isclose(p.grad or 0.0, v.grad, rel_tol=1e-9, abs_tol=1e-12) for p, v in zip(ours, theirs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="times each engine is measured, in turn")
    rounds = parser.parse_args().rounds
    if not same_gradients(wide(500)):
        sys.exit("dark and micrograd disagree; nothing was measured")
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
