"""The course of a student on a system without Unix's processes, signals and locks, with a console in cp1252."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STAND_IN = str(ROOT / "tests" / "other_systems.py")
MODULE = "01-scalar-autodiff.ipynb"
IMPORT_ALL = """
import importlib, pathlib, sys
sys.path[:0] = sys.argv[1:3]
import other_systems
other_systems.remove()
import dark
root = pathlib.Path(dark.__file__).parent
for file in sorted(root.rglob("*.py")):
    parts = file.relative_to(root.parent).with_suffix("").parts
    if not set(parts) & {"__main__", "skeletons", "_modules", "_questions", "_answers"}:
        try:
            importlib.import_module(".".join(parts).removesuffix(".__init__"))
        except (ImportError, dark.errors.DarkError) as error:
            if any(name in str(error) for name in ("fcntl", "resource", "termios", "pwd")):
                raise
"""


def python(folder, *words):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, encoding="cp1252", timeout=240
    )


def dark(folder, *words):
    return python(folder, STAND_IN, "dark", *words)


def test_everything_is_imported(tmp_path):
    done = python(tmp_path, "-c", IMPORT_ALL, str(ROOT / "tests"), str(ROOT))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("kind", "code", "last"),
    [("solved", 0, "9 of 9 right"), ("blank", 1, "0 of 9 right"), ("wrong", 1, "8 of 9 right")],
)
def test_the_first_module_is_checked(tmp_path, kind, code, last):
    source = ROOT / ("modules" if kind == "blank" else "solutions") / MODULE
    shutil.copy(source, tmp_path)
    if kind == "wrong":
        notebook = json.loads((tmp_path / MODULE).read_text(encoding="utf-8"))
        cell = next(each for each in notebook["cells"] if each["metadata"]["dark"].get("exercise") == "slope")
        cell["source"] = "def slope(f, x, h=1e-6):\n    while True:\n        pass\n"
        (tmp_path / MODULE).write_text(json.dumps(notebook), encoding="utf-8")
    done = dark(tmp_path, "check", MODULE)
    assert done.returncode == code, done.stdout + done.stderr
    assert last in done.stdout and "Traceback" not in done.stderr
    assert kind != "wrong" or "timed out" in done.stdout


def test_a_hint_and_an_export_need_no_unix(tmp_path):
    shutil.copy(ROOT / "solutions" / MODULE, tmp_path)
    for words in (["hint", MODULE, "slope"], ["export", "mine", "01", "--work", "."]):
        done = dark(tmp_path, *words)
        assert done.returncode == 0, done.stdout + done.stderr
