"""The blocks of a card, each as lines of text and as HTML; all text of the student is escaped."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

from dark.course.cards.card import COLORS, prose_html
from dark.course.cards.graph import comparison_html, graph_lines, graph_note, image_of

TITLES = 2  # of a folded list, in plain text
RAIL, WRONG = COLORS["·"], COLORS["✗"]  # of a timeline


@dataclass(frozen=True)
class Block:
    """A part of a card, which is written on request, and left out if it has no content."""

    content: Any
    lines: Callable[[], list[str]]  # as plain text
    html: Callable[[], str]


def prose(content, label=""):
    """Return one line or several of prose, with a label."""
    return _labeled(content, label, prose_html(content).replace("\n", "<br>"))


def command(content, label):
    """Return a command to type, with a label."""
    return _labeled(content, label, f"<code>{escape(content)}</code>")


def _labeled(content, label, inner):
    name, text = f"<b>{escape(label)}:</b> " if label else "", f"{label}: {content}".removeprefix(": ")
    return Block(content, text.splitlines, lambda: f'<div style="margin: 4px 0px">{name}{inner}</div>')


def code(content):
    """Return lines in a monospaced font."""
    return Block(
        content,
        lambda: [f"  {line}" for line in content],
        lambda: f'<pre style="margin-bottom: 10px">{escape(chr(10).join(content))}</pre>',
    )


def table(content):
    """Return rows of text; the first is the head."""

    def lines():
        widths = [max(map(len, column)) for column in zip(*content, strict=True)]
        rows = ("  ".join(f.ljust(w) for f, w in zip(row, widths, strict=True)) for row in content)
        return [f"  {row.rstrip()}" for row in rows]

    def html():
        head = "".join(f'<th scope="col">{escape(field)}</th>' for field in content[0])
        rows = ("".join(f"<td>{escape(field)}</td>" for field in row) for row in content[1:])
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    return Block(content, lines, html)


def folded(content, label):
    """Return a list that is opened with a click, and cut in plain text."""

    def lines():
        shown = [f"{label}: {title}" for title in content[:TITLES]]
        more = len(content) - TITLES
        return [*shown[:-1], f"{shown[-1]} And {more} more."] if more > 0 else shown

    def html():
        items = "".join(f"<li>{prose_html(title)}</li>" for title in content)
        return f"<details><summary>{escape(label)} ({len(content)})</summary><ul>{items}</ul></details>"

    return Block(content, lines, html)


def graph(finding):
    """Return the student's graph in a finding, with the first wrong node marked, as a picture where it can be drawn."""

    def html():
        image, left_out = image_of(finding)
        if not image:
            return f"<pre>{escape(chr(10).join([*graph_lines(finding), *filter(None, [left_out])]))}</pre>"
        note = prose_html(graph_note(finding))
        return f'<div style="margin: 4px 0px">{note}</div>{image}{comparison_html(finding)}'

    return Block(finding, lambda: graph_lines(finding), html)


def timelines(rows):
    """Return the student's events beside the expected ones, from `Rows`, with the first wrong one marked."""

    def lines():
        cells = [("", "yours", "expected"), *((str(number), *texts) for number, *texts in rows.lines)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        marked = [("✗" if row[0] == str(rows.wrong) else " ", row) for row in cells]
        shown = [f"{sign} {row[0].rjust(widths[0])}  {row[1].ljust(widths[1])}  {row[2]}" for sign, row in marked]
        return [rows.says, *map(str.rstrip, shown), *filter(None, [_rest(rows)])]

    def html():
        head = '<th></th><th scope="col" style="text-align: left">yours</th>'
        head += '<th scope="col" style="text-align: left">expected</th>'
        body = "".join(_event(number, texts, number == rows.wrong) for number, *texts in rows.lines)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        rest = f"<div>{escape(_rest(rows))}</div>" if _rest(rows) else ""
        return f'<div style="margin: 4px 0px">{escape(rows.says)}</div>{table}{rest}'

    return Block(rows, lines, html)


def _rest(rows):
    """Return how many rows follow those that are shown."""
    yours, expected = (max(0, size - rows.lines[-1][0]) for size in rows.sizes)
    return f"Further ones: yours {yours}, expected {expected}." if yours or expected else ""


def _event(number, texts, is_wrong):
    weight = "font-weight: bold; " if is_wrong else ""
    rail = f"border-left: {'6px solid ' + WRONG if is_wrong else '2px solid ' + RAIL}"
    style = f"text-align: left; {weight}{rail}; padding: 2px 12px"
    cells = "".join(f'<td style="{style}">{escape(text)}</td>' for text in texts)
    return f"<tr><td>{f'✗ {number}' if is_wrong else number}</td>{cells}</tr>"
