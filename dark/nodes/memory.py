"""Keeping large blocks of memory for the next array, in place of giving each back to the system.

The C library of Linux asks the system for fresh pages for every large array and returns them at
once; touching fresh pages costs several times the arithmetic done on them. Raising two of its
limits lets it keep up to a gigabyte for the next array; memory does not grow, it is used again.
Set ``DARK_KEEP_MEMORY=0`` in the environment to leave the library as it is.
"""

import ctypes
import os
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # numbers of mallopt(3)
KEEP_BYTES = 1 << 30


def keep_large_blocks():
    """Raise the limits, where the C library has them; say whether it was done.

    Returns
    -------
    bool
    """
    if os.environ.get("DARK_KEEP_MEMORY") == "0" or not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, KEEP_BYTES) and mallopt(M_TRIM_THRESHOLD, KEEP_BYTES))
