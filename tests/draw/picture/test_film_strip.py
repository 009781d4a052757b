"""Film strips of the backward pass: accumulated gradients, captions, and one layout for all pictures."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.draw import Box, draw, draw_boxes, hierarchy
from dark.draw.graph.backward_steps import frames_of
from dark.draw.graph.contributions import contributions_of
from dark.draw.picture.base_picture import picture_of
from dark.draw.png import to_png
from dark.errors import DrawingError, IndexingError
from tests.draw.student import Constant, Mul, Node, Parameter, chain, shared

SVG = "{http://www.w3.org/2000/svg}"


def film_strip_of_2a_plus_a(order=1):
    a = dark.Parameter(1, name="a")
    double = dark.mul(2, a)
    y = dark.add(double, a) if order > 0 else dark.add(a, double)
    y.backward()
    return draw(y).steps()


def gradient_texts(picture, i):
    root = ElementTree.fromstring(picture)
    node = next(g for g in root.iter(SVG + "g") if g.get("id").endswith(f"node-{i}"))
    return [text.text for text in node.findall(SVG + "text")][-1]


def test_the_gradient_of_a_node_used_twice_arrives_in_two_parts():
    strip = film_strip_of_2a_plus_a()
    a = next(i for i, box in enumerate(strip.boxes) if box.name == "a")
    assert [frame.grads[a] for frame in strip.frames] == ["–", "1", "3"]
    assert [gradient_texts(p, a) for p in strip.pictures] == ["grad –", "grad 1", "grad 3"]
    assert "It sends 2 to a, which now has 1 + 2 = 3." in strip.captions[-1]


def test_both_orders_of_the_sum_end_with_the_same_gradient():
    ends = []
    for order in (1, -1):
        strip = film_strip_of_2a_plus_a(order)
        ends.append([strip.frames[-1].grads[i] for i, b in enumerate(strip.boxes) if b.name == "a"])
    assert ends == [["3"], ["3"]]


def test_steps_of_a_students_graph():
    assert draw(shared()).steps().captions == (
        "1/3: The pass starts at y with gradient 1.",
        "2/3: y has gradient 1. It sends 1 to 2 (×), and 1 to a.",
        "3/3: 2 (×) has gradient 1. It sends 2 to a, which now has 1 + 2 = 3.",
    )


def test_a_gradient_that_differs_from_the_received_one_is_reported():
    end = draw(shared(grad=2.0)).steps().captions[-1]
    assert end.endswith("a has received 3 in this pass; its grad is 2.")


def test_a_second_pass_shows_its_contributions_and_the_accumulated_gradient():
    x = dark.Parameter(3, name="x")
    y = dark.mul(x, x)
    y.backward()
    y.backward()
    end = draw(y).steps().captions[-1]
    assert "It sends 3 to x, and 3 to x, which now has 3 + 3 = 6." in end
    assert end.endswith("x has received 6 in this pass; its grad is 12.")


@given(st.lists(st.sampled_from(["+", "*", "-"]), min_size=1, max_size=12), st.randoms())
def test_the_last_picture_shows_the_gradients(signs, random):
    nodes = [dark.Parameter(random.uniform(-2, 2)) for _ in range(2)]
    for sign in signs:
        left, right = random.choice(nodes), random.choice(nodes)
        nodes.append(left + right if sign == "+" else left * right if sign == "*" else left - right)
    nodes[-1].backward()
    drawing = draw(nodes[-1])
    strip = drawing.steps()
    assert not any("has received" in caption for caption in strip.captions)
    for box, text in zip(drawing.boxes, strip.frames[-1].grads, strict=True):
        assert float(text) == pytest.approx(box.grad, rel=1e-4, abs=1e-9)


def test_one_node_is_marked_now_in_every_picture():
    for frame, picture in zip((strip := film_strip_of_2a_plus_a()).frames, strip.pictures, strict=True):
        marked = re.findall(r'id="step-\d-node-(\d+)" class="node dark-now"', picture)
        assert marked == [str(frame.now)]


def test_edges_of_contributions_are_highlighted():
    strip = film_strip_of_2a_plus_a()
    assert [picture.count('class="edge dark-sends"') for picture in strip.pictures] == [0, 2, 1]


def test_all_pictures_have_the_same_layout():
    def outlines(picture):
        return re.findall(r' (?:points|d|cx|cy|viewBox)="[^"]*"', picture)

    first, *others = film_strip_of_2a_plus_a().pictures
    assert all(outlines(other) == outlines(first) for other in others)


def test_every_picture_has_an_alternative_text():
    strip = film_strip_of_2a_plus_a()
    assert strip.alts[1] == strip.captions[1] + " Gradients so far: a 1, 2 (*) 1, 3 (+) 1."
    for picture, alt in zip(strip.pictures, strip.alts, strict=True):
        assert ElementTree.fromstring(picture).get("aria-label") == alt


def test_the_html_of_the_strip_has_no_script():
    strip = film_strip_of_2a_plus_a()
    html = strip._repr_mimebundle_()["text/html"]
    assert html == strip._repr_html_()
    assert html.count("<figure ") == html.count("<figcaption>") == html.count("<img alt=") == 3
    assert "<script" not in html


def test_the_strip_can_be_saved_as_one_svg(tmp_path):
    strip = film_strip_of_2a_plus_a()
    path = strip.save(tmp_path / "film.svg")
    root = ElementTree.parse(path).getroot()
    assert root.get("role") == "img" and root.get("aria-label") == strip.alt
    assert len(root.findall(SVG + "svg")) == 3
    ids = [e.get("id") for e in root.iter(SVG + "g") if (e.get("id") or "").count("-") == 3]
    assert len(ids) == len(set(ids))
    assert strip.save(tmp_path / "film.html").read_text("utf-8") == strip.html + "\n"


def test_the_strip_is_reproducible():
    assert film_strip_of_2a_plus_a().svg == film_strip_of_2a_plus_a().svg
    assert repr(film_strip_of_2a_plus_a()) == "\n".join(film_strip_of_2a_plus_a().captions)


class NoRule:
    """An operation without `differentiate`."""


class FailingRule:
    """An operation whose `differentiate` raises."""

    @staticmethod
    def differentiate(node):
        raise NotImplementedError


class ShortRule:
    """An operation that forgets an input."""

    @staticmethod
    def differentiate(node):
        return [1.0]


class WordyRule:
    """An operation that sends a string."""

    @staticmethod
    def differentiate(node):
        return "ab"


@pytest.mark.parametrize("op", [NoRule, FailingRule, ShortRule, WordyRule])
def test_without_a_valid_rule_final_gradients_are_shown_once_complete(op):
    a = Parameter(1.0, grad=3.0, name="a")
    double = Node(2.0, Mul(), (Constant(2), a), grad=1.0)
    y = Node(3.0, op, (double, a), grad=1.0, name="y")
    assert contributions_of(y, 1.0) is None
    frames = draw(y).steps().frames
    assert [frame.grads[1] for frame in frames] == ["–", "–", "3"]
    assert frames[1].caption == "y has gradient 1. It sends its contribution to 2 (×), and its contribution to a."


def test_steps_of_boxes_show_their_final_gradients():
    boxes = draw(shared()).boxes
    assert [frame.grads[1] for frame in draw_boxes(boxes).steps().frames] == ["–", "–", "3"]


def test_steps_of_a_part_of_a_graph_show_its_final_gradients():
    y = chain(3)
    for node in (y, y.inputs[0]):
        node.grad = 1.0
    strip = draw(y, depth=1).steps()
    assert "A part of the graph is not drawn, so the numbers of the contributions are not known" in strip.captions[0]
    assert strip.captions[-1].endswith("None of its inputs in the picture requires grad.")
    assert len(strip.pictures) == len(strip) == 3


def test_contributions_that_are_nodes_are_shown_by_their_values():
    x = dark.Parameter(3, name="x")
    y = dark.mul(x, x)
    y.backward(create_graph=True)
    assert draw(y).steps().frames[-1].grads == ("6", "1")


def test_a_contribution_of_none_is_not_sent():
    boxes = (Box("parameter", None, 1.0), Box("parameter", None, 2.0), Box("result", "f", 1.0, 1.0, inputs=(0, 1)))
    last = frames_of(boxes, [None, None, (None, 5.0)])[-1]
    assert last.grads == ("–", "5", "1")
    assert last.edges == ("edge-2-1",)


def test_steps_without_a_backward_pass_raise():
    y = dark.mul(dark.Parameter(3), 2)
    with pytest.raises(DrawingError, match=r"root 6 \(\*\) has no gradient(.|\n)*call backward\(\)"):
        draw(y).steps()


def test_steps_of_a_class_diagram_raise():
    with pytest.raises(DrawingError, match=r"this picture has no backward pass"):
        hierarchy().steps()


def test_a_film_strip_of_more_than_40_pictures_raises():
    y = x = dark.Parameter(1)
    for _ in range(40):
        y = dark.add(y, x)
    y.backward()
    with pytest.raises(DrawingError, match=r"would have too many pictures, 41(.|\n)*\.widget\(\)(.|\n)*depth=5"):
        draw(y).steps()


def test_a_leaf_has_a_film_strip_of_one_picture():
    strip = draw(Parameter(1.0, grad=1.0, name="a")).steps()
    assert strip.captions == ("1/1: The pass starts at a with gradient 1.",)


def test_a_constant_with_a_gradient_has_a_film_strip_of_one_picture():
    (picture,) = draw(Constant(2.0, grad=1.0)).steps().pictures
    assert 'class="node dark-now"' in picture


def test_a_film_strip_is_a_sequence_of_steps():
    strip = film_strip_of_2a_plus_a()
    assert len(strip) == 3 and isinstance(strip, Sequence)
    assert [step.caption for step in strip] == list(strip.captions) == [repr(step) for step in strip[:]]
    assert [step.svg for step in strip] == list(strip.pictures) and [step.alt for step in strip] == list(strip.alts)
    assert strip[-1] == strip[2] != strip[0] and strip.index(strip[1]) == 1 and strip[2] in strip
    assert [step.caption[:3] for step in reversed(strip)] == ["3/3", "2/3", "1/3"]


@pytest.mark.parametrize(
    "index", [slice(1, None), slice(None, None, 2), slice(None, None, -1), slice(0, 0), slice(-2, 9)], ids=str
)
def test_a_slice_is_a_strip_with_the_numbers_and_the_layout_of_the_whole(index):
    strip = film_strip_of_2a_plus_a()
    part = strip[index]
    assert type(part) is type(strip) and len(part) == len(strip.captions[index])
    assert part.captions == strip.captions[index] and part.pictures == strip.pictures[index]
    assert repr(part) == "\n".join(part.captions) and part.html.count("<figure ") == len(part)
    assert part[1:] == strip[index][1:] and [*part] == [*strip][index]


@pytest.mark.parametrize("index", [3, -4, "0", 1.0, True, None])
def test_an_index_that_no_picture_has_is_refused(index):
    with pytest.raises(IndexingError, match=r"is not the index of one of 3[^$]*Expected: an integer from -3 to 2"):
        film_strip_of_2a_plus_a()[index]


def test_a_strip_without_pictures_cannot_be_drawn():
    empty = film_strip_of_2a_plus_a()[3:]
    assert list(empty) == [] and repr(empty) == ""
    with pytest.raises(DrawingError, match=r"this strip has no pictures[^$]*strip\[:1\]"):
        _ = empty.svg
    with pytest.raises(IndexingError, match="one of 0 pictures.\n  Expected: a strip of some"):
        empty[0]


@pytest.mark.parametrize("part", [lambda strip: strip, lambda strip: strip[1:], lambda strip: strip[1]])
def test_a_strip_and_a_step_are_saved_in_every_format(part, tmp_path):
    shown = part(film_strip_of_2a_plus_a())
    for suffix, begin in ((".svg", b"<svg"), (".html", b"<div"), (".txt", b"")):
        assert shown.save(tmp_path / f"steps{suffix}").read_bytes().startswith(begin)
    content = shown.save(tmp_path / "steps.png").read_bytes()
    assert content.startswith(b"\x89PNG") and len(content) > 1000
    assert (tmp_path / "steps.txt").read_text("utf-8") == f"{shown!r}\n"


def test_what_is_sent_has_its_color_in_a_png():
    """In the picture of a step, more pixels have the color of gradients than in the one without what is sent."""
    image = pytest.importorskip("PIL.Image")
    strip, counts = film_strip_of_2a_plus_a(), []
    for sent in (strip.frames[1], replace(strip.frames[1], edges=())):
        content = to_png(picture_of(strip.base_picture, sent, "", ""))
        pixels = np.asarray(image.open(io.BytesIO(content)).convert("RGB"))
        counts.append((pixels == (154, 52, 18)).all(axis=2).sum())
    assert counts[0] > counts[1] + 400  # two lines of about 40 by 5 pixels


def test_a_step_displays_its_picture_in_a_notebook():
    step = film_strip_of_2a_plus_a()[1]
    shown = step._repr_mimebundle_()
    assert shown["image/svg+xml"] == step.svg and shown["text/plain"] == step.caption == step.title
    assert step.alt == f"{step.caption} Gradients so far: a 1, 2 (*) 1, 3 (+) 1."
