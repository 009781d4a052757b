"""The colors of all pictures in a light and a dark theme; the page chooses, in a notebook, a book or a browser.

A picture is drawn in the light colors. Its style sheet names for each of them the dark one, with ``light-dark()``: that
follows the `color-scheme` of the page, which a theme of a book or a notebook sets, and else the setting of the system.
A program that does not know it, such as one that converts to PNG, draws the light colors.
"""

TEXT_COLOR, EDGE_COLOR, GRADIENT_COLOR, MODULE_COLOR = "#1f2933", "#52606d", "#9a3412", "#3d5a45"
PAPER = "#ffffff"
DARK = {  # the color in the dark theme, for each of the light theme
    PAPER: "#14181d", TEXT_COLOR: "#e8edf2", EDGE_COLOR: "#a3b0bd", GRADIENT_COLOR: "#f5a572",
    MODULE_COLOR: "#9fcfae", "#0b4f8a": "#7db8ee", "#e6f1fb": "#12304b", "#f5f3ee": "#2a2925",
    "#0f5f5c": "#6fcfc8", "#e7f5f3": "#123634", "#edf5ee": "#1d3324", "#f7faf7": "#181f1b",
    "#b3261e": "#ff8f86", "#fdecea": "#4a1c19", "#fdf3ea": "#3a2415", "#d9a57f": "#a5724c",
    "#5b3fa0": "#c3b1f5", "#f1edfb": "#2a2342",
}  # fmt: skip
BOXES = {  # fill and border of each kind of box
    "parameter": ("#e6f1fb", "#0b4f8a"), "constant": ("#f5f3ee", EDGE_COLOR), "input": ("#e7f5f3", "#0f5f5c"),
    "result": (PAPER, TEXT_COLOR), "detached": (PAPER, EDGE_COLOR), "group": ("#edf5ee", MODULE_COLOR),
    "folded": (PAPER, PAPER),
    "frame": ("#f7faf7", MODULE_COLOR), "wrong": ("#fdecea", "#b3261e"),
    "gradient": ("#fdf3ea", GRADIENT_COLOR), "structure": ("#f1edfb", "#5b3fa0"),
}  # fmt: skip
SHADES = ("#fff7e6", "#fde3b4", "#fbbf77", "#f08a4b", "#c8502f")  # of costs, in both themes
NAMES = {"white": PAPER, "black": TEXT_COLOR}  # how layout engines spell them
KEPT = ":not(.dark-heat *)"  # the cells of heat maps are the same in both themes
PAGES = (
    '[data-theme="light"] .dark-picture,[data-jp-theme-light="true"] .dark-picture{color-scheme:light}'
    '[data-theme="dark"] .dark-picture,[data-jp-theme-light="false"] .dark-picture{color-scheme:dark}'
)


def style_sheet():
    """Return the style sheet of a picture, whose root has the class `dark-picture`."""
    rules = [
        f".dark-picture{{color-scheme:light dark;background:white;background:light-dark({PAPER},{DARK[PAPER]})}}",
        PAGES,
    ]
    for light, dark in [*DARK.items(), *((name, DARK[color]) for name, color in NAMES.items())]:
        for field in ("fill", "stroke"):
            rules.append(f'.dark-picture [{field}="{light}"]{KEPT}{{{field}:light-dark({light},{dark})}}')
    return "".join(rules)


def shade(share):
    """Return the colors of a cost and of the texts on it; `share` is its part of the largest cost."""
    fill = SHADES[min(len(SHADES) - 1, int(len(SHADES) * share))]
    return fill, PAPER if fill == SHADES[-1] else TEXT_COLOR


def both(color):
    """Return a color of the light theme as CSS for both themes."""
    return f"light-dark({color},{DARK[color]})"


STYLE_SHEET = style_sheet()
IN_NOTEBOOK = '<style>[data-jp-theme-light="false"] img.dark-light{color-scheme:dark}</style>'
