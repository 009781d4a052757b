"""The plugin for notebooks; examples in docstrings know `np`, run in an empty folder, and must leave it empty."""

import os
import tempfile

import numpy
import pytest

pytest_plugins = ["dark.course.student.pytest_plugin"]  # also if the installed version of the project is older


@pytest.fixture(autouse=True, scope="session")
def examples_know_numpy(doctest_namespace):
    """Let examples use ``np`` without importing it, as NumPy's documentation does."""
    doctest_namespace["np"] = numpy


@pytest.fixture(autouse=True)
def examples_leave_no_files(request):
    """Fail an example in a docstring that leaves a file behind."""
    if not hasattr(request.node, "dtest"):  # a test, not an example
        yield
        return
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        places = [os.path.join(folder, name) for name in ("working", "temporary")]
        for place in places:
            os.mkdir(place)
        patch.chdir(places[0])
        patch.setattr(tempfile, "tempdir", places[1])
        yield
        left = [name for place in places for name in os.listdir(place)]
        patch.undo()  # before the folder is removed
    assert not left, f"{request.node.name} leaves {left} behind"
