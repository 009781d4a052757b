"""`Page`: a page in a single file, which works without a network."""

from dataclasses import dataclass
from html import escape
from os import PathLike

from dark.atomic_write import write_file

# The page needs nothing from elsewhere, and the browser holds it to that.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src {}; "
    "worker-src blob:; base-uri 'none'; form-action 'none'"
)
TEXT = """<!doctype html>
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
</script>
</body>
</html>
"""


@dataclass(frozen=True)
class Page:
    """A page in a single file, without a server or a network: a run with its viewer, or a graph to explore.

    `left_out` has sentences about the data that did not fit; it is empty if everything did.
    """

    title: str
    html: str
    left_out: tuple[str, ...] = ()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file. A file of this name is replaced."""
        write_file(path, self.html.encode())

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{escape(self.title)}" srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads '
            'allow-modals" style="width:100%;height:700px;border:1px solid #8888;border-radius:6px"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Page({self.title!r}, {len(self.html) / 1e6:.1f} MB)"


def html(title: str, script: str, style: str, data: str = "", connect: str = "'none'") -> str:
    """Return the text of a page; its `data` are from `data_element`, and `connect` is its policy for connections."""
    policy = escape(POLICY.format(connect))
    return TEXT.format(policy=policy, title=escape(title), style=style, data=data, script=script)


def data_element(name: str, json_text: str) -> str:
    """Return JSON as an element of a page; no text in it can end the element.

    >>> data_element("x", '["</script>"]')
    '<script type="application/json" id="x">["\\\\u003c/script>"]</script>'
    """
    safe = json_text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{escape(name)}">{safe}</script>'
