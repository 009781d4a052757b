"""Cards: the results that the functions of the course display, as plain text and as HTML.

A card that judges begins with a sign, and has its color. The colors are written out, because a notebook that is not
trusted keeps only such styles, and each is readable behind white text and as a bar on a white and on a black page.
"""

import re
from dataclasses import dataclass
from html import escape

from dark.draw.svg import as_image

COLORS = {"✓": "#1a7f37", "✗": "#cf222e", "!": "#9a6700", "·": "#6e7781", "": "#0969da"}
ANSI = {"✓": "1;32", "✗": "1;31", "!": "1;33", "·": "2"}
BOLD = ("Diagnosis:", "Next:")


@dataclass(frozen=True)
class Card:
    """A result with a plain-text and an HTML representation."""

    text: str  # plain text, for a terminal
    html: str  # the same words, for a notebook
    ok: bool | None = None  # whether the answer is right; None if nothing was judged
    is_displayed: bool = False  # whether the notebook shows the same just above, so that it displays nothing

    def __repr__(self):
        return self.text

    def _ipython_display_(self):
        if not self.is_displayed:
            raise NotImplementedError  # IPython then asks for the representations below

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.text, "text/html": self.html}


def card(title, body="", *, picture=None, ok=None):
    """Return a card with a one-line title, a body of plain text, whose lines are kept, and optionally a picture."""
    lines = [title, *("  " + line if line else "" for line in body.splitlines())]
    html = []
    if body:
        # an indented line is code or a table, which needs a monospaced font
        font = "monospace" if any(line.startswith(" ") for line in body.splitlines()) else "inherit"
        inner = escape(body) if font == "monospace" else prose_html(body)
        html.append(f'<div style="white-space: pre-wrap; font-family: {font}">{inner}</div>')
    if picture is not None:
        lines += ["  " + line for line in picture.text.splitlines()]
        html.append(as_image(picture.svg[picture.svg.find("<svg") :], picture.alt))
    return Card("\n".join(lines), framed(title, "".join(html)), ok)


def framed(title, inner, more=""):
    """Return HTML under a title in the color of its sign; `more` is plain text beside the title."""
    color = COLORS.get(title[:1], COLORS[""])
    look = f"background-color: {color}; color: #ffffff; border-radius: 4px; padding: 2px 8px; font-weight: bold"
    style = "font-weight: bold" if title[:1] not in COLORS else look
    head = f'<div style="margin-bottom: 6px"><span style="{style}">{escape(title)}</span> {escape(more)}</div>'
    return f'<div style="border-left: 4px solid {color}; padding: 2px 12px; margin: 6px 0px">{head}{inner}</div>'


def in_color(text):
    """Return the text of cards for a terminal: lines that begin with a sign in its color, labels in bold."""
    labels = re.compile(rf"^(  )({'|'.join(BOLD)})", re.MULTILINE)
    signs = re.compile(rf"^([{''.join(ANSI)}]) .*$", re.MULTILINE)
    text = labels.sub("\\1\x1b[1m\\2\x1b[0m", text)
    return signs.sub(lambda found: f"\x1b[{ANSI[found[1]]}m{found[0]}\x1b[0m", text)


def prose_html(text):
    """Escape a string for HTML, and format text in backticks as code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", escape(str(text)))


def cards_together(cards):
    """Combine several cards; the result is ok if all of them are."""
    cards = tuple(cards)
    text = "\n\n".join(each.text for each in cards)
    html, ok = "".join(each.html for each in cards), all(each.ok is not False for each in cards)
    return Card(text, html, ok, all(each.is_displayed for each in cards))


def source_card(source):
    """Return a card with Python code, highlighted in a notebook if Pygments is installed, as with Jupyter it is."""
    text = source.rstrip("\n")
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return Card(text, f"<pre>{escape(text)}</pre>")
    formatter = HtmlFormatter(noclasses=True, cssstyles="color: black; padding: 0.1em 0.8em")
    return Card(text, highlight(source, PythonLexer(), formatter))
