"""The first page of the book: its pictures come from the lessons, its pad reads, its link leads where one can run."""

import base64
import doctest
import re
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from dark.course.lessons.library import load_module, modules

pytest.importorskip("sphinx_book_theme", reason="the extra 'book' is not installed")

ROOT = Path(__file__).parents[1]
BUILT = re.compile(r"^:::\{built\} (\S+) (\S+)\n(.*?)^:::$", re.MULTILINE | re.DOTALL)
INDEX = (ROOT / "book" / "index.md").read_text(encoding="utf-8")


@pytest.fixture
def landing(monkeypatch):
    """Import book/landing.py, which is in no package, and forget it afterwards."""
    monkeypatch.syspath_prepend(str(ROOT / "book"))
    yield import_module("landing")
    for name in ("landing", "digit_pad"):
        sys.modules.pop(name, None)


def test_the_doctests_pass(landing):
    assert doctest.testmod(landing) == (0, 2)


def test_each_picture_is_the_output_of_a_cell_of_the_lesson_that_its_caption_links(landing):
    found = BUILT.findall(INDEX)
    assert [module[:2] for module, *_ in found] == ["01", "12", "14", "07", "13"]
    for module, cell, rest in found:
        assert f"({module}.md)" in rest and landing.output_of(module, cell)
        notebook = nbformat.read(ROOT / "solutions" / f"{module}.ipynb", as_version=4)
        assert cell in [each.id for each in notebook.cells if each.cell_type == "code" and each.execution_count]


def test_a_picture_keeps_its_words_and_its_ids_are_its_own(landing):
    for module, cell, _ in BUILT.findall(INDEX):
        output = landing.output_of(module, cell)
        if output.output_type == "stream":
            continue
        svg = base64.b64decode(landing.PICTURE.search(output.data["text/html"])[1]).decode()
        (whole,) = landing.pictures(svg, "p", [])
        assert re.search(r'role="img" aria-label="[^"]{40,}', whole)
        ids, used = re.findall(r'\sid="([^"]*)"', whole), re.findall(r'(?:href="|url\()#([^")]*)', whole)
        assert all(each.startswith("p-") for each in ids) and set(used) <= set(ids) and len(set(ids)) == len(ids)


def test_the_page_tells_the_minutes_of_module_01():
    assert f"Module 01 takes {load_module('01-scalar-autodiff').minutes} minutes" in INDEX


@pytest.mark.parametrize("page", ["README.md", "book/index.md"])
def test_exercises_and_hours_are_those_of_the_modules(page):
    loaded = [load_module(stem) for stem in modules()]
    exercises, hours = sum(len(each.exercises) for each in loaded), sum(each.minutes for each in loaded) / 60
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert f"{exercises} exercises" in text and f"about {hours:.0f} hours" in text and len(loaded) == 17


def test_a_cell_that_is_gone_is_named(landing):
    with pytest.raises(Exception, match="'code-gone'") as caught:
        landing.output_of("01-scalar-autodiff", "code-gone")
    assert "Expected:" in str(caught.value) and "Try:" in str(caught.value)


@pytest.mark.parametrize("has_edition", [True, False])
def test_module_01_runs_in_the_browser_where_the_site_has_that_edition(landing, tmp_path, has_edition):
    if has_edition:
        (tmp_path / landing.BROWSER_EDITION).parent.mkdir(parents=True)
        (tmp_path / landing.BROWSER_EDITION).touch()
    asked = []
    app = SimpleNamespace(outdir=tmp_path, add_js_file=asked.append, add_css_file=asked.append)
    context = {"body": landing.RUN.format(address=landing.ELSEWHERE)}
    landing.complete_page(app, "glossary", "page.html", dict(context), object())
    assert not asked
    landing.complete_page(app, "index", "page.html", context, object())
    assert asked == [*landing.SCRIPTS, "landing.css"]
    address = re.search('href="([^"]*)"', context["body"])[1]
    assert address == (landing.HERE if has_edition else landing.ELSEWHERE)
    assert (ROOT / "modules" / landing.HERE.partition("path=")[2]).is_file()


@pytest.fixture
def page(chromium, pages):
    """Open the first page, on which no script may fail."""
    opened, failures = chromium.new_page(viewport={"width": 1280, "height": 900}), []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    opened.goto(f"{pages.as_uri()}/index.html")
    yield opened
    opened.close()
    assert not failures


def draw(page, *points):
    """Draw a line through places of the pad, in parts of its side."""
    page.locator("#digit-pad .board > canvas").scroll_into_view_if_needed()
    box = page.locator("#digit-pad .board > canvas").bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in points]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


@pytest.mark.browser
def test_a_1_and_a_0_are_drawn_and_read(page):
    answer, lines = page.locator("#digit-pad [aria-live=polite]"), page.locator("#digit-pad .bars li")
    assert answer.inner_text() == "This is read as 3. Draw yours."
    draw(page, (0.5, 0.1), (0.5, 0.9))
    assert answer.inner_text() == "It is read as 1."
    page.get_by_role("button", name="Clear").focus()
    page.keyboard.press("Enter")
    assert answer.inner_text().startswith("Draw a digit") and lines.first.inner_text().split() == ["0", "–"]
    draw(page, (0.5, 0.1), (0.3, 0.3), (0.3, 0.7), (0.5, 0.9), (0.7, 0.7), (0.7, 0.3), (0.5, 0.1))
    assert answer.inner_text() == "It is read as 0."
    shares = [float(line.inner_text().split()[1]) for line in lines.all()]
    assert len(shares) == 10 and max(shares) == shares[0] and sum(shares) == pytest.approx(100, abs=0.6)
    assert "best" in lines.first.get_attribute("class")


@pytest.mark.browser
def test_the_pad_is_drawn_on_by_keys_alone(page):
    page.locator("#digit-pad .board > canvas").focus()
    for key in [*["ArrowUp"] * 8, "Space", *["ArrowDown"] * 16]:
        page.keyboard.press(key)
    assert page.locator("#digit-pad [aria-live=polite]").inner_text().startswith("The pen is down")
    page.keyboard.press("Space")
    assert page.locator("#digit-pad [aria-live=polite]").inner_text() == "It is read as 1."
    page.keyboard.press("Delete")
    assert page.locator("#digit-pad [aria-live=polite]").inner_text().startswith("Draw a digit")


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_the_pictures_are_seen_whole_and_say_what_they_show(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    pictures = page.locator(".built svg[role=img]")
    assert pictures.count() == 4 and page.locator(".built blockquote").count() == 1
    for box in page.locator(".built svg").all():
        seen = box.bounding_box()
        assert 100 < seen["width"] <= width and seen["x"] >= 0 and seen["x"] + seen["width"] <= width
    links = page.locator(".built figcaption a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert {"01-scalar-autodiff.html", "14-sequences.html"} <= set(links)
    button = page.locator(".run-now").first.bounding_box()
    assert button["y"] + button["height"] < 900  # seen at once
