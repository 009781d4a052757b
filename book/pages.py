"""A Sphinx extension for what the pages of the book share: directives, and the excerpts of the search."""

import json
import re
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

import dark
import dark.course

EXCERPTS = "excerpts.js"
BROWSER_EDITION = "lite/lab/index.html"  # in the folder of the pages, where `make site` has made it
FROM_DISK = """\
// The text of every page, for the excerpts of the search: a page that was opened from disk may not fetch others, and
// the HTML of one from a server has buttons and its table of contents in the text.
const EXCERPTS = %s;
window.fetch = async (address) => {
  const folder = new URL(".", location.href).pathname;
  const name = new URL(address, location.href).pathname.slice(folder.length).replace(/\\.html$/, "");
  const text = EXCERPTS[name] || "…";
  return { text: async () => `<div role="main">${text}</div>` };
};
"""


class LiveGraph(SphinxDirective):
    """The graph of a scalar node: a reader changes its parameters, and values and gradients follow.

    The content is Python code; its last line is the node. The option `caption` is shown below the graph.
    """

    has_content = True
    option_spec = {"caption": directives.unchanged_required}  # noqa: RUF012

    def run(self):
        """Draw the node, and write its graph as data next to the picture."""
        *before, last = self.content
        names = {"dark": dark}
        exec("\n".join(before), names)
        drawing = dark.draw(eval(last, names))
        fields = ("kind", "operation", "value", "name", "inputs")
        data = json.dumps([{name: getattr(box, name) for name in fields} for box in drawing.boxes])
        caption = f"<figcaption>{escape(self.options['caption'])}</figcaption>"
        html = f'<figure class="live-graph" data-graph="{escape(data)}">{drawing.svg}{caption}</figure>'
        return [nodes.raw("", html, format="html")]


class Picture(SphinxDirective):
    """A picture that the book draws itself; the content is Python code, its last line is the drawing."""

    has_content = True

    def run(self):
        """Draw it."""
        *before, last = self.content
        names = {"dark": dark}
        exec("\n".join(before), names)
        return [nodes.raw("", f'<figure class="picture">{eval(last, names).svg}</figure>', format="html")]


def _plain(node):
    """Return the text of a page as HTML that has its sections, to which results point, and no pictures."""
    if isinstance(node, nodes.raw | nodes.comment):
        return ""
    if isinstance(node, nodes.Text):
        return re.sub(r"\s+", " ", escape(node.astext()))
    apart = "" if isinstance(node, nodes.TextElement) else " "
    inner = apart.join(filter(None, map(_plain, node.children)))
    return f'<section id="{node["ids"][0]}">{inner}</section>' if isinstance(node, nodes.section) else inner


def write_excerpts(app, error):
    """Write the text of all pages into one script, which the search page loads."""
    if error or app.builder.format != "html":
        return
    plain = {name: _plain(app.env.get_doctree(name)) for name in sorted(app.env.found_docs)}
    path = Path(app.outdir, "_static", EXCERPTS)
    path.write_text(FROM_DISK % json.dumps(plain, ensure_ascii=False), encoding="utf-8")


def link_to_browser_edition(app, name, template, context, doctree):
    """Put the link *Run this in your browser* below the title of a lesson, if the site has that edition."""
    if doctree is not None and re.match(r"\d\d-", name) and Path(app.outdir, BROWSER_EDITION).is_file():
        link = f'<p class="run-here"><a href="{BROWSER_EDITION}?path={name}.ipynb">Run this in your browser</a></p>'
        context["body"] = context["body"].replace("</h1>", f"</h1>\n{link}", 1)


def setup(app):
    """Add the directives, the script of the pages, and the excerpts of the search page."""
    app.add_directive("live-graph", LiveGraph)
    app.add_directive("picture", Picture)
    app.add_js_file("book.js")
    app.connect("html-page-context", lambda app, name, *_: name == "search" and app.add_js_file(EXCERPTS))
    app.connect("html-page-context", link_to_browser_edition)
    app.connect("build-finished", write_excerpts)
    return {"parallel_read_safe": True}
