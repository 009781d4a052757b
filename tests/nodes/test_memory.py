"""Memory: what a backward pass frees, loops that do not grow, and malloc's reuse of large blocks."""

import ctypes
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
import gc
import os
import dark.nodes
import numpy as np

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

before = resident()
arrays = [np.ones({items}) for _ in range(4)]
last = np.ones(10**6)  # behind them in the heap
del arrays
print(resident() - before, end=" ")
gc.collect()
print(resident() - before)
"""


def kept(items):
    """Run a program that frees 4 of 5 arrays; return the bytes that it still holds, and those after a collection."""
    command = [sys.executable, "-c", MEASURE.format(items=items)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return map(int, done.stdout.split())


has_limits = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="this C library does not tell what is free"
)


@has_limits
@pytest.mark.parametrize(
    ("keep", "items", "is_kept"),
    [(None, 10**6, True), ("1", 10**6, True), ("0", 10**6, False), (None, 10**7, True), (None, 2 * 10**7, False)],
)
def test_blocks_of_some_megabytes_are_kept_unless_the_environment_says_no(keep, items, is_kept, monkeypatch):
    monkeypatch.delenv("DARK_KEEP_MEMORY", raising=False)
    if keep is not None:
        monkeypatch.setenv("DARK_KEEP_MEMORY", keep)
    assert (next(kept(items)) > 30_000_000) is is_kept


@has_limits
def test_a_full_collection_returns_what_is_free_beyond_256_mebibytes(monkeypatch):
    monkeypatch.delenv("DARK_KEEP_MEMORY", raising=False)
    before, after = kept(10**7)
    assert before > 300_000_000 > 30_000_000 > after


def test_the_collector_begins_later_unless_the_user_has_chosen(monkeypatch):
    monkeypatch.setattr(memory, "keep_large_blocks", lambda: True)
    before = gc.get_threshold()
    try:
        for given, kept_or_raised in (((700, 10, 10), 5000), ((0, 10, 10), 0), ((20_000, 5, 5), 20_000)):
            gc.set_threshold(*given)
            monkeypatch.setenv("DARK_KEEP_MEMORY", "0")
            memory.keep_memory()
            assert gc.get_threshold() == given
            monkeypatch.delenv("DARK_KEEP_MEMORY")
            memory.keep_memory()
            assert gc.get_threshold()[0] == kept_or_raised
    finally:
        gc.set_threshold(*before)


class Library:
    """A C library that has some functions; it records what mallopt was told."""

    def __init__(self, *names, accepts=True):
        self.told = []
        vars(self).update({name: lambda *arguments, name=name: self.call(name, arguments) for name in names})
        self.accepts = accepts

    def call(self, name, arguments):
        self.told.append((name, *arguments))
        return self.accepts


@pytest.mark.parametrize(
    ("names", "largest"),
    [(("mallopt",), memory.SMALL_BLOCK_BYTES), (("mallopt", "mallinfo2", "malloc_trim"), memory.BLOCK_BYTES)],
)
def test_larger_blocks_are_kept_only_if_they_can_be_returned(names, largest, monkeypatch):
    library = Library(*names)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda name: library)
    monkeypatch.setattr(memory.gc, "callbacks", [])
    assert memory.keep_large_blocks() is True
    assert library.told[-1] == ("mallopt", memory.M_MMAP_THRESHOLD, largest)
    assert len(memory.gc.callbacks) == len(names) // 2


def test_without_such_a_library_nothing_is_changed(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert memory.keep_large_blocks() is False
    monkeypatch.setattr(sys, "platform", "linux")
    for library in (object(), Library("mallopt", accepts=False)):
        monkeypatch.setattr(memory.ctypes, "CDLL", lambda name: library)
        assert memory.keep_large_blocks() is False
