"""A Sphinx extension for the first page: pictures of printed solutions, the pad for digits, a link to run module 01."""

import base64
import re
from html import escape
from pathlib import Path

import digit_pad
import nbformat
from docutils import nodes
from docutils.parsers.rst import directives
from pages import BROWSER_EDITION
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

SOLUTIONS = Path(__file__).parents[1] / "solutions"
PICTURE = re.compile(r'src="data:image/svg\+xml;base64,([^"]+)"')
SENTENCE = re.compile(r".*?[.!?](?=\s|$)", re.DOTALL)
SCRIPTS = ("digit_network.js", "digit_pad.js")
RUN = '<a class="run-now" href="{address}">Run module 01 now</a>'
HERE, ELSEWHERE = f"{BROWSER_EDITION}?path=01-scalar-autodiff.ipynb", "where_to_run.html"


def output_of(module, cell):
    """Return the last output of a cell, by its id, of a module's printed solution."""
    notebook = nbformat.read(SOLUTIONS / f"{module}.ipynb", as_version=4)
    found = [each for each in notebook.cells if each.id == cell and each.get("outputs")]
    if not found:
        raise ExtensionError(
            f"The first page shows the output of the cell {cell!r}, which solutions/{module}.ipynb does not have.\n"
            "  Expected: the id of a cell with an output.\n"
            f"  Try: look for the cell in solutions/{module}.ipynb, and name it in book/index.md"
        )
    return found[0].outputs[-1]


def pictures(svg, name, views):
    """Return an SVG for inside a page, once for each view of it, a viewBox; the ids in it begin with the name.

    >>> picture = '<svg width="4pt" height="2pt" viewBox="0 0 4 2"><g id="a"/></svg>'
    >>> print(*pictures(picture, "p", ["0 0 2 2", "2 0 2 2"]), sep="\\n")
    <svg style="flex-grow:2" width="2pt" height="2pt" viewBox="0 0 2 2"><g id="p-whole"><g id="p-a"/></g></svg>
    <svg aria-hidden="true" style="flex-grow:2" width="2pt" height="2pt" viewBox="2 0 2 2"><use href="#p-whole"/></svg>
    """
    svg = svg[svg.index("<svg") :].replace("ns1:href", "href")
    svg = svg.replace(' style="max-width:100%;height:auto"', "", 1)
    svg = re.sub(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)', f"{name}-", svg)
    head, _, inner = svg.partition(">")
    views = [view.split() for view in views] or [re.search(r'viewBox="([^"]*)"', head)[1].split()]
    size = 'style="flex-grow:{2}" width="{2}pt" height="{3}pt" viewBox="{0} {1} {2} {3}"'
    sizes = [size.format(*view) for view in views]
    head = re.sub(r'width="[^"]*" height="[^"]*" viewBox="[^"]*"', sizes[0], head)
    first = f'{head}><g id="{name}-whole">{inner.rstrip().removesuffix("</svg>")}</g></svg>'
    other = '<svg aria-hidden="true" {size}><use href="#{name}-whole"/></svg>'
    return [first, *(other.format(size=size, name=name) for size in sizes[1:])]


class Built(SphinxDirective):
    """A work of a lesson's code: the output of a cell of its printed solution, with a caption.

    The arguments are the module and the id of the cell; the content is the caption. An option `views` lists parts of a
    picture, each as `x y width height`, separated by commas. Of an output in words, the first sentence is shown.
    """

    required_arguments = 2
    has_content = True
    option_spec = {"views": directives.unchanged, "class": directives.unchanged}  # noqa: RUF012

    def run(self):
        """Take the output, and let the caption be parsed as the page is."""
        module, cell = self.arguments
        self.env.note_dependency(str(SOLUTIONS / f"{module}.ipynb"))
        output, kind = output_of(module, cell), self.options.get("class", "")
        if output.output_type == "stream":
            shown = f"<blockquote>{escape(SENTENCE.match(output.text)[0])} …</blockquote>"
        else:
            views = list(filter(None, self.options.get("views", "").split(",")))
            html = output.data["text/html"]
            svg = base64.b64decode(PICTURE.search(html)[1]).decode()
            shown = "".join(pictures(svg, f"built-{module[:2]}", views))
            kind += "" if "dark-light" in html else " plot"  # without colors for a dark page
        begin = nodes.raw("", f'<figure class="built {kind}"><div>{shown}</div><figcaption>', format="html")
        return [begin, *self.parse_content_to_nodes(), nodes.raw("", "</figcaption></figure>", format="html")]


class DigitPad(SphinxDirective):
    """The pad; `digit_pad.js` fills it."""

    def run(self):
        """Write its place, and the share of digits that the network reads."""
        data = digit_pad.read_script()
        self.env.note_dependency(str(digit_pad.NETWORK))
        count = sum(parameter.value.size for parameter in digit_pad.network().parameters())
        html = (
            '<div id="digit-pad"><noscript>The pad needs JavaScript.</noscript></div>\n'
            f'<p>The network is from <a href="05-networks.html">module 05</a>: {count:,} numbers, trained with '
            "<code>dark</code> by <code>book/digit_pad.py</code>. They are in this page, which reads what you draw "
            f"without a server. Of {data['held_out']} scanned digits that were held out of the training, it "
            f"reads {data['read']}.</p>"
        )
        return [nodes.raw("", html, format="html")]


class RunNow(SphinxDirective):
    """The link to module 01: in the browser, if the site has that edition, otherwise to the ways to run it."""

    def run(self):
        """Write it; `complete_page` changes its address."""
        return [nodes.raw("", f"<p>{RUN.format(address=ELSEWHERE)}</p>", format="html")]


def complete_page(app, name, template, context, doctree):
    """Give the first page the scripts of its pad, and lead to the edition that runs in a browser, if there is one."""
    if name != "index" or doctree is None:
        return
    for script in SCRIPTS:
        app.add_js_file(script)
    app.add_css_file("landing.css")
    if Path(app.outdir, BROWSER_EDITION).is_file():
        context["body"] = context["body"].replace(RUN.format(address=ELSEWHERE), RUN.format(address=HERE))


def setup(app):
    """Add the directives, and what belongs to the first page alone."""
    app.add_directive("built", Built)
    app.add_directive("digit-pad", DigitPad)
    app.add_directive("run-now", RunNow)
    app.connect("html-page-context", complete_page)
    return {"parallel_read_safe": True}
