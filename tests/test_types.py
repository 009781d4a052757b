"""Type hints: a user's program passes a type checker, and wrong calls do not."""

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
