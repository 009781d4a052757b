"""The pages of the book in a browser, opened from the disk: they are readable, and their scripts do what they say."""

import json
from pathlib import Path

import pytest

import dark

pytest.importorskip("sphinx_book_theme", reason="the extra 'book' is not installed")
pytestmark = [pytest.mark.long, pytest.mark.browser]
LEAST_CONTRAST = 4.5  # WCAG 2.2, AA
UNREADABLE = (Path(__file__).parent / "unreadable.js").read_text(encoding="utf-8")
CLIPPED = """() => [...document.querySelectorAll("article pre")]
    .filter((code) => code.checkVisibility() && code.scrollWidth > code.clientWidth + 1)
    .map((code) => code.textContent.slice(0, 60))"""
WIDER = "() => document.documentElement.scrollWidth > innerWidth"
CHOOSE = "if (self === top) { localStorage.mode = '%s'; localStorage.theme = '%s'; }"  # not in a frame of a page
WIDE, NARROW, HEIGHT = 1280, 390, 900  # pixels
EVERY = 40  # of the pages of names, which are all made alike


@pytest.fixture
def open_page(chromium, pages):
    """Return a function that opens a page of the book, on which no script may fail."""
    contexts, failures = [], []

    def open_page(name, theme="light", width=WIDE):
        context = chromium.new_context(viewport={"width": width, "height": HEIGHT})
        context.add_init_script(CHOOSE % (theme, theme))
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.goto(f"{pages.as_uri()}/{name}.html")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not failures


@pytest.fixture
def names(pages):
    """List the pages to look at: all, but only some of the names in the reference."""
    reference = sorted(path.relative_to(pages) for path in pages.glob("reference/**/*.html"))
    others = sorted(path.relative_to(pages) for path in pages.glob("*.html"))
    packages = [path for path in reference if path.parent.name == "reference"]
    return [str(path)[:-5] for path in [*others, *packages, *reference[::EVERY]]]


@pytest.mark.parametrize(("theme", "width"), [("light", WIDE), ("dark", NARROW)])
def test_every_text_is_readable_and_no_code_is_clipped(open_page, pages, names, theme, width):
    page = open_page("index", theme, width)
    unreadable, clipped, wider = {}, {}, []
    for name in names:
        page.goto(f"{pages.as_uri()}/{name}.html")
        clipped[name] = page.evaluate(CLIPPED)
        wider += [name] if page.evaluate(WIDER) else []
        page.set_viewport_size({"width": WIDE, "height": HEIGHT})  # with the bars at both sides
        unreadable[name] = page.evaluate(UNREADABLE, LEAST_CONTRAST)
        page.set_viewport_size({"width": width, "height": HEIGHT})
    assert len(names) > 20 and not {name: texts for name, texts in unreadable.items() if texts}
    assert not {name: code for name, code in clipped.items() if code} and not wider


def test_code_is_copied(open_page):
    page = open_page("index")
    page.locator(".copy").first.dispatch_event("click")
    page.locator(".copy", has_text="copied").wait_for()
    assert page.evaluate("() => navigator.clipboard.readText()") == 'python -m pip install "dark-course[lab]"\ndark lab'


def test_the_stepper_steps_by_keys_buttons_and_slider(open_page):
    page = open_page("01-scalar-autodiff")
    stepper = page.locator(".stepper").first
    count = stepper.locator("figure").count()

    def shown():
        assert stepper.locator("figure:visible").count() == 1
        return stepper.locator("figure:visible figcaption").inner_text().partition(":")[0]

    assert shown() == f"1/{count}"
    stepper.focus()
    page.keyboard.press("ArrowRight")
    assert shown() == f"2/{count}"
    stepper.get_by_label("previous step").click()
    assert shown() == f"1/{count}"
    stepper.locator("input").fill(str(count - 1))
    assert shown() == f"{count}/{count}"
    page.keyboard.press("ArrowRight")
    assert shown() == f"{count}/{count}"
    page.emulate_media(media="print")
    assert stepper.locator("figure:visible").count() == count


def loss(x, y):
    """Use every operation that the page can compute."""
    s = dark.tanh(x) - dark.exp(y) / (x**2 + dark.sigmoid(-y))
    return s * dark.relu(x) + dark.log(x) * dark.sin(y) + dark.cos(x * y) ** 3


def test_the_page_computes_values_and_gradients_as_dark_does(open_page):
    x, y = dark.Parameter(1.7, name="x"), dark.Parameter(0.4, name="y")
    node = loss(x, y)
    node.backward()
    boxes = dark.draw(node).boxes
    fields = ("kind", "operation", "value", "name", "inputs")
    data = json.loads(json.dumps([{name: getattr(box, name) for name in fields} for box in boxes]))
    data = [{**each, "value": 0 if each["operation"] else each["value"]} for each in data]
    page = open_page("index")
    assert set(page.evaluate("() => Object.keys(RULES)")) == {box.operation for box in boxes} - {None}
    computed = page.evaluate("nodes => { compute(nodes); return nodes; }", data)
    assert [each["value"] for each in computed] == pytest.approx([box.value for box in boxes])
    known = [(each["grad"], box.grad) for each, box in zip(computed, boxes) if box.kind != "constant"]
    assert [grad for grad, _ in known] == pytest.approx([grad for _, grad in known])


def test_a_parameter_is_changed_by_dragging_and_by_keys_and_the_graph_follows(open_page):
    page = open_page("index")
    slider = page.get_by_role("slider", name="value of x")
    before = float(slider.get_attribute("aria-valuenow"))
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert float(slider.get_attribute("aria-valuenow")) == pytest.approx(before + 0.1)
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 10)
    page.mouse.up()
    x, y = before + 1.1, float(page.get_by_role("slider", name="value of y").get_attribute("aria-valuenow"))
    assert float(slider.get_attribute("aria-valuenow")) == pytest.approx(x)
    texts = page.locator(".live-graph text").all_text_contents()
    assert f"grad {2 * (2 * x + y) * 2:.4g}" in texts and f"{(2 * x + y) ** 2:.4g}" in texts


@pytest.mark.parametrize(("words", "page"), [("topological", "Glossary"), ("Adam", "dark.optim.Adam")])
def test_a_search_from_the_disk_shows_excerpts(open_page, words, page):
    found = open_page("search")
    found.goto(f"{found.url}?q={words}")
    found.locator("#search-results li").first.wait_for()
    assert page in found.locator("#search-results").inner_text()
    found.locator("#search-results p.context").first.wait_for()
