"""The page: its scripts and styles, put together into one text.

The scripts are ES modules in the folder `page`, tested one by one. A page without a server cannot import modules, so
they are joined: in the order of their imports, without `import` and `export`. Their names at the top level differ.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

FOLDER = Path(__file__).with_name("page")
IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+\.js)";\n', re.M)
EXPORT = re.compile(r"^export (?=async function|function|const|class)|^export \{[^}]*\};\n", re.M)
# The page needs nothing from elsewhere, and the browser holds it to that.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src {}; "
    "base-uri 'none'; form-action 'none'"
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
body {{ margin: 0; }}
{style}
</style>
</head>
<body>
{data}
<script type="module">
{script}
{start}();
</script>
</body>
</html>
"""


@cache
def script() -> str:
    """Return all scripts as one module, without its exports."""
    return "\n".join(EXPORT.sub("", IMPORT.sub("", source(name))) for name in in_order("homes.js"))


@cache
def style() -> str:
    """Return all styles."""
    return source("uplot.css") + "\n" + source("style.css")


def source(name: str) -> str:
    """Return the text of a file of the page."""
    return (FOLDER / name).read_text(encoding="utf-8")


def in_order(name: str, before: tuple[str, ...] = ()) -> list[str]:
    """Return a module and all that it imports, each after its imports and once."""
    order: list[str] = []
    for imported in IMPORT.findall(source(name)):
        order += [one for one in in_order(imported, (*before, *order)) if one not in order]
    return [one for one in [*order, name] if one not in before]


def html(title: str, start: str, data: str = "", connect: str = "'none'") -> str:
    """Return a page that starts the viewer.

    Parameters
    ----------
    title : str
    start : str
        The function of `homes.js` that starts it.
    data : str
        Elements with the answers that the page holds.
    connect : str
        What the page may ask, as a source of a content security policy.
    """
    policy = escape(POLICY.format(connect))
    return PAGE.format(policy=policy, title=escape(title), style=style(), data=data, script=script(), start=start)
