"""Pictures of graphs: how long dark takes, beside Graphviz's `dot`, torchviz and torchview.

Run ``python -m benchmarks.draw``. The rivals that are not installed are left out: `dot` is a program of the system,
torchviz and torchview are in `benchmarks/rivals.txt`. Every picture ends as SVG. A row is the median of a few runs in
one process, in seconds; "first" is a run in a process of its own, with all imports. With ``--rivals FILE``, it finds
out what the pictures by torchview, torchviz, Netron and micrograd's `draw_dot` show of the same network or expression.
With ``--models``, dark, torchviz and torchview draw ten networks of PyTorch in turn; a cell has the best time, and the
size of the picture in points.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from shutil import which

import numpy as np

import dark
from benchmarks.networks.machine import processor
from dark import nn

WORKLOADS = {  # name: kind of graph, number of nodes or of elements, what `open` is
    "200 scalars": ("scalars", 200, None),
    "1,000 scalars, all drawn": ("scalars", 1_000, True),
    "10,000 scalars, folded": ("scalars", 10_000, None),
    "network of 200 nodes, all drawn": ("network", 200, True),
    "network of 1,000 nodes, all drawn": ("network", 1_000, True),
    "network of 10,000 nodes, folded": ("network", 10_000, None),
    "array of a million elements": ("array", 1_000_000, None),
}
WIDTHS = (4, 5, 6)


def scalars(count):
    """Return a graph of sums and products of the last few results, after its backward pass."""
    rng = random.Random(0)
    nodes = [dark.Parameter(rng.random(), name=f"x{k}") for k in range(5)]
    while len(nodes) < 1.12 * count:  # some of them are not used in the end
        nodes.append(rng.choice([dark.add, dark.mul])(rng.choice(nodes[-8:]), rng.choice(nodes[-8:])))
    nodes[-1].backward()
    return nodes[-1]


def network(count, package=nn):
    """Return a chain of linear layers and tanh, with about `count` nodes in dark."""
    layers = []
    for k in range(count // 4):
        layers += [package.Sequential(package.Linear(WIDTHS[k % 3], WIDTHS[(k + 1) % 3]), package.Tanh())]
    return package.Sequential(*layers)


def graph_of(kind, count):
    """Return the root of a graph."""
    if kind == "scalars":
        return scalars(count)
    if kind == "array":
        w = dark.Parameter(np.linspace(-1, 1, count).reshape(-1, 1000), name="w")
        loss = (w * w).sum()
    else:
        loss = network(count)(np.ones((2, WIDTHS[0]))).sum()
    loss.backward()
    return loss


def time_dark(root, open):
    """Return the seconds for boxes, layout, SVG, and the output of a notebook."""
    moments = [time.perf_counter()]
    drawing = dark.draw(root, open=open)
    moments.append(time.perf_counter())
    boxes = len(drawing.scene.nodes)
    moments.append(time.perf_counter())
    assert drawing.svg
    moments.append(time.perf_counter())
    drawing._repr_mimebundle_()
    moments.append(time.perf_counter())
    return [b - a for a, b in pairwise(moments)], boxes


def time_dot(root, open):
    """Return the seconds in which the program `dot` draws the same boxes."""
    source = dark.draw(root, open=open).source.encode()
    begin = time.perf_counter()
    try:
        subprocess.run(["dot", "-Tsvg"], input=source, stdout=subprocess.DEVNULL, timeout=60, check=True)
    except subprocess.TimeoutExpired:
        return None
    return time.perf_counter() - begin


def time_torch(name, count):
    """Return the seconds in which torchviz or torchview draws the same network of PyTorch."""
    import torch

    model, x = network(count, torch.nn), torch.ones(2, WIDTHS[0])
    begin = time.perf_counter()
    try:
        if name == "torchviz":
            from torchviz import make_dot

            make_dot(model(x).sum(), params=dict(model.named_parameters())).pipe(format="svg")
        else:
            from torchview import draw_graph

            draw_graph(model, input_data=x, depth=10).visual_graph.pipe(format="svg")
    except Exception as error:
        return type(error).__name__
    return time.perf_counter() - begin


def first_picture(name):
    """Return the seconds of a process that imports dark and draws one workload."""
    kind, count, open = WORKLOADS[name]
    lines = (
        f"from benchmarks.draw import graph_of; import dark; dark.draw(graph_of({kind!r}, {count}), open={open}).svg"
    )
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", lines], check=True)
    return time.perf_counter() - begin


def row_of(name, rounds, rivals):
    """Measure one workload."""
    kind, count, open = WORKLOADS[name]
    root = graph_of(kind, count)
    runs = [time_dark(root, open) for _ in range(rounds)]
    parts = [statistics.median(parts[k] for parts, _ in runs) for k in range(4)]
    cells = [
        name,
        str(runs[0][1]),
        *(f"{part:.2f}" for part in parts),
        f"{sum(parts):.2f}",
        f"{first_picture(name):.2f}",
    ]
    for rival in rivals:
        if rival == "dot":
            found = time_dot(root, open)
        else:
            found = time_torch(rival, count) if kind == "network" and count <= 1_000 else "–"
        cells.append("over 60" if found is None else found if isinstance(found, str) else f"{found:.2f}")
    return cells


def compare_rivals(path):
    """Run the experiments of `benchmarks.drawings`, and write what they found."""
    from benchmarks.drawings.experiments import findings
    from benchmarks.drawings.pictures import PICTURES
    from benchmarks.drawings.table import table_of

    found = {name: findings(name) for name in PICTURES}
    about = {"date": time.strftime("%Y-%m-%d"), "processor": processor(), "found": found}
    Path(path).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(table_of(found))


def print_models(rounds):
    """Draw ten networks of PyTorch with each program, and print a row for each."""
    from benchmarks.drawings.models import PROGRAMS, rows

    programs = [name for name in PROGRAMS if name.startswith("dark") or find_spec(name)]
    print("| network | " + " | ".join(programs) + " |\n|" + "---|" * (len(programs) + 1))
    for name, found in rows(programs, rounds):
        cells = [f"{seconds:.3f} s, {what}" for seconds, what in found]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main(words=None):
    parser = argparse.ArgumentParser("python -m benchmarks.draw", description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="number of runs; their median is reported")
    parser.add_argument("--only", metavar="TEXT", default="", help="only workloads whose name contains this")
    parser.add_argument(
        "--rivals", metavar="FILE", help="instead, find out what the pictures of rivals show, and write it as JSON"
    )
    parser.add_argument("--models", action="store_true", help="instead, draw ten networks of PyTorch with each program")
    args = parser.parse_args(words)
    if args.models:
        return print_models(args.rounds)
    if args.rivals:
        return compare_rivals(args.rivals)
    rivals = ["dot"] * bool(which("dot")) + [name for name in ("torchviz", "torchview") if find_spec(name)]
    print(f"Processor: {processor()}\n")
    heading = ["workload", "boxes", "boxes s", "layout s", "SVG s", "output s", "total s", "first s"]
    heading += [f"{rival} s" for rival in rivals]
    print("| " + " | ".join(heading) + " |\n|" + "---|" * len(heading))
    for name in WORKLOADS:
        if args.only in name:
            print("| " + " | ".join(row_of(name, args.rounds, rivals)) + " |", flush=True)


if __name__ == "__main__":
    main()
