"""Odd command lines: each ends with its exit code and an error in three parts, without a traceback."""

from contextlib import suppress

import pytest

from dark.cli import dispatch

COMMANDS = (
    "build capstone check completion doctor draw export gradcheck grade help "
    "hint lab notes progress release reset update"
)
OPTIONS = [
    (name, option)
    for name in COMMANDS.split()
    for option in ("--nonsense", "-Z", "--hlep", "--=", "--\N{GREEK SMALL LETTER ALPHA}")
]
CALLS = [
    *((name, option) for name, option in OPTIONS),
    ("--verison",), ("--VERSION",), ("-x",), ("chekc",), ("\N{SNOWMAN}",), ("",), (" check",), ("CHECK",), ("version",),
    ("check/",), ("help", "chekc"), ("help", ""), ("completion",), ("completion", "tcsh"), ("completion", ""),
    ("completion", "bash", "zsh"), ("check",), ("check", ""), ("check", "slop"), ("check", "99"),
    ("check", "gone.ipynb"),
    ("check", "."), ("check", "01", "gone"), ("check", "01", "--seed"), ("check", "01", "--seed", "x"),
    ("check", "01", "--seed", ""), ("check", "--", "--json"), ("check", "empty.ipynb"),
    ("check", "empty.ipynb", "slope"),
    ("hint",), ("hint", "slop"), ("hint", "01"), ("hint", "01", "slope", "x", "y"), ("hint", ""),
    ("hint", "slope", "99"),
    ("draw",), ("draw", ""), ("draw", "gone.py:x"), ("draw", "."), ("draw", "plain.py"), ("draw", "plain.py:gone"),
    ("draw", "plain.py:x", "--depth", "x"), ("draw", "plain.py:x", "--depth"), ("draw", ":"),
    ("gradcheck",), ("gradcheck", "gone.py:f"), ("gradcheck", "plain.py:gone"), ("gradcheck", "plain.py:x"),
    ("grade", "x", "--jobs", "0"), ("grade", "x", "--jobs", "two"), ("grade", "--jobs"), ("grade", "gone"),
    ("grade", "x", "--fail-under", "101"), ("grade", "x", "--fail-under", "nan"), ("grade", "x", "--export", "exel"),
    ("grade", "x", "--attempt", "lates"), ("grade", "x", "--wall", "-1"), ("grade", "x", "--memory", "1e9"),
    ("grade", "x", "--seed", "1.5"), ("grade", "a", "b"), ("grade", "x", "--require-confinement", "ful"),
    ("grade", "x", "--re", "y"), ("grade", "x", "--fresh=1"), ("grade", "plain.py"),
    ("notes", "lsit"), ("notes", "show"), ("notes", "show", "gone"), ("notes", "list", "--folder", "gone"),
    ("notes", "compare"), ("notes", "pack"), ("notes", "view", "--port", "x"), ("notes", "doctor", "gone"),
    ("progress", "gone"), ("reset",), ("reset", "gone"), ("reset", ""), ("release",), ("release", "99"),
    ("capstone", "chekc"), ("capstone", "start"), ("capstone", "start", "gone"), ("capstone", "check", "--limit", "x"),
    ("export",), ("update", "x"), ("doctor", "x"), ("lab", "--port", "x"), ("lab", "--port"),
    ("lab", "--host", "10.0.0.1"), ("lab", "gone"), ("lab", "plain.py"), ("lab", "--port", "0.5"),
    ("notes", ""), ("notes", "export"), ("notes", "export", "gone"), ("notes", "select"), ("notes", "view", "gone"),
    ("notes", "select", "loss > 1", "gone"), ("notes", "compare", "gone", "lost"), ("notes", "list", "--folder"),
    ("grade", ""), ("grade", "x", "--out"), ("grade", "x", "--module", "99"), ("grade", "x", "--exam", "gone"),
    ("grade", "x", "--roster", "gone.csv"), ("grade", "x", "--course", "gone.toml"),
    ("grade", "x", "--release", "gone.toml"), ("grade", "x", "--jobs", "99999"),
    ("release", "01", "--deadline", "tomorrow"), ("release", "01", "--points", "slope"), ("release", "01", "--out", ""),
    ("release", "01", "02"), ("release", ""), ("reset", "slope", "node"), ("reset", "slop"), ("progress", "01", "02"),
    ("capstone", "check", "gone"), ("capstone", "check", "plain.py"), ("capstone", "list"),
    ("capstone", "start", "faster", "--package", "gone"), ("export", "--work", "gone"), ("export", "01", "gone"),
    ("draw", "plain.py:x:y"), ("draw", "empty.ipynb:x"), ("draw", "plain.py:x", "--layout", "gone"),
    ("draw", "plain.py:x", "--output", "gone/x.svg"), ("gradcheck", "plain.py"), ("gradcheck", "empty.ipynb:f"),
    ("gradcheck", "plain.py:f", "--eps", "x"), ("build", "99"), ("build", "gone.md"), ("hint", "slope", "0"),
    ("hint", "slope", "-1"), ("check", "plain.py"), ("check", "plain.py", "slope"), ("check", "01", "--file"),
    ("check", "01", "--file", "gone.ipynb"), ("completion", "--shell", "bash"), ("help", "check", "--json"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder with an empty notebook and a file of Python."""
    (tmp_path / "empty.ipynb").touch()
    (tmp_path / "plain.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
@pytest.mark.usefixtures("folder")
def test_an_odd_call_is_an_error_in_three_parts(words, capsys):
    try:
        code = dispatch.main(words)
    except SystemExit as stop:
        code = stop.code
    said = capsys.readouterr().err
    assert code == 2, said
    assert "\n  Expected: " in said and "\n  Try: " in said
    assert "Traceback" not in said and "usage:" not in said and len(said.splitlines()) <= 6


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("chekc",), "dark check"),
        (("grade", "x", "--reprot"), "--export"),
        (("check", "--jsno"), "--json"),
        (("--verison",), "--version"),
        (("notes", "lsit"), "dark notes list"),
        (("grade", "x", "--attempt", "lates"), "--attempt latest"),
        (("help", "gard"), "dark grade"),
    ],
)
def test_a_near_miss_is_near(words, near, capsys):
    with suppress(SystemExit):
        dispatch.main(words)
    assert capsys.readouterr().err.endswith(f"  Try: {near}\n")
