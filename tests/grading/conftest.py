"""Shared by the tests of grading: the tiny exam, and a running worker."""

import pytest

from dark.course.exams.reading import read_exam
from dark.grading.sandbox.worker_observer import Worker
from tests.course import tiny


@pytest.fixture(scope="module")
def exam(tmp_path_factory):
    """Return the questions of the tiny module, in a file."""
    path = tmp_path_factory.mktemp("questions") / "exam_77_tiny.py"
    path.write_text(tiny.QUESTIONS)
    return read_exam(path)


@pytest.fixture(scope="module")
def worker():
    """Return a worker that all tests of a file use."""
    with Worker() as started:
        yield started
