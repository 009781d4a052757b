"""The scalars of the viewer in chromium: small multiples, axes, values at the pointer, several runs."""

import csv
import io
from xml.etree import ElementTree

import numpy as np
import pytest

from dark.monitor import Note
from tests.monitor.viewer.test_in_browser import SIZE, opened, press, saved, serving, state

pytestmark = pytest.mark.browser
CHART = "(title => darkViewer.scalars.charts.find(one => one.title === title).chart)"


@pytest.fixture
def page(chromium, sick):
    with opened(chromium, (sick / "one.html").as_uri()) as one:
        yield one


@pytest.fixture
def six(chromium, sick):
    with opened(chromium, (sick / "six.html").as_uri()) as one:
        yield one


def places(page, title, values):
    """Return where values are drawn: pixels from the top of a chart."""
    script = f"([title, values]) => {{ const c = {CHART}(title); return values.map(v => c.plot.valToPos(v, 'y')); }}"
    return np.array(page.evaluate(script, [title, [float(value) for value in values]]))


def test_each_kind_of_scalars_has_a_chart_with_titles(page):
    assert page.locator(".small .head strong").all_inner_texts() == ["loss", "accuracy", "balance", "dead"]
    lines = page.evaluate(f"() => {CHART}('loss').lines.map(line => [line.label, line.dash ?? []])")
    assert lines == [["loss", []], ["val_loss", []]]  # solid
    assert page.evaluate(f"() => {CHART}('loss').plot.axes.map(axis => axis.label)") == ["step", "loss"]
    charts = page.locator(".small").evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
    assert len({(chart["x"], chart["y"]) for chart in charts}) == 4


def test_the_logarithm_of_an_exponential_is_a_straight_line(page):
    values = 10 ** (-6 * np.arange(121) / 120)
    press(page, "G")
    assert page.evaluate(f"() => {CHART}('loss').scale.y.name") == "logarithm"
    steps = np.diff(places(page, "loss", values))
    assert np.ptp(steps) < 1e-6 and steps[0] > 0.3
    assert page.evaluate(f"() => {CHART}('balance').scale.y.name") == "symmetric logarithm"
    assert "on the logarithm" in page.locator(".small .chart").first.get_attribute("aria-label")
    press(page, "G")
    assert page.evaluate(f"() => {CHART}('loss').scale.y.name") == "linear"


def test_the_pointer_reads_the_values_of_all_lines(page):
    over = page.locator(".small .u-over").first
    box = over.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    text = over.locator(".tooltip").inner_text()
    assert "step 60" in text and "0.001" in text and "0.063246" in text
    assert over.locator(".tooltip .nearest").count() == 1
    press(page, "w")
    page.mouse.move(box["x"] + box["width"] / 2 + 1, box["y"] + 5)
    assert "(0.001)" in page.locator(".small .u-over").first.locator(".tooltip").inner_text()  # raw beside smoothed
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 120)
    assert page.locator(".tooltip:visible").count() == 0
    tip = page.locator(".small .u-over").nth(1)
    corner = tip.bounding_box()
    page.mouse.move(corner["x"] + corner["width"] - 2, corner["y"] + 3)
    shown = page.locator(".tooltip:visible").bounding_box()
    assert shown["x"] >= 0 and shown["x"] + shown["width"] <= SIZE["width"]


def test_smoothing_draws_the_raw_line_pale_behind(page):
    press(page, "w", "w")
    assert state(page, "state.plot.smoothing") == 0.8
    lines = page.evaluate(f"() => {CHART}('loss').lines.map(line => [line.label, line.isRaw ?? false, line.values[1]])")
    assert [line[:2] for line in lines] == [["loss", True], ["val_loss", True], ["loss", False], ["val_loss", False]]
    raw = 10 ** (-6 / 120)
    assert lines[0][2] == pytest.approx(raw) and lines[2][2] == pytest.approx((0.8 + raw) / 1.8)
    assert page.evaluate(f"() => {CHART}('loss').plot.series.map(one => one.alpha)")[1:] == [0.3, 0.3, 1, 1]
    page.locator("input[aria-label=smoothing]").fill("0")
    assert state(page, "state.plot.smoothing") == 0 and page.inner_text(".smoothing output") == "off"


def test_the_axis_is_steps_epochs_or_time(page, sick):
    titles = []
    for _ in range(4):
        titles.append(page.evaluate(f"() => {CHART}('loss').plot.axes[0].label"))
        press(page, "x")
    assert titles == ["step", "epoch", "elapsed time (s)", "time of day"]
    press(page, "x")
    assert page.evaluate(f"() => {CHART}('loss').data[0].at(-1)") == 6  # epochs of 20 steps
    assert "step 120 · epoch 6" in page.inner_text(".values caption")
    page.select_option("select[aria-label='horizontal axis']", "elapsed")
    series = Note.load(sick / "run0").scalar_dict["loss"]
    assert page.evaluate(f"() => {CHART}('loss').data[0].at(-1)") == series.elapsed[-1]
    page.click(".small .u-over >> nth=0", position={"x": 3, "y": 30})
    assert state(page, "state.at") <= 20  # a click moves the cursor there
    press(page, "X")
    assert page.evaluate(f"() => {CHART}('loss').scale.x.name") in ("logarithm", "symmetric logarithm")


