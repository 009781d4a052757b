"""The viewer in chromium, from a file and from the server: what is drawn, the keys, saving, opening, following."""

import csv
import io
import json
import threading
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import dark
from dark.monitor import Note
from dark.monitor.viewer.answers import Answers
from dark.monitor.viewer.server import PageServer
from dark.monitor.viewer.views import openers_of
from tests.monitor.viewer.runs import STEPS, take_down

pytestmark = pytest.mark.browser
SIZE = {"width": 1280, "height": 860}
READY = "() => window.darkViewer?.tensors.shown && darkViewer.tensors.pictures.length"
# How many different colors the picture has.
COLORS = """() => {
    const {canvas} = darkViewer.tensors.pictures[0];
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
}"""


@pytest.fixture(scope="module")
def files(runs, tmp_path_factory):
    """Write a page with one run, and a page with two."""
    folder = tmp_path_factory.mktemp("pages")
    dark.monitor.page(runs / "first").save(folder / "first.html")
    dark.monitor.page(runs / "second").save(folder / "second.html")
    dark.monitor.page(runs / "first", runs / "second").save(folder / "both.html")
    return folder


@contextmanager
def opened(browser, url, host=None, **settings):
    """Open a page; afterwards no script may have failed, and nothing else than the host been asked."""
    page = browser.new_page(viewport=SIZE, **settings)
    failures, asked = [], []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(url)
    page.wait_for_function(READY)
    yield page
    page.close()
    assert failures == []
    allowed = ("file:", "data:", "blob:", *([host] if host else []))
    assert [one for one in asked if not one.startswith(allowed)] == []


@pytest.fixture
def page(chromium, files):
    with opened(chromium, (files / "first.html").as_uri()) as one:
        yield one


@pytest.fixture
def pair(chromium, files):
    with opened(chromium, (files / "both.html").as_uri()) as one:
        yield one


