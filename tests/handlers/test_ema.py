"""Exponential moving averages of a model."""

import numpy as np
import pytest

import dark
from dark.engine import Engine, Events
from dark.errors import UsageError
from dark.handlers import EMAHandler


class Plus(dark.nn.Module):
    """A number, an array, and buffers of floats and of integers; `grow` adds 1 to each."""

    def __init__(self):
        super().__init__()
        self.number, self.array = dark.Parameter(1.0), dark.Parameter(np.ones(2, np.float32))
        self.register_buffer("mean", np.ones(2))
        self.register_buffer("count", np.array(1))

    def grow(self):
        for parameter in self.parameters():
            parameter.value = parameter.value + 1
        self.mean, self.count = self.mean + 1, self.count + 1


def run(events=Events.ITERATION_COMPLETED, count=4, name="ema_momentum", **settings):
    model = Plus()
    engine, handler = Engine(lambda engine, batch: model.grow()), EMAHandler(model, **{"momentum": 0.5, **settings})
    handler.attach(engine, name, event=events)
    engine.run([0] * count)
    return model, handler, engine


def test_numbers_and_arrays_follow_by_the_formula():
    model, handler, _ = run()
    expected = 1.0
    for value in range(2, 6):
        expected = 0.5 * expected + 0.5 * value
    assert handler.ema_model.number.value == expected == 4.0625
    assert handler.ema_model.array.value.tolist() == [expected] * 2
    assert handler.ema_model.array.value.dtype == np.float32 and model.number.value == 5.0


def test_with_a_filter_the_average_is_updated_less_often():
    assert run(Events.ITERATION_COMPLETED(every=2))[1].ema_model.number.value == 3.5


def test_the_average_does_not_require_grad_and_is_in_evaluation_mode():
    _, handler, _ = run()
    assert not any(p.requires_grad for p in handler.ema_model.parameters()) and not handler.ema_model.training
    assert handler.model.training and all(p.requires_grad for p in handler.model.parameters())


@pytest.mark.parametrize(("how", "mean", "count"), [("copy", 5.0, 5), ("update", 4.0625, 5), ("ema_train", 1.0, 1)])
def test_buffers_are_copied_averaged_or_ignored(how, mean, count):
    model, handler, _ = run(handle_buffers=how)
    assert handler.ema_model.mean.tolist() == [mean] * 2
    assert handler.ema_model.count == count and handler.ema_model.count.dtype == model.count.dtype
    assert handler.ema_model.training == (how == "ema_train")


def test_copied_buffers_do_not_share_memory_with_the_model():
    model, handler, _ = run()
    model.mean += 100.0
    assert handler.ema_model.mean.tolist() == [5.0, 5.0]


@pytest.mark.parametrize("name", ["ema_momentum", "another"])
def test_a_warm_up_is_linear_and_uses_the_given_name(name):
    model, seen = Plus(), []
    engine, handler = Engine(lambda engine, batch: None), EMAHandler(model, 0.5, momentum_warmup=0.9, warmup_iters=5)
    handler.attach(engine, name)
    engine.add_event_handler(Events.ITERATION_COMPLETED, lambda: seen.append(getattr(engine.state, name)))
    engine.run([0] * 7)
    assert seen == pytest.approx([0.9, 0.8, 0.7, 0.6, 0.5, 0.5, 0.5]) and seen[-1] == 0.5


def test_without_a_warm_up_the_momentum_is_in_the_state():
    assert run(momentum=0.25, name="m")[2].state.m == 0.25


def test_an_existing_attribute_is_used_with_a_warning():
    engine, handler = Engine(lambda engine, batch: None), EMAHandler(Plus())
    engine.state.m = 0.75
    with pytest.warns(UserWarning, match="Attribute 'm' already exists"):
        handler.attach(engine, "m")
    handler.attach(engine, "m", warn_if_exists=False)
    assert engine.state.m == 0.75


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"momentum": 0}, "Invalid momentum: 0"),
        ({"momentum": 2}, "Invalid momentum: 2"),
        ({"momentum_warmup": 0.1}, "momentum_warmup=0.1 and warmup_iters=None must be given together"),
        ({"warmup_iters": 5}, "momentum_warmup=None and warmup_iters=5 must be given together"),
        ({"model": "a"}, "model should be an instance of nn.Module or its subclasses, but got str"),
        ({"handle_buffers": "keep"}, "handle_buffers can only be one of .* but got 'keep'"),
    ],
)
def test_invalid_arguments_are_refused(change, text):
    with pytest.raises(UsageError, match=text):
        EMAHandler(**{"model": Plus(), **change})
