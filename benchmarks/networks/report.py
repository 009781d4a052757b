"""The results as Markdown tables: time relative to PyTorch for each number of threads, scalar graphs, and memory."""

from benchmarks.networks.data import WORKLOADS
from benchmarks.rivals import PEERS

BEGIN = "<!-- networks: written by python -m benchmarks.networks --publish -->"
END = "<!-- networks: end -->"
REFERENCE = "torch"


def figures(number):
    """Format a number with two or three significant digits."""
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:.0f}"


def row(cells):
    return "| " + " | ".join(cells) + " |"


def table(head, lines):
    return "\n".join([row(head), "|" + "---|" * len(head), *map(row, lines)])


def measured(results, threads, scalar):
    """Return the rows of each workload for this number of threads, and the frameworks that appear in them."""
    rows = {
        key: results["workloads"][key][threads]
        for key, workload in WORKLOADS.items()
        if workload.is_scalar == scalar and threads in results["workloads"].get(key, {})
    }
    peers = [p for p in PEERS if p != REFERENCE and any(p in found for found in rows.values())]
    return rows, peers


def cell(results, key, found, peer):
    """Format a framework's ratio, or the reason why it is missing."""
    if peer in found:
        return figures(found[peer]["ratio"])
    return results["workloads"][key]["alone"].get(peer, {}).get("reason", "–")


def times(results, threads, scalar=False):
    """Return the table for a number of threads, or an empty string without measurements."""
    rows, peers = measured(results, threads, scalar)
    aims = {key: WORKLOADS[key].targets[int(threads) - 1 :][:1] for key in rows}
    with_aims = any(aims.values())
    lines = []
    for key, found in rows.items():
        line = [WORKLOADS[key].name, figures(found[REFERENCE]["ms"])]
        line += [cell(results, key, found, peer) for peer in peers]
        lines.append(line + ([f"{aims[key][0]:.2f}" if aims[key] else "–"] if with_aims else []))
    head = ["time / PyTorch's time", "PyTorch, ms", *(PEERS[p].title for p in peers), *(["target"] * with_aims)]
    return table(head, lines) if rows else ""


def memory(results):
    """Return the table of peak memory in MB."""
    rows = {key: results["workloads"][key]["alone"] for key in WORKLOADS if key in results["workloads"]}
    peers = [p for p in PEERS if any("bytes" in found.get(p, {}) for found in rows.values())]
    lines = [
        [
            WORKLOADS[key].name,
            *(figures(found[p]["bytes"] / 1e6) if "bytes" in found.get(p, {}) else "–" for p in peers),
        ]
        for key, found in rows.items()
    ]
    return table(["peak memory, MB", *(PEERS[p].title for p in peers)], lines) if peers else ""


def tables(results):
    """Return all tables for which there are results."""
    what = dict(results["versions"])
    rounds, processor = what.pop("rounds", "several"), what.pop("processor", "unknown")
    names = ", ".join(f"{name} {version}" for name, version in what.items())
    parts = [f"Processor: {processor}. Measured with {names}; medians of {rounds} rounds."]
    for threads in sorted({n for found in results["workloads"].values() for n in found if n.isdigit()}, key=int):
        title = "One BLAS thread" if threads == "1" else f"{threads} BLAS threads"
        if measured(results, threads, False)[0]:
            parts += [f"{title}:", times(results, threads)]
    numbers = times(results, "1", scalar=True)
    parts += ["Scalar graphs, one thread:", numbers] if numbers else []
    parts += ["Peak memory above the start, each framework in a separate process, one thread:", memory(results)]
    return "\n\n".join(parts) + "\n"


def into(path, text):
    """Replace the tables between the two marks of a README.

    Raises
    ------
    ValueError
        If the marks are missing.
    """
    whole = path.read_text()
    if BEGIN not in whole or END not in whole:
        raise ValueError(f"{path.name} has no marks for the tables.\n  Expected: {BEGIN}\n  Try: put both marks back")
    before, after = whole[: whole.index(BEGIN)], whole[whole.index(END) :]
    path.write_text(f"{before}{BEGIN}\n\n{text}\n{after}")
