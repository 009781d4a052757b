"""The parts of all HTML pages of a report: the frame of a page, and a table."""

import re
from html import escape

# HTML does not allow control characters, and a terminal executes them: Unicode's pictures of them instead; for further
# ones, and for those of direction, the replacement character.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"  # no scripts, and nothing from elsewhere
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid; padding: 0.2rem 0.6rem; text-align: left; vertical-align: top; }
pre { overflow-x: auto; padding: 0.4rem; border: 1px solid; }
svg { max-width: 100%; height: auto; }
section { margin: 2rem 0; }
.signs { white-space: nowrap; }
"""


def page(title: str, body: str) -> str:
    """Return a complete HTML page; the title is plain text, the body HTML."""
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )
    text = HIDDEN.sub(_visible, text)
    return text.encode("utf-8", "backslashreplace").decode()  # an error message may contain a lone surrogate


def _visible(match):
    code = ord(match[0])
    return chr(0x2400 + code) if code < 32 else "\u2421" if code == 127 else "\ufffd"


def table(head, rows):
    """Return an HTML table."""
    cells = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"
