"""The sketch pad: what it asks and shows, its picture without a kernel, and its script in a browser."""

import json
import sys

import numpy as np
import pytest

import dark
from dark.draw import sketch_pad
from dark.draw.sketch import sketch_pad as pad_file
from dark.draw.sketch.sketch_picture import SketchPicture, readings_of
from dark.errors import DrawingError, ValueTypeError


def leans(image):
    """Return the shares of ink on the left and on the right."""
    left, right = image[:, :4].sum(), image[:, 4:].sum()
    return {"side": np.array([left, right]) / max(left + right, 1e-9)}


@pytest.fixture
def dot():
    image = np.zeros((8, 8))
    image[2, 3] = 1.0
    return image


def test_a_pad_asks_its_function_at_once_and_after_each_change(dot):
    pytest.importorskip("anywidget")
    pad = sketch_pad(leans, dot)
    assert pad.readings == [{"name": "side", "text": "0 (100 %), 1 (0 %)", "bars": [["0", 1.0], ["1", 0.0]]}]
    pad.pixels = np.roll(dot, 1, axis=1).tolist()
    assert pad.readings[0]["bars"][0] == ["1", 1.0]


def test_the_function_gets_an_array_of_its_own(dot):
    pytest.importorskip("anywidget")
    got = []

    def spoil(image):
        got.append((type(image), image.dtype, image.shape))
        image[:] = 9
        return "spoiled"

    pad = sketch_pad(spoil, dot)
    pad.pixels = pad.start
    assert pad.start == dot.tolist() and got[0] == (np.ndarray, np.dtype(float), (8, 8))


def test_a_function_that_raises_is_told_on_the_pad(dot):
    pytest.importorskip("anywidget")
    pad = sketch_pad(lambda image: 1 / (image[0, 0] - 1), dot)
    white = np.ones((8, 8)).tolist()
    with np.errstate(divide="raise"):
        pad.pixels = white
    assert pad.readings[0]["text"].startswith("read raised FloatingPointError: divide by zero")
    pad.pixels = dot.tolist()
    assert pad.readings[0]["text"] == "-1.0"


def test_a_function_that_raises_at_once_says_where(dot):
    with pytest.raises(ZeroDivisionError) as caught:
        sketch_pad(lambda image: 1 / 0, dot)
    assert caught.value.__notes__ == ["sketch_pad: read raised it for an image of shape (8, 8)."]


@pytest.mark.parametrize(
    ("answer", "text", "bars"),
    [
        ([0.25, 0.5, 0.25], "1 (50 %), 0 (25 %), 2 (25 %)", 3),
        (np.array([[0.1, 0.9]]), "1 (90 %), 0 (10 %)", 2),
        (dark.Constant(np.array([0.2, 0.8])), "1 (80 %), 0 (20 %)", 2),
        ([3.0, -1.5], "0 (3), 1 (-1.5)", 0),
        ("a seven", "a seven", 0),
        (7, "7", 0),
        ([float("nan"), 1.0], "[nan, 1.0]", 0),
        (["left", "right"], "['left', 'right']", 0),
        (np.array(3.0), "3.0", 0),
    ],
)
def test_answers_of_all_kinds_are_shown(answer, text, bars):
    (reading,) = readings_of(lambda image: answer, np.zeros((2, 2)))
    assert reading["name"] == "" and reading["text"] == text and len(reading["bars"]) == bars
    json.dumps(reading, allow_nan=False)


def test_without_an_image_the_pad_is_white():
    asked = []
    sketch_pad(asked.append)
    assert asked[0].shape == (8, 8) and not asked[0].any()


def test_without_anywidget_the_picture_is_displayed(monkeypatch, dot):
    pad_file.widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    picture = sketch_pad(leans, dot, title="Mine")
    pad_file.widget_class.cache_clear()
    assert isinstance(picture, SketchPicture)
    assert picture.alt == "Mine: an image of 8 × 8 pixels. side: 0 (100 %), 1 (0 %)."
    assert picture.svg.count("<rect") == 64 + 2 and 'fill="#000000"' in picture.svg
    assert picture.text.splitlines()[3] == "      @@        "
    assert "data:image/svg+xml" in picture._repr_mimebundle_()["text/html"]


