"""The connection to the scheduler of a dask cluster."""

import logging
import re
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread

from dark.errors import CourseError, UsageError, missing_extra

ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?:[^\s:/\[\]@]+|\[[0-9a-fA-F:.%]+\]):(\d{1,5})")
CONNECT_SECONDS = 10
SPARE_SECONDS = 5


def check_address(address):
    """Refuse a string that is not the address of a scheduler."""
    found = ADDRESS.fullmatch(address)
    if not found or not 0 < int(found[1]) < 65536:
        what = f"--scheduler {address}: this is not the address of a scheduler."
        advice = "the address that `dask scheduler` prints after 'Scheduler at'; its port is 8786 (its web page: 8787)"
        raise UsageError(what, "HOST:PORT, tcp://HOST:PORT or tls://HOST:PORT.", advice)


def connected(address: str):
    """Connect to a scheduler, with the certificates of dask's configuration if the address begins with ``tls://``."""
    try:
        import dask
        from distributed import Client, Security
    except ImportError:
        raise missing_extra("dask", "cluster") from None
    for name in ("distributed", "distributed.client"):  # errors are told in our words
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"})  # a submission may be large
    security = Security()
    if address.startswith("tls://") and security.tls_client_cert is None:  # type: ignore[attr-defined]  # set by name
        raise _unconnected(address, "dask's configuration has no certificate of this machine")
    if security.require_encryption and not address.startswith("tls://"):
        raise _unconnected(address, "dask's configuration requires encryption, which is tls://")
    options = {"timeout": CONNECT_SECONDS, "set_as_default": False, "security": security}
    answers: SimpleQueue = SimpleQueue()
    Thread(target=_answer, args=(answers, partial(Client, address, **options)), daemon=True).start()
    try:
        client, error = answers.get(timeout=CONNECT_SECONDS + SPARE_SECONDS)
    except Empty:  # dask waits for as long as another kind of server, such as its own web page, keeps silent
        raise _unconnected(address, "the program there does not use dask's protocol") from None
    if error is not None:
        raise _unconnected(address, str(error) or type(error).__name__) from error
    return client


def _answer(answers, action):
    try:
        answers.put((action(), None))
    except Exception as error:
        answers.put((None, error))


def _unconnected(address, reason):
    expected = "`dask scheduler` running there, reachable from this machine, of the same version of dask."
    advice = "`dask scheduler` on one machine, `dask worker ADDRESS` on the others, then the same command"
    return CourseError(f"--scheduler {address}: no scheduler answers ({reason}).", expected, advice)
