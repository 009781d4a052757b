"""A finished project, and a copy of it to change."""

import shutil

import pytest

from dark.course.capstone.project import open_project
from tests.course.capstone.projects import make_finished, make_package


@pytest.fixture(scope="session")
def original(tmp_path_factory):
    """Return a folder with an exported package and a finished project."""
    root = tmp_path_factory.mktemp("capstone")
    make_finished(root / "project", make_package(root / "mine"))
    return root


@pytest.fixture
def project(original, tmp_path):
    """Return a copy of the finished project, to change."""
    root = tmp_path / "root"
    shutil.copytree(original, root)
    return open_project(root / "project")
