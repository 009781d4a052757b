"""The examples of the teacher's chapter that grade: each cell runs, and prints what the text says."""

import re
from pathlib import Path

import pytest

CHAPTER = Path(__file__).parents[1] / "book" / "teaching.md"
CELL = re.compile(r"^```\{code-cell\} ipython3\n((?::[^\n]*\n)*)\n?(.*?)^```$", re.MULTILINE | re.DOTALL)


def cells(title):
    """Return the sources of the cells below a title of the chapter."""
    section = CHAPTER.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return [source for _, source in CELL.findall(section)]


def printed(source, names, capsys):
    exec(source, names)
    return capsys.readouterr().out


@pytest.mark.long
def test_deadlines_late_days_and_groups(capsys):
    names = {}
    example, errors, *_, graded, canvas, again = [
        printed(each, names, capsys) for each in cells("Deadlines, late days and groups")
    ]
    assert example.startswith("# course.toml: ") and names["exit_code"] == 0
    assert "unknown key 'dealine' in [modules.01]; did you mean 'deadline'?" in errors
    assert "occurs twice in Europe/Vienna" in errors and errors.count("  Try: ") == 2
    points = re.search(r"owls +0044 +(\d+)/\1 ", graded)[1]
    whole, late = int(points), f"{0.9 * int(points):g}"
    marks = [
        re.search(rf" {number} .*? %  +(?:2 \(1 free\) +)?([\d.]+)$", graded, re.M)[1] for number in ("0042", "0043")
    ]
    assert marks == [points, late]
    assert f"Bob Coe,4712,,,,{late}" in canvas and f"Di Eel,4714,,,,{whole}" in canvas
    assert again.count("(unchanged)") == 4 and re.search(rf"bob +0043 .* {points}$", again, re.M)
