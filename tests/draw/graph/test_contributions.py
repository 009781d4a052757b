"""Contributions of a backward pass: recomputed from the values, which must not have changed."""

import numpy as np
import pytest

import dark
from dark.draw import draw
from dark.draw.graph.contributions import contributions_of
from dark.errors import DrawingError
from tests.draw.student import Add, Constant, Mul, Node, Parameter, shared


def test_a_value_changed_after_the_pass_raises():
    x = dark.Parameter(10, name="x")
    y = 2 * x**2 + 5
    y.backward()
    before = draw(y)
    x.value = x.value - 0.1 * x.grad
    with pytest.raises(DrawingError, match=r"x was changed after 100 \(\*\*\) was computed(.|\n)*compute the result"):
        draw(y).steps()
    with pytest.raises(DrawingError, match=r"the value of x was changed after the picture was drawn"):
        before.steps()


def test_an_array_changed_in_place_raises():
    w = dark.Parameter(np.ones((4, 8)), name="w")
    y = dark.sum(w * 2)
    y.backward()
    w.value[0] = 3.0
    with pytest.raises(DrawingError, match=r"w was changed after \* of shape \(4, 8\) was computed from it"):
        draw(y).steps()


class Double(Mul):
    """An operation of a student with a forward function."""

    @staticmethod
    def _f(a):
        return 2 * a


class Wild(Double):
    """A random operation."""

    values = iter(range(100))

    @classmethod
    def _f(cls, a):
        return float(next(cls.values))


class Lost(Double):
    """An operation that raises."""

    @staticmethod
    def _f(a):
        raise KeyError(a)


def test_values_of_a_students_nodes_are_recomputed():
    a = Parameter(3.0, grad=2.0, name="a")
    y = Node(6.0, Double(), (a,), grad=1.0, name="y")
    assert len(draw(y).steps()) == 2
    a.value = 4.0
    with pytest.raises(DrawingError, match=r"y no longer follows from a, which give 8\."):
        draw(y).steps()


@pytest.mark.parametrize("op", [Wild, Lost, Mul])
def test_a_value_that_cannot_be_recomputed_is_accepted(op):
    a = Parameter(4.0, grad=2.0, name="a")
    assert len(draw(Node(6.0, op(), (a,), grad=1.0)).steps()) == 2


def test_infinite_values_and_nan_are_equal_to_themselves():
    x = dark.Parameter(-1.0)
    with np.errstate(all="ignore"):
        y = dark.log(x) + dark.exp(dark.Parameter(1e4)) + dark.Parameter(np.array([np.nan] * 9))
        y.backward(gradient=np.ones(9))
    assert draw(y).steps()


def test_contributions_are_those_of_this_pass_although_another_changed_the_gradient():
    x = dark.Parameter(10, name="x")
    a = x**2
    y = a * 3
    y.backward()
    (a + 1).backward()
    end = draw(y).steps().captions[-1]
    assert "100 (**) has gradient 3. It sends 60 to x." in end
    assert "x has received 60 in this pass; its grad is 80." in end


def test_a_rule_that_would_read_another_gradient_from_the_node_is_not_called():
    a = Parameter(5.0, grad=80.0, name="a")
    inner = Node(10.0, Mul(), (Constant(2), a), grad=1.0, name="inner")
    y = Node(30.0, Mul(), (inner, Constant(3)), grad=1.0)
    assert contributions_of(inner, 3.0) is None
    end = draw(y).steps().captions[-1]
    assert end.startswith("3/3: inner has gradient 3. It sends its contribution to a.")


def test_gradients_are_those_at_the_time_of_drawing():
    x = dark.Parameter(10, name="x")
    y = 2 * x**2 + 5
    y.backward()
    before, expected = draw(y), draw(y).steps().captions
    y.zero_grad()
    assert before.steps().captions == expected
    with pytest.raises(DrawingError, match=r"root 205 \(\+\) has a gradient of 0(.|\n)*call backward\(\)"):
        draw(y).steps()


def test_gradients_reset_after_drawing_are_shown_as_drawn():
    y = shared()
    drawing = draw(y)
    for node in (y, *y.inputs):
        node.grad = 0.0
    assert [frame.grads[1] for frame in drawing.steps().frames] == ["–", "–", "3"]


def test_a_gradient_of_zeros_at_the_root_raises():
    y = dark.Parameter(np.ones(9)) * 2
    y.backward(gradient=np.zeros(9))
    with pytest.raises(DrawingError, match="has a gradient of 0"):
        draw(y).steps()


def test_captions_do_not_contain_minus_zero():
    x = dark.Parameter(3, name="x")
    y = -(x * 0)
    y.backward()
    assert not any("-0" in caption for caption in draw(y).steps().captions)


def test_the_caption_of_an_unnamed_node_has_the_sign_of_its_operation():
    a = Parameter(1.0, grad=1.0)
    assert "2 (+)" in draw(Node(2.0, Add(), (a, Constant(1.0)), grad=1.0)).steps().captions[0]


def test_a_node_sends_what_its_hooks_made_of_its_gradient():
    x = dark.Parameter(2.0, name="x")
    y = x * 3
    y.register_hook(lambda g: g * 10)
    z = y * 5
    z.backward()
    captions = draw(z).steps().captions
    assert "It sends 150 to x" in captions[2] and "has received 5 in this pass; its grad is 50" in captions[2]


def test_below_a_module_with_hooks_the_gradients_are_those_of_the_pass():
    x, layer = dark.Parameter(2.0, name="x"), dark.nn.Identity()
    layer.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 10,))
    z = layer(x * 3)
    z.backward()
    captions = draw(z).steps().captions
    assert "sends its contribution to" in captions[1] and "has gradient 10. It sends 30 to x" in captions[-1]
