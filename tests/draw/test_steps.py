"""The backward pass in pictures: partial sums as they arrive, captions, and one layout for all."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.draw import Box, draw, draw_boxes, hierarchy
from dark.draw.shares import contributions_of
from dark.draw.steps import frames_of
from dark.errors import DrawingError
from tests.draw.student import Add, Constant, Mul, Node, Parameter, chain, shared

SVG = "{http://www.w3.org/2000/svg}"


def film_of_2a_plus_a(order=1):
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
    strip = film_of_2a_plus_a()
    a = next(i for i, box in enumerate(strip.boxes) if box.name == "a")
    assert [frame.grads[a] for frame in strip.frames] == ["–", "1", "3"]
    assert [gradient_texts(p, a) for p in strip.pictures] == ["grad –", "grad 1", "grad 3"]
    assert "It sends 2 to a, which now has 1 + 2 = 3." in strip.captions[-1]


def test_both_orders_of_the_sum_end_with_the_same_gradient():
    ends = []
    for order in (1, -1):
        strip = film_of_2a_plus_a(order)
        ends.append([strip.frames[-1].grads[i] for i, b in enumerate(strip.boxes) if b.name == "a"])
    assert ends == [["3"], ["3"]]


def test_a_students_own_graph_steps_too():
    assert draw(shared()).steps().captions == (
        "1/3: The pass starts at y with gradient 1.",
        "2/3: y has gradient 1. It sends 1 to 2 (×), and 1 to a.",
        "3/3: 2 (×) has gradient 1. It sends 2 to a, which now has 1 + 2 = 3.",
    )


def test_a_gradient_that_was_overwritten_is_told_from_what_was_received():
    end = draw(shared(grad=2.0)).steps().captions[-1]
    assert end.endswith("a has received 3 in this pass; its grad is 2.")


def test_a_second_pass_shows_what_it_brings_and_what_the_leaf_then_holds():
    x = dark.Parameter(3, name="x")
    y = dark.mul(x, x)
    y.backward()
    y.backward()
    end = draw(y).steps().captions[-1]
    assert "It sends 3 to x, and 3 to x, which now has 3 + 3 = 6." in end
    assert end.endswith("x has received 6 in this pass; its grad is 12.")


@given(st.lists(st.sampled_from(["+", "*", "-"]), min_size=1, max_size=12), st.randoms())
def test_the_sums_of_the_last_picture_are_the_gradients(signs, random):
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
    for frame, picture in zip((strip := film_of_2a_plus_a()).frames, strip.pictures, strict=True):
        marked = re.findall(r'id="step-\d-node-(\d+)" class="node dark-now"', picture)
        assert marked == [str(frame.now)]


def test_edges_on_which_something_is_sent_stand_out():
    strip = film_of_2a_plus_a()
    assert [picture.count('class="edge dark-sends"') for picture in strip.pictures] == [0, 2, 1]


def test_nothing_moves_between_pictures():
    def outlines(picture):
        return re.findall(r' (?:points|d|cx|cy|viewBox)="[^"]*"', picture)

    first, *others = film_of_2a_plus_a().pictures
    assert all(outlines(other) == outlines(first) for other in others)


def test_every_picture_says_what_it_shows():
    strip = film_of_2a_plus_a()
    assert strip.alts[1] == strip.captions[1] + " Gradients so far: a 1, 2 (*) 1, 3 (+) 1."
    for picture, alt in zip(strip.pictures, strip.alts, strict=True):
        assert ElementTree.fromstring(picture).get("aria-label") == alt


def test_the_strip_is_html_that_needs_no_script():
    strip = film_of_2a_plus_a()
    html = strip._repr_mimebundle_()["text/html"]
    assert html == strip._repr_html_()
    assert html.count("<figure ") == html.count("<figcaption>") == html.count("<img alt=") == 3
    assert "<script" not in html


def test_the_strip_is_one_svg_too(tmp_path):
    strip = film_of_2a_plus_a()
    path = strip.save(tmp_path / "film.svg")
    root = ElementTree.parse(path).getroot()
    assert root.get("role") == "img" and root.get("aria-label") == strip.alt
    assert len(root.findall(SVG + "svg")) == 3
    ids = [e.get("id") for e in root.iter(SVG + "g") if (e.get("id") or "").count("-") == 3]
    assert len(ids) == len(set(ids))
    assert strip.save(tmp_path / "film.html").read_text("utf-8") == strip.html + "\n"


def test_the_strip_is_always_the_same():
    assert film_of_2a_plus_a().svg == film_of_2a_plus_a().svg
    assert repr(film_of_2a_plus_a()) == "\n".join(film_of_2a_plus_a().captions)


class NoRule:
    """An operation that cannot say what it sends."""


class FailingRule:
    """An operation whose rule fails."""

    @staticmethod
    def differentiate(node):
        raise NotImplementedError


class ShortRule:
    """An operation that forgets an input."""

    @staticmethod
    def differentiate(node):
        return [1.0]


class WordyRule:
    """An operation that sends words."""

    @staticmethod
    def differentiate(node):
        return "ab"


@pytest.mark.parametrize("op", [NoRule, FailingRule, ShortRule, WordyRule])
def test_without_a_usable_rule_final_gradients_show_once_all_have_sent(op):
    a = Parameter(1.0, grad=3.0, name="a")
    double = Node(2.0, Mul(), (Constant(2), a), grad=1.0)
    y = Node(3.0, op, (double, a), grad=1.0, name="y")
    assert contributions_of(y, 1.0) is None
    frames = draw(y).steps().frames
    assert [frame.grads[1] for frame in frames] == ["–", "–", "3"]
    assert frames[1].caption == "y has gradient 1. It sends its share to 2 (×), and its share to a."


def test_boxes_alone_step_with_their_final_gradients():
    boxes = draw(shared()).boxes
    assert [frame.grads[1] for frame in draw_boxes(boxes).steps().frames] == ["–", "–", "3"]


def test_a_folded_graph_steps_with_its_final_gradients():
    y = chain(3)
    for node in (y, y.inputs[0]):
        node.grad = 1.0
    strip = draw(y, depth=1).steps()
    assert "A part of the graph is folded, so shares have no numbers" in strip.captions[0]
    assert strip.captions[-1].endswith("Nothing drawn below takes a gradient.")
    assert len(strip.pictures) == len(strip) == 3


def test_contributions_that_are_nodes_count_by_their_values():
    x = dark.Parameter(3, name="x")
    y = dark.mul(x, x)
    y.backward(create_graph=True)
    assert draw(y).steps().frames[-1].grads == ("6", "1")


def test_no_gradient_for_an_input_is_nothing_sent():
    boxes = (Box("parameter", None, 1.0), Box("parameter", None, 2.0), Box("result", "f", 1.0, 1.0, inputs=(0, 1)))
    last = frames_of(boxes, [None, None, (None, 5.0)])[-1]
    assert last.grads == ("–", "5", "1")
    assert last.edges == ("edge-2-1",)


def test_a_pass_that_has_not_run_has_no_steps():
    y = dark.mul(dark.Parameter(3), 2)
    with pytest.raises(DrawingError, match=r"no gradient has come back from 6 \(\*\)(.|\n)*call backward\(\)"):
        draw(y).steps()


def test_a_picture_without_a_graph_has_no_steps():
    with pytest.raises(DrawingError, match=r"this picture has no backward pass"):
        hierarchy().steps()


def test_a_film_of_more_than_40_pictures_is_refused_with_other_ways():
    y = x = dark.Parameter(1)
    for _ in range(40):
        y = dark.add(y, x)
    y.backward()
    with pytest.raises(DrawingError, match=r"would hold 41 pictures(.|\n)*\.widget\(\)(.|\n)*depth=5"):
        draw(y).steps()


def test_a_leaf_alone_is_a_film_of_one_picture():
    strip = draw(Parameter(1.0, grad=1.0, name="a")).steps()
    assert strip.captions == ("1/1: The pass starts at a with gradient 1.",)


def test_a_constant_with_a_gradient_of_its_own_is_a_film_of_one_picture():
    (picture,) = draw(Constant(2.0, grad=1.0)).steps().pictures
    assert 'class="node dark-now"' in picture


def test_a_value_changed_after_the_pass_is_refused_by_name():
    x = dark.Parameter(10, name="x")
    y = 2 * x**2 + 5
    y.backward()
    before = draw(y)
    x.value = x.value - 0.1 * x.grad
    with pytest.raises(DrawingError, match=r"x was changed after 100 \(\*\*\) had been(.|\n)*compute the result again"):
        draw(y).steps()
    with pytest.raises(DrawingError, match=r"the value of x was changed after the picture had been drawn"):
        before.steps()


def test_an_array_changed_in_its_place_is_refused():
    w = dark.Parameter(np.ones((4, 8)), name="w")
    y = dark.sum(w * 2)
    y.backward()
    w.value[0] = 3.0
    with pytest.raises(DrawingError, match=r"\* of shape \(4, 8\) does not follow from w and constant 2 any more"):
        draw(y).steps()


class Double(Mul):
    """A student's operation with a rule for the way forward."""

    @staticmethod
    def _f(a):
        return 2 * a


