"""The widget: its state, its fallback without a kernel, and its script in a browser."""

import json
import sys
from contextlib import contextmanager

import numpy as np
import pytest

import dark
from dark.draw import draw
from dark.draw.picture import widget
from dark.errors import DrawingError, MissingExtraError
from tests.draw.student import chain, shared

PAGE = """<!doctype html><div id="place"></div><script type="module">
const state = %s;
const heard = [];
const model = {
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; },
  save_changes: () => heard.forEach((listener) => listener()),
  on: (name, listener) => heard.push(listener),
  off: (name, listener) => heard.splice(heard.indexOf(listener), 1),
};
%s
window.stop = render({ model, el: document.getElementById("place") });
window.heard = heard;
</script>"""


@pytest.fixture
def step_widget():
    return draw(shared()).widget()


def test_the_widget_has_the_picture_and_every_frame(step_widget):
    assert step_widget.step == 0
    assert 'id="node-1"' in step_widget.svg
    assert [frame["grads"][1] for frame in step_widget.frames] == ["–", "1", "3"]
    assert step_widget.frames[1]["caption"].startswith("2/3: y has gradient 1.")
    assert step_widget.frames[2]["edges"] == ("edge-2-1",)


def test_without_a_kernel_the_film_strip_is_displayed(step_widget):
    data, _ = step_widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"] == draw(shared()).steps().html
    assert data["text/plain"].startswith("1/3: ")


def test_a_pass_too_long_for_a_film_strip_has_a_widget():
    y = chain(60)
    y.grad = 1.0
    below = y
    while below.inputs:
        below = below.inputs[0]
        below.grad = 1.0
    step_widget = draw(y).widget()
    assert len(step_widget.frames) == 61
    assert "text/html" not in step_widget._repr_mimebundle_()[0]


def test_a_widget_without_a_backward_pass_raises():
    with pytest.raises(DrawingError, match="has no gradient"):
        draw(dark.mul(dark.Parameter(3), 2)).widget()


def test_without_anywidget_the_error_names_the_extra(monkeypatch):
    widget._widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtraError, match=r"anywidget is not installed(.|\n)*dark-course\[lab\]"):
        draw(shared()).widget()


@pytest.fixture
def opened(chromium, step_widget):
    with opened_page(chromium, step_widget) as page:
        yield page


@contextmanager
def opened_page(chromium, step_widget):
    """Open a widget in a page; an error of its script fails the test."""
    page = chromium.new_page()
    failures = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    state = {"svg": step_widget.svg, "frames": step_widget.frames, "maps": step_widget.maps, "step": 0}
    script = widget.SCRIPT.read_text("utf-8").replace("export default { render };", "")
    page.set_content(PAGE % (json.dumps(state).replace("</", "<\\/"), script))
    page.wait_for_selector(".dark-stepper")
    yield page
    page.close()
    assert not failures


def shown(page):
    """Return the number of the caption, the gradient of `a`, the marked node, and the value of the slider."""
    return (
        page.inner_text("p")[:3],
        page.text_content("#node-1 > text:nth-last-of-type(1)"),
        page.get_attribute(".dark-now", "id"),
        page.input_value("input"),
    )


FIRST = ("1/3", "grad –", "node-3", "0")
SECOND = ("2/3", "grad 1", "node-3", "1")
THIRD = ("3/3", "grad 3", "node-2", "2")


@pytest.mark.browser
def test_buttons_keys_and_slider_step_through_the_pass(opened):
    assert shown(opened) == FIRST
    opened.click("button >> nth=1")
    assert shown(opened) == SECOND
    opened.focus(".dark-stepper")
    opened.keyboard.press("ArrowRight")
    assert shown(opened) == THIRD
    opened.keyboard.press("ArrowRight")
    assert shown(opened) == THIRD
    opened.keyboard.press("ArrowLeft")
    assert shown(opened) == SECOND
    opened.focus("input")
    opened.keyboard.press("ArrowRight")
    assert shown(opened) == THIRD
    opened.fill("input", "0")
    assert shown(opened) == FIRST
    opened.click("button >> nth=0")
    assert shown(opened) == FIRST


@pytest.mark.browser
def test_arrow_keys_work_after_a_click_on_the_picture(opened):
    opened.click("svg")
    opened.keyboard.press("ArrowRight")
    assert shown(opened) == SECOND
    assert "← → after a click" in opened.inner_text("small")


@pytest.mark.browser
def test_the_tag_now_is_visible_on_one_node_and_the_caption_is_announced(opened):
    seen = "e => getComputedStyle(e).visibility"
    tags = opened.query_selector_all(".dark-tag")
    assert [tag.evaluate(seen) for tag in tags].count("visible") == 1
    assert opened.get_attribute("p", "aria-live") == "polite"
    assert opened.get_attribute("input", "aria-valuetext") == "step 1 of 3"


@pytest.mark.browser
def test_a_removed_widget_has_no_listeners(opened):
    assert opened.evaluate("() => { window.stop(); return window.heard.length; }") == 0


@pytest.mark.browser
def test_the_lines_of_an_array_gradient_follow_the_step(chromium):
    v = dark.Parameter(np.arange(8.0), name="v")
    y = (v * v).sum()
    y.backward()
    with opened_page(chromium, draw(y).widget()) as page:
        for step, lines in enumerate([["grad –", "", "", ""]] * 2 + [["grad (8,)", "min 0", "mean 7", "max 14"]]):
            page.fill("input", str(step))
            assert page.locator("#node-0 > text").all_text_contents()[-4:] == lines
            assert page.locator("#node-0 .dark-gradient rect").count() == (lines[1] != "")
        assert page.locator("#node-0 .dark-heat path").count() > 2
