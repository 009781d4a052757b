"""Configuration of the web book: the chapters are executed once, and the pages need no network."""

import hashlib
import os
import sys
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(Path(__file__).parent))  # for the extensions next to it

project = "dark"
author = "the dark contributors"
copyright = "the dark contributors, MIT license"

extensions = [
    "myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon", "sphinx.ext.viewcode",
    "capstones", "folding", "landing", "pages", "recorded", "reference",
]  # fmt: skip
exclude_patterns = ["_build", "**.ipynb_checkpoints", "**/.dark"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
templates_path = ["_templates"]

# The reference: numpydoc docstrings, in which backticks mark code.
default_role = "literal"
napoleon_google_docstring = False
napoleon_use_param = napoleon_use_rtype = False
napoleon_use_ivar = True
autosummary_imported_members = True
autodoc_typehints = "none"
suppress_warnings = ["ref.python"]  # `value` alone may be several attributes; it is not a link then

# The cache is named after the code, because the source of the cells does not show when `dark` or an example changes.
# It is outside the sources, or its files would be read as pages.
FILES = [*sorted(ROOT.glob("dark/**/*.py")), *sorted(ROOT.glob("examples/*.py"))]
CODE = hashlib.sha256(b"".join(path.read_bytes() for path in FILES))
nb_execution_mode = "cache"
nb_execution_in_temp = True
nb_execution_cache_path = str(ROOT / "build" / "book-cache" / CODE.hexdigest()[:12])
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
os.environ["DARK_SOLUTIONS"] = str(ROOT / "solutions")  # the pages show no student's progress
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# A widget is shown as a series of pictures, so that no page loads the widgets' scripts from a server.
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
nb_ipywidgets_js = {}

html_math_renderer = "mathml"
html_theme = "sphinx_book_theme"
html_title = "dark"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_copy_source = False
html_domain_indices = False
html_show_sourcelink = False
html_search_scorer = str(Path(__file__).with_name("search_scorer.js"))
html_context = {"default_mode": "auto"}  # of the colors; the theme complains in the console without it
html_theme_options = {
    "show_toc_level": 2,
    "max_navbar_depth": 2,  # chapters, and the packages of the reference; each lists its names on its page
    "use_download_button": False,
    "use_fullscreen_button": False,
    "navbar_persistent": [],  # the search is in the side bar
}


def write_mathml(writer, node):
    """Write a formula as MathML, which browsers render without a script."""
    display = "block" if isinstance(node, nodes.math_block) else "inline"
    writer.body.append(convert(node.astext(), display=display))
    raise nodes.SkipNode


def setup(app):
    """Register the renderer of formulas."""
    app.add_html_math_renderer("mathml", (write_mathml, None), (write_mathml, None))
