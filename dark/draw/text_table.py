"""A table of strings: aligned columns in a terminal, HTML in a notebook."""

from dataclasses import dataclass
from html import escape
from unicodedata import combining, east_asian_width


@dataclass(frozen=True)
class Table:
    """A table of strings under a heading.

    It prints in aligned columns, and displays as HTML in a notebook.

    Examples
    --------
    >>> Table(("node", "value"), (("x", "10"), ("fx", "205")))
    node  value
    x     10
    fx    205
    """

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        lines = (self.heading, *self.rows)
        widths = [max(columns_of(line[k]) for line in lines) for k in range(len(self.heading))]
        padded = ([f + " " * (w - columns_of(f)) for f, w in zip(line, widths, strict=True)] for line in lines)
        return "\n".join("  ".join(fields).rstrip() for fields in padded)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(field)}</th>" for field in self.heading)
        body = "".join("<tr>" + "".join(f"<td>{escape(field)}</td>" for field in row) + "</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def columns_of(text):
    """Return the width of a string in a terminal: 2 for each East Asian character or emoji, 0 for each accent.

    >>> columns_of("loss"), columns_of("日本"), columns_of("e\u0301")
    (4, 4, 1)
    """
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
