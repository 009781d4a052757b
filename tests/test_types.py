"""Type hints: a user's program passes two type checkers, and wrong calls do not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

mypy = pytest.importorskip("mypy.api", reason="mypy is in the extra 'test'")

ROOT = Path(__file__).parents[1]
OPTIONS = ["--follow-imports=silent", "--no-error-summary", "--config-file", str(ROOT / "pyproject.toml")]


def errors_in(path):
    """Return what mypy prints about one file."""
    return mypy.run([*OPTIONS, str(path)])[0]


@pytest.mark.long
def test_a_users_program_passes_mypy():
    assert errors_in(ROOT / "tests" / "typed_user.py") == ""


@pytest.mark.long
def test_wrong_calls_are_found(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(
        "import dark\ndark.exp('x')\ndark.Parameter(2).backwards()\ndark.sofmax(1.0)\ndark.draw(1, titel='')\n"
    )
    found = errors_in(path)
    assert [f"wrong.py:{line}:" in found for line in (2, 3, 4, 5)] == [True] * 4, found


@pytest.mark.long
def test_a_users_program_passes_pyright():
    pytest.importorskip("basedpyright", reason="basedpyright is in the extra 'oracle'")
    options = ["--outputjson", "--level", "error", "--pythonpath", sys.executable]
    checker = [sys.executable, "-m", "basedpyright", *options, str(ROOT / "tests" / "typed_user.py")]
    ran = subprocess.run(checker, capture_output=True, text=True, timeout=300, cwd=ROOT)
    found = json.loads(ran.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    assert [(f["range"]["start"]["line"] + 1, f["message"]) for f in found["generalDiagnostics"]] == []
