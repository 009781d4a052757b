"""Schedules of optimizers: their histories, simulations and plots, warm-ups, and plateaus."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.engine import Engine, Events
from dark.handlers import (
    ConcatScheduler,
    LRScheduler,
    ParamGroupScheduler,
    PiecewiseLinear,
    ReduceLROnPlateauScheduler,
    create_lr_scheduler_with_warmup,
)  # fmt: skip
from dark.optim import lr_scheduler
from tests.compat.schedules.test_param_schedulers import optimizer, values


def test_a_history_has_one_list_for_each_event():
    made = optimizer()
    trainer = Engine(lambda engine, batch: None)
    trainer.state.param_history = None
    parts = [PiecewiseLinear(made, "lr", [(0, 1.0 + k)], param_group_index=k) for k in range(2)]
    both = ParamGroupScheduler(parts)
    whole = ConcatScheduler([both, LRScheduler(lr_scheduler.StepLR(made, 1))], [2], save_history=True)
    whole.attach(trainer)
    assert trainer.run(range(4)).param_history == {"lr": [[1, 2], [1, 2], [0.1, 0.2], [0.1 * 0.1, 0.2 * 0.1]]}


@pytest.mark.parametrize(
    ("names", "expected"),
    [(None, {"lr": [[0.5, 0.5]] * 2}), (["a", "b"], {"a": [[0.5]] * 2, "b": [[0.5]] * 2})],
)
def test_parallel_schedules_keep_one_history_per_name(names, expected):
    made, trainer = optimizer(), Engine(lambda engine, batch: None)
    parts = [PiecewiseLinear(made, "lr", [(0, 0.5)], param_group_index=k) for k in range(2)]
    ParamGroupScheduler(parts, names=names, save_history=True).attach(trainer)
    assert trainer.run(range(2)).param_history == expected
    assert not any(part.save_history for part in parts)


def test_a_history_can_have_another_name():
    made, trainer = optimizer(), Engine(lambda engine, batch: None)
    scheduler = PiecewiseLinear(made, "lr", [(0, 0.5)], save_history=True, param_group_index=1)
    trainer.add_event_handler(Events.ITERATION_STARTED, scheduler, "lr (head)")
    assert trainer.run([0]).param_history == {"lr (head)": [[0.5]]}


def test_other_options_that_a_schedule_sets_can_be_simulated():
    made = optimizer(1)
    cycle = LRScheduler(lr_scheduler.OneCycleLR(made, 1.0, total_steps=9))
    flat = PiecewiseLinear(made, "lr", [(0, 0.5)])
    rows = ConcatScheduler.simulate_values(2, [cycle, flat], [1], param_names=["lr", "momentum"])
    assert rows == [[0, pytest.approx(0.04), 0.95], [1, 0.5, 0.95]]


def test_values_of_several_groups_are_plotted_as_several_lines():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    lines = LRScheduler.plot_values(3, lr_scheduler.ExponentialLR(optimizer(), 0.5))
    assert [line.get_label() for line in lines] == ["learning rate, 0", "learning rate, 1"]
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize(
    ("end", "expected"),
    [(None, [0, 0.05, 0.1, 0.05, 0.025]), (0.1, [0, 0.05, 0.1, 0.05, 0.025]), (1, [0, 0.5, 1, 0.1, 0.05])],
)
def test_a_warm_up_shares_the_first_rate_or_precedes_it(end, expected):
    made = optimizer(1)
    scheduler = create_lr_scheduler_with_warmup(lr_scheduler.ExponentialLR(made, 0.5), 0, 3, end)
    assert [lr for [(lr, _)] in values(scheduler, made, 5)] == pytest.approx(expected)


def test_a_warm_up_changes_only_the_groups_of_its_schedule():
    made = optimizer()
    inner = PiecewiseLinear(made, "lr", [(0, 0.2), (2, 0.0)], param_group_index=1)
    scheduler = create_lr_scheduler_with_warmup(inner, 0.0, 3, output_simulated_values=(rows := [None] * 5))
    assert values(scheduler, made, 5) == [[(0.1, 0.9), (lr, 0.9)] for lr in (0.0, 0.1, 0.2, 0.1, 0.0)]
    assert [lr for _, lr in rows] == [0.0, 0.1, 0.2, 0.1, 0.0]


numbers = st.lists(st.floats(0, 1), min_size=1, max_size=30)
patience = {"patience": st.integers(0, 3), "cooldown": st.integers(0, 2), "mode": st.sampled_from(["min", "max"])}


@given(numbers, st.fixed_dictionaries(patience), st.floats(0, 0.05), st.integers(0, 29))
def test_a_plateau_reduces_rates_as_in_dark_optim_and_can_be_resumed(losses, drawn, low, at):
    right, other, again = optimizer(), optimizer(), optimizer()
    bare = lr_scheduler.ReduceLROnPlateau(right, min_lr=low, **drawn)
    scheduler = ReduceLROnPlateauScheduler(other, "loss", min_lr=low, **drawn)
    evaluator = Engine(lambda engine, batch: None)
    scheduler.attach(evaluator, Events.COMPLETED)
    for k, loss in enumerate(losses):
        evaluator.state.metrics["loss"] = loss
        evaluator.run([0])
        bare.step(loss)
        assert other.param_groups[0]["lr"] == right.param_groups[0]["lr"]
        assert scheduler.get_param() == [group["lr"] for group in right.param_groups]
        if k == at:
            resumed = ReduceLROnPlateauScheduler(again, "loss")
            resumed.load_state_dict(deepcopy(scheduler.state_dict()))
            resumed.min_lrs = scheduler.min_lrs
            scheduler, other = resumed, again
            evaluator = Engine(lambda engine, batch: None)
            scheduler.attach(evaluator, Events.COMPLETED)


def test_a_plateau_of_one_group_has_its_history_in_the_trainer_and_its_own_minimum_rate():
    made, trainer, evaluator = optimizer(), Engine(lambda *_: None), Engine(lambda *_: None)
    settings = {"factor": 0.1, "patience": 0, "min_lr": 0.05, "param_group_index": 1}
    scheduler = ReduceLROnPlateauScheduler(made, "loss", trainer=trainer, save_history=True, **settings)
    scheduler.attach(evaluator, Events.COMPLETED)
    evaluator.state.metrics["loss"] = 1.0
    for _ in range(3):
        evaluator.run([0])
    assert trainer.state.param_history == {"lr": [[0.2], [0.05], [0.05]]}
    assert made.param_groups[0]["lr"] == 0.1 and not hasattr(evaluator.state, "param_history")
