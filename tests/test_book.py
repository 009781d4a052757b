"""The web book builds without a warning, and its pages ask no server for anything."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx_book_theme", reason="the extra 'book' is not installed")

ROOT = Path(__file__).parents[1]
FROM_OUTSIDE = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"'](?:https?:)?//[^\"']*"
    r"|<link\b[^>]*\brel=[\"'](?:stylesheet|preload|icon)[\"'][^>]*\bhref=[\"'](?:https?:)?//[^\"']*"
    r"|@import\s+[\"']?(?:https?:)?//[^\"'\s]*"
    r"|url\([\"']?(?:https?:)?//[^)]*"
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Build the book; executed cells come from the cache that `make book` uses too."""
    folder = tmp_path_factory.mktemp("book")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(folder / "doctrees"), str(ROOT / "book"), str(folder / "html")],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_there_is_a_page_for_every_manuscript(pages):
    names = [path.stem for path in (ROOT / "book").glob("*.md")]
    assert {"index", "glossary"} <= set(names)
    assert not [name for name in names if not (pages / f"{name}.html").exists()]


def test_no_page_and_no_style_asks_a_server(pages):
    files = [*pages.rglob("*.html"), *pages.rglob("*.css")]
    found = {path.name: FROM_OUTSIDE.findall(path.read_text(encoding="utf-8")) for path in files}
    assert not {name: hits for name, hits in found.items() if hits}


def test_solutions_are_folded_and_carry_no_markers(pages):
    for page in pages.glob("[0-9][0-9]-*.html"):
        text = page.read_text(encoding="utf-8")
        assert "Show a solution" in text
        assert "SOLUTION" not in text