@contextmanager
def serving(runs, **more):
    """Serve runs in a thread."""
    with PageServer(Answers(*openers_of(runs, "view"), **more)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def state(page, expression="state"):
    """Return a part of the viewer as plain data."""
    return json.loads(page.evaluate(f"() => JSON.stringify(darkViewer.{expression} ?? null)"))


def choose(page, name):
    """Choose a tensor, and return the alternative text of its picture."""
    page.evaluate("name => darkViewer.chooseTensor(name)", name)
    return page.get_attribute(".picture", "aria-label")


def press(page, *keys):
    """Press keys, and wait until the last is drawn."""
    for key in keys:
        page.keyboard.press(key)
    page.evaluate("() => darkViewer.draw()")


def test_every_tensor_is_drawn(page):
    seen = {}
    for name in state(page, "tensorTree.names"):
        seen[name] = choose(page, name)
        assert name in seen[name]
        assert page.evaluate(COLORS) > 5, name
    assert len(seen) == 14
    assert "2 × 3 × 4 × 6 × 8" in seen["samples/worst 1/video"] and seen["samples/worst 1/video"].startswith("Heat map")
    assert "6 × 3 × 5 × 5" in seen["weights/conv.weight"] and "5 × 5 × 3 × 6" in seen["weights/channels_last"]
    assert seen["weights/fc1.bias"].startswith("Line of") and "1.49 (a single number)" in seen["weights/scale"]
    assert "4 NaN" in seen["gradients/fc1.weight"] and "1 infinite" in seen["gradients/fc1.weight"]
    assert "signed colors" in seen["weights/fc1.weight"] and "hatched" in seen["weights/fc1.weight"]
    assert "from dark blue for low to yellow" in seen["gradients_abs/fc1.weight"]


def test_the_cursor_moves_over_a_hundred_steps(page):
    places = []
    for key in ["H", "l", "n", "p", "h", "p", "L", "n", "h"]:
        press(page, key)
        places.append(state(page, "state.at"))
    assert places == [0, 5, 6, 5, 0, 0, 99, 99, 94]
    assert page.get_attribute(".time input", "aria-valuetext") == f"step 1880, 95 of {STEPS}"
    assert page.get_attribute(".time input", "max") == "99"
    page.locator(".time input").focus()
    page.keyboard.press("ArrowRight")
    assert state(page, "state.at") == 95
    page.click("button[aria-label='first step']")
    assert "step 0" in page.inner_text(".values caption")
    assert page.inner_text(".values td >> nth=0") == "2.4"


def test_tensors_and_exemplars_follow_each_other_round(page):
    names = state(page, "tensorTree.names")
    choose(page, names[-1])
    press(page, "j")
    assert state(page, "state.tensor") == names[0]
    press(page, "k")
    assert state(page, "state.tensor") == names[-1]
    choose(page, "samples/worst 0/fc1")
    press(page, "J")
    assert state(page, "state.tensor") == "samples/worst 1/fc1"
    press(page, "K", "K")
    assert state(page, "state.tensor") == "counts"  # a group without a name, the last before the samples
    assert page.inner_text("[role=treeitem][aria-selected=true] .label") == "counts"


@pytest.mark.parametrize(
    ("key", "part"),
    [
        ("a", "absolute"), ("v", "values"), ("c", "unify"), ("Space", "unify"), ("g", "log"), ("e", "plain"),
        ("t", "histogram"),
    ],
)  # fmt: skip
def test_a_switch_changes_the_picture_and_changes_it_back(page, key, part):
    choose(page, "weights/fc1.weight")
    press(page, "H")
    picture = "() => darkViewer.tensors.pictures[0].canvas.toDataURL()"
    before = page.evaluate(picture)
    press(page, key)
    assert state(page, f"state.look.{part}") is True
    assert page.locator(".bar button[aria-pressed=true] >> visible=true").count() == 1
    assert (page.evaluate(picture) != before) == (key != "v")
    press(page, key)
    assert page.evaluate(picture) == before


def test_numbers_stand_in_the_cells_or_the_page_says_why_not(page):
    choose(page, "weights/fc1.weight")
    press(page, "v")
    assert page.inner_text(".cell") == "the cells are too small for numbers"
    choose(page, "counts")
    assert page.inner_text(".cell") == ""
    texts = state(page, "tensors.pictures[0].scene.texts")
    numbers = [text["text"] for text in texts if text["role"].endswith("number")]
    assert numbers == ["99", "100", "101", "102", "103", "104"]


def test_real_aspect_makes_square_cells(page):
    choose(page, "weights/fc1.weight")
    placed = "tensors.pictures[0].scene.placed"
    assert state(page, placed)["cellWidth"] != state(page, placed)["cellHeight"]
    press(page, "E")
    assert state(page, placed)["cellWidth"] == state(page, placed)["cellHeight"]


def test_the_first_axes_can_be_the_pictures(page):
    choose(page, "weights/channels_last")
    page.click("text=first axes")
    layout = state(page, "tensors.pictures[0].scene.layout")
    assert (layout["rows"], layout["columns"], layout["tileRows"], layout["tileColumns"]) == (5, 5, 3, 6)


def test_a_series_that_begins_late_says_so(page):
    choose(page, "samples/worst 1/video")
    press(page, "H")
    assert "begins after step 0" in page.inner_text(".picture")


def test_several_tensors_are_seen_together(page):
    choose(page, "weights/fc1.weight")
    press(page, "m", "j")
    names = state(page, "tensors.shown.map(one => one.name)")
    assert len(names) == 2 and "weights/fc1.weight" in names and state(page, "state.tensor") in names
    page.click("[role=treeitem][title='counts'] .box")
    page.click("[role=treeitem][title='gradients/fc1.weight'] .label", modifiers=["Shift"])
    press(page)
    assert {"counts", "gradients/fc1.weight", *names} == set(state(page, "tensors.shown.map(one => one.name)"))
    assert page.locator(".picture >> visible=true").count() == 4
    boxes = page.evaluate("() => [...document.querySelectorAll('.group')].map(g => g.getBoundingClientRect().toJSON())")
    assert len({(box["x"], box["y"]) for box in boxes}) == 4 and min(box["height"] for box in boxes) > 150
    rows = list(csv.DictReader(io.StringIO(saved(page, "Tensor", "CSV")[1].decode())))
    assert {row["series"] for row in rows} == {"counts", "gradients/fc1.weight", *names}
    assert [row["value"] for row in rows if row["series"] == "counts" and row["index"] == "1 2"] == ["104"]
    texts = list(ElementTree.fromstring(saved(page, "Tensor", "SVG")[1]).itertext())
    assert all(any(text.startswith(name) for text in texts) for name in names)
    assert saved(page, "Tensor", "PNG")[1].startswith(b"\x89PNG")
    press(page, "t")
    assert page.locator(".picture.histogram").count() == 4
    assert saved(page, "Tensor", "CSV")[1].startswith(b"series,step,from,to,count\r\n")
    press(page, "t", "Escape")
    assert page.locator(".picture").count() == 1 and state(page, "state.tensor") in names


def test_a_branch_keeps_all_tensors_below_it_by_keyboard(page):
    page.locator("[role=treeitem][title='weights']").focus()
    page.evaluate("() => { darkViewer.tensorTree.focused = 'weights'; darkViewer.tensorTree.draw(); }")
    page.locator("[role=treeitem][title='weights']").focus()
    page.keyboard.press("Shift+Enter")
    press(page)
    names = [name for name in state(page, "tensorTree.names") if name.startswith("weights/")]
    assert set(names) <= set(state(page, "tensors.shown.map(one => one.name)")) and len(names) > 3


def test_all_can_be_used_on_a_phone(chromium, files):
    with opened(chromium, (files / "first.html").as_uri()) as one:
        one.set_viewport_size({"width": 390, "height": 844})
        press(one)
        assert one.evaluate("() => document.documentElement.scrollWidth") <= 390
        for part in (".scalars .chart", ".values", ".time input", ".step", ".picture", "[role=tree]"):
            box = one.locator(part).first.bounding_box()
            assert box["width"] > 60 and box["x"] >= 0 and box["x"] + box["width"] <= 390, part


def test_histograms_over_time_are_drawn(page):
    choose(page, "weights/fc1.weight")
    press(page, "t")
    assert "Histograms of weights/fc1.weight over time" in page.get_attribute(".picture", "aria-label")
    assert page.evaluate("() => darkViewer.tensors.pictures[0].chart.cells.length") > 500
    press(page, "g")
    assert page.evaluate(COLORS) > 20


def saved(page, what, format):
    """Save what is shown with the keyboard alone, and return the content of the file."""
    page.keyboard.press("s")
    page.locator(f"dialog button[aria-label='{what} as {format}']").focus()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_a_tensor_is_saved_as_csv(page, runs):
    choose(page, "weights/fc1.weight")
    press(page, "H")
    name, content = saved(page, "Tensor", "CSV")
    rows = np.array(list(csv.reader(io.StringIO(content.decode()))), np.float32)
    assert name == "first-weights_fc1.weight-step-0.csv"
    assert np.array_equal(rows, Note.load(runs / "first").tensor_dict["weights/fc1.weight"][0])
    choose(page, "gradients/fc1.weight")
    press(page, "L")
    assert b"nan" in saved(page, "Tensor", "CSV")[1]


def test_scalars_are_saved_as_csv_with_gaps(page):
    page.evaluate("() => darkViewer.toggleScalars(['dead/relu1'])")
    rows = list(csv.DictReader(io.StringIO(saved(page, "Scalars", "CSV")[1].decode())))
    assert len(rows) == STEPS and rows[0]["step"] == "0" and float(rows[0]["loss"]) == 2.4


@pytest.mark.parametrize("name", ["weights/fc1.weight", "weights/fc1.bias", "weights/scale", "weights/conv.weight"])
def test_pictures_are_saved_as_svg_and_png(page, name):
    choose(page, name)
    for what, words in [("Tensor", name), ("Scalars", "loss")]:
        _, svg = saved(page, what, "SVG")
        root = ElementTree.fromstring(svg)
        assert root.tag.endswith("svg") and any(words in text for text in root.itertext())
        assert len(list(root.iter())) > 3
        file, png = saved(page, what, "PNG")
        assert png.startswith(b"\x89PNG") and file.endswith(".png") and len(png) > 2000


def test_a_picture_that_is_too_large_for_a_png_is_a_clear_message(page):
    page.evaluate("() => { HTMLCanvasElement.prototype.toDataURL = () => 'data:,'; }")  # as browsers answer then
    page.keyboard.press("s")
    page.locator("dialog button[aria-label='Tensor as PNG']").click()
    page.get_by_text("is too large for a PNG in this browser. Save it as SVG").wait_for()


def test_a_histogram_is_saved(page):
    choose(page, "weights/fc1.weight")
    press(page, "t")
    assert saved(page, "Tensor", "SVG")[1].count(b"<rect") > 500
    assert saved(page, "Tensor", "CSV")[1].startswith(b"step,from,to,count\r\n")
    assert saved(page, "Tensor", "PNG")[1].startswith(b"\x89PNG")


def test_two_runs_are_drawn_with_their_difference(pair, runs):
    choose(pair, "weights/fc1.weight")
    assert pair.locator(".picture").count() == 3
    press(pair, "d")
    assert pair.locator(".picture").count() == 2
    press(pair, "d", "H")
    series = [Note.load(runs / name).tensor_dict["weights/fc1.weight"][0] for name in ("first", "second")]
    found = pair.evaluate("() => [...darkViewer.tensors.pictures[2].tensor.values]")
    assert np.array_equal(np.array(found, np.float64).reshape(10, 64), np.subtract(*series, dtype=np.float64))
    choose(pair, "weights/fc1.bias")
    assert pair.evaluate("() => darkViewer.tensors.pictures[0].lines.map(l => l.label)") == ["A", "B", "A − B"]
    assert "A loss" in pair.inner_text(".values") and "B loss" in pair.inner_text(".values")
    pair.keyboard.press("Escape")
    pair.wait_for_function("() => darkViewer.runs.length === 1")
    assert "B loss" not in pair.inner_text(".values")


def test_a_second_file_is_opened_instead_and_beside(page, files):
    for how, runs, pictures in [("Open file", ["second"], 1), ("Compare file", ["second", "second"], 3)]:
        page.keyboard.press("Control+o")
        page.set_input_files("dialog input[type=file]", files / "second.html")
        page.click(f"text={how}")
        page.wait_for_function(f"() => darkViewer.runs.map(r => r.name).join() === '{','.join(runs)}'")
        page.wait_for_function(f"() => document.querySelectorAll('.picture').length === {pictures}")
        assert state(page, "timeline.length") == STEPS
    assert page.locator(".values tr").count() == 2 * 4


def test_a_file_that_is_no_page_is_a_clear_message(page, tmp_path):
    (tmp_path / "x.html").write_text("<p>hello")
    page.keyboard.press("Control+o")
    page.set_input_files("dialog input[type=file]", tmp_path / "x.html")
    page.click("text=Open file")
    page.wait_for_selector(".alert:visible")
    assert state(page, "runs.length") == 1


def test_the_help_is_made_from_the_table_of_keys(page):
    page.keyboard.press("?")
    rows = page.locator("dialog .keys tr").all_inner_texts()
    keys = page.locator("dialog kbd").all_inner_texts()
    assert len(rows) >= 25 and {"h", "l", "Ctrl-o", "Esc", "space", "?"} <= set(keys)
    page.keyboard.press("j")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_the_panel_about_the_run_has_configs_and_results(page):
    page.keyboard.press("i")
    text = page.inner_text("dialog")
    for words in ("best accuracy", "0.98231", "optimizer", "SGD", "the training has ended"):
        assert words in text


def test_the_keyboard_alone_reaches_everything(page):
    page.evaluate("() => document.body.focus()")
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "() => { const e = document.activeElement;"
            " return e === document.body ? null : e.getAttribute('aria-label') ?? e.textContent; }"
        )
        if name is None:
            break
        width = page.evaluate("() => getComputedStyle(document.activeElement).outlineWidth")
        assert width != "0px", name
        reached.append(name)
    buttons = page.evaluate(
        "() => [...document.querySelectorAll('button')].filter(b => b.offsetParent)"
        ".map(b => b.getAttribute('aria-label') ?? b.textContent)"
    )
    assert set(buttons) <= set(reached)
    assert {"search scalars and tensors", "cursor in time", "Values at the cursor"} <= set(reached)
    assert any(name.startswith("Heat map") for name in reached)


