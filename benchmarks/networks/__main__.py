"""Networks compared with PyTorch eager, HIPS autograd and teaching frameworks: time and memory.

First every framework runs each workload in a separate process, and its losses and gradients must equal PyTorch's.
Then all that agree run in one process, in alternating blocks, for each number of threads; the result is the median
ratio of blocks of the same round.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import numpy as np

from benchmarks.networks import machine, plot, report
from benchmarks.networks.agreement import disagreement
from benchmarks.networks.data import WORKLOADS
from benchmarks.rivals import PEERS, is_installed

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REFERENCE = "torch"
INSTALL = "pip install -r benchmarks/rivals.txt"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# variables that would restrict one library to fewer instructions than another
NARROWING = (
    "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_ENABLE_INSTRUCTIONS", "ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip


def environment(threads=1):
    """Return the environment of a child: the number of threads, and no restriction of instruction sets."""
    own = {name: value for name, value in os.environ.items() if name not in NARROWING}
    return own | dict.fromkeys(THREADS, str(threads)) | {"PYTHONWARNINGS": "ignore"}


def child(*arguments, threads=1, seconds=None):
    """Run `child` with this number of threads; return its results, or the reason of a failure."""
    command = [sys.executable, "-m", "benchmarks.networks.child", *map(str, arguments), "--cores", str(threads)]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment(threads), capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return {"reason": f"over {seconds:g} s"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"reason": f"crash: {last[:80]}"}
    return json.loads(done.stdout.splitlines()[-1])


def all_alone(workload, peers, limit):
    """Run each framework in a separate process and compare it with PyTorch; return the results by name."""
    found, computed = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for peer in [REFERENCE, *(p for p in peers if p != REFERENCE)]:
            path = Path(folder) / f"{peer}.npz"
            one = child(workload, peer, "--limit", limit, "--gradients", path, seconds=3 * limit + 60)
            losses = one.pop("losses", None)
            if losses is not None:
                with np.load(path) as file:
                    computed[peer] = losses, list(file.values())
                if REFERENCE in computed and (reason := disagreement(computed[peer], computed[REFERENCE])):
                    one = {"reason": reason, "differs": True}
            found[peer] = one
            print(f"    {PEERS[peer].title:14}", one.get("reason", "agrees"), flush=True)
    return found


def compared(times):
    """Return milliseconds per step and the ratio to PyTorch for each framework: medians with quartiles.

    A round counts if both blocks were measured; a framework with fewer than half of its rounds is omitted.
    """
    rows = {}
    for peer, seconds in times.items():
        pairs = [(a, b) for a, b in zip(seconds, times[REFERENCE]) if a and b]
        if 2 * len(pairs) >= len(seconds):
            low, ratio, high = np.quantile([a / b for a, b in pairs], [0.25, 0.5, 0.75])
            ms = 1e3 * statistics.median(a for a, _ in pairs)
            rows[peer] = {"ms": ms, "ratio": ratio, "low": low, "high": high, "rounds": len(pairs)}
    return rows


def measure(workload, given, results):
    """Measure one workload and add it to the results."""
    row = results["workloads"].setdefault(workload, {})
    found = all_alone(workload, given.peers, given.limit)
    row.setdefault("alone", {}).update(found)
    agreeing = [peer for peer, one in found.items() if "reason" not in one]
    if REFERENCE not in agreeing:
        return
    for threads in [1] if WORKLOADS[workload].is_scalar else given.threads:
        print(f"    {threads} thread(s):", end=" ", flush=True)
        times = child(workload, ",".join(agreeing), "--rounds", given.rounds, threads=threads)
        rows = {} if "reason" in times else compared(times)
        if REFERENCE not in rows:
            print(times.get("reason", "not measured: other processes used the machine most of the time"), flush=True)
            continue
        row.setdefault(str(threads), {}).update(rows)
        ratios = [f"{PEERS[peer].title} {one['ratio']:.2f}" for peer, one in rows.items() if peer != REFERENCE]
        print(f"PyTorch {rows[REFERENCE]['ms']:.3g} ms, relative times:", ", ".join(ratios), flush=True)


def chosen(text, known, what):
    """Parse comma-separated names, or "all"."""
    names = list(known) if text == "all" else text.split(",")
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"benchmarks.networks: unknown {what} {', '.join(unknown)}. Available: {', '.join(known)}")
    return names


def present(names, all_asked):
    """Return the installed frameworks; a missing one is skipped with a message, or exits if it was requested."""
    missing = [name for name in dict.fromkeys([REFERENCE, *names]) if not is_installed(name)]
    if REFERENCE in missing or (missing and not all_asked):
        sys.exit(f"benchmarks.networks: {', '.join(missing)} not installed. Try: {INSTALL}")
    for name in missing:
        print(f"{PEERS[name].title} is skipped: it is not installed. Try: {INSTALL}")
    return [name for name in names if name not in missing]


def versions(peers):
    """Return the processor, and the version of each library with the instruction set that it has chosen."""
    found = {"processor": machine.processor(), "Python": platform.python_version(), "NumPy": np.__version__}
    for name in peers:
        if PEERS[name].package not in ("dark-course", "numpy"):
            found[PEERS[name].title] = metadata.version(PEERS[name].package).split("+")[0]
    command = [sys.executable, "-m", "benchmarks.networks.machine"]
    told = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=True)
    for name, chosen_by_it in json.loads(told.stdout).items():
        found[name] += f" ({chosen_by_it})"
    return found


def parse(arguments):
    epilog = "workloads: " + "; ".join(f"{key} ({each.name})" for key, each in WORKLOADS.items())
    parser = argparse.ArgumentParser("python -m benchmarks.networks", description=__doc__, epilog=epilog)
    parser.add_argument("--workloads", default="all", help="comma-separated names (default all)")
    parser.add_argument("--peers", default="all", help=f"of {', '.join(PEERS)} (default all; torch is always included)")
    parser.add_argument("--threads", default="1,2", help="comma-separated numbers of threads (default 1,2)")
    parser.add_argument("--rounds", type=int, default=11, help="number of blocks per framework (default 11)")
    parser.add_argument("--limit", type=float, default=20, help="time limit of a step in seconds (default 20)")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "networks", help="output folder")
    parser.add_argument("--publish", action="store_true", help="write into this folder and benchmarks/README.md")
    parser.add_argument("--table", action="store_true", help="do not measure: only print and plot existing results")
    given = parser.parse_args(arguments)
    given.workloads = chosen(given.workloads, WORKLOADS, "workload")
    given.threads = [int(n) for n in given.threads.split(",")]
    given.to = HERE if given.publish else given.to
    return given


def publish(results, given):
    """Write the table and the plot of the results, and print the table."""
    (given.to / "results.svg").write_text(plot.svg(results))
    text = report.tables(results)
    if given.publish:
        report.into(HERE.parent / "README.md", text)
    else:
        (given.to / "table.md").write_text(text)
    print(f"\n{text}\nWritten: results.json and results.svg in {given.to}")


def main(arguments=None):
    given = parse(arguments)
    given.to.mkdir(parents=True, exist_ok=True)
    path = given.to / "results.json"
    results = json.loads(path.read_text()) if path.exists() else {"versions": {}, "workloads": {}}
    if not given.table:
        given.peers = present(chosen(given.peers, PEERS, "framework"), given.peers == "all")
        results["versions"] |= versions(dict.fromkeys([REFERENCE, *given.peers])) | {"rounds": given.rounds}
        try:
            for k, workload in enumerate(given.workloads, 1):
                print(f"[{k}/{len(given.workloads)}] {WORKLOADS[workload].name}", flush=True)
                measure(workload, given, results)
                path.write_text(json.dumps(results, indent=1) + "\n")
        except KeyboardInterrupt:
            print("\nInterrupted; the results so far are kept.")
            results = json.loads(path.read_text()) if path.exists() else results
    if not results["workloads"]:
        sys.exit("benchmarks.networks: no results found. Try: run without --table")
    publish(results, given)
    wrong = [
        f"{PEERS[peer].title}: {WORKLOADS[key].name}"
        for key, row in results["workloads"].items()
        for peer, one in row["alone"].items()
        if one.get("differs")
    ]
    if wrong:
        sys.exit("Not timed, because the results differ from PyTorch: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
