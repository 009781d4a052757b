"""Cards: the results that the functions of the course display, as plain text and as HTML."""

from dataclasses import dataclass
from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from dark.course.judging.prose import prose_html
from dark.course.judging.report import STYLE

__all__ = ["Card", "card", "cards_together", "source_card"]


@dataclass(frozen=True)
class Card:
    """A result with a plain-text and an HTML representation.

    Parameters
    ----------
    text : str
        The plain text, for a terminal.
    html : str
        The HTML, for a notebook; the same words.
    ok : bool or None
        Whether the answer is right; None if nothing was judged.
    """

    text: str
    html: str
    ok: bool | None = None

    def __repr__(self):
        return self.text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.text, "text/html": self.html}


def card(title, body="", *, picture=None, ok=None):
    """Return a card with a title, a body and optionally a picture.

    Parameters
    ----------
    title : str
        One line.
    body : str
        Plain text; line breaks and indentation are kept.
    picture : Drawing, optional
        The result of `dark.draw`; a terminal shows its table.
    ok : bool, optional
        As in `Card`.

    Examples
    --------
    >>> print(card("✓ slope", "It is right."))
    ✓ slope
      It is right.
    """
    lines = [title, *("  " + line if line else "" for line in body.splitlines())]
    html = [f'<div style="{STYLE}"><p><b>{escape(title)}</b></p>']
    if body:
        # an indented line is code or a table, which needs a monospaced font
        font = "monospace" if any(line.startswith(" ") for line in body.splitlines()) else "inherit"
        inner = escape(body) if font == "monospace" else prose_html(body)
        html.append(f'<div style="white-space: pre-wrap; font-family: {font}">{inner}</div>')
    if picture is not None:
        lines += ["  " + line for line in picture.text.splitlines()]
        html.append(picture.svg[picture.svg.find("<svg") :])
    return Card("\n".join(lines), "".join(html) + "</div>", ok)


def cards_together(cards):
    """Combine several cards; the result is ok if all of them are.

    Parameters
    ----------
    cards : iterable of Card
        The cards, in order.

    Returns
    -------
    Card

    Examples
    --------
    >>> cards_together([card("one", ok=True), card("two", ok=False)]).ok
    False
    """
    cards = tuple(cards)
    text = "\n\n".join(each.text for each in cards)
    return Card(text, "".join(each.html for each in cards), all(each.ok is not False for each in cards))


def source_card(source):
    """Return a card with Python code, highlighted in a notebook.

    Parameters
    ----------
    source : str
        The code.

    Returns
    -------
    Card

    Examples
    --------
    >>> print(source_card("x = 1"))
    x = 1
    """
    formatter = HtmlFormatter(noclasses=True, cssstyles="color: black; padding: 0.1em 0.8em")
    return Card(source.rstrip("\n"), highlight(source, PythonLexer(), formatter))
