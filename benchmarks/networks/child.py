"""The child process: one framework alone on a workload, or several on it in alternation.

The command starts it with the number of threads already in the environment, since NumPy and PyTorch read it once,
when they are imported. It prints one line of JSON.
"""

import argparse
import contextlib
import gc
import json
import random
import signal
import time

import numpy as np

from benchmarks.networks.data import WORKLOADS
from benchmarks.networks.machine import Quiet, held, pin, reset_peak
from benchmarks.rivals import maker

CHECKED_STEPS = 4  # steps whose losses are compared
KEPT_NUMBERS = 100_000  # elements of a gradient that are compared
PAUSE_SECONDS = 0.02  # idle threads of the previous framework spin for a while before they sleep
SLOW_SECONDS, SLOW_ROUNDS = 0.5, 3


@contextlib.contextmanager
def most_memory():
    """Yield a dict that afterwards holds the peak memory above the start under "bytes", on Linux."""
    found = {}
    gc.collect()
    try:
        start = held("VmRSS")
        reset_peak()
    except OSError:
        yield found
        return
    yield found
    found["bytes"] = max(held("VmHWM") - start, 0)


def first_steps(step, limit):
    """Run the first few steps; return their losses and the time of the fastest one after the first.

    Raises
    ------
    TimeoutError
        If one takes longer than `limit` seconds.
    """

    def ring(*_):
        raise TimeoutError(f"over {limit:g} s per step")

    signal.signal(signal.SIGALRM, ring)
    losses, spent = [], []
    while len(losses) < CHECKED_STEPS and sum(spent) < limit / 4:
        signal.setitimer(signal.ITIMER_REAL, limit)
        start = time.perf_counter()
        losses.append(float(step()))
        spent.append(time.perf_counter() - start)
        signal.setitimer(signal.ITIMER_REAL, 0)
    return losses, min(spent[1:] or spent)


def alone(peer, workload, limit, path):
    """Run one framework; return its losses, time and peak memory, or the reason why it cannot run.

    A sample of each gradient is written to `path`, an .npz file.
    """
    try:
        make = maker(peer, WORKLOADS[workload].family)
    except NotImplementedError as error:
        return {"reason": str(error)}
    step, gradients = make(WORKLOADS[workload].make())
    try:
        with most_memory() as memory:
            losses, seconds = first_steps(step, limit)
    except TimeoutError as error:
        return {"reason": str(error)}
    except RecursionError:
        return {"reason": "recursion error"}
    arrays = [np.ravel(g) for g in gradients()] if gradients else []
    np.savez(path, *[a[:: max(1, a.size // KEPT_NUMBERS)] for a in arrays])
    return {"losses": losses, "seconds": seconds, **memory}


def blocks(steps, rounds, least, cores):
    """Time the steps in alternating blocks of at least `least` seconds, in a random order in each round.

    One thread is measured in process time, which excludes other processes; several threads in wall-clock time, and
    a block is repeated while other processes use the machine.

    Parameters
    ----------
    steps : dict
        Step function of each framework.

    Returns
    -------
    dict
        Seconds per step for each framework, one per round (fewer for a slow step); None if always disturbed.
    """
    clock = time.process_time if cores == 1 else time.perf_counter
    measure = Quiet().measure if cores > 1 else lambda function: function()
    counts, most, names = {}, {}, list(steps)
    for name, step in steps.items():
        seconds = min(block(step, 1, least, time.perf_counter) for _ in range(3))
        counts[name] = max(1, int(least / seconds))
        most[name] = SLOW_ROUNDS if seconds > SLOW_SECONDS else rounds
    gc.collect()
    gc.freeze()  # else the collector would scan the modules of all frameworks for the one that makes many nodes
    times = {name: [] for name in steps}
    for round_ in range(rounds):
        random.Random(round_).shuffle(names)
        for name in [name for name in names if round_ < most[name]]:
            settle(steps[name], counts[name])
            times[name].append(measure(lambda: block(steps[name], counts[name], least, clock)))
    gc.unfreeze()
    return times


def settle(step, count):
    """Collect the previous framework's garbage, let its threads sleep, then run one step untimed."""
    gc.collect()
    time.sleep(PAUSE_SECONDS)
    if count > 1:
        step()


def block(step, count, least, clock):
    """Run a step `count` times, fewer if that takes far too long; return the seconds per step."""
    start, end, done = clock(), time.perf_counter() + 10 * least, 0
    while done < count and (done == 0 or time.perf_counter() < end):
        step()
        done += 1
    return (clock() - start) / done


def alternating(peers, workload, rounds, least, cores):
    """Run frameworks alternately on the same arrays; return the result of `blocks`."""
    spec = WORKLOADS[workload].make()
    return blocks({peer: maker(peer, WORKLOADS[workload].family)(spec)[0] for peer in peers}, rounds, least, cores)


def main():
    parser = argparse.ArgumentParser(description="Started by python -m benchmarks.networks.")
    parser.add_argument("workload")
    parser.add_argument("peers")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--block", type=float, default=0.05, help="seconds per block and thread")
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--gradients")
    given = parser.parse_args()
    pin(given.cores)
    if given.rounds:
        peers, least = given.peers.split(","), given.block * given.cores
        found = alternating(peers, given.workload, given.rounds, least, given.cores)
    else:
        found = alone(given.peers, given.workload, given.limit, given.gradients)
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
