"""The web book builds without a warning, and its pages ask no server for anything."""

import doctest
import importlib.util
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from dark.course.lessons.blank import BEGIN

pytest.importorskip("sphinx_book_theme", reason="the extra 'book' is not installed")
BeautifulSoup = pytest.importorskip("bs4").BeautifulSoup

ROOT = Path(__file__).parents[1]
CODE = re.compile(r"^```\{code-cell\}.*?^```$", re.MULTILINE | re.DOTALL)
spec = importlib.util.spec_from_file_location("folding", ROOT / "book" / "folding.py")
folding = importlib.util.module_from_spec(spec)
spec.loader.exec_module(folding)
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


@pytest.fixture(scope="module")
def modules(pages):
    """Read what stands between the edges of each module's page."""
    texts = [page.read_text(encoding="utf-8") for page in pages.glob("[0-9][0-9]-*.html")]
    return [BeautifulSoup(text, "html.parser").article for text in texts]


def visible(module):
    """Return the text that stands on a page before anything is clicked."""
    copy = deepcopy(module)
    for details in copy.select("details.hide"):
        details.decompose()
    return copy.get_text()


def test_an_exercise_shows_its_stub_and_folds_its_solution(modules):
    for module in modules:
        assert "raise NotImplementedError" in visible(module)
        assert "Show a solution" in module.get_text()
        assert "Show a solution" not in visible(module)
        assert "SOLUTION" not in module.get_text()


def test_no_prediction_is_given_away(modules):
    for module in modules:
        predictions = re.findall(r"predict\([^)]*\)", visible(module))
        assert predictions and all(text.endswith("...)") for text in predictions)
        assert "you predicted" in module.get_text()
        assert "you predicted" not in visible(module)


def test_the_example_of_folding_is_true():
    assert doctest.testmod(folding) == (0, 1)


@pytest.mark.parametrize("path", sorted((ROOT / "book").glob("[0-9][0-9]-*.md")), ids=lambda path: path.stem)
def test_each_fold_fills_in_what_stands_above_it(path):
    manuscript = path.read_text(encoding="utf-8")
    folded = folding.fold_answers(manuscript)
    assert folded.count("raise NotImplementedError\n") == manuscript.count(BEGIN) > 0
    assert folded.count("hide-cell") == folded.count("```python\n") > 20
    plain = [source for source in CODE.findall(folded) if "hide-cell" not in source]
    assert all(source in manuscript for source in plain)
    assert BEGIN not in folded


def test_where_no_kernel_answers_the_pictures_of_the_stepper_stand(modules):
    cells = [cell for module in modules for cell in module.select("div.cell") if ".widget()" in cell.get_text()]
    assert cells
    for cell in cells:
        pictures = [figure.img["alt"] for figure in cell.select("figure")]
        places = [alt.partition(" ")[0].rstrip(":") for alt in pictures]
        assert pictures and places == [f"{k}/{len(pictures)}" for k in range(1, len(pictures) + 1)]