def test_without_a_kernel_the_widget_displays_the_picture(dot):
    pytest.importorskip("anywidget")
    bundle, _ = sketch_pad(leans, dot)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert 'alt="Sketch pad: an image of 8 × 8 pixels. side: 0 (100 %), 1 (0 %)."' in bundle["text/html"]


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (np.zeros(64), r"an image cannot have the shape \(64,\)\.\n  Expected: an array \(height, width\)"),
        (np.zeros((1, 8, 8)), r"an image cannot have the shape \(1, 8, 8\)"),
        (np.zeros((8, 65)), r"an image cannot have the shape \(8, 65\)"),
        (np.zeros((0, 8)), r"an image cannot have the shape \(0, 8\)"),
        ("a digit", r"an image cannot have the shape \(\)"),
        (np.full((8, 8), 16), r"numbers of an image must be from 0 to 1, got 16 to 16\.(.|\n)*image / 16"),
        (np.full((8, 8), -0.1), "must be from 0 to 1, got -0.1 to -0.1"),
        (np.full((8, 8), np.nan), "must be from 0 to 1, got nan to nan"),
    ],
)
def test_what_is_not_an_image_is_refused(image, message):
    with pytest.raises(DrawingError, match=message):
        sketch_pad(leans, image)


@pytest.mark.parametrize(
    ("read", "message"), [(3, r"read must be callable, got 3 \(int\)"), (lambda: 1, "read must accept 1")]
)
def test_what_is_not_a_function_of_an_image_is_refused(read, message):
    with pytest.raises(ValueTypeError, match=message):
        sketch_pad(read)


PAGE = """<!doctype html><div id="place"></div><script type="module">
const state = %s;
const heard = [];
window.model = {
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; },
  save_changes: () => heard.forEach(([, listener]) => listener()),
  on: (name, listener) => heard.push([name, listener]),
  off: (name, listener) => heard.splice(heard.findIndex((each) => each[1] === listener), 1),
};
%s
window.stop = render({ model, el: document.getElementById("place") });
window.heard = heard;
</script>"""


@pytest.fixture
def opened(chromium, dot):
    """Open a pad in a page; an error of its script fails the test."""
    page, failures = chromium.new_page(), []
    page.on("pageerror", lambda error: failures.append(str(error)))
    pad = sketch_pad(leans, dot)
    state = {name: getattr(pad, name) for name in ("title", "pixels", "start", "readings")}
    script = pad_file.SCRIPT.read_text("utf-8").replace("export default { render };", "")
    page.set_content(PAGE % (json.dumps(state), script))
    page.wait_for_selector(".dark-sketch")
    yield page
    page.close()
    assert not failures


def pixels(page):
    return np.array(page.evaluate("() => window.model.get('pixels')"), dtype=float)


@pytest.mark.browser
def test_arrow_keys_move_the_drawing_and_ink_is_lost_at_the_edge(opened, dot):
    opened.focus("canvas")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowDown")
    assert np.array_equal(pixels(opened), np.roll(dot, (1, 1), (0, 1)))
    for _ in range(4):
        opened.keyboard.press("ArrowRight")
    assert not pixels(opened).any()
    opened.click("text=start again")
    assert np.array_equal(pixels(opened), dot)


@pytest.mark.browser
def test_one_draws_and_erases_with_the_keys(opened, dot):
    opened.focus("canvas")
    for key in ("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight", "Shift+ArrowUp", " "):
        opened.keyboard.press(key)
    drawn = dot.copy()
    drawn[1, 1] = 1
    assert np.array_equal(pixels(opened), drawn)
    opened.keyboard.press("Delete")
    assert np.array_equal(pixels(opened), dot)
    opened.click("text=clear")
    assert not pixels(opened).any()


@pytest.mark.browser
def test_one_draws_and_erases_with_the_mouse(opened):
    place = opened.locator("canvas").bounding_box()
    side = place["width"] / 8
    at = lambda row, column: (place["x"] + side * (column + 0.5), place["y"] + side * (row + 0.5))
    opened.mouse.move(*at(6, 1))
    opened.mouse.down()
    opened.mouse.move(*at(6, 6), steps=12)
    opened.mouse.up()
    opened.mouse.move(*at(0, 6))
    drawn = pixels(opened)
    assert np.all(drawn[6, 1:7] > 0.9) and np.all((drawn >= 0) & (drawn <= 1)) and drawn[0].sum() == 0
    opened.click("text=erase")
    assert opened.get_attribute("text=erase", "aria-pressed") == "true"
    opened.mouse.click(*at(6, 3))
    assert pixels(opened)[6, 3] == 0


@pytest.mark.browser
def test_readings_are_shown_and_announced(opened):
    assert opened.inner_text("[aria-live]").split("\n")[:2] == ["side", "0 (100 %)"]
    assert opened.get_attribute("canvas", "tabindex") == "0" and opened.get_attribute("canvas", "aria-label")
    opened.evaluate("""() => {
        window.model.set('readings', [{name: 'me', text: 'a seven', bars: []}]);
        window.model.save_changes();
    }""")
    assert opened.inner_text("[aria-live]").split() == ["me", "a", "seven"]


@pytest.mark.browser
def test_a_removed_pad_has_no_listeners(opened):
    assert opened.evaluate("() => { window.stop(); return window.heard.length; }") == 0
