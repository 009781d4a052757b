"""Schedules of optimizers: errors and warnings."""

import pytest

from dark.engine import Engine
from dark.errors import UsageError, ValueTypeError
from dark.handlers import (
    ConcatScheduler,
    CosineAnnealingScheduler,
    LinearCyclicalScheduler,
    LRScheduler,
    ParamGroupScheduler,
    ParamScheduler,
    PiecewiseLinear,
    ReduceLROnPlateauScheduler,
    create_lr_scheduler_with_warmup,
)  # fmt: skip
from dark.optim import lr_scheduler
from tests.compat.schedules.test_param_schedulers import optimizer

MADE = optimizer()
OTHER = optimizer()


class Constant(ParamScheduler):
    def get_param(self):
        return [1.0]


def flat(made=MADE, name="lr", **settings):
    return PiecewiseLinear(made, name, [(0, 1.0)], **settings)


def cyclical(kind=LinearCyclicalScheduler, size=2, **settings):
    return kind(MADE, "lr", 1.0, 0.0, size, **settings)


def two(durations=(1,), schedulers=None):
    return ConcatScheduler(schedulers or [flat(), flat()], durations)


def both():
    return ParamGroupScheduler([flat(param_group_index=0), flat(param_group_index=1)], names=["a", "b"])


def plateau(**settings):
    return ReduceLROnPlateauScheduler(MADE, "loss", **settings)


def warm(duration=3, **settings):
    return create_lr_scheduler_with_warmup(flat(), 0.0, duration, **settings)


def loaded(scheduler, /, **changes):
    scheduler.load_state_dict({**scheduler.state_dict(), **changes})


REFUSED = {
    "should have param_groups as a list or tuple, but given dict": lambda: flat({"params": [], "lr": 1.0}),
    "param_group_index should be an index of 2 groups, got 2": lambda: flat(param_group_index=2),
    "Constant: size of value is different than optimizer_param_groups 1 != 2": lambda: Constant(MADE, "lr")(None),
    "Argument state_dict should be a dictionary, but given NoneType": lambda: flat().load_state_dict(None),
    "'event_index' is absent": lambda: flat().load_state_dict({}),
    "cycle_size should be positive and larger than 1, but given 1": lambda: cyclical(size=1),
    "cycle_size should be positive and larger than 1, but given 4.0": lambda: cyclical(size=4.0),
    "warmup_duration should not be negative, but given -1": lambda: cyclical(
        CosineAnnealingScheduler, warmup_duration=-1
    ),
    "Invalid combination: warmup_duration=1 and monotonic=False": lambda: cyclical(warmup_duration=1),
    "lr_scheduler should be a learning rate schedule, but given int, which has no optimizer": lambda: LRScheduler(3),
    "but given NoneType, which has no": lambda: LRScheduler.simulate_values(1, None),
    "ReduceLROnPlateau.step needs one": lambda: LRScheduler(lr_scheduler.ReduceLROnPlateau(MADE)),
    "schedulers should be a sequence, but given 3": lambda: two(schedulers=3),
    "schedulers should be of more than one parameter schedulers": lambda: two(schedulers=[flat()]),
    "Value at index 1 of schedulers should be a parameter scheduler, but given int": lambda: two((1,), [flat(), 12]),
    "durations should be list/tuple, but given 'abc'": lambda: two("abc"),
    "list/tuple of integers, 0 or more, but given [1.5]": lambda: two([1.5]),
    "0 or more, but given [-1]": lambda: two([-1]),
    "Incorrect number schedulers or duration values, given 2 and 2": lambda: two([1, 2]),
    "related to same optimizer, but given SGD, SGD": lambda: two(schedulers=[flat(), flat(OTHER)]),
    "related to same param_name, but given lr, momentum": lambda: two(schedulers=[flat(), flat(name="momentum")]),
    "param_names should be list or tuple, but given str": lambda: ConcatScheduler.simulate_values(
        1, [flat(), flat()], [1], param_names="lr"
    ),
    "param_names should be list or tuple of strings, but given [1]": lambda: ConcatScheduler.simulate_values(
        1, [flat(), flat()], [1], param_names=[1]
    ),
    "contains 1 state_dicts of concatenated schedulers, but 2 needed": lambda: loaded(two(), schedulers=[{}]),
    "schedulers should be a list/tuple, but given None": lambda: ParamGroupScheduler(None),
    "list/tuple of parameter schedulers, but given []": lambda: ParamGroupScheduler([]),
    "list/tuple of parameter schedulers, but given [1]": lambda: ParamGroupScheduler([1]),
    "names should be list or tuple, but given str": lambda: ParamGroupScheduler([flat()], names="a"),
    "1 should be equal 2": lambda: ParamGroupScheduler([flat()], names=["a", "b"]),
    "only one schedule may set 'lr' of a group": lambda: ParamGroupScheduler([flat(), flat(param_group_index=1)]),
    "contains 0 state_dicts of param group schedulers, but 2 needed": lambda: loaded(both(), schedulers=[]),
    "does not correspond to required one, ['a', 'c'] vs ['a', 'b']": lambda: loaded(
        both(), schedulers=[("a", {}), ("c", {})]
    ),
    "When param_group_index is given, min_lr should be a float, but given list": lambda: plateau(
        min_lr=[0.1], param_group_index=0
    ),
    "min_lr must have a value for each of 2 parameter groups, but has 1": lambda: plateau(min_lr=[0.1]),
    "itself has the metric loss; it has []": lambda: plateau()(Engine(lambda *_: None)),
    "metric_values should be equal to num_events. 1 != 2": lambda: ReduceLROnPlateauScheduler.simulate_values(
        2, [0.1], 1.0
    ),
    "the state must be the state of a plateau, got {'best': 1}": lambda: loaded(plateau(), scheduler={"best": 1}),
    "ReduceLROnPlateau: factor must be less than 1, got 2": lambda: plateau(factor=2),
    "warmup_duration should be at least 2 events, but given 1": lambda: warm(1),
    "warmup_duration should be integer, but given 'abc'": lambda: warm("abc"),
    "output_simulated_values should be a list of None, but given tuple": lambda: warm(output_simulated_values=()),
}


