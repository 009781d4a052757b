"""Call a function in a process of its own: for what cannot be undone, or should leave nothing in this one."""

import json
import os


def result_of(function, *arguments):
    """Call a function in a forked process.

    Parameters
    ----------
    function : callable
        It returns what JSON can write.
    *arguments
        Its arguments.

    Returns
    -------
    reason, result : tuple of str and object
        Why it failed, or an empty string; and what it returned, or None.

    Examples
    --------
    >>> result_of(max, 3, 4), result_of(int, "x")[0]
    (('', 4), "invalid literal for int() with base 10: 'x'")
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        answer = "", None
        try:
            answer = "", function(*arguments)
        except BaseException as error:
            answer = getattr(error, "strerror", None) or str(error) or type(error).__name__, None
        finally:
            with open(writing, "wb") as file:
                file.write(json.dumps(answer).encode())
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        found = file.read()
    os.waitpid(pid, 0)
    return tuple(json.loads(found)) if found else ("the process that tried it died", None)
