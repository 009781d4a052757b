"""The grader process: it reads and grades one submission at a time.

On its standard input, a socket, the parent (`grader_process`) sends first the settings, then the submissions. A file
that exceeds the memory or CPU limit ends this process and not the batch.
"""

import os
import signal
from functools import partial
from multiprocessing.connection import Connection

from dark.grading.grader.grade import Graded, grade_file
from dark.grading.grader.messages import READY, answer, read_request, read_task
from dark.grading.grader.result import NOT_GRADED, Result
from dark.grading.sandbox.confinement import hide_memory
from dark.grading.sandbox.limits import bind_grader, watch_grader
from dark.grading.sandbox.worker_process import Worker


def main():
    """Serve the parent until it closes the socket on standard input."""
    hide_memory()
    connection = Connection(os.dup(0))
    settings, assign = read_task(connection.recv_bytes())
    bind_grader()
    with Worker() as worker:
        signal.signal(signal.SIGTERM, partial(_leave, worker))
        connection.send_bytes(READY)
        while (submission := _next(connection)) is not None:
            with watch_grader():
                graded = grade_file(submission, worker, settings, assign)
                message = _told(graded)
            connection.send_bytes(message)


def _told(graded):
    """Return the message with a result, or with the reason why it cannot be sent."""
    try:
        return answer(graded)
    except (TypeError, RecursionError) as error:
        return answer(Graded(Result(NOT_GRADED, f"The grader's answer cannot be sent ({error}).")))


def _next(connection):
    """Receive the next submission; None when the parent has closed the connection."""
    try:
        return read_request(connection.recv_bytes())
    except (EOFError, ConnectionError):
        return None


def _leave(worker, number, frame):
    """Exit immediately, but remove all processes and folders first."""
    worker.close()
    os._exit(128 + number)


if __name__ == "__main__":
    main()
