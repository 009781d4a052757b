"""What each node sends: asked anew of the pass that is drawn, and refused where a value has changed since."""

import numpy as np
import pytest

import dark
from dark.draw import draw
from dark.draw.graph.contributions import contributions_of
from dark.errors import DrawingError
from tests.draw.student import Add, Constant, Mul, Node, Parameter, shared


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
