"""Shared by all tests: the profiles of hypothesis, and a JupyterLab for the browser tests."""

import os
import signal
import threading

import pytest
from hypothesis import settings

from tests import browser
from tests.examples import FULL

# A program that only type checkers read.
collect_ignore_glob = ["typed_user.py"]

full = settings(deadline=None, derandomize=True, database=None, max_examples=FULL)
settings.register_profile("full", full)
settings.register_profile("quick", full, max_examples=FULL // 4)
settings.load_profile("full")  # --hypothesis-profile chooses another


def pytest_configure():
    """Let Ctrl-C reach the programs that tests start, also if the run was started in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory):
    """Keep the files that programs remember between runs out of the user's home."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark as long what needs a browser or PyTorch."""
    for item in items:
        if item.get_closest_marker("browser") or item.get_closest_marker("oracle"):
            item.add_marker(pytest.mark.long)


def pytest_terminal_summary(terminalreporter):
    """Report how many of PyTorch's operator samples were compared."""
    found = [dict(report.user_properties).get("operator samples") for report in terminalreporter.getreports("passed")]
    counts = [count for count in found if count]
    if counts:
        terminalreporter.write_line(f"{sum(counts)} operator samples compared with PyTorch's, in {len(counts)} tests")


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """Give a JupyterLab, started as a student starts it, in its own folder."""
    with browser.running_lab(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="session")
def chromium():
    """Give a headless chromium, or skip with the reason."""
    with browser.running_chromium() as started:
        yield started


@pytest.fixture
def page(chromium, lab):
    """Give an empty page that may only contact the local server, and on which no script may fail."""
    with browser.watched_page(chromium, lab) as opened:
        yield opened
