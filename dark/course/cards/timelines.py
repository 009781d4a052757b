"""Two timelines of a card, the student's beside the expected one, with the first wrong event marked."""

from dataclasses import dataclass
from html import escape
from typing import Any

from dark.course.cards.card import COLORS

RAIL, WRONG = COLORS["·"], COLORS["✗"]


@dataclass(frozen=True)
class Timelines:
    """The rows around the first one that differs; nothing without them."""

    content: Any  # `Rows` or None

    @property
    def lines(self):
        """The block as plain text."""
        rows = [("", "yours", "expected"), *((str(n), yours, expected) for n, yours, expected in self.content.lines)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        marked = [("✗" if row[0] == str(self.content.wrong) else " ", row) for row in rows]
        table = [f"{sign} {row[0].rjust(widths[0])}  {row[1].ljust(widths[1])}  {row[2]}" for sign, row in marked]
        return [self.content.says, *map(str.rstrip, table), *filter(None, [self._rest])]

    @property
    def html(self):
        """The block as HTML: two rails from top to bottom, with the first wrong event in color."""
        head = '<th></th><th scope="col" style="text-align: left">yours</th>'
        head += '<th scope="col" style="text-align: left">expected</th>'
        body = "".join(self._row(*line) for line in self.content.lines)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        rest = f"<div>{escape(self._rest)}</div>" if self._rest else ""
        return f'<div style="margin: 4px 0px">{escape(self.content.says)}</div>{table}{rest}'

    @property
    def _rest(self):
        """How many rows follow those that are shown."""
        yours, expected = (max(0, size - self.content.lines[-1][0]) for size in self.content.sizes)
        return f"Further ones: yours {yours}, expected {expected}." if yours or expected else ""

    def _row(self, number, yours, expected):
        is_wrong = number == self.content.wrong
        weight = "font-weight: bold; " if is_wrong else ""
        rail = f"border-left: {'6px solid ' + WRONG if is_wrong else '2px solid ' + RAIL}"
        style = f"text-align: left; {weight}{rail}; padding: 2px 12px"
        sign = f"✗ {number}" if is_wrong else str(number)
        cells = "".join(f'<td style="{style}">{escape(text)}</td>' for text in (yours, expected))
        return f"<tr><td>{sign}</td>{cells}</tr>"
