"""Memory: large gradients are released during a pass, large blocks are kept for reuse, few nodes are scanned.

By default, glibc requests fresh pages from the system for every large array and returns them when it is freed;
the page faults cost several times the arithmetic. Raising two thresholds makes it keep blocks below 128 MiB for later
arrays. A full garbage collection (`gc.collect()`) returns what is free if that is more than 256 MiB, and larger blocks
are always returned at once, for other programs need memory, too. Where the C library cannot tell how much is free,
blocks below 32 MiB are kept.

Python scans its newest objects for cycles whenever 700 of them are left, and all of them now and then; in a large graph
of numbers, where nodes never form a cycle, that takes half of the time. It begins after 5,000 here.

Set the environment variable ``DARK_KEEP_MEMORY=0`` to leave all defaults.
"""

import ctypes
import gc
import os
import sys
from collections.abc import Callable

import numpy as np

from dark.typing import AnyNode, Gradients

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # parameters of mallopt(3)
KEEP_GRAD_UP_TO = 4096  # a result with more elements keeps its gradient only if it has a name
BLOCK_BYTES, KEEP_BYTES = 128 << 20, 256 << 20  # larger blocks are returned; the total that a collection leaves
SMALL_BLOCK_BYTES = 32 << 20  # the largest block that is kept if nothing returns it
YOUNG_OBJECTS = 5_000  # Python's garbage collector begins when more are left


class MallocInfo(ctypes.Structure):
    """The result of mallinfo2(3); `fordblks` is the number of free bytes."""

    _fields_ = (("other", ctypes.c_size_t * 8), ("fordblks", ctypes.c_size_t), ("keepcost", ctypes.c_size_t))


def keep_memory() -> None:
    """Keep large blocks for reuse and collect garbage less often, unless an environment variable disables it."""
    if os.environ.get("DARK_KEEP_MEMORY") != "0":
        keep_large_blocks()
        young, *older = gc.get_threshold()
        if 0 < young < YOUNG_OBJECTS:  # 0 means that the user collects, or nobody
            gc.set_threshold(YOUNG_OBJECTS, *older)


def keep_large_blocks() -> bool:
    """Raise the thresholds of malloc, and return whether the C library has them."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        library = ctypes.CDLL(None)
        mallopt = library.mallopt
    except (OSError, AttributeError):  # not glibc
        return False
    if not mallopt(M_TRIM_THRESHOLD, KEEP_BYTES):
        return False
    if hasattr(library, "mallinfo2") and mallopt(M_MMAP_THRESHOLD, BLOCK_BYTES):  # glibc 2.33
        library.mallinfo2.restype = MallocInfo
        gc.callbacks.append(_returning(library.mallinfo2, library.malloc_trim))
        return True
    return bool(mallopt(M_MMAP_THRESHOLD, SMALL_BLOCK_BYTES))


def _returning(mallinfo: Callable[[], MallocInfo], trim: Callable[[int], int]) -> Callable[[str, dict[str, int]], None]:
    def return_memory(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2 and mallinfo().fordblks > KEEP_BYTES:
            trim(KEEP_BYTES)

    return return_memory


def keeps_grad(size: int, name: str | None = None) -> bool:
    """Return whether a result of this size and name keeps its gradient after a backward pass.

    Examples
    --------
    >>> keeps_grad(100), keeps_grad(10**6), keeps_grad(10**6, name="hidden state")
    (True, False, True)
    """
    return size <= KEEP_GRAD_UP_TO or name is not None


def release(table: Gradients, node: AnyNode) -> None:
    """Free the gradient of a large result, once it has been propagated."""
    y = node._value
    if type(y) is np.ndarray and not keeps_grad(y.size, node.name):
        table[node] = None
