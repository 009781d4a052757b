"""Projects that are finished: unchanged since `dark capstone check` found nothing missing."""

import hashlib
from pathlib import Path

from dark.course.capstone.project import GENERATED, SETTINGS, open_project
from dark.course.lessons.notebook_files import save_file
from dark.errors import UsageError

MARK = ".checked"  # in the folder of a project


def mark_finished(project):
    """Remember that a check of the project, as it is now, has found nothing missing."""
    save_file(project.folder / MARK, _hash(project) + "\n")


def is_finished(project):
    """Return whether nothing has changed since a check that found nothing missing."""
    mark = project.folder / MARK
    return mark.is_file() and mark.read_text(encoding="utf-8", errors="replace").strip() == _hash(project)


def projects_in(folder):
    """Return the projects in the subfolders of a folder; unreadable ones, and ones without a package, are left out."""
    found = []
    for path in sorted(Path(folder).glob(f"*/{SETTINGS}")):
        try:
            found.append(open_project(path.parent))
        except UsageError:
            continue  # `dark capstone check` says what is wrong
    return found


def finished_projects(folder):
    """Return the finished projects in the subfolders of a folder."""
    return [project for project in projects_in(folder) if is_finished(project)]


def _hash(project):
    digest = hashlib.sha256(project.stamp().encode())
    for name in sorted(GENERATED):
        path = project.folder / name
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()
