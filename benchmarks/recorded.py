"""Recorded graphs compared with graphs that are built anew, with PyTorch and with JAX's compiler.

Run ``python -m benchmarks.recorded``; PyTorch, JAX and micrograd are measured where they are installed. Checks first
that a replay has the bits of an eager step. All run in alternation, with one thread, in process time; the table has
medians of the ratios of neighboring runs.
"""

import argparse
import os
import statistics

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy and the others are imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

from importlib.util import find_spec
from itertools import pairwise

import numpy as np

import dark
from benchmarks.elementwise import seconds
from benchmarks.networks.machine import processor
from benchmarks.workloads import run, wide
from dark import optim

ROUNDS = 9


def elementwise(size):
    """Return the steps of the mean of u / (1 + u²), with u = tanh(x) y + exp(-z)."""
    values = [np.random.default_rng(k).normal(size=size).astype("f4") for k in range(3)]
    leaves = [dark.Parameter(v) for v in values]

    def loss():
        x, y, z = leaves
        u = dark.tanh(x) * y + dark.exp(-z)
        return dark.mean(u / (1.0 + u * u))

    steps = _ours(loss, leaves)
    if find_spec("torch"):
        import torch

        tensors = [torch.tensor(v, requires_grad=True) for v in values]

        def theirs():
            x, y, z = tensors
            for t in tensors:
                t.grad = None
            u = torch.tanh(x) * y + torch.exp(-z)
            (u / (1.0 + u * u)).mean().backward()

        steps["PyTorch"] = theirs
    if find_spec("jax"):
        import jax
        from jax import numpy as jnp

        def formula(x, y, z):
            u = jnp.tanh(x) * y + jnp.exp(-z)
            return jnp.mean(u / (1.0 + u * u))

        compiled, arrays = jax.jit(jax.value_and_grad(formula, (0, 1, 2))), [jnp.asarray(v) for v in values]
        steps["JAX jit"] = lambda: jax.block_until_ready(compiled(*arrays))
    return steps


def perceptron():
    """Return the steps of a perceptron with Adam: 64 inputs, 128 and 128 hidden units, 10 classes, 64 examples."""
    rng, sizes = np.random.default_rng(0), (64, 128, 128, 10)
    weights = [rng.normal(size=(m, n)).astype("f4") / n**0.5 for n, m in pairwise(sizes)]
    x, labels, steps = rng.normal(size=(64, 64)).astype("f4"), rng.integers(0, 10, 64), {}
    for name in ("eager", "recorded"):
        p = [dark.Parameter(a) for w in weights for a in (w, np.zeros(len(w), "f4"))]
        optimizer = optim.Adam(p, lr=1e-3)

        def loss(x, labels, p=p):
            h = dark.relu(dark.linear(x, p[0], p[1]))
            h = dark.relu(dark.linear(h, p[2], p[3]))
            return dark.losses.cross_entropy(dark.linear(h, p[4], p[5]), labels)

        f = dark.recorded(loss) if name == "recorded" else loss

        def step(f=f, optimizer=optimizer):
            optimizer.zero_grad()
            f(x, labels).backward()
            optimizer.step()

        steps[name] = step
    if find_spec("torch"):
        import torch

        layers = [torch.nn.Linear(n, m) for n, m in pairwise(sizes)]
        net = torch.nn.Sequential(layers[0], torch.nn.ReLU(), layers[1], torch.nn.ReLU(), layers[2])
        adam, tx, ty = torch.optim.Adam(net.parameters(), lr=1e-3), torch.tensor(x), torch.tensor(labels)

        def theirs():
            adam.zero_grad()
            torch.nn.functional.cross_entropy(net(tx), ty).backward()
            adam.step()

        steps["PyTorch"] = theirs
    return steps


def numbers(size):
    """Return the steps of a graph of numbers, and micrograd's in place of PyTorch's."""
    program = wide(size)
    leaves = [dark.Parameter(float(v)) for v in program[0]]

    def loss():
        nodes = list(leaves)
        for operation, i, j in program[1]:
            a, b = nodes[i], nodes[j]
            nodes.append(a + b if operation == 0 else a * b if operation == 1 else dark.relu(a))
        return nodes[-1]

    steps = _ours(loss, leaves)
    if find_spec("micrograd"):
        from micrograd.engine import Value

        steps["micrograd"] = lambda: run(Value, Value.relu, program)
    return steps


def _ours(loss, leaves):
    """Return the two steps of dark, after checking that they have the same bits."""
    f, found = dark.recorded(loss), []

    def step(f):
        for p in leaves:
            p.grad = None
        node = f()
        node.backward()
        return node

    for each in (f, f, loss, f):
        value = step(each)
        found.append([np.asarray(x).tobytes() for x in (value.item(), *[p.grad for p in leaves])])
    assert found[2] == found[3], "a replay differs from an eager step"
    return {"eager": lambda: step(loss), "recorded": lambda: step(f)}


WORKLOADS = {
    "elementwise 1e3": lambda: elementwise(10**3),
    "elementwise 1e5": lambda: elementwise(10**5),
    "elementwise 1e6": lambda: elementwise(10**6),
    "elementwise 1e7": lambda: elementwise(10**7),
    "perceptron": perceptron,
    "numbers 1e3": lambda: numbers(1_000),
    "numbers 1e4": lambda: numbers(10_000),
}


def ratios(steps, rounds):
    """Return the medians of recorded to each other step, and the seconds of a recorded step."""
    for _ in range(3):
        for step in steps.values():
            step()
    times = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            times[name].append(seconds(step))
    own = times.pop("recorded")
    return {name: statistics.median(a / b for a, b in zip(own, each)) for name, each in times.items()}, min(own)


def main():
    parser = argparse.ArgumentParser("python -m benchmarks.recorded", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="WORKLOAD", help="such as perceptron (default: all)")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    if find_spec("torch"):
        import torch

        torch.set_num_threads(1)
    print(f"Processor: {processor()}\n\nTime of a recorded step relative to others:\n")
    for name, make in WORKLOADS.items():
        if not arguments.names or name in arguments.names:
            found, least = ratios(make(), arguments.rounds)
            others = ", ".join(f"{ratio:.3f} of {other}" for other, ratio in found.items())
            print(f"{name:16} {least * 1e6:10.0f} µs: {others}", flush=True)


if __name__ == "__main__":
    main()