def test_the_trees_are_walked_with_the_arrow_keys(page):
    page.locator("[role=tree][aria-label=Tensors] [tabindex='0']").focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    names = state(page, "tensorTree.names")
    page.wait_for_function("name => darkViewer.state.tensor === name", arg=names[-1])
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    closed = page.locator("[role=tree][aria-label=Tensors] [role=treeitem]").count()
    page.keyboard.press("ArrowRight")
    assert page.locator("[role=tree][aria-label=Tensors] [role=treeitem]").count() > closed
    page.locator("[role=tree][aria-label=Scalars] [tabindex='0']").focus()
    page.keyboard.press("Home")
    before = page.locator(".values tr").count()
    page.keyboard.press("Space")
    page.wait_for_function(f"() => document.querySelectorAll('.values tr').length === {before - 1}")


def test_the_search_finds_and_escape_ends_it(page):
    page.keyboard.press("/")
    page.keyboard.type("worst*1/fc1")
    assert page.locator("[role=tree][aria-label=Tensors] .label").all_inner_texts() == ["samples/worst 1/fc1"]
    page.keyboard.press("Escape")
    assert page.input_value("input[type=search]") == ""
    press(page, "n")  # the focus has left the search


def test_the_arrow_keys_read_cells_and_elements(page):
    choose(page, "counts")
    press(page, "H")
    page.locator(".picture").focus()
    seen = []
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
        seen.append(page.inner_text(".cell"))
    assert seen == ["[0, 0] = 0", "[0, 1] = 1", "[0, 2] = 2", "[0, 2] = 2", "[1, 2] = 5"]
    choose(page, "weights/fc1.bias")
    page.locator(".picture").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".cell").startswith("[1] = ")


