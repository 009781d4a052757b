"""The backward pass of a loss of PyTorch, in steps and in the page: it starts with 1, and nothing is changed by it."""

import re

import numpy as np
import pytest

from dark.draw import draw, graph_record
from dark.draw.picture.explored import data_of
from dark.draw.picture.pytorch_pass import is_loss_of_pytorch, pass_of_pytorch
from dark.errors import DrawingError

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))


def loss_of(module):
    return (module(torch.linspace(-1, 1, 15).reshape(5, 3)) ** 2).mean()


@pytest.mark.parametrize("passed", ["before", "kept", "freed"])
def test_steps_of_a_loss_start_with_1_after_and_without_backward(passed):
    module = network()
    loss = loss_of(module)
    if passed != "before":
        loss.backward(retain_graph=passed == "kept")
    strip = draw(loss, model=module).steps()
    assert re.match(r"1/8: The pass starts at \S+ \(mean\) with gradient 1\.", strip.captions[0])
    assert len(strip) == 8 and len(strip.pictures) == 8
    assert ("not kept by PyTorch" in repr(strip)) == (passed == "freed")


def test_what_is_sent_adds_up_to_the_gradients_of_pytorch_and_changes_nothing():
    module = network()
    loss = loss_of(module)
    boxes, sent = pass_of_pytorch(graph_record(loss, model=module))
    assert all(parameter.grad is None for parameter in module.parameters())
    found = {box.name: box.grad for box in boxes if box.kind == "parameter"}
    loss.backward()
    for name, parameter in module.named_parameters():
        np.testing.assert_allclose(found[name].high, parameter.grad.max().item(), rtol=1e-6)
        np.testing.assert_allclose(found[name].mean, parameter.grad.mean().item(), rtol=1e-5)
    assert boxes[-1].grad == 1.0 and sent[-1] is not None


def test_after_a_pass_the_gradients_of_leaves_are_shown():
    module = network()
    loss = loss_of(module)
    loss.backward()
    boxes, sent = pass_of_pytorch(graph_record(loss, model=module))
    assert any(given is None for given in sent)
    bias = next(box for box in boxes if box.name == "2.bias")
    assert bias.grad.mean == pytest.approx(module[2].bias.grad.item())


def test_a_function_of_a_user_is_not_called_again():
    calls = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, dldy):
            calls.append(dldy)
            return 2 * dldy

    x = torch.ones(3, requires_grad=True)
    strip = draw(Double.apply(x).sum()).steps()
    assert calls == [] and "not kept by PyTorch" not in strip.captions[0] and len(strip) == 3


def test_a_result_that_is_no_scalar_still_needs_a_gradient():
    module = network()
    result = module(torch.ones(5, 3))
    assert not is_loss_of_pytorch(graph_record(result, model=module))
    with pytest.raises(DrawingError, match="has no gradient"):
        draw(result, model=module).steps()


def test_the_widget_and_the_page_have_the_steps():
    pytest.importorskip("anywidget")
    module = network()
    drawing = draw(loss_of(module), model=module)
    assert len(drawing.widget().frames) == 8
    data = data_of(drawing)
    assert data["isLoss"] and len(data["steps"]) == 8 and "with gradient 1" in data["steps"][0]["caption"]
    assert any("0.weight" in step["caption"] for step in data["steps"])
