"""The width of a text in Arial, so that boxes fit their texts without a browser.

Source: Adobe, Core 14 AFM files: the widths of Helvetica, which are those of Arial and of Liberation Sans.
"""

from unicodedata import combining, east_asian_width

FIRST, NO_BREAK = 32, "\u00a0"
WIDTHS = (  # of the characters 32 to 126, in thousandths of the font size
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
KNOWN = {chr(FIRST + k): width for k, width in enumerate(WIDTHS)} | {NO_BREAK: WIDTHS[0]}
OTHER, WIDE, BOLD = 600, 1000, 1.18
ROOM = 1.12  # for fonts that are wider than Arial, such as DejaVu Sans


def text_width(text, size, bold=False):
    """Return the width of a text in points; a character that is not in the table counts as an average one."""
    widths = [
        KNOWN[c] if c in KNOWN else 0 if combining(c) else WIDE if east_asian_width(c) in "FW" else OTHER for c in text
    ]
    return sum(widths) * size / 1000 * ROOM * (BOLD if bold else 1.0)