def test_play_runs_to_the_end_and_can_be_paused(page):
    press(page, "H")
    page.keyboard.press(".")
    page.wait_for_function("() => darkViewer.state.at > 3")
    page.keyboard.press(".")
    page.wait_for_function("() => !darkViewer.state.isPlaying")
    stopped = state(page, "state.at")
    assert 3 < stopped < 99
    page.evaluate("() => darkViewer.moveTo(97)")
    page.keyboard.press(".")
    page.wait_for_function("() => !darkViewer.state.isPlaying && darkViewer.state.at === 99")


def test_zoom_by_keys(page):
    press(page, "H", "l", "l")
    page.keyboard.press("+")
    scale = page.evaluate(
        "() => { const {min, max} = darkViewer.scalars.charts[0].chart.plot.scales.x; return [min, max]; }"
    )
    assert scale[0] >= 0 and scale[1] < 1980 and scale[0] < 200 < scale[1]
    page.keyboard.press("0")
    assert page.evaluate("() => darkViewer.scalars.charts[0].chart.plot.scales.x.max") == 1980


def test_scalars_can_be_logarithmic(page):
    press(page, "G")
    assert state(page, "state.scalarLog") is True
    assert page.evaluate("() => darkViewer.scalars.charts[0].chart.plot.scales.y.distr") == 3


