"""How a student's process ended, in the words of an observation."""

import signal

from dark.course.grading.limits import MEBIBYTE

BROKEN = 81  # exit code: the session itself failed, by whatever the student did to it
NO_MEMORY = 82  # exit code: not even memory for an answer


def stopped(word, message):
    """Make the observation of a run that did not come to its end."""
    return {"stopped": word, "message": message}


def describe_ending(ending, limits):
    """Say why a child is gone.

    Parameters
    ----------
    ending : dict or None
        What the worker reported; None where the worker itself was gone.
    limits : Limits
        What the child was bound to.

    Returns
    -------
    dict
        An observation.

    Examples
    --------
    >>> from dark.course.grading.limits import Limits
    >>> limits = Limits()
    >>> gone = {"code": 3, "killed": False, "cpu_seconds": 0.1, "peak_bytes": 0}
    >>> describe_ending(gone, limits)
    {'stopped': 'exited', 'message': 'It ended the process with exit code 3.'}
    """
    if ending is None:
        return stopped("exited", "It ended the process that runs it, and the one above.")
    code = ending["code"]
    if code == -signal.SIGXCPU or ending["cpu_seconds"] >= limits.cpu_seconds:
        seconds = f"{limits.cpu_seconds:g} seconds of processor time"
        return stopped("timed out", f"It used more than {seconds}.")
    near_the_limit = ending["peak_bytes"] > limits.memory_mib * MEBIBYTE / 2
    if code == NO_MEMORY or (code == -signal.SIGKILL and near_the_limit and not ending["killed"]):
        return stopped("out of memory", f"It asked for more than {limits.memory_mib} MiB.")
    if code == -signal.SIGXFSZ:
        return stopped("too much output", "It wrote a file of more than 16 MiB.")
    return stopped("exited", _say_exit(code, ending["killed"]))


def _say_exit(code, killed):
    if code == BROKEN:
        return "It changed Python, or closed its files, so that no answer came."
    if killed:
        return "It closed the connection to the judge."
    if code < 0:
        names = {int(number): number.name for number in signal.Signals}
        return f"The process was ended by the signal {names.get(-code, -code)}."
    return f"It ended the process with exit code {code}."
