"""The course in Python without what a browser lacks: all cells, solved and blank, wrong answers, `dark check`."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STEMS = [path.stem for path in sorted((ROOT / "solutions").glob("[0-9][0-9]-*.ipynb"))]
QUICK = ("01", "02")  # of the notebooks; all others are long
CLOCK = pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="Python 3.11 has a slow clock; Pyodide is newer")
ONE_SENTENCE = {"15": 3}  # cells that say that they need processes, by module
SOLVED = [pytest.param(stem, marks=() if stem[:2] in QUICK else pytest.mark.long, id=stem[:2]) for stem in STEMS]

ASKED = [pytest.param(stem[:2], marks=() if stem[:2] in QUICK[:1] else pytest.mark.long) for stem in STEMS]


def run(*words, seconds=600):
    """Run the stand-in; return what it has printed."""
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environ = os.environ | {"PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    environ.pop("DARK_SOLUTIONS", None)
    command = [sys.executable, str(ROOT / "tests" / "like_a_browser.py"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=seconds)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Traceback" not in done.stderr and "can't start new thread" not in done.stderr, done.stderr[-2000:]
    return done.stdout


def cells(*words):
    """Run the cells of a notebook; return what each has shown, and its error."""
    return [json.loads(line) for line in run(*words).splitlines()]


@CLOCK
@pytest.mark.parametrize("stem", SOLVED)
def test_every_cell_of_the_solved_notebooks_runs(stem, tmp_path):
    found = cells(tmp_path, ROOT / "solutions" / f"{stem}.ipynb")
    assert len(found) > 10
    assert [each for each in found if each["error"]] == []
    texts = [text for each in found for text in each["shown"]]
    assert not [text for text in texts if text.startswith(("✗", "!", "dark.course could not"))]
    sentences = [text for text in texts if is_of_processes(text)]
    assert len(sentences) == ONE_SENTENCE.get(stem[:2], 0)
    for text in sentences:
        assert "\n  Expected: " in text and "\n  Try: " in text


@CLOCK
@pytest.mark.long
@pytest.mark.parametrize("stem", STEMS)
def test_the_cells_of_the_blank_notebooks_say_what_they_say_elsewhere(stem, tmp_path):
    notebook = ROOT / "modules" / f"{stem}.ipynb"
    folders = [tmp_path / name for name in ("browser", "here")]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor() as pool:
        asked = (folders[0], notebook), ("--here", folders[1], notebook)
        browser, here = pool.map(lambda words: cells(*words), asked)
    assert [each["cell"] for each in browser] == [each["cell"] for each in here]
    explained = [any(map(is_of_processes, each["shown"])) for each in browser]
    assert sum(explained) == ONE_SENTENCE.get(stem[:2], 0)
    errors = [[kind_of(each["error"]) for each, skip in zip(run, explained) if not skip] for run in (browser, here)]
    assert errors[0] == errors[1]


def is_of_processes(text):
    """Return whether a text is the sentence of a cell that needs processes, which a browser has not."""
    return "cannot start processes" in text or "needs processes" in text


def kind_of(error):
    """Return the kind of an error."""
    return error and error.partition(":")[0]


@CLOCK
@pytest.mark.parametrize("module", ASKED)
def test_wrong_answers_get_the_verdict_that_they_get_elsewhere(module):
    browser, here = (run(*words, "--wrong", module).splitlines() for words in ((), ("--here",)))
    assert browser == here
    for exercise, answer, status, _, _ in map(json.loads, browser):
        assert status not in ("right", "not attempted"), (exercise, answer)
        assert answer != "endless" or status == "timed out"


@CLOCK
def test_check_of_the_command_line_needs_no_processes(tmp_path):
    shutil.copy(ROOT / "solutions" / f"{STEMS[0]}.ipynb", tmp_path)
    printed = run("--module", "dark", "check", tmp_path / f"{STEMS[0]}.ipynb")
    assert "102 of 102" in printed


def test_worker_processes_are_refused_in_one_sentence():
    code = "import sys; sys.path.insert(0, 'tests'); from like_a_browser import remove; remove()\n"
    code += "from dark.data import DataLoader\ntry:\n    list(DataLoader([1, 2], num_workers=2))\n"
    code += "except ValueError as error:\n    print(error)\n"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT).stdout
    assert printed.splitlines()[0] == "DataLoader: this platform does not support processes."
    assert "  Expected: num_workers=0." in printed


CELLS = (
    ("%load_ext dark.course", None),
    ("import subprocess\nlisted = subprocess.run(['ls'])", "cannot start processes"),
    ("lines = str(listed).splitlines()", "listed is not defined: it comes from a cell that needs processes"),
    ("for first, *rest in lines:\n    pass", "lines is not defined"),
    ("import threading\nthreading.Thread(target=print).start()", "cannot start processes or threads"),
    ("import os\nos.fork()", "cannot start processes"),
    ("print(unknown)", None),
    ("open('missing')", None),
)


def test_a_cell_that_needs_processes_says_so_and_is_no_error(tmp_path):
    sources = [{"cell_type": "code", "source": source} for source, _ in CELLS]
    path = tmp_path / "01-little.ipynb"
    path.write_text(json.dumps({"cells": sources}))
    found = cells(tmp_path, path)
    for each, (_, sentence) in zip(found[:6], CELLS):
        assert each["error"] is None and "Traceback" not in str(each)
        assert sentence is None or sentence in each["shown"][0] and "\n  Expected: " in each["shown"][0]
    assert [each["error"].partition(":")[0] for each in found[6:]] == ["NameError", "FileNotFoundError"]
