"""Convert a sentence of a report or a card to HTML."""

import re
from html import escape


def prose_html(text):
    """Escape a string for HTML, and format text in backticks as code.

    Parameters
    ----------
    text : str
        Plain text.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> prose_html("`_f` gives a < b.")
    '<code>_f</code> gives a &lt; b.'
    """
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", escape(str(text)))
