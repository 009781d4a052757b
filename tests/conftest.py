"""Shared by all tests: what is left out of the quick run, and a JupyterLab for the browser tests."""

import fcntl
import gc
import os
import re
import signal
import subprocess
import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests import browser

if find_spec("hypothesis"):  # not with the extra `lab` alone, which is all that `pytest tests/exams --student` needs
    import_module("tests.examples")

LONG = ("long", "browser", "oracle")  # the marks of what `-m "not long"` leaves out
ALL_LONG = re.compile(rf"^pytestmark = .*\bmark\.({'|'.join(LONG)})\b", re.MULTILINE)


def pytest_addoption(parser):
    """Add `--share K/N`, with which a run that has little time does an N-th of the tests."""
    parser.addoption(
        "--share",
        metavar="K/N",
        type=_share,
        help="of the chosen tests, run every N-th, from the K-th on (1/4 to 4/4 are together all of them)",
    )


def _share(text):
    """Return (index of the first test, step) of a text such as 2/3."""
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if not match or int(match[1]) > int(match[2]):
        raise pytest.UsageError(
            f"A share is K/N, with K from 1 to N, but --share is {text!r}.\n"
            "  Expected: 1/1 for all tests, or, for example, 2/3 for the second third.\n"
            "  Try: --share 1/3"
        )
    return int(match[1]) - 1, int(match[2])


def pytest_configure():
    """Let Ctrl-C reach the programs that tests start, also if the run was started in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory):
    """Keep the files that programs remember between runs out of the user's home."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


def pytest_ignore_collect(collection_path, config):
    """Do not import a file whose tests are all left out, nor modules without examples that tests share.

    Some import PyTorch, and one that stops there would stay in `sys.modules`, half-imported.
    """
    if collection_path.suffix != ".py" or collection_path.name == "conftest.py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    if not collection_path.name.startswith("test_"):
        return ">>>" not in text or None
    return (config.option.markexpr == "not long" and bool(ALL_LONG.search(text))) or None


def pytest_pycollect_makeitem(collector, name, obj):
    """Do not generate a test that is left out, of which there may be hundreds of cases."""
    return [] if _is_left_out(collector.config, getattr(obj, "pytestmark", ())) else None


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc):
    """Do not generate the cases that are left out."""
    parametrize = metafunc.parametrize

    def parametrize_the_rest(names, values, *rest, **settings):
        values = list(values)
        left = [value for value in values if not _is_left_out(metafunc.config, getattr(value, "marks", ()))]
        has_own_ids = bool(rest) or isinstance(settings.get("ids"), (list, tuple))
        parametrize(names, values if has_own_ids or not left else left, *rest, **settings)

    metafunc.parametrize = parametrize_the_rest


def _is_left_out(config, marks):
    """Return whether the quick run leaves out what has these marks."""
    if config.option.markexpr != "not long" or not isinstance(marks, (list, tuple)):
        return False
    return any(getattr(mark, "name", None) in LONG for mark in marks)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark as long what needs a browser or PyTorch; of what is left to run, begin with what takes or waits longest."""
    for item in items:
        if item.get_closest_marker("browser") or item.get_closest_marker("oracle"):
            item.add_marker(pytest.mark.long)
    result = yield
    if config.option.share:
        first, step = config.option.share
        chosen = items[first::step]
        config.hook.pytest_deselected(items=[item for k, item in enumerate(items) if k % step != first])
        items[:] = chosen
    book = [item for item in items if "pages" in getattr(item, "fixturenames", ())]
    clusters = [item for item in items if item.path.name == "test_cluster_kills.py"]
    placed = {*book, *clusters}
    items[:] = [*book, *(item for item in items if item not in placed)]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    second = (len(items) + len(clusters)) // workers  # the first test of the second process
    items[second:second] = clusters
    return result


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Start a process more than there are cores for the long tests, which wait for browsers, kernels and clusters."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + config.option.markexpr.startswith("long")


def pytest_collection(session):
    """Collect no garbage while tests are collected: what is made then stays."""
    gc.disable()


def pytest_collection_finish(session):
    """Keep the tests and the libraries out of each later collection of garbage."""
    gc.enable()
    gc.freeze()


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


@pytest.fixture(scope="session")
def pages(tmp_path_factory, request):
    """Build the book, once for all processes; executed cells come from the cache of `make book`. Return its folder."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "book"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").exists():
            book = Path(__file__).parents[1] / "book"
            words = ["-W", "--keep-going", "-q", "-b", "html", "-d", str(folder / "doctrees"), str(book)]
            command = [sys.executable, "-m", "sphinx", *words, str(folder / "html")]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            (folder / "built").touch()
    return folder / "html"
