"""Memory: large gradients are released during a pass, and large blocks are kept for reuse.

By default, glibc requests fresh pages from the system for every large array and returns them when it is freed;
the page faults cost several times the arithmetic. Raising two thresholds makes it keep blocks below 32 MiB,
256 MiB in all, for later arrays. Larger blocks are still returned at once, for other programs need memory, too.
Set the environment variable ``DARK_KEEP_MEMORY=0`` to leave the defaults.
"""

from __future__ import annotations

import ctypes
import os
import sys

import numpy as np

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # parameters of mallopt(3)
KEEP_GRAD_UP_TO = 4096  # a result with more elements keeps its gradient only if it has a name
BLOCK_BYTES, KEEP_BYTES = 32 << 20, 256 << 20  # larger blocks are returned; the total that is kept


def keep_large_blocks():
    """Raise the thresholds of malloc, and return whether the C library has them."""
    if os.environ.get("DARK_KEEP_MEMORY") == "0" or not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # not glibc
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, BLOCK_BYTES) and mallopt(M_TRIM_THRESHOLD, KEEP_BYTES))


def keeps_grad(size: int, name: str | None = None) -> bool:
    """Return whether a result of this size and name keeps its gradient after a backward pass.

    Examples
    --------
    >>> keeps_grad(100), keeps_grad(10**6), keeps_grad(10**6, name="hidden state")
    (True, False, True)
    """
    return size <= KEEP_GRAD_UP_TO or name is not None


def release(table, node):
    """Free the gradient of a large result, once it has been propagated."""
    y = node._value
    if type(y) is np.ndarray and not keeps_grad(y.size, node.name):
        table[node] = None
