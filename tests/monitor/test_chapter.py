"""The chapter *Looking inside*: its cells run, and print what the prose says."""

import re
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="the extra 'lab' is not installed")

from dark.monitor.doctor.doctor import KINDS

CHAPTER = (Path(__file__).parents[2] / "book" / "monitor.md").read_text(encoding="utf-8")
CELLS = re.findall(r"^```\{code-cell\} ipython3\n(.*?)^```$", CHAPTER, re.M | re.S)


@pytest.mark.long
def test_the_cells_run_and_print_what_the_text_says(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    for cell in CELLS:
        exec(cell, namespace)
    printed = capsys.readouterr().out
    assert re.search(r"^update_ratio/2.weight +0\.0\d+$", printed, re.M) and "\nTrue\n" in printed
    assert len(re.findall(r"^samples/worst \d/[14] ", printed, re.M)) == 6
    assert "{'lr': 0.005, 'hidden': [32, 32]}" in printed
    assert "   1   6.000   77.00    24.000\n" in printed and "   0  10.000  205.00    40.000\n" in printed
    assert "learning rate too large" in printed and "first: no finding" in printed
    assert "gradients were not noted: attach a Monitor with" in printed


def test_the_chapter_names_every_finding():
    listed = re.search(r"It looks for (.*?)\. Each rule", CHAPTER, re.S)[1]
    assert [kind for kind in KINDS if kind not in listed] == []
