"""What all tests share: hypothesis without a stopwatch, and the real JupyterLab for browser tests."""

import pytest
from hypothesis import settings

from tests import browser

# Cells of notebooks, right and wrong: the course reads them, and alone they mean nothing.
collect_ignore_glob = ["exams/bugs/*", "exams/answers/*"]

settings.register_profile("dark", deadline=None, derandomize=True, database=None)
settings.load_profile("dark")


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """Give a real JupyterLab, started as a student starts it, on a folder of its own."""
    with browser.running_lab(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="session")
def chromium():
    """Give a headless chromium, or skip and say why."""
    with browser.running_chromium() as started:
        yield started


@pytest.fixture
def page(chromium, lab):
    """Give an empty page that may talk to our server only, and on which no script may fail."""
    with browser.watched_page(chromium, lab) as opened:
        yield opened
