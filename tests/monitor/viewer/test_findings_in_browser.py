"""The findings of the doctor in the viewer, in chromium: the strip, its keys, and what is marked in the charts."""

import numpy as np
import pytest

import dark
from dark.monitor import Note, diagnose
from dark.monitor.summary import histogram
from tests.monitor.viewer.test_in_browser import SIZE, opened, press, serving, state
from tests.monitor.viewer.test_scalars_in_browser import CHART

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium, sick):
    with opened(chromium, (sick / "one.html").as_uri()) as one:
        yield one


def test_the_findings_are_a_strip_and_a_click_opens_their_series(page, sick):
    found = diagnose(sick / "run0").findings
    page.wait_for_selector(".chip")
    assert [text.split("\n")[1] for text in page.locator(".chip").all_inner_texts()] == [one.kind for one in found]
    kinds = [finding.kind for finding in found]
    dead = kinds.index("dead units")
    page.evaluate("() => darkViewer.toggleScalars(['dead/relu1'])")  # not shown any more
    press(page)
    assert "dead" not in page.locator(".small .head strong").all_inner_texts()
    page.locator(".chip").nth(dead).click()
    page.wait_for_function("() => darkViewer.state.shown.has('dead/relu1')")
    press(page)
    assert page.locator(".chip").nth(dead).get_attribute("aria-expanded") == "true"
    steps = found[dead].steps
    flags = page.evaluate(f"() => {CHART}('dead').flags.map(flag => [flag.number, flag.x])")
    assert [[dead + 1, step] for step in steps] == flags
    assert state(page, "state.at") == steps[0]
    words = page.inner_text(".detail")
    assert found[dead].summary in words and all(advice in words for advice in found[dead].advice)
    name = page.evaluate("() => darkViewer.scalars.charts.find(c => c.title === 'dead').place.ariaLabel")
    assert f"Findings of the doctor here: {dead + 1}" in name
    page.click(".detail .series >> nth=0")
    page.keyboard.press("Escape")
    assert page.locator(".chip[aria-expanded=true]").count() == 0 and not page.is_visible(".detail")


def test_the_findings_are_reached_by_keys(page):
    page.wait_for_selector(".chip")
    count = page.locator(".chip").count()
    for k in range(count + 1):
        press(page, "f")
        assert state(page, "state.finding") == k % count
    if count > 1:
        press(page, "F")
        assert state(page, "state.finding") == count - 1


def test_a_healthy_run_says_so_and_what_was_not_looked_at(chromium, tmp_path):
    with Note(tmp_path / "well") as note:
        for k in range(60):
            note.take_down_scalars_and_tensors(k, {"loss": 2 * np.exp(-k / 20)})
    diagnosis = diagnose(tmp_path / "well")
    assert diagnosis.is_healthy and diagnosis.missing
    dark.monitor.page(note).save(tmp_path / "well.html")
    with opened(chromium, (tmp_path / "well.html").as_uri()) as one:
        one.wait_for_selector(".more")
        assert "no finding" in one.inner_text(".strip")
        one.click(".more")
        assert all(text in one.inner_text(".detail") for text in diagnosis.missing)
        assert one.locator(".picture").count() == 1  # the page says that there are no tensors


def test_a_growing_run_is_diagnosed_again(chromium, tmp_path):
    note = Note(tmp_path / "live")
    with serving([note]) as server:
        page = chromium.new_page(viewport=SIZE)
        page.goto(server.url)
        page.wait_for_function("() => window.darkViewer?.runs.length")
        for k in range(40):
            note.take_down_scalars_and_tensors(k, {"loss": 2.3, "dead/relu1": 0.99})
        page.wait_for_selector(".chip", timeout=20_000)
        assert "dead units" in page.inner_text(".strip")
        page.close()
        note.close()


def test_histograms_of_a_summary_are_drawn_as_bands_over_time(chromium, tmp_path):
    rng = np.random.default_rng(0)
    with Note(tmp_path / "short") as note:
        for k in range(9):
            tensors = {
                "histograms/weights/a": histogram(rng.normal(size=(20, 30)) * (1 + k)),
                "histograms/own": np.ones(4),
            }
            note.take_down_scalars_and_tensors(k, {"loss": 1 / (1 + k)}, tensors)
    dark.monitor.page(tmp_path / "short").save(tmp_path / "short.html")
    with opened(chromium, (tmp_path / "short.html").as_uri()) as page:
        page.wait_for_selector(".picture.histogram")
        picture = page.locator(".picture.histogram")
        assert picture.get_attribute("aria-label").startswith("Histograms of weights/a over time: values from")
        assert "64 bins" in page.locator(".tag").all_inner_texts()
