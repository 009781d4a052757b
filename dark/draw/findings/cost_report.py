"""`CostReport`: the cost of each operation of a graph, in seconds or in bytes, as a flame graph and as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from dark.draw.displayed import Displayed
from dark.draw.draw_boxes import drawing_of
from dark.draw.findings.facts import Facts
from dark.draw.findings.flame_graph import Bar, bars_of, flame_svg
from dark.draw.graph.descriptions import title_of
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.draw.graph.module_folding import checked_open, fold_modules
from dark.draw.text_table import Table

if TYPE_CHECKING:
    from dark.draw.picture.drawing import Drawing

STEPS = {
    "seconds": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")),
    "bytes": ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")),
}
MOST_LISTED = 20  # rows of the table in a terminal
MOST_DESCRIBED = 5


@dataclass(frozen=True, repr=False)
class CostReport(Displayed):
    """The cost of each operation of a graph.

    It displays itself in a notebook as a flame graph, and prints as a table; `graph()` shows the costs in the graph.
    """

    facts: tuple[Facts, ...]  # the nodes of the graph, in topological order
    costs: dict[str, dict[int, float]]  # for each part of the step, of nodes by their position
    unit: str  # "seconds" or "bytes"
    title: str
    modules: Mapping[tuple[str, ...], str] = field(default_factory=dict)  # the class of each, by its path

    @property
    def total(self) -> float:
        """The cost of the graph, in seconds or bytes."""
        return sum(sum(part.values()) for part in self.costs.values())

    @property
    def first(self) -> GraphNode | None:
        """The most costly node; None if nothing costs anything."""
        order = self._by_cost()
        return self.facts[order[0]].node if order else None

    @property
    def summary(self) -> str:
        """The costs of all parts, and the most costly operation, in a sentence."""
        parts = ", ".join(f"{name} {self._format(sum(part.values()))}" for name, part in self.costs.items())
        words = f"{parts[0].upper()}{parts[1:]}"
        return f"{words}; most of it: {self._words(self._by_cost()[0])}." if self._by_cost() else f"{words}."

    @property
    def alt(self) -> str:
        """The alternative text: the summary, and the next costly operations."""
        others = "; ".join(self._words(k) for k in self._by_cost()[1:MOST_DESCRIBED])
        return f"{self.title}. {self.summary}" + (f" Then {others}." if others else "")

    def table(self) -> Table:
        """Return the costs as a table, the most costly operation first."""
        heading = ("#", "operation", "module", *self.costs, "share")
        rows = []
        for k in self._by_cost():
            costs = [self._format(part[k]) if k in part else "" for part in self.costs.values()]
            share = f"{100 * self._cost(k) / self.total:.3g} %" if self.total else ""
            rows.append((str(k), self.facts[k].title, ".".join(self.facts[k].node.path), *costs, share))
        return Table(heading, tuple(rows))

    @property
    def text(self) -> str:
        """The summary, and the most costly operations as a table."""
        rows = self.table().rows
        more = f"\nand {len(rows) - MOST_LISTED} more" if len(rows) > MOST_LISTED else ""
        return f"{self.summary}\n{Table(self.table().heading, rows[:MOST_LISTED])!r}{more}"

    @property
    def bars(self) -> list[Bar]:
        """The flame graph of each part: the whole, its modules, and their operations, in the order they run."""
        roots = []
        for name, part in self.costs.items():
            order = sorted(part, reverse=name == "backward")
            roots.append(bars_of([(self.facts[k].node.path, self.facts[k].title, part[k]) for k in order], name))
        return roots

    @cached_property
    def svg(self) -> str:
        """The flame graph as SVG."""
        return flame_svg(self.bars, self._format, self.title, self.alt, self.summary)

    def graph(self, *, open: bool | int | str | Sequence[str] | None = None) -> Drawing:
        """Return the graph as a picture, in which each box has the color, a bar and the number of its cost.

        `open` are the modules that are open, as in `draw`; a closed one costs what is in it.
        """
        nodes = tuple([replace(each.node, value=None, grad=None, extras={}) for each in self.facts])
        folded = fold_modules(GraphRecord(nodes, self.modules), checked_open(open))
        costs = [sum(map(self._cost, inside)) for inside in folded.members]
        most = max(costs, default=0.0) or 1.0
        boxes = tuple([self._with_cost(box, cost, most) for box, cost in zip(folded.boxes, costs)])
        rows = [(str(k), title_of(b), ".".join(b.path), b.cost[1]) for k, b in enumerate(boxes) if b.cost is not None]
        drawing = drawing_of(boxes, self.summary, False, self.title, titles=folded.titles)
        alt = f"{self.alt} The graph in {len(boxes)} boxes, each with its cost."
        return replace(drawing, told=(alt, Table(("#", "box", "module", "cost"), tuple(rows))))

    def _with_cost(self, box, cost, most):
        if not cost and box.kind not in ("result", "detached", "group"):
            return box
        share = f" ({100 * cost / self.total:.2g} %)" if self.total else ""
        return replace(box, cost=(cost / most, self._format(cost) + share))

    def _writers(self) -> dict[str, Callable[[], str | bytes]]:
        return {**super()._writers(), ".txt": lambda: f"{self.summary}\n{self.table()!r}\n"}

    def _format(self, cost: float) -> str:
        """Return a cost in a fitting unit."""
        steps = STEPS[self.unit]
        size, name = next((step for step in steps if cost >= step[0]), steps[-1])
        return f"{cost / size:.3g} {name}" if cost < 1000 * size else f"{cost / size:.0f} {name}"

    def _cost(self, k):
        return sum(part.get(k, 0.0) for part in self.costs.values())

    def _by_cost(self):
        places = dict.fromkeys(k for part in self.costs.values() for k in part)
        return sorted((k for k in places if self._cost(k) > 0), key=lambda k: (-self._cost(k), k))

    def _words(self, k):
        where = ".".join(self.facts[k].node.path)
        share = f"{100 * self._cost(k) / self.total:.2g} %"
        return f"{self.facts[k].title}{f' in {where}' if where else ''} with {self._format(self._cost(k))} ({share})"