class Wild(Double):
    """An operation that gives something else each time."""

    values = iter(range(100))

    @classmethod
    def _f(cls, a):
        return float(next(cls.values))


class Lost(Double):
    """An operation that fails."""

    @staticmethod
    def _f(a):
        raise KeyError(a)


def test_a_students_values_are_computed_again_to_see_whether_they_fit():
    a = Parameter(3.0, grad=2.0, name="a")
    y = Node(6.0, Double(), (a,), grad=1.0, name="y")
    assert len(draw(y).steps()) == 2
    a.value = 4.0
    with pytest.raises(DrawingError, match=r"y does not follow from a any more, which give 8\."):
        draw(y).steps()


@pytest.mark.parametrize("op", [Wild, Lost, Mul])
def test_a_value_that_cannot_be_computed_again_is_taken_as_it_is(op):
    a = Parameter(4.0, grad=2.0, name="a")
    assert len(draw(Node(6.0, op(), (a,), grad=1.0)).steps()) == 2


def test_infinite_values_and_nan_still_fit():
    x = dark.Parameter(-1.0)
    with np.errstate(all="ignore"):
        y = dark.log(x) + dark.exp(dark.Parameter(1e4)) + dark.Parameter(np.array([np.nan] * 9))
        y.backward(gradient=np.ones(9))
    assert draw(y).steps()


