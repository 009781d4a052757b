"""The page and the widget: one file that asks nothing, text that cannot break it, a frame without anywidget."""

import html
import json
import re
import sys

import pytest

import dark
from dark.draw import draw
from dark.draw.explore import explorer_page
from dark.errors import DrawingError
from tests.draw.student import shared


def content(text):
    """Return the data that a page holds."""
    return json.loads(re.search(r'<script type="application/json" id="graph">(.*?)</script>', text, re.S)[1])


def test_a_drawing_is_saved_as_a_page(tmp_path):
    path = draw(shared(), title="2a + a").save(tmp_path / "graph.html")
    text = path.read_text(encoding="utf-8")
    assert content(text)["title"] == "2a + a" and text.count("startFile();") == 1
    assert "connect-src &#x27;none&#x27;" in text and "<title>2a + a</title>" in text
    assert not re.search(r"<(script|link|img)[^>]* (src|href)=\"(?!data:)", text)


def test_no_name_can_end_the_data(tmp_path):
    evil = "</script><script>alert(1)</script><!--"
    page = draw(dark.exp(dark.Parameter(2.0, name=evil)), title=evil).page()
    assert evil not in page.html and content(page.html)["nodes"][0]["name"] == evil


def test_the_widget_has_the_same_data_and_the_page_for_readers_without_a_kernel():
    pytest.importorskip("anywidget")
    drawing = draw(shared())
    widget = drawing.explore()
    assert json.loads(widget.graph) == content(drawing.page().html)
    bundle, _ = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle and "<iframe" in bundle["text/html"]
    assert bundle["text/plain"].startswith("GraphExplorer('Graph of ")
    assert widget._esm.endswith("export default { render };\n") and ".dark-explorer" in widget._css


def test_without_anywidget_the_page_is_displayed_in_a_frame(monkeypatch):
    explorer_page.widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    page = draw(shared()).explore()
    assert html.unescape(page._repr_html_()).count("startFile();") == 1
    monkeypatch.undo()
    explorer_page.widget_class.cache_clear()


def test_a_suffix_that_is_not_known_names_html(tmp_path):
    with pytest.raises(DrawingError, match=r"\.html"):
        draw(shared()).save(tmp_path / "graph.htm")
