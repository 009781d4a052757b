"""The page *For PyTorch users*: its code runs, and prints what the page shows."""

import re
import warnings
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytest.importorskip("sklearn", reason="the extra 'lab' is not installed")
with warnings.catch_warnings():  # of PyTorch, about what Ignite imports
    warnings.simplefilter("ignore")
    pytest.importorskip("ignite", reason="the oracle extra (Ignite) is not installed")
pytestmark = pytest.mark.oracle

PAGE = (Path(__file__).parents[3] / "book" / "for_pytorch_users.md").read_text(encoding="utf-8")
RECORDED = re.compile(r"^::::\{container\} pytorch\n.*?^```python\n(.*?)^```\n\n```text\n(.*?)^```\n::::$", re.M | re.S)
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def words(text):
    """Return the lines of a text without its numbers, which depend on the version of PyTorch."""
    return [NUMBER.sub("0", line) for line in text.splitlines()]


def test_the_code_prints_what_the_page_shows(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    recorded, namespace = RECORDED.findall(PAGE), {}
    assert len(recorded) == PAGE.count("{container} pytorch") == 5
    for code, shown in recorded:
        capsys.readouterr()
        exec(code, namespace)
        assert words(capsys.readouterr().out) == words(shown)
    for code in re.findall(r"^```python\n(.*?)^```$", RECORDED.sub("", PAGE), re.M | re.S):
        compile(code.replace("...\n    if", "if True:\n    if"), "page", "exec")
