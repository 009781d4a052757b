"""The blocks of a card: each kind of block as lines of text, and as HTML."""

from dataclasses import dataclass
from html import escape

from dark.course.cards.card import prose_html
from dark.course.cards.graph import comparison_html, graph_lines, graph_note, image_of

TITLES = 2  # of a folded list, in plain text


@dataclass(frozen=True)
class Line:
    """Prose, one line or several, with a label."""

    content: str
    label: str = ""

    @property
    def lines(self):
        """The block as plain text."""
        return f"{self.label}: {self.content}".removeprefix(": ").splitlines()

    @property
    def html(self):
        """The block as HTML; all text of the student is escaped."""
        label = f"<b>{escape(self.label)}:</b> " if self.label else ""
        return f'<div style="margin: 4px 0px">{label}{self._inner}</div>'

    @property
    def _inner(self):
        return prose_html(self.content).replace("\n", "<br>")


class Command(Line):
    """A command to type, with a label."""

    @property
    def _inner(self):
        return f"<code>{escape(self.content)}</code>"


@dataclass(frozen=True)
class Code:
    """Lines in a monospaced font."""

    content: list

    @property
    def lines(self):
        """The block as plain text."""
        return [f"  {line}" for line in self.content]

    @property
    def html(self):
        """The block as HTML."""
        return f'<pre style="margin-bottom: 10px">{escape(chr(10).join(self.content))}</pre>'


@dataclass(frozen=True)
class Table:
    """Rows of text; the first is the head."""

    content: list

    @property
    def lines(self):
        """The block as plain text."""
        widths = [max(map(len, column)) for column in zip(*self.content, strict=True)]
        rows = ("  ".join(f.ljust(w) for f, w in zip(row, widths, strict=True)) for row in self.content)
        return [f"  {row.rstrip()}" for row in rows]

    @property
    def html(self):
        """The block as HTML."""
        head = "".join(f'<th scope="col">{escape(field)}</th>' for field in self.content[0])
        rows = ("".join(f"<td>{escape(field)}</td>" for field in row) for row in self.content[1:])
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


@dataclass(frozen=True)
class Folded:
    """A list that is opened with a click, and cut in plain text."""

    content: list
    label: str

    @property
    def lines(self):
        """The block as plain text."""
        lines = [f"{self.label}: {title}" for title in self.content[:TITLES]]
        more = len(self.content) - TITLES
        return [*lines[:-1], f"{lines[-1]} And {more} more."] if more > 0 else lines

    @property
    def html(self):
        """The block as HTML."""
        items = "".join(f"<li>{prose_html(title)}</li>" for title in self.content)
        return f"<details><summary>{escape(self.label)} ({len(self.content)})</summary><ul>{items}</ul></details>"


@dataclass(frozen=True)
class Graph:
    """The student's graph in a finding, with the first wrong node marked; nothing without a graph."""

    content: object

    @property
    def lines(self):
        """The block as plain text."""
        return graph_lines(self.content)

    @property
    def html(self):
        """The block as HTML: a picture where it can be drawn."""
        image, left_out = image_of(self.content)
        if not image:
            return f"<pre>{escape(chr(10).join([*graph_lines(self.content), *filter(None, [left_out])]))}</pre>"
        note = prose_html(graph_note(self.content))
        return f'<div style="margin: 4px 0px">{note}</div>{image}{comparison_html(self.content)}'
