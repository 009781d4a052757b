"""Settings of the C library's malloc that let large blocks of memory be reused.

The C library of Linux asks the system for fresh pages for every large array and returns them at
once; touching fresh pages costs several times the arithmetic done on them. Raising two of its
limits lets it keep blocks below 32 MiB, 256 MiB in all, for the next array; memory does not grow,
it is used again. Larger blocks go back at once: other programs need memory, too, when a notebook
has let go of a big array. Set ``DARK_KEEP_MEMORY=0`` in the environment to leave the library as it is.
"""

import ctypes
import os
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # numbers of mallopt(3)
BLOCK_BYTES, KEEP_BYTES = 32 << 20, 256 << 20  # from this size on a block goes back; kept in all


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
    return bool(mallopt(M_MMAP_THRESHOLD, BLOCK_BYTES) and mallopt(M_TRIM_THRESHOLD, KEEP_BYTES))
