"""The machine under the measurement: cores, memory of this process, and whether others compute at the same time."""

import contextlib
import json
import os
import time

WAIT_SECONDS = 60  # of one process, in all, for others to finish


def pin(cores):
    """Stay on so many cores, the last ones, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])


def held(name):
    """Read the memory of this process in bytes: "VmRSS", what it holds, or "VmHWM", the most since the last reset."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))


def reset_peak():
    """Begin to look for the most memory held."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def busy_seconds():
    """Return the time that others have had of all cores since the start of the system; 0 where Linux does not say."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, _, _, *interrupts = map(int, file.readline().split()[1:9])
    except OSError:
        return 0.0
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK") - time.process_time()


class Quiet:
    """Repeats what was measured while others used the machine, as long as its patience lasts."""

    def __init__(self, patience_seconds=WAIT_SECONDS):
        self.patience = patience_seconds

    def measure(self, function):
        """Call a function that measures, until one call was not disturbed; return what it returns, or None."""
        while True:
            busy, start = busy_seconds(), time.perf_counter()
            found = function()
            spent = time.perf_counter() - start
            if busy_seconds() - busy <= 0.02 + 0.02 * spent:  # the system counts in hundredths
                return found
            if self.patience <= 0:
                return None
            self.patience -= spent + wait()


def wait(at_most=5.0, look=0.25):
    """Sleep until others leave the machine alone; return the seconds slept."""
    start = time.perf_counter()
    while time.perf_counter() - start < at_most:
        busy = busy_seconds()
        time.sleep(look)
        if busy_seconds() - busy < 0.1 * look:
            break
    return time.perf_counter() - start


def instructions():
    """Name what the libraries of matrix products have chosen for this processor, where they can be asked."""
    found = {}
    with contextlib.suppress(ImportError):
        import numpy  # noqa: F401 - its library is what is asked
        import threadpoolctl

        for library in threadpoolctl.threadpool_info():
            if "numpy" in library["filepath"] and "architecture" in library:
                found["NumPy"] = f"{library['internal_api']} for {library['architecture']}"
    with contextlib.suppress(ImportError):
        import torch

        found["PyTorch"] = torch.backends.cpu.get_cpu_capability()
    return found


if __name__ == "__main__":
    print(json.dumps(instructions()))