def test_what_a_node_sends_follows_from_this_pass_where_another_has_overwritten_its_gradient():
    x = dark.Parameter(10, name="x")
    a = x**2
    y = a * 3
    y.backward()
    (a + 1).backward()
    end = draw(y).steps().captions[-1]
    assert "100 (**) has gradient 3. It sends 60 to x." in end
    assert "x has received 60 in this pass; its grad is 80." in end


def test_a_students_rule_that_reads_another_gradient_from_the_node_is_not_asked():
    a = Parameter(5.0, grad=80.0, name="a")
    inner = Node(10.0, Mul(), (Constant(2), a), grad=1.0, name="inner")
    y = Node(30.0, Mul(), (inner, Constant(3)), grad=1.0)
    assert contributions_of(inner, 3.0) is None
    end = draw(y).steps().captions[-1]
    assert end.startswith("3/3: inner has gradient 3. It sends its share to a.")


def test_gradients_are_those_of_the_moment_of_drawing():
    x = dark.Parameter(10, name="x")
    y = 2 * x**2 + 5
    y.backward()
    before, expected = draw(y), draw(y).steps().captions
    y.zero_grad()
    assert before.steps().captions == expected
    with pytest.raises(DrawingError, match=r"a gradient of 0 has come back from 205 \(\+\)(.|\n)*call backward\(\)"):
        draw(y).steps()


def test_a_students_gradients_set_back_after_drawing_show_as_they_were():
    y = shared()
    drawing = draw(y)
    for node in (y, *y.inputs):
        node.grad = 0.0
    assert [frame.grads[1] for frame in drawing.steps().frames] == ["–", "–", "3"]


def test_an_array_of_zeros_at_the_root_is_no_pass():
    y = dark.Parameter(np.ones(9)) * 2
    y.backward(gradient=np.zeros(9))
    with pytest.raises(DrawingError, match="a gradient of 0 has come back"):
        draw(y).steps()


def test_no_caption_holds_a_minus_zero():
    x = dark.Parameter(3, name="x")
    y = -(x * 0)
    y.backward()
    assert not any("-0" in caption for caption in draw(y).steps().captions)


def test_an_operation_on_add_is_named_in_the_caption_of_an_unnamed_node():
    a = Parameter(1.0, grad=1.0)
    assert "2 (+)" in draw(Node(2.0, Add(), (a, Constant(1.0)), grad=1.0)).steps().captions[0]
