"""Examples in docstrings leave no files behind: neither in the working directory nor in the temporary folder."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = '''
def tidy():
    """
    >>> import os, tempfile
    >>> os.listdir(), os.listdir(tempfile.gettempdir())
    ([], [])
    >>> with tempfile.TemporaryFile() as file:
    ...     file.write(b"1")
    1
    """


def here():
    """
    >>> open("left.txt", "w").close()
    """


def elsewhere():
    """
    >>> import tempfile
    >>> type(tempfile.mkdtemp())
    <class 'str'>
    """
'''


@pytest.mark.long
def test_an_example_that_leaves_a_file_fails(tmp_path):
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "examples.py").write_text(EXAMPLES)
    command = [sys.executable, "-m", "pytest", "--doctest-modules", "-p", "no:cacheprovider", "-q", "examples.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "3 passed, 2 errors" in done.stdout, done.stdout + done.stderr
    assert "examples.here leaves ['left.txt'] behind" in done.stdout and "examples.elsewhere leaves" in done.stdout
    assert not (tmp_path / "left.txt").exists()
