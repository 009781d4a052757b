"""The training loop compared with PyTorch-Ignite: microseconds per iteration, and whether time or memory grow.

Run ``python -m benchmarks.engine``; it needs Ignite (``pip install pytorch-ignite``) and the extra `oracle`.
``--long`` runs a million iterations of dark alone and prints time and memory along the way.
"""

import argparse
import importlib
import statistics
import sys
import time
import tracemalloc
from array import array
from itertools import pairwise

import numpy as np

from benchmarks.networks.machine import processor
from dark import engine as dark_engine

HANDLERS = {"no handler": 0, "1 handler": 1, "5 handlers": 5, "10 handlers": 10}
FILTERED = "filtered handler, every=100"
ACCURACY = "Accuracy on (64, 10)"


def peers():
    """Return, for each framework, its engine module, its metrics module (or None) and its array constructor."""
    try:
        ignite, torch = importlib.import_module("ignite"), importlib.import_module("torch")
    except ImportError:
        sys.exit("benchmarks.engine: Ignite is not installed. Try: pip install pytorch-ignite")
    ignite_engine = importlib.import_module(f"{ignite.__name__}.engine")
    try:
        metrics = importlib.import_module("dark.metrics")
    except ImportError:
        metrics = None
    return {
        "dark": (dark_engine, metrics, np.asarray),
        "ignite": (ignite_engine, importlib.import_module("ignite.metrics"), torch.as_tensor),
    }


def make(peer, workload):
    """Make an engine with the handlers of a workload."""
    module, metrics, as_array = peer
    if workload == ACCURACY:
        rng = np.random.default_rng(0)
        output = as_array(rng.random((64, 10), dtype=np.float32)), as_array(rng.integers(10, size=64))
        engine = module.Engine(lambda engine, batch: output)
        metrics.Accuracy().attach(engine, "accuracy")
        return engine
    engine = module.Engine(lambda engine, batch: None)
    for _ in range(HANDLERS.get(workload, 0)):
        engine.add_event_handler(module.Events.ITERATION_COMPLETED, lambda engine: None)
    if workload == FILTERED:
        engine.add_event_handler(module.Events.ITERATION_COMPLETED(every=100), lambda engine: None)
    return engine


def microseconds(peer, workload, iterations):
    """Time one epoch in process time; return microseconds per iteration."""
    engine = make(peer, workload)
    start = time.process_time()
    engine.run(range(iterations))
    return (time.process_time() - start) / iterations * 1e6


def compare(iterations, rounds):
    """Print the fastest time of each engine and the median ratio over the rounds."""
    engines = peers()
    print(f"Processor: {processor()}")
    print(f"{'microseconds per iteration':30} {'dark':>8} {'ignite':>8} {'ratio':>7}")
    for workload in (*HANDLERS, FILTERED, ACCURACY):
        if workload == ACCURACY and engines["dark"][1] is None:
            continue
        few = iterations // 10 if workload == ACCURACY else iterations
        times = [{name: microseconds(peer, workload, few) for name, peer in engines.items()} for _ in range(rounds)]
        best = {name: min(round_[name] for round_ in times) for name in engines}
        ratio = statistics.median(round_["dark"] / round_["ignite"] for round_ in times)
        print(f"{workload:30} {best['dark']:8.2f} {best['ignite']:8.2f} {ratio:7.2f}")


def long(iterations, windows=10):
    """Print time per iteration and memory in windows of one long run with five handlers."""
    engine, step = make((dark_engine, None, None), "5 handlers"), iterations // windows
    times, sizes = array("d", [0] * (windows + 1)), array("q", [0] * (windows + 1))

    def mark(engine):
        window = engine.state.iteration // step
        times[window] = time.process_time()
        sizes[window] = tracemalloc.get_traced_memory()[0]

    engine.add_event_handler(dark_engine.Events.STARTED, mark)
    engine.add_event_handler(dark_engine.Events.ITERATION_COMPLETED(every=step), mark)
    engine.run(range(iterations))
    spent = [(after - before) / step * 1e6 for before, after in pairwise(times)]
    print("microseconds per iteration, in order:", " ".join(f"{each:.2f}" for each in spent))
    tracemalloc.start()
    engine.run(range(iterations))
    print("bytes held more than after the first window:", " ".join(str(size - sizes[1]) for size in sizes[1:]))


def main():
    parser = argparse.ArgumentParser(
        "python -m benchmarks.engine", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--iterations", type=int, default=20_000, help="iterations per run (default 20000)")
    parser.add_argument("--rounds", type=int, default=9, help="number of alternating runs (default 9)")
    parser.add_argument("--long", action="store_true", help="run a million iterations: do time or memory grow?")
    arguments = parser.parse_args()
    if arguments.long:
        long(1_000_000)
    else:
        compare(arguments.iterations, arguments.rounds)


if __name__ == "__main__":
    main()
