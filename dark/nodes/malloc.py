"""Settings of the C library's malloc that let large blocks of memory be reused.

By default, glibc requests fresh pages from the system for every large array and returns them when it is freed;
the page faults cost several times the arithmetic. Raising two thresholds makes it keep blocks below 32 MiB,
256 MiB in all, for later arrays. Larger blocks are still returned at once, for other programs need memory, too.
Set the environment variable ``DARK_KEEP_MEMORY=0`` to leave the defaults.
"""

import ctypes
import os
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # parameters of mallopt(3)
BLOCK_BYTES, KEEP_BYTES = 32 << 20, 256 << 20  # larger blocks are returned; the total that is kept


def keep_large_blocks():
    """Raise the thresholds, and return whether the C library has them."""
    if os.environ.get("DARK_KEEP_MEMORY") == "0" or not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # not glibc
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, BLOCK_BYTES) and mallopt(M_TRIM_THRESHOLD, KEEP_BYTES))
