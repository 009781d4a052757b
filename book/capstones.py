"""A Sphinx extension that puts the finished projects of a student's folder into the book, after the last module.

The folder is `work/`, or what DARK_WORK names. A project is finished if it has not changed since `dark capstone check`
found nothing missing. Its page is copied to `book/capstones/`, which is not tracked.
"""

import os
import shutil
from pathlib import Path

from sphinx.util import logging

from dark.course.capstone.finished import is_finished, projects_in

FOLDER = "capstones"
AFTER = "[0-9][0-9]-*\n"  # the modules, in the table of contents of index.md
WORK = Path(__file__).parents[1] / "work"
logger = logging.getLogger(__name__)


def copy_pages(app):
    """Copy the page and the curves of each finished project; say which are not finished."""
    folder = Path(app.srcdir, FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    app.capstones = []
    for project in projects_in(os.environ.get("DARK_WORK", WORK)):
        name = project.folder.name
        if not is_finished(project):
            logger.info("%s is not in the book: dark capstone check %s", name, project.folder)
            continue
        own = folder / name
        own.mkdir(parents=True)
        shutil.copy(project.folder / "curves.svg", own)
        program = (project.folder / "run.py").read_text(encoding="utf-8").rstrip()
        fence = "`" * (3 + program.count("```"))
        page = f"{project.page.rstrip()}\n\n## Program\n\n{fence}python\n{program}\n{fence}\n"
        (own / "page.md").write_text(page, encoding="utf-8")
        app.capstones.append(f"{FOLDER}/{name}/page")


def list_pages(app, name, source):
    """Name the pages in the table of contents."""
    if name == "index" and app.capstones:
        source[0] = source[0].replace(AFTER, AFTER + "\n".join(app.capstones) + "\n", 1)


def setup(app):
    """Copy the pages before the book is read."""
    app.connect("builder-inited", copy_pages)
    app.connect("source-read", list_pages)
    return {"parallel_read_safe": True}
