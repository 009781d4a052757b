"""Boxes as DOT and SVG: any string is escaped, all nodes and edges are drawn, output is reproducible."""

import re
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.draw import Box, boxes_of, draw_boxes
from dark.draw.diagram.diagram import STYLES, diagram_of
from dark.draw.diagram.dot import dot_of
from dark.draw.labels import one_line, operation_text, value_text
from dark.operations.elementwise import arithmetic
from tests.draw.student import random_boxes, shared

SVG = "{http://www.w3.org/2000/svg}"
NASTY = r'|{}<>"\N & &lt; </text> <b>'


def to_dot(boxes, **settings):
    return dot_of(diagram_of(boxes, **settings))


def texts_of(svg):
    return [e.text for e in ElementTree.fromstring(svg).iter(SVG + "text")]


@given(random_boxes(), st.text())
@pytest.mark.long
def test_any_graph_with_any_strings_is_drawn_with_every_node_and_edge(boxes, title):
    drawing = draw_boxes(boxes, title=title)
    ids = {e.get("id"): e for e in ElementTree.fromstring(drawing.svg).iter(SVG + "g")}
    assert all(f"node-{i}" in ids for i in range(len(boxes)))
    edges = [f"edge-{i}-{k}" for i, box in enumerate(boxes) for k in range(len(box.inputs))]
    assert all(ids[edge].find(SVG + "path") is not None for edge in edges)
    assert "label=<" not in drawing.source


@given(random_boxes())
@pytest.mark.long
def test_the_same_boxes_give_the_same_picture(boxes):
    assert draw_boxes(boxes).svg == draw_boxes(boxes).svg


@pytest.mark.parametrize("kind", ["parameter", "constant", "result"])
def test_special_characters_of_dot_are_escaped_in_a_name(kind):
    texts = texts_of(draw_boxes([Box(kind, None, 1.0, None, NASTY)]).svg)
    assert " ".join(texts).startswith(f"{NASTY} = 1")


def test_special_characters_of_dot_are_escaped_in_a_title():
    assert NASTY in texts_of(draw_boxes([Box("constant", None, 1.0)], title=NASTY).svg)


def test_a_name_that_looks_like_html_does_not_become_an_html_label():
    source = to_dot([Box("constant", None, "<b>2</b>", "<i>", "<u>")], title="<b>bold</b>")
    assert "label=<" not in source


def test_every_node_shows_value_operation_and_gradient():
    source = to_dot(boxes_of(shared()))
    assert 'label="a = 1|.|grad 3"' in source
    assert 'label="2|×|grad 1"' in source
    assert 'label="2   .   grad –"' in source


def test_gradients_can_be_omitted():
    assert "grad" not in to_dot(boxes_of(shared()), gradients=False)


def test_kinds_of_nodes_differ_in_shape_and_border():
    kinds = [STYLES[kind] for kind in ("parameter", "constant", "result")]
    assert len({look["shape"] for look in kinds}) == 3
    assert len({(look["style"], look["penwidth"]) for look in kinds}) == 3


@pytest.mark.parametrize("kind", ["parameter", "constant", "result"])
def test_a_wrong_node_has_a_thick_dashed_border_and_a_label(kind):
    svg = draw_boxes([Box(kind, None, 1.0, mark="wrong")]).svg
    assert any("first wrong" in text for text in texts_of(svg))
    assert 'stroke-dasharray="5,2"' in svg
    assert 'stroke-width="4.5"' in svg


def test_threads_draw_concurrently():
    boxes = boxes_of(shared())
    with ThreadPoolExecutor(4) as pool:
        pictures = set(pool.map(lambda _: draw_boxes(boxes).svg, range(40)))
    assert len(pictures) == 1


def test_the_picture_contains_no_date_or_version():
    svg = draw_boxes(boxes_of(shared())).svg
    assert not re.search(r"<!--|Generated|version|date", svg)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (205.0, "205"), (1 / 3, "0.333333"), (1e-22, "1e-22"), (-0.5, "-0.5"), (None, "–"),
        (float("nan"), "nan"), (float("-inf"), "-inf"), (7, "7"), (10**12, "1e+12"),
        (10**400, "1" + "0" * 30 + "…"), (True, "True"), ("text", "text"), ([1], "[1]"),
        (np.True_, "True"), (1 + 2j, "1+2j"), (np.complex64(1j), "0+1j"), (np.array(1j), "0+1j"), (np.int8(3), "3"),
        (np.float32(0.1), "0.1"), (np.array(2.5), "2.5"), ("", "''"), (" ", "' '"), (np.ma.masked, "masked"),
    ],
)  # fmt: skip
def test_values_are_formatted_briefly(value, text):
    assert value_text(value) == text


def test_an_array_is_formatted_as_its_shape():
    assert value_text(np.zeros((2, 3))) == "float64 (2, 3)"


def test_an_object_whose_shape_is_not_a_tuple_is_formatted_by_its_repr():
    class Odd:
        shape = 3

        def __repr__(self):
            return "odd"

    assert value_text(Odd()) == "odd"
    assert Box("constant", None, Odd()).value.shape == 3


def test_a_gradient_that_is_a_node_is_formatted_by_its_value():
    assert value_text(shared()) == "3"


def test_an_operation_without_a_sign_is_labeled_by_its_name_and_a_text_stays_as_it_is():
    class Cube:
        sign = None

    def Root(x):
        return x

    assert [operation_text(op) for op in (Cube, Cube(), Root, "MatMul", "ADD")] == [
        "cube", "cube", "root", "MatMul", "+",
    ]  # fmt: skip
    Cube.sign = " "
    assert [operation_text(op) for op in (Cube, " ", "")] == ["cube", ".", "."]


def test_characters_that_are_invalid_in_xml_are_replaced():
    assert one_line("a\x00b\x1bc\ud800") == "a\ufffdb\ufffdc\ufffd"


@pytest.mark.parametrize("name", ["Add", "Sub", "Mul", "Div", "Pow"])
def test_an_operation_has_the_same_label_in_any_implementation(name):
    reference = getattr(arithmetic, name)
    written_again = type(name, (), {})
    assert operation_text(reference) == operation_text(written_again) == operation_text(name) == reference.sign
