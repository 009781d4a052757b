"""Elementwise functions of arrays compared with PyTorch: forward pass, and forward with backward pass.

Run ``python -m benchmarks.elementwise``; it needs PyTorch. Each function runs in alternation with PyTorch's, with one
thread, in process time; the table has the median ratio of neighboring runs.
"""

import argparse
import os
import statistics
import time

import numpy as np

import dark
from benchmarks.networks.machine import processor

ROUNDS, LEAST_SECONDS = 9, 0.02
POWERS = (2, 3, 4, 7, 31, -3)
TABLE = "| function | float32 10⁴ | forward | float32 10⁶ | forward | float64 10⁴ | forward | float64 10⁶ | forward |"


def functions():
    """Return for each name the function of dark and that of PyTorch."""
    import torch
    from torch.nn import functional

    pairs = {name: (getattr(dark, name), getattr(functional, name)) for name in ("gelu", "silu", "elu", "softplus")}
    pairs["gelu, tanh"] = (
        lambda x: dark.gelu(x, approximate="tanh"),
        lambda x: functional.gelu(x, approximate="tanh"),
    )
    pairs |= {name: (getattr(dark, name), getattr(torch, name)) for name in ("sigmoid", "tanh", "erf")}
    pairs |= {f"x ** {n}": (lambda x, n=n: x**n,) * 2 for n in POWERS}
    return pairs


def seconds(run):
    """Time one call, repeated for at least a few hundredths of a second."""
    start, count = time.process_time(), 0
    while True:
        run()
        count += 1
        spent = time.process_time() - start
        if spent > LEAST_SECONDS:
            return spent / count


def ratios(pair, x):
    """Return the median time relative to PyTorch's: with the backward pass, and of the forward pass alone."""
    import torch

    ours, theirs = dark.Parameter(x), torch.tensor(x, requires_grad=True)
    ones, their_ones = np.ones_like(x), torch.ones_like(theirs)

    def both(f, leaf, gradient):
        leaf.grad = None
        f(leaf).backward(gradient)

    found = []
    for _ in range(ROUNDS):
        whole = seconds(lambda: both(pair[0], ours, ones)) / seconds(lambda: both(pair[1], theirs, their_ones))
        found.append((whole, seconds(lambda: pair[0](ours)) / seconds(lambda: pair[1](theirs))))
    return [statistics.median(each) for each in zip(*found)]


def main():
    parser = argparse.ArgumentParser("python -m benchmarks.elementwise", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="FUNCTION", help="such as gelu (default: all)")
    names = parser.parse_args().names
    os.environ["OMP_NUM_THREADS"] = "1"
    import torch

    torch.set_num_threads(1)
    print(f"Processor: {processor()}\n\n{TABLE}\n{'|---' * 9}|")
    for name, pair in functions().items():
        if names and name not in names:
            continue
        row = []
        for dtype in (np.float32, np.float64):
            for size in (10**4, 10**6):
                row += ratios(pair, np.random.default_rng(0).normal(size=size).astype(dtype))
        print(f"| {name} | {' | '.join(f'{ratio:.2f}' for ratio in row)} |", flush=True)


if __name__ == "__main__":
    main()
