"""Why a student's process ended, as an observation."""

import signal

from dark.grading.sandbox.limits import MEBIBYTE

BROKEN = 81  # exit code: the serving code failed, because of what the student's code did
NO_MEMORY = 82  # exit code: not enough memory for a reply


def stopped(word, message):
    """Return the observation of a run that did not complete."""
    return {"stopped": word, "message": message}


def describe_ending(ending, limits):
    """Return why a child ended, as an observation.

    Parameters
    ----------
    ending : dict or None
        The report of the worker; None if the worker itself died.
    limits : Limits
        The limits of the child.

    Returns
    -------
    dict
        An observation.

    Examples
    --------
    >>> from dark.grading.sandbox.limits import Limits
    >>> limits = Limits()
    >>> gone = {"code": 3, "killed": False, "cpu_seconds": 0.1, "peak_bytes": 0}
    >>> describe_ending(gone, limits)
    {'stopped': 'exited', 'message': 'It ended the process with exit code 3.'}
    """
    if ending is None:
        return stopped("exited", "It killed the process that runs it, and the parent process.")
    code = ending["code"]
    if code == -signal.SIGXCPU or ending["cpu_seconds"] >= limits.cpu_seconds:
        seconds = f"{limits.cpu_seconds:g} seconds of CPU time"
        return stopped("timed out", f"It used more than {seconds}.")
    near_the_limit = ending["peak_bytes"] > limits.memory_mib * MEBIBYTE / 2
    if code == NO_MEMORY or (code == -signal.SIGKILL and near_the_limit and not ending["killed"]):
        return stopped("out of memory", f"It used more than {limits.memory_mib} MiB of memory.")
    if code == -signal.SIGXFSZ:
        return stopped("too much output", "It wrote a file of more than 16 MiB.")
    return stopped("exited", _say_exit(code, ending["killed"]))


def _say_exit(code, killed):
    if code == BROKEN:
        return "It changed Python itself, or closed its files, so that it could not reply."
    if killed:
        return "It closed the connection to the judge."
    if code < 0:
        names = {int(number): number.name for number in signal.Signals}
        return f"The process was killed by the signal {names.get(-code, -code)}."
    return f"It ended the process with exit code {code}."
