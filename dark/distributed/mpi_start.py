"""The start of MPI: the conditions under which a process may join the others."""

import sys

from dark.errors import UsageError, missing_extra

COMMAND = "mpiexec -n 4 python -m mpi4py program.py"


def started_mpi():
    """Return the module `mpi4py.MPI`, whose import initializes MPI; the program was started by ``python -m mpi4py``."""
    try:
        import mpi4py
    except ImportError:
        raise missing_extra("mpi4py", "mpi") from None
    if f"{mpi4py.__name__}.run" not in sys.modules:
        raise UsageError(
            "MPI: the program was not started by python -m mpi4py, so an exception in one process would end that "
            "process only, and the others would wait for it forever.",
            "a start by python -m mpi4py, which ends all processes if one fails.",
            COMMAND,
        )
    from mpi4py import MPI

    return MPI