@pytest.mark.parametrize("text", REFUSED)
def test_invalid_arguments_are_refused(text):
    with pytest.raises((UsageError, ValueTypeError)) as caught:
        REFUSED[text]()
    what, expected, advice = str(caught.value).split("\n  ")
    assert text in what and expected.startswith("Expected: ") and advice.startswith("Try: ")


def test_an_option_that_no_group_has_is_created_with_a_warning():
    made = optimizer()
    with pytest.warns(UserWarning, match="No group has the option 'momentun'.* Did you mean momentum"):
        scheduler = flat(made, "momentun")
    scheduler(None)
    assert [group["momentun"] for group in made.param_groups] == [1.0, 1.0]


@pytest.mark.parametrize("scheduler", [two(), both()], ids=["concat", "groups"])
def test_a_state_that_is_refused_changes_nothing(scheduler):
    before = scheduler.state_dict()
    states = list(before["schedulers"])
    states[1] = ("b", {}) if isinstance(states[1], tuple) else {}
    ahead = (
        {**states[0], "event_index": 7} if isinstance(states[0], dict) else ("a", {**states[0][1], "event_index": 7})
    )
    with pytest.raises(UsageError, match="'event_index' is absent"):
        loaded(scheduler, event_index=9, schedulers=[ahead, states[1]])
    assert scheduler.state_dict() == before


def test_a_wrapped_schedule_of_another_kind_is_refused():
    scheduler = LRScheduler(lr_scheduler.StepLR(optimizer(), 2))
    other = LRScheduler(lr_scheduler.ExponentialLR(optimizer(), 0.5))
    with pytest.raises(UsageError, match="step_size"):
        scheduler.load_state_dict(other.state_dict())


def test_any_object_with_param_groups_can_be_scheduled():
    class Bare:
        param_groups = ({"lr": 0.1},)

    scheduler = flat(Bare())
    scheduler(None)
    assert Bare.param_groups == ({"lr": 1.0},)