def test_charts_are_zoomed_together(page):
    press(page, "H", "+", "+")
    ranges = page.evaluate("() => darkViewer.scalars.charts.map(({chart}) => chart.plot.scales.x.max)")
    assert len(set(ranges)) == 1 and ranges[0] < 40
    press(page, "G")  # drawn again, the range stays
    assert page.evaluate("() => darkViewer.scalars.charts[0].chart.plot.scales.x.max") == ranges[0]
    press(page, "0")
    assert page.evaluate("() => darkViewer.scalars.charts.map(({chart}) => chart.plot.scales.x.max)") == [120] * 4


def test_six_runs_are_seen_together(six):
    assert state(six, "runs.length") == 6 and "F run5" in six.inner_text("h1")
    lines = six.evaluate(f"() => {CHART}('balance').lines.map(line => [line.stroke, line.marker, line.letter])")
    assert len({stroke for stroke, _, _ in lines}) == 6 and len({marker for _, marker, _ in lines}) == 6
    assert [letter for _, _, letter in lines] == list("ABCDEF")
    assert six.locator(".picture").count() == 6  # a tensor of each, and no difference
    widths = six.locator(".picture").evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert min(widths) >= 200
    rows = list(csv.DictReader(io.StringIO(saved(six, "Scalars", "CSV")[1].decode())))
    assert float(rows[0]["A loss"]) == 1 and rows[0]["F loss"] == ""
    press(six, "Escape")
    six.wait_for_function("() => darkViewer.runs.length === 5")


def test_runs_are_aligned_by_their_first_step(six):
    assert state(six, "timeline.length") == 171
    press(six, "A")
    assert state(six, "timeline.length") == 121 and "aria-pressed" in six.content()
    firsts = six.evaluate(f"() => {CHART}('balance').lines.map(line => line.steps[0])")
    assert firsts == [0] * 6
    press(six, "H")
    assert set(six.locator(".values td").all_inner_texts()[:6]) == {"1"}  # the first loss of each run
    titles = six.evaluate("() => darkViewer.tensors.pictures.map(picture => picture.alt)")
    assert "step 0" in titles[0] and "step 50" in titles[5]


def test_each_run_can_have_its_own_color_range(six):
    bars = "() => darkViewer.tensors.pictures.map(picture => picture.scene.scale.valueAt(1))"
    assert len(set(six.evaluate(bars))) == 1
    press(six, "C")
    assert len(set(six.evaluate(bars))) == 6
    assert six.locator("button[aria-label='a color range for each run, or one for all']").is_visible()


def test_statistics_are_not_cut(six):
    notes = six.evaluate(
        "() => darkViewer.tensors.pictures.map(({scene, canvas}) => { const c = canvas.getContext('2d');"
        " c.font = '12.5px system-ui, sans-serif'; return scene.texts.filter(t => t.role === 'note')"
        ".map(t => [t.text, c.measureText(t.text).width, scene.width]); })"
    )
    assert len(notes) == 6
    for lines in notes:
        assert all(width <= room for _, width, room in lines)
        assert all(word in " ".join(text for text, _, _ in lines) for word in ("min", "max", "mean", "std"))


def test_the_page_says_what_the_types_are(page):
    assert page.inner_text(".tree .note") == "I: of the network · II: computed from one sample"


def test_charts_are_saved_together(page):
    press(page, "G", "w")
    root = ElementTree.fromstring(saved(page, "Scalars", "SVG")[1])
    texts = [text.strip() for text in root.itertext()]
    assert {"loss", "accuracy", "balance", "dead", "step", "loss (log)"} <= set(texts)
    assert saved(page, "Scalars", "PNG")[1].startswith(b"\x89PNG")


@pytest.mark.parametrize("width", [390, 1280])
def test_every_picture_has_a_name_and_fits(chromium, sick, width):
    with opened(chromium, (sick / "six.html").as_uri()) as one:
        one.set_viewport_size({"width": width, "height": 844})
        press(one, "f")
        nameless = one.evaluate(
            "() => [...document.querySelectorAll('canvas, svg')].filter(e => !e.closest('[aria-hidden=true]')"
            " && !e.closest('[role=img][aria-label]') && !e.getAttribute('aria-label')).length"
        )
        assert nameless == 0
        assert one.evaluate("() => document.documentElement.scrollWidth") <= width
        for small in one.locator(".small").all():
            box = small.bounding_box()
            assert box["width"] > 180 and box["x"] + box["width"] <= width


def test_more_runs_than_can_be_shown_are_refused(chromium, sick):
    with serving([sick / "run0"]) as server:
        host = f"http://127.0.0.1:{server.server_port}/"
        with opened(chromium, server.url, host) as one:
            for count in range(2, 13):
                one.evaluate(
                    "() => darkViewer.open(new darkViewer.runs[0].constructor(darkViewer.ask, 'run1'), 'compare')"
                )
                assert state(one, "runs.length") == count
            one.keyboard.press("Control+o")
            one.click("tr:has-text('run2') >> text=Compare")
            one.get_by_text("At most 12 runs are shown together").wait_for()
