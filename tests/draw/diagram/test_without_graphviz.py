"""Without Graphviz everything is drawn, with the same words, colors and groups as with it."""

import re
from collections import Counter
from html import escape
from xml.etree import ElementTree

import numpy as np
import pytest

import dark
from dark import nn
from dark.course.student.course_map import course_map
from dark.draw import Box, broadcasting, compare, curves, draw, draw_boxes, formula, hierarchy, where
from dark.draw.diagram import graphviz_layout
from dark.executors import GeneratorBCE, GeneratorL1

BOXES = (
    Box("constant", None, 1.0, None, "k"), Box("input", None, 2.0, None, "in"),
    Box("parameter", None, 1.0, 2.0, "p", mark="wrong"), Box("constant", None, np.arange(9.0).reshape(3, 3), None, "c"),
    Box("result", "*", 2.0, 1.0, inputs=(0, 1)), Box("result", "stack", 2.0, inputs=(4,) * 20),
    Box("result", "-", 2.0, 1.0, inputs=(2, 5, 3), mark="wrong"), Box("folded", None, None, name="more", inputs=(6,)),
)  # fmt: skip


def scalars():
    x, y = dark.Parameter(2.0, name="x"), dark.Parameter(3.0, name="y")
    fx = x * y + dark.sin(x)
    fx.backward()
    return fx


def arrays():
    w = dark.Parameter(np.arange(-6.0, 6.0).reshape(3, 4), name="w")
    loss = (dark.tanh(np.ones((2, 3)) @ w) ** 2).sum()
    loss.backward()
    return loss


def network():
    return nn.Sequential(nn.Linear(3, 4, seed=0), nn.ReLU(), nn.Linear(4, 2, seed=1))


def executors():
    return formula(100 * GeneratorL1() + GeneratorBCE().named("fooled"))


DRAWINGS = {
    "scalars": lambda: draw(scalars(), title="A title"), "without gradients": lambda: draw(scalars(), gradients=False),
    "arrays": lambda: draw(arrays()), "boxes": lambda: draw_boxes(BOXES[:7]), "leaf": lambda: draw(dark.Parameter(1.0)),
    "network": lambda: draw(network(), np.ones((1, 3))), "modules": lambda: draw(network()),
    "classes": hierarchy, "executors": executors, "map": course_map, "map with a mark": lambda: course_map("05"),
}  # fmt: skip


def signs_of(svg):
    """Return the words, the colors of shapes, and the named groups of a picture."""
    root = ElementTree.fromstring(svg)
    texts = Counter(element.text for element in root.iter("{http://www.w3.org/2000/svg}text"))
    groups = {element.get("id") for element in root.iter("{http://www.w3.org/2000/svg}g")}
    return texts, Counter(re.findall(r'fill="(#[0-9a-f]{6})" stroke="(#[0-9a-f]{6})"', svg)), groups


@pytest.mark.parametrize("name", DRAWINGS)
def test_every_drawing_has_the_same_words_colors_and_groups(name, without_graphviz, monkeypatch, tmp_path):
    drawing = DRAWINGS[name]()
    assert not graphviz_layout.is_installed()
    plain = drawing.svg
    for suffix in (".svg", ".png", ".pdf", ".dot"):
        assert drawing.save(tmp_path / f"picture{suffix}").stat().st_size > 400
    assert f'alt="{escape(drawing.alt)}"' in drawing._repr_mimebundle_()["text/html"]
    monkeypatch.undo()
    if graphviz_layout.is_installed():
        again = DRAWINGS[name]()
        assert signs_of(again.svg) == signs_of(plain)
        assert (again.alt, again.text, again.source) == (drawing.alt, drawing.text, drawing.source)


def test_all_kinds_of_boxes_are_drawn_in_layers_as_by_graphviz(without_graphviz, monkeypatch):
    drawing = draw_boxes(BOXES)
    plain = drawing.svg
    assert {f"node-{i}" for i in range(len(BOXES))} | {"edge-6-0", "edge-6-2", "edge-7-0"} <= signs_of(plain)[2]
    monkeypatch.undo()
    if graphviz_layout.is_installed():
        assert signs_of(draw_boxes(BOXES).svg) == signs_of(plain)


@pytest.mark.parametrize("graph", [scalars, arrays])
def test_the_backward_pass_is_drawn_step_by_step(graph, without_graphviz, monkeypatch, tmp_path):
    strip = draw(graph()).steps()
    plain = strip.pictures
    assert strip.save(tmp_path / "strip.svg").read_bytes().startswith(b"<svg")
    assert strip.save(tmp_path / "strip.html").read_bytes().startswith(b"<div")
    assert strip[0].save(tmp_path / "step.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.undo()
    if graphviz_layout.is_installed():
        again = draw(graph()).steps()
        assert again.captions == strip.captions and again.alts == strip.alts
        assert list(map(signs_of, again.pictures)) == list(map(signs_of, plain))


def test_the_widget_and_the_page_need_no_graphviz(without_graphviz):
    drawing = draw(scalars())
    assert 'id="node-1"' in drawing.widget().svg
    assert drawing.page().html.startswith("<!doctype html>")


def test_pictures_without_boxes_need_no_graphviz(without_graphviz):
    records = [{"train_loss": 3.0}, {"train_loss": 2.0}]
    pictures = compare(scalars(), scalars()), curves(records), broadcasting((3, 1), (1, 4)), where(scalars(), nan=True)
    assert all("<svg" in picture.svg for picture in pictures)
