"""Drawings: display in a notebook, alternative text, table, and errors."""

import base64
import inspect
import pydoc
import re

import pytest

import dark
from dark.draw import Box, draw, draw_boxes
from dark.errors import DrawingError, ValueTypeError
from tests.draw.student import chain, shared


@pytest.fixture
def drawing():
    return draw(shared(), title="2a + a")


def test_the_package_can_be_called():
    x = dark.Parameter(3, name="x")
    assert 'label="x = 3|.|grad –"' in dark.draw(dark.mul(x, x)).source


def test_the_package_has_the_signature_of_draw():
    assert inspect.signature(dark.draw) == inspect.signature(draw)
    assert type(dark.draw).__call__.__doc__ == draw.__doc__
    with pytest.raises(TypeError, match=r"^draw\(\) got an unexpected keyword argument 'titel'"):
        dark.draw(shared(), titel="x")
    with pytest.raises(TypeError, match=r"^draw\(\) missing 1 required positional argument: 'node'"):
        dark.draw()


def test_the_help_of_the_package_shows_its_signature():
    text = pydoc.plain(pydoc.render_doc(dark.draw))
    options = "model=None, gradients=True, title=None, depth=None, open=None, grad_fn=False, arguments=None"
    words = " ".join(text[: text.index("PACKAGE CONTENTS")].split())
    assert f"dark.draw(node, *inputs, {options}, **keywords)" in words


def test_the_picture_has_an_alternative_text(drawing):
    assert f'aria-label="{drawing.alt}"' in drawing.svg
    assert 'role="img"' in drawing.svg
    assert f"<title>{drawing.title}</title><desc>{drawing.alt}</desc>" in drawing.svg
    assert drawing.alt.startswith("2a + a. Graph of y, 4 nodes. constant, value 2, no gradient.")
    assert "a: parameter, value 1, gradient 3." in drawing.alt


def test_nodes_have_tooltips(drawing):
    assert "<title>y: result of +, value 3, gradient 1</title>" in drawing.svg


def test_the_picture_fits_its_column_and_has_a_white_background(drawing):
    assert 'style="max-width:100%;height:auto"' in drawing.svg and "background:white" in drawing.svg
    assert '<polygon fill="white"' in drawing.svg


def test_a_large_graph_is_described_by_the_number_of_nodes():
    assert draw(chain(20)).alt == "Graph of 1 (+), 21 nodes. 1 parameter, 20 results."


def test_nodes_that_are_not_drawn_are_counted():
    drawing = draw(chain(20), depth=1)
    assert "… 19 more nodes, not drawn." in drawing.alt
    assert "not drawn" in drawing.text
    assert "… 19 more" in drawing.svg


def test_a_wrong_node_is_named_in_the_description():
    boxes = [Box("parameter", None, 1.0), Box("result", "+", 2.0, None, "y", (0,), "wrong")]
    drawing = draw_boxes(boxes)
    assert "First wrong: node 1, y." in drawing.alt
    assert "result (wrong)" in drawing.text


def test_the_mime_bundle_has_an_image_with_alternative_text_and_a_table(drawing):
    bundle = drawing._repr_mimebundle_()
    assert bundle["image/svg+xml"] == drawing.svg == drawing._repr_svg_()
    assert bundle["text/plain"] == drawing.text == repr(drawing)
    alt, data = re.fullmatch(
        r'<style>.*</style><img alt="(.*?)" class="dark-light" .*base64,(.*)">', bundle["text/html"]
    ).groups()
    assert alt == drawing.alt
    assert base64.b64decode(data).decode() == drawing.svg


def test_the_table_displays_itself_in_a_notebook(drawing):
    html = drawing.table()._repr_html_()
    assert "<th>gradient</th>" in html
    assert html.count("<tr>") == 5


def test_the_table_is_escaped():
    html = draw_boxes([Box("constant", None, "<script>")]).table()._repr_html_()
    assert "&lt;script&gt;" in html


def test_a_title_with_markup_is_escaped():
    drawing = draw(shared(), title='<script>"&')
    assert "<script>" not in drawing.svg
    assert "<script>" not in drawing._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize(
    ("boxes", "message"),
    [
        ([], "boxes must not be empty"),
        ([Box("leaf", None, 1.0)], r"box 0 must have a known kind and mark, got the kind 'leaf' and the mark None"),
        ([Box("result", "+", 1.0, mark="bad")], r"the mark 'bad'"),
        ([Box("result", "+", 1.0, inputs=(0,))], r"box 0 has the inputs \(0,\), which do not precede it"),
        ([Box("result", "+", 1.0, inputs=(-1,))], r"box 0 has the inputs \(-1,\)"),
    ],
)
def test_invalid_boxes_raise(boxes, message):
    with pytest.raises(DrawingError, match=message):
        draw_boxes(boxes)


@pytest.mark.parametrize(
    ("boxes", "message"),
    [
        (None, r"element 0 of boxes is of type NoneType, not a Box"),
        ("ab", r"element 0 of boxes is of type str, not a Box"),
        ([Box("parameter", None, 1.0), 3], r"element 1 of boxes is of type int, not a Box(.|\n)*draw\(node\)"),
        ([Box([], None, 1.0)], r"box 0 must have a known kind and mark, got the kind \[\]"),
        ([Box("result", "+", 1.0, inputs=0)], r"box 0 has the inputs 0"),
        ([Box("constant", None, 1.0), Box("result", "+", 1.0, inputs=(0.0,))], r"box 1 has the inputs \(0\.0,\)"),
        ([Box("constant", None, 1.0), Box("result", "+", 1.0, inputs="a")], r"box 1 has the inputs 'a'"),
    ],
)
def test_an_invalid_sequence_of_boxes_raises(boxes, message):
    with pytest.raises(DrawingError, match=message):
        draw_boxes(boxes)


def test_a_single_box_is_drawn():
    assert len(draw_boxes(Box("parameter", None, 1.0)).boxes) == 1


@pytest.mark.parametrize("gradients", ["no", None, [], 1])
def test_gradients_must_be_a_bool(gradients):
    for make in (lambda: draw(shared(), gradients=gradients), lambda: draw_boxes([], gradients=gradients)):
        with pytest.raises(ValueTypeError, match=r"gradients must be a bool, got .*\n  Expected: True or False"):
            make()


@pytest.mark.parametrize(("title", "shown"), [(3, "3"), (b"x", "b'x'"), ("  ", "Graph of y"), (None, "Graph of y")])
def test_a_title_is_converted_to_a_string_and_a_blank_one_ignored(title, shown):
    drawing = draw(shared(), title=title)
    assert drawing.title == shown and f"<title>{shown}</title>" in drawing.svg