@pytest.mark.parametrize(("scheme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(22, 24, 28)")])
def test_the_page_is_light_or_dark(chromium, files, scheme, paper):
    with opened(chromium, (files / "first.html").as_uri(), color_scheme=scheme) as one:
        assert one.evaluate("() => getComputedStyle(document.querySelector('.dark-viewer')).backgroundColor") == paper
        assert state(one, "theme.isDark") == (scheme == "dark")
        one.emulate_media(color_scheme="dark" if scheme == "light" else "light")
        one.wait_for_function(f"() => darkViewer.theme.isDark !== {str(scheme == 'dark').lower()}")


def test_texts_of_a_run_are_texts(chromium, tmp_path):
    evil = '<img src=x onerror="window.broken=1">'
    with Note(tmp_path / "evil") as note:
        note.take_down_scalars_and_tensors(1, {evil: 1.0}, {evil: np.ones((2, 2))})
        note.put_down_configs({evil: evil})
    dark.monitor.page(note).save(tmp_path / "evil.html")
    with opened(chromium, (tmp_path / "evil.html").as_uri()) as one:
        one.keyboard.press("i")
        one.wait_for_selector("dialog[open]")
        assert one.evaluate("() => window.broken") is None
        assert evil in one.inner_text("dialog") and one.locator(".dark-viewer img").count() == 0


