"""`FoundPlaces`: the nodes of a graph where something was found, as a picture and as a table."""

from dataclasses import dataclass
from functools import cached_property

from dark.draw.displayed import Displayed
from dark.draw.findings.alignment import leaves_near_users
from dark.draw.findings.facts import Facts, Finding
from dark.draw.findings.ladder import Row, ladder_svg
from dark.draw.graph.graph_record import GraphNode
from dark.draw.text_table import Table

MOST_LISTED = 8  # in the alternative text
MOST_DRAWN = 60  # with more, only those where it begins are drawn


@dataclass(frozen=True, repr=False)
class FoundPlaces(Displayed):
    """The nodes of a graph where something was found.

    It displays itself in a notebook, and prints as a table.
    """

    facts: tuple[Facts, ...]  # the nodes of the graph, in topological order
    findings: tuple[Finding, ...]  # in the order in which they are computed, forward or backward
    what: str  # was looked for, such as "NaN"
    unknown: int = 0  # the number of nodes about which nothing is known
    of: str = "values"  # "values" or "gradients": what is not known of them
    modules: Table | None = None  # of the graph, with their gradients
    title: str = "Graph"

    @property
    def first(self) -> GraphNode | None:
        """The node where it begins; None if nothing was found."""
        beginning = [finding for finding in self.findings if finding.begins]
        return self.facts[beginning[0].place].node if beginning else None

    @property
    def summary(self) -> str:
        """The result, in a sentence; and the size of the unknown part of the graph."""
        if not self.findings:
            words = f"No {self.what} in {len(self.facts)} nodes"
        else:
            places = [self._place(finding) for finding in self.findings if finding.begins]
            more = f" and {len(places) - 3} more" if len(places) > 3 else ""
            words = f"{self.what[0].upper()}{self.what[1:]}: begins at {', '.join(places[:3])}{more}"
            words += f"; {len(self.findings)} of {len(self.facts)} nodes" if len(self.findings) > len(places) else ""
        count = f"{self.unknown} node{'s' * (self.unknown != 1)}"
        unknown = f" The {self.of} of {count} are not known." if self.unknown else ""
        return f"{words}.{unknown}"

    @property
    def alt(self) -> str:
        """The alternative text: the summary, and the findings at the first nodes."""
        listed = [f"{self._place(f)}: {f.words}." for f in self.findings[:MOST_LISTED]]
        more = len(self.findings) - MOST_LISTED
        return " ".join([f"{self.title}. {self.summary}", *listed, *[f"And {more} more."] * (more > 0)])

    def table(self) -> Table:
        """Return the findings as a table."""
        rows = []
        for finding in self.findings:
            facts = self.facts[finding.place]
            sign = "begins" if finding.begins else ""
            rows.append((str(finding.place), *facts.lines, ".".join(facts.node.path), sign, finding.words))
        return Table(("#", "node", "value, gradient", "module", "", "found"), tuple(rows))

    @property
    def text(self) -> str:
        """The summary, the findings as a table, and the modules."""
        parts = [self.summary, *[repr(self.table())] * bool(self.findings)]
        return "\n".join([*parts, *(["", repr(self.modules)] if self.modules and self.modules.rows else [])])

    @cached_property
    def svg(self) -> str:
        """The graph from top to bottom as SVG, with the findings next to it; other parts are folded."""
        many = len(self.findings) > MOST_DRAWN
        found = {finding.place: finding for finding in self.findings if finding.begins or not many}
        order = leaves_near_users(self.facts)
        row_of = {k: row for row, k in enumerate(order)}
        rows, links = [], []
        for k in order:
            finding = found.get(k)
            sign, words, kind = (finding.sign, finding.words, finding.kind) if finding else ("", "", "")
            heading = f"{sign}: begins here" if finding and finding.begins else sign
            rows.append(Row(self.facts[k].lines, None, heading, words, kind))
            links.append((tuple([row_of[i] for i in self.facts[k].inputs]), ()))
        return ladder_svg(rows, links, ("",), self.title, self.alt, self.summary)

    def _place(self, finding):
        node = self.facts[finding.place].node
        name = node.name or node.operation or node.role
        return f"{name} in {'.'.join(node.path)}" if node.path and not node.name else name
