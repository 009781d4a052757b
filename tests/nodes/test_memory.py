"""Memory: what a backward pass frees, loops that do not grow, and malloc's reuse of large blocks."""

import gc
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import dark
from dark.nodes import memory

SIZE = 100_000
BYTES = 8 * SIZE


def chain(x, length, name=None):
    y = x
    for k in range(length):
        y = dark.tanh(y * 1.01)
        if name:
            y.name = f"{name} {k}"
    return y.sum()


def most_bytes(root):
    """Measure the most memory that a backward pass holds, above what was held before."""
    gc.collect()
    tracemalloc.start()
    root.backward()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_the_gradients_of_large_results_are_freed_as_the_pass_goes():
    x = dark.Parameter(np.full(SIZE, 0.5))
    y = chain(x, 30)
    assert most_bytes(y) < 6 * BYTES
    assert all(n.grad is None for n in dark.topological_order(y) if n.op and n.size == SIZE)
    assert x.grad.shape == (SIZE,)


def test_a_large_result_with_a_name_keeps_its_gradient():
    x = dark.Parameter(np.full(SIZE, 0.5))
    y = chain(x, 10, name="layer")
    assert most_bytes(y) > 10 * BYTES
    assert all(n.grad.shape == (SIZE,) for n in dark.topological_order(y) if n.name)


def test_a_graph_is_freed_as_soon_as_nothing_refers_to_its_root():
    x = dark.Parameter(np.full(SIZE, 0.5))
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        chain(x, 10).backward()
        assert tracemalloc.get_traced_memory()[0] - before < 1.1 * BYTES  # the gradient of x alone
    finally:
        tracemalloc.stop()
        gc.enable()


def train(w, b, batch, steps):
    for _ in range(steps):
        loss = dark.mean(dark.tanh(batch @ w + b))
        w.grad = b.grad = None
        loss.backward()
        w.value -= 0.01 * w.grad
        b.value = b.value - 0.01 * b.grad
    return loss.value


@pytest.mark.long
def test_ten_thousand_steps_need_no_more_memory_than_a_hundred_and_no_garbage_collector():
    batch, w, b = np.linspace(0, 1, 6).reshape(2, 3), dark.Parameter(np.ones((3, 2))), dark.Parameter(np.ones(2))
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        first = train(w, b, batch, 100)
        before = tracemalloc.get_traced_memory()[0]
        last = train(w, b, batch, 9_900)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
        gc.enable()
    assert last < first
    assert grown < 200_000  # Python keeps 2000 small tuples for reuse; one lost node a step would be a megabyte


MEASURE = """
import os
import dark.nodes
import numpy as np

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

before = resident()
arrays = [np.ones({items}) for _ in range(8)]
del arrays
print(resident() - before)
"""


@pytest.mark.skipif(not memory.keep_large_blocks(), reason="this C library has no such limits")
@pytest.mark.parametrize(
    ("keep", "items", "kept"),
    [(None, 10**6, True), ("1", 10**6, True), ("0", 10**6, False), (None, 10**7, False)],
)
def test_blocks_of_some_megabytes_are_kept_unless_the_environment_says_no(keep, items, kept, monkeypatch):
    monkeypatch.delenv("DARK_KEEP_MEMORY", raising=False)
    if keep is not None:
        monkeypatch.setenv("DARK_KEEP_MEMORY", keep)
    program = MEASURE.format(items=items)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (int(done.stdout) > 32_000_000) is kept


def test_without_such_a_library_nothing_is_changed(monkeypatch):
    monkeypatch.setenv("DARK_KEEP_MEMORY", "0")
    assert memory.keep_large_blocks() is False
    monkeypatch.delenv("DARK_KEEP_MEMORY")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert memory.keep_large_blocks() is False
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda name: object())
    assert memory.keep_large_blocks() is False