def test_a_damaged_record_is_named_and_the_others_are_drawn(chromium, tmp_path):
    with Note(tmp_path / "run") as note:
        for step in range(3):
            note.take_down_scalars_and_tensors(step, tensors={"w": np.full(100, step + 1.0)})
    whole = note.tensor_dict["w"][1].tobytes()
    (path,) = [path for path in (tmp_path / "run").iterdir() if whole in path.read_bytes()]
    path.write_bytes(path.read_bytes().replace(whole, whole[:-1] + b"\x07"))
    dark.monitor.page(tmp_path / "run").save(tmp_path / "page.html")
    with opened(chromium, (tmp_path / "page.html").as_uri()) as one:
        press(one, "p")
        assert "is damaged" in one.inner_text(".alert")
        press(one, "p")
        assert one.inner_text(".alert") == " ".join(Note.load(tmp_path / "run").damage)  # of the run, not of step 0
        assert "step 0" in one.get_attribute(".picture", "aria-label")


def test_what_a_page_left_out_is_said(chromium, runs, tmp_path):
    dark.monitor.page(runs / "first", limit_mb=1).save(tmp_path / "some.html")
    with opened(chromium, (tmp_path / "some.html").as_uri()) as one:
        assert "of up to 100 steps" in one.inner_text(".alert")


def test_the_served_page_opens_other_runs(chromium, runs):
    with serving([runs / "first"]) as server:
        host = f"http://127.0.0.1:{server.server_port}/"
        with opened(chromium, server.url, host) as one:
            assert one.inner_text("h1") == "first"
            choose(one, "weights/conv.weight")
            assert one.evaluate(COLORS) > 20
            one.keyboard.press("Control+o")
            one.click("tr:has-text('second') >> text=Compare")
            one.wait_for_function("() => document.querySelectorAll('.picture').length === 3")
            one.keyboard.press("Control+o")
            one.click("tr:has-text('second') >> text=Open")
            one.wait_for_function("() => darkViewer.runs.length === 1")
            one.wait_for_function("() => document.querySelectorAll('.picture').length === 1")
            assert one.inner_text("h1") == "second"


def test_a_run_that_grows_is_followed(chromium, tmp_path):
    note = Note(tmp_path / "live")
    with serving([note]) as server:
        page = chromium.new_page(viewport=SIZE)
        page.goto(server.url)
        page.wait_for_function("() => window.darkViewer?.runs.length")
        for k in range(3):
            take_down(note, k, np.random.default_rng(k))
        page.wait_for_function("() => darkViewer.timeline.length === 3 && darkViewer.state.at === 2")
        assert "live (running)" in page.inner_text("h1")
        page.keyboard.press("p")
        take_down(note, 3, np.random.default_rng(3))
        note.close()
        page.wait_for_function("() => darkViewer.time.slider.max === '3'")
        page.wait_for_function("() => document.querySelector('h1').textContent === 'live'")
        assert state(page, "state.at") == 1  # the cursor was moved away from the end, and stays
        assert page.get_attribute(".time input", "max") == "3"
    page.wait_for_selector(".lost")
    assert "out of reach" in page.inner_text(".status")
    page.close()
