"""A Sphinx extension that makes the reference from the docstrings: a page for each package and each public name.

The pages are generated into `book/reference/`, which is not tracked. A name that stands in backticks on any page of the
book, such as `dark.nn.Linear`, is a link to its page here.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path

from docutils import nodes

import dark

FOLDER = "reference"
HERE = Path(__file__).parent
TORCH = "https://docs.pytorch.org/docs/stable"
IGNITE = {name: f"https://docs.pytorch.org/ignite/{name}.html" for name in ("engine", "handlers", "metrics")}
LEFT_OUT = ("errors",)  # its tree stands in its docstring
SIDEBARS = {}  # of one build
INDEX = """\
Reference
=========

Each page is made from a docstring, with a link to its source and, where there is one, to its counterpart in PyTorch or
Ignite. The names at the top are those of the packages: ``dark.manual_seed`` is that of `dark.engine`.

.. py:data:: dark.is_training
   :type: bool

   Whether operations record the graph, in this thread. Set to False, they do not, until it is set to True again; for a
   block, `dark.nodes.no_grad` does the same.

.. toctree::
   :hidden:

{pages}

{summaries}
"""
PACKAGE = """\
{title}
{line}

{summary}

.. currentmodule:: {title}

.. autosummary::
   :toctree: names
   :nosignatures:

{names}
"""


def public_names():
    """Map each package to its public names, in alphabetical order."""
    packages = {f"dark.{name}": import_module(f"dark.{name}") for name in dark.PACKAGES if name not in LEFT_OUT}
    return {name: sorted(set(package.__all__), key=str.lower) for name, package in packages.items()}


def write_pages(app):
    """Write the pages of the packages, from which autosummary makes those of the names."""
    folder = Path(app.srcdir, FOLDER)
    folder.mkdir(exist_ok=True)
    found = public_names()
    summaries = {name: (import_module(name).__doc__ or "").strip().partition("\n")[0] for name in found}
    listed = "\n".join(f"- :doc:`{name} <{name}>`: {summary}" for name, summary in summaries.items())
    _write(folder / "index.rst", INDEX.format(pages="\n".join(f"   {name}" for name in found), summaries=listed))
    for package, names in found.items():
        summary = summaries[package]
        lines = "\n".join(f"   {name}" for name in names)
        text = PACKAGE.format(title=package, line="=" * len(package), summary=summary, names=lines)
        _write(folder / f"{package}.rst", text)
    app.config.autosummary_generate = [f"{FOLDER}/{package}.rst" for package in found]


def _write(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


@cache
def counterparts():
    """Map names of dark to those of PyTorch."""
    lines = (HERE / "pytorch_names.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if not line.startswith("#"))


def add_counterpart(app, what, name, found, options, lines):
    """Add a link to the counterpart, and keep the vertical bars of formulas from meaning anything."""
    lines[:] = [re.sub(r"(?<!\\)\|(?=\w[^|]*\|)|(?<=\w)\|", r"\\|", line) for line in lines]
    _, package, *rest = name.split(".")
    if len(rest) != 1:
        return
    if name in counterparts():
        torch = counterparts()[name]
        data = torch.startswith("torch.utils.data")
        url = f"{TORCH}/data.html#{torch}" if data else f"{TORCH}/generated/{torch}.html"
        lines += ["", f"In PyTorch: `{torch} <{url}>`__"]
    elif package in IGNITE:
        lines += ["", f"In Ignite: `ignite.{package} <{IGNITE[package]}>`__"]


@cache
def pages_of_names():
    """Map each way in which a page may write a public name to the page of that name."""
    found = {}
    for package, names in public_names().items():
        short = package.removeprefix("dark.")
        for name in names:
            page = f"{FOLDER}/names/{package}.{name}"
            found |= {f"{package}.{name}": page, f"{short}.{name}": page}
            if package in ("dark.operations", "dark.nodes", "dark.derivatives") or name in ("minimize", "draw"):
                found[f"dark.{name}"] = page
    return found | {"dark.draw": f"{FOLDER}/names/dark.draw.draw"}


def link_names(app, tree, page):
    """Link the names in backticks on a page to the reference."""
    known, existing = pages_of_names(), app.env.found_docs
    for literal in list(tree.findall(nodes.literal)):
        target = known.get(re.sub(r"\(.*\)$", "", literal.astext()))
        if target in existing and target != page and not isinstance(literal.parent, nodes.reference):
            link = nodes.reference("", "", internal=True, refuri=app.builder.get_relative_uri(page, target))
            literal.replace_self(link)
            link += literal


def share_sidebars(app, page, template, context, tree):
    """Make the table of contents in the sidebar once for all names of a package, and for all sources at one depth."""
    is_source, is_name = page.startswith("_modules"), page.startswith(f"{FOLDER}/names/")
    if is_source or is_name:
        make, alike = context["toctree"], page.count("/") if is_source else page.rpartition(".")[0]

        def toctree(**options):
            key = alike, tuple(sorted(options.items()))
            if key not in SIDEBARS:
                SIDEBARS[key] = make(**options)
            return SIDEBARS[key]

        context["toctree"] = toctree


def setup(app):
    """Generate the pages before autosummary reads them, and link names to them."""
    app.connect("builder-inited", write_pages, priority=100)
    app.connect("autodoc-process-docstring", add_counterpart, priority=100)  # before napoleon
    app.connect("doctree-resolved", link_names)
    app.connect("html-page-context", share_sidebars, priority=100)  # before the theme asks for it
    return {"parallel_read_safe": True}
