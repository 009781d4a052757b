"""The C library, with errors raised as `OSError`.

It is loaded when it is first called, so that every system can import this file; what calls it is for Linux.
"""

import ctypes
import os
from functools import cache


@cache
def library():
    """Load the C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def call(function, *arguments) -> int:
    """Call a function of the C library, such as `prctl` or `syscall`.

    Parameters
    ----------
    function : str
        Its name.
    *arguments : int, bytes or None
        As the function takes them.

    Raises
    ------
    OSError
        If the function returns a negative number, with the reason it gives.
    """
    result = getattr(library(), function)(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
