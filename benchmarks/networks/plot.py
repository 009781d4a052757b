"""The results as a plot: the time of each framework relative to PyTorch, a row per workload."""

import io
import re
from html import escape

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmarks.networks.data import WORKLOADS
from benchmarks.networks.report import REFERENCE, figures, measured
from benchmarks.rivals import PEERS

INK, GRAY, PALE = "#1f2933", "#52606d", "#d5d9dd"
LOOKS = {  # framework -> marker, color: the marker alone is sufficient
    "dark": ("D", "#9a3412"),
    "recorded": ("d", "#9a3412"),
    "mygrad": ("^", "#00705a"),
    "dezero": ("o", "#6b4fa3"),
    "autograd": ("s", "#0063a6"),
    "micrograd": ("v", GRAY),
    "least": ("+", GRAY),
    "numpy": ("x", GRAY),
}
SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "networks",
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "text.color": INK,
}
COUNTED = {"1": "one thread", "2": "two threads"}
TICKS = [4.0**k for k in range(-3, 7)]


def mark(peer, x=0.0, y=0.0, **settings):
    """Make the marker of a framework."""
    marker, color = LOOKS[peer]
    face = color if peer == "dark" else "white"
    return Line2D([x], [y], marker=marker, ms=6.5, mfc=face, mec=color, mew=1.5, zorder=4, **settings)


def points(axes, row, found, target):
    """Draw one workload: dark filled, the others hollow, dark's ratio at the left edge, a bar at the target."""
    ratios = {peer: one["ratio"] for peer, one in found.items() if peer != REFERENCE}
    ends = [*ratios.values(), 1.0]
    axes.plot([min(ends), max(ends)], [row, row], color=PALE, lw=1.2, zorder=1)
    if target:
        axes.plot(target, row, "|", ms=15, mec=INK, mew=1.6, zorder=2)
    for peer, ratio in ratios.items():
        axes.add_line(mark(peer, ratio, row))
    if "dark" in ratios:
        number(axes, figures(ratios["dark"]), row)


def number(axes, text, row):
    """Write into the column of dark's ratios, at the left edge."""
    style = {"va": "center", "color": LOOKS["dark"][1], "bbox": {"fc": "white", "ec": "none", "pad": 1}}
    axes.text(0.0, row, text, transform=axes.get_yaxis_transform(), **style)


def legend(figure, results):
    """Draw the legend above the panels."""
    peers = {p for n in shown(results) for p in measured(results, n, False)[1]}
    marks = [mark(peer, ls="none", label=PEERS[peer].title) for peer in LOOKS if peer in peers]
    figure.legend(handles=marks, loc="outside upper center", ncols=len(marks), frameon=False, handletextpad=0.2)


def limits(results):
    """Return the limits of the axis that all panels share."""
    every = [
        one["ratio"]
        for threads in shown(results)
        for found in measured(results, threads, False)[0].values()
        for one in found.values()
    ]
    return min([*every, *(t for each in WORKLOADS.values() for t in each.targets)]) / 2.8, max(every) * 1.9


def panel(axes, results, threads, keys):
    """Draw all workloads for one number of threads."""
    rows, _ = measured(results, threads, False)
    aims = {key: WORKLOADS[key].targets[int(threads) - 1 :][:1] for key in rows}
    for key, found in rows.items():
        points(axes, keys.index(key), found, aims[key])
    axes.axvline(1, ymax=1 - 0.5 / (len(keys) + 0.5), color=INK, lw=1.2, zorder=0)
    axes.text(1, -0.55, "PyTorch", ha="center", va="bottom", fontsize=8.5)
    number(axes, "dark", -0.7)
    axes.set_xscale("log")
    axes.set_xlim(limits(results))
    axes.xaxis.set_major_locator(FixedLocator(TICKS))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}" if x >= 1 else f"1/{1 / x:g}"))
    axes.grid(axis="x", color=PALE, lw=0.6, zorder=0)
    axes.tick_params(length=0, colors=INK)
    axes.set_ylim(len(keys) - 0.5, -1)
    axes.set_title(COUNTED.get(threads, f"{threads} threads"), loc="left", fontsize=10.5, weight="bold")
    for side in axes.spines.values():
        side.set_visible(False)


def said(results):
    """Return the alternative text of the plot."""
    parts = []
    for threads in shown(results):
        rows, _ = measured(results, threads, False)
        line = [f"{WORKLOADS[key].name} {figures(one['dark']['ratio'])}" for key, one in rows.items() if "dark" in one]
        parts.append(f"Time of dark relative to PyTorch with {threads} thread(s): " + ", ".join(line) + ".")
    return " ".join(parts)


def shown(results):
    """Return the numbers of threads for which there are results, as strings."""
    found = {n for row in results["workloads"].values() for n in row if n.isdigit()}
    return sorted((n for n in found if measured(results, n, False)[0]), key=int)


def draw(results):
    """Draw the figure: a panel for each number of threads."""
    panels = shown(results)
    keys = [key for key in WORKLOADS if any(key in measured(results, n, False)[0] for n in panels)]
    figure = Figure(figsize=(10.5, 1.3 + 0.4 * len(keys)), layout="constrained", facecolor="white")
    for column, (axes, threads) in enumerate(zip(figure.subplots(1, max(1, len(panels)), squeeze=False)[0], panels)):
        panel(axes, results, threads, keys)
        axes.set_yticks(range(len(keys)), [WORKLOADS[key].name for key in keys] if column == 0 else [""] * len(keys))
    legend(figure, results)
    figure.supxlabel(
        "time relative to PyTorch eager (left of the line: faster); bars are targets", fontsize=9.5, color=INK
    )
    return figure


def svg(results):
    """Return the plot as SVG with its alternative text."""
    with matplotlib.rc_context(SETTINGS):
        file = io.StringIO()
        draw(results).savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = re.sub(r"^.*?(?=<svg)", "", file.getvalue(), flags=re.DOTALL)
    words = escape(said(results))
    text = text.replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
