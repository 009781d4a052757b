"""The chapter *Many processes, one result*: its cells run, and print what the prose says."""

import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="the extra 'lab' is not installed")

CHAPTER = Path(__file__).parents[2] / "book" / "distributed.md"
CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```$", re.M | re.S)
CELLS = CELL.findall(CHAPTER.read_text(encoding="utf-8"))
FILE = "%%writefile train.py\n"


def run(cells, namespace):
    """Run cells, with the file that one of them writes."""
    for cell in cells:
        if cell.startswith(FILE):
            Path("train.py").write_text(cell.removeprefix(FILE), encoding="utf-8")
        else:
            exec(cell, namespace)


@pytest.mark.long
def test_the_cells_without_mpi_print_the_same_bits(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = next(k for k, cell in enumerate(CELLS) if cell.startswith(FILE))
    run(CELLS[:first], {})
    out = capsys.readouterr().out
    assert len(set(out.split()[:3])) == 3  # three orders, three sums
    apart = re.findall(r"largest difference in all steps: usual way ([\d.]+), fixed order (\d.*)", out)
    assert len(apart) == 2 and all(float(usual) > 0.1 and fixed == "0" for usual, fixed in apart)
    totals = re.findall(r"^\d \[\(.*\)\] (.*)$", out, re.M)
    assert len(totals) == 4 and len(set(totals)) == 1
    assert "same bits for 1, 2, 4 replicas: True" in out and "same bits: True True" in out
    assert "trainers, same bits: True True" in out and "is not divided by the size of the global batch" in out
    assert float(re.search(r"largest difference to OneProcess: (.*)", out)[1]) < 1e-12


@pytest.mark.long
def test_real_processes_end_with_the_same_bits_also_after_faults(capsys, tmp_path, monkeypatch):
    pytest.importorskip("mpi4py", reason="the extra 'mpi' is not installed")
    monkeypatch.chdir(tmp_path)
    run([CELLS[0], *CELLS[next(k for k, cell in enumerate(CELLS) if cell.startswith(FILE)) :]], {})
    out = capsys.readouterr().out
    assert len(re.findall(r"weights [0-9a-f]{16}", out)) == 5
    assert len(set(re.findall(r"weights ([0-9a-f]{16})", out))) == 1
    assert "Killed (signal 9)" in out and "for rank 1, which does not answer" in out
    assert "all ended within ten seconds: True" in out and "Expected: a start by python -m mpi4py" in out
