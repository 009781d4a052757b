"""The machine: its processor, the memory of this process, and whether other processes use the cores."""

import contextlib
import json
import os
import platform
import time

WAIT_SECONDS = 60  # total per process, for others to finish


def processor():
    """Return the name of the processor, with its widest vector instructions where Linux lists them."""
    try:
        with open("/proc/cpuinfo") as file:
            found = dict(line.split(":", 1) for line in file.read().replace("\t", "").splitlines() if ":" in line)
    except OSError:
        return platform.processor() or platform.machine()
    name = " ".join(found.get("model name", platform.machine()).replace("(R)", "").split())
    flags = found.get("flags", "").split()
    widest = [label for flag, label in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags]
    return f"{name} ({widest[0]})" if widest else name


def pin(cores):
    """Restrict the process to the last `cores` cores, where the system supports it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])


def held(name):
    """Return the memory of this process in bytes: "VmRSS" (current) or "VmHWM" (peak since the last reset)."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))


def reset_peak():
    """Reset the peak memory of this process."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def busy_seconds():
    """Return the CPU time used by other processes since boot; 0 where it is not available."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, _, _, *interrupts = map(int, file.readline().split()[1:9])
    except OSError:
        return 0.0
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK") - time.process_time()


class Quiet:
    """Repeats measurements that other processes disturbed, up to a total waiting time."""

    def __init__(self, patience_seconds=WAIT_SECONDS):
        self.patience = patience_seconds

    def measure(self, function):
        """Call a measuring function until one call is undisturbed; return its result, or None."""
        while True:
            busy, start = busy_seconds(), time.perf_counter()
            found = function()
            spent = time.perf_counter() - start
            if busy_seconds() - busy <= 0.02 + 0.02 * spent:  # the system counts in hundredths of a second
                return found
            if self.patience <= 0:
                return None
            self.patience -= spent + wait()


def wait(at_most=5.0, look=0.25):
    """Sleep until the machine is idle; return the seconds slept."""
    start = time.perf_counter()
    while time.perf_counter() - start < at_most:
        busy = busy_seconds()
        time.sleep(look)
        if busy_seconds() - busy < 0.1 * look:
            break
    return time.perf_counter() - start


def instructions():
    """Return the instruction set that each matrix library has chosen, where it can be queried."""
    found = {}
    with contextlib.suppress(ImportError):
        import numpy  # noqa: F401 - loads the library that is queried
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
