"""A step apart from the update: closures, zero_grad, conventions."""

import numpy as np
import pytest

import dark
from dark.optim import SGD, Adam


def test_zero_grad_sets_gradients_to_none_or_zero():
    x, y, w = dark.Parameter(1.0), dark.Parameter(2.0), dark.Parameter(np.ones(2))
    optimizer = SGD([x, y, w])
    x.grad, w.grad = 1.0, np.ones(2)
    optimizer.zero_grad(set_to_none=False)
    assert x.grad == 0 and y.grad is None and w.grad.tolist() == [0, 0]
    optimizer.zero_grad()
    assert x.grad is None and w.grad is None
    optimizer.step()
    assert x.value == 1


def test_a_generator_and_a_discriminator_learn_by_turns():
    shared, own = dark.Parameter(np.ones(2)), dark.Parameter(np.ones(2))
    first, second = Adam([shared], lr=0.1), Adam([shared, own], lr=0.1)
    for optimizer in (first, second, first, second):
        for p in (shared, own):
            p.grad = np.ones(2)
        optimizer.step()
    assert shared.value.tolist() == pytest.approx([0.6, 0.6]) and own.value.tolist() == pytest.approx([0.8, 0.8])


def test_a_closure_is_called_first_and_its_loss_returned():
    x = dark.Parameter(10.0)
    optimizer = SGD([x], lr=0.1)

    def closure():
        optimizer.zero_grad()
        loss = 2 * x**2 + 5
        loss.backward()
        return loss

    assert [round(optimizer.step(closure).value, 4) for _ in range(2)] == [205.0, 77.0]
    assert x.value == pytest.approx(3.6)


def test_a_first_gradient_of_1e_8_makes_half_a_step_of_adam():
    x = dark.Parameter(0.0)
    x.grad = 1e-8
    Adam([x], lr=0.1).step()
    assert x.value == pytest.approx(-0.05)


def test_centered_averages_of_a_constant_gradient_are_never_nan():
    x = dark.Parameter(np.ones(1000))
    optimizer = dark.optim.RMSprop([x], alpha=0.3, centered=True)
    for _ in range(60):
        x.grad = np.linspace(0.1, 1, 1000)
        optimizer.step()
    assert np.isfinite(x.value).all()
