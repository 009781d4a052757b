"""Errors of learning-rate schedulers."""

import pytest

import dark
from dark.errors import UsageError, ValueTypeError
from dark.optim.lr_scheduler import (
    CosineAnnealingLR,
    ExponentialLR,
    LinearLR,
    MultiStepLR,
    OneCycleLR,
    ReduceLROnPlateau,
    SequentialLR,
    StepLR,
)
from tests.optim.schedules import optimizer


def added_later():
    made = optimizer()
    scheduler = CosineAnnealingLR(made, T_max=1)
    made.add_param_group({"params": [dark.Parameter(3)]})
    for _ in range(2):
        scheduler.step()


def too_many_steps():
    scheduler = OneCycleLR(optimizer(), 0.1, total_steps=3)
    for _ in range(4):
        scheduler.step()


def other_state():
    StepLR(optimizer(), 1).load_state_dict(ExponentialLR(optimizer(), 0.5).state_dict())


def sequence_of(*schedulers, milestones=(1,)):
    return SequentialLR(optimizer(), schedulers, milestones)


def other_sequence():
    made = optimizer()
    SequentialLR(made, [StepLR(made, 1)], []).load_state_dict({"_schedulers": []})


REFUSED = {
    r"StepLR: optimizer must have parameter groups with a learning rate, got 3 \(int\)": lambda: StepLR(3, 1),
    r"StepLR: step_size must be 1 or more, got 0": lambda: StepLR(optimizer(), 0),
    r"StepLR: step_size must be an integer, got '1' \(str\)": lambda: StepLR(optimizer(), "1"),
    "StepLR: gamma must be a number, got None": lambda: StepLR(optimizer(), 1, gamma=None),
    "StepLR: state_dict must be the state of a scheduler, got None": lambda: StepLR(optimizer(), 1).load_state_dict(
        None
    ),
    r"MultiStepLR: milestones must be integers, got 5 \(int\)": lambda: MultiStepLR(optimizer(), 5),
    r"MultiStepLR: milestones must be an integer, got 1.5": lambda: MultiStepLR(optimizer(), [1.5]),
    "MultiStepLR: milestones must be integers, got 'ab'": lambda: MultiStepLR(optimizer(), "ab"),
    r"MultiStepLR: state_dict must be the state of a scheduler, got 3 \(int\)": lambda: MultiStepLR(
        optimizer(), [1]
    ).load_state_dict(3),
    "ExponentialLR: gamma must be a finite number, got nan": lambda: ExponentialLR(optimizer(), float("nan")),
    "LinearLR: start_factor must be a number, got 'a'": lambda: LinearLR(optimizer(), "a"),
    "CosineAnnealingLR: eta_min must be a number, got 'a'": lambda: CosineAnnealingLR(optimizer(), 5, eta_min="a"),
    "OneCycleLR: div_factor must be greater than 0, got 0": lambda: OneCycleLR(optimizer(), 0.1, 10, div_factor=0),
    "OneCycleLR: pct_start must be a number, got 'a'": lambda: OneCycleLR(optimizer(), 0.1, 10, pct_start="a"),
    "ReduceLROnPlateau: factor must be a number, got 'a'": lambda: ReduceLROnPlateau(optimizer(), factor="a"),
    "ReduceLROnPlateau: patience must be 0 or more, got -1": lambda: ReduceLROnPlateau(optimizer(), patience=-1),
    "ReduceLROnPlateau: threshold must be a number, got 'a'": lambda: ReduceLROnPlateau(optimizer(), threshold="a"),
    "ReduceLROnPlateau: metrics must be a number, got 'a'": lambda: ReduceLROnPlateau(optimizer()).step("a"),
    r"SequentialLR: both arguments must be lists, got 3 \(int\) and \[\]": lambda: SequentialLR(optimizer(), 3, []),
    "StepLR: last_epoch must be -1 if a group has no initial_lr, got 3": lambda: StepLR(optimizer(), 1, last_epoch=3),
    "LinearLR: start_factor must be greater than 0 and 1 or less, got 0": lambda: LinearLR(optimizer(), 0),
    "LinearLR: total_iters must be 1 or more, got 0": lambda: LinearLR(optimizer(), total_iters=0),
    "CosineAnnealingLR: T_max must be 1 or more, got 0": lambda: CosineAnnealingLR(optimizer(), 0),
    "CosineAnnealingLR: 3 parameter groups must have as many rates, got 2": added_later,
    "OneCycleLR: total_steps must be an integer, got None": lambda: OneCycleLR(optimizer(), 0.1),
    "OneCycleLR: total_steps must be 1 or more, got 0": lambda: OneCycleLR(
        optimizer(), 0.1, epochs=0, steps_per_epoch=3
    ),
    "OneCycleLR: pct_start must be from 0 to 1, got 2": lambda: OneCycleLR(optimizer(), 0.1, 10, pct_start=2),
    "OneCycleLR: invalid anneal_strategy 'sine'": lambda: OneCycleLR(optimizer(), 0.1, 10, anneal_strategy="sine"),
    "OneCycleLR: max_lr must have 2 values, one for each parameter group, got 3": lambda: OneCycleLR(
        optimizer(), [0.1] * 3, 10
    ),
    "OneCycleLR: max_lr must be 0 or more, got -1": lambda: OneCycleLR(optimizer(), -1, 10),
    r"OneCycleLR: each parameter group must have momentum or betas, got .*lr_decay": lambda: OneCycleLR(
        dark.optim.Adagrad([dark.Parameter(1)]), 0.1, 10
    ),
    "OneCycleLR: step must be 3 or less, got 4": too_many_steps,
    "ReduceLROnPlateau: factor must be less than 1, got 1": lambda: ReduceLROnPlateau(optimizer(), factor=1),
    "ReduceLROnPlateau: invalid mode 'low'": lambda: ReduceLROnPlateau(optimizer(), "low"),
    "ReduceLROnPlateau: invalid threshold_mode 'x'": lambda: ReduceLROnPlateau(optimizer(), threshold_mode="x"),
    "min_lr must have 2 values, one for each parameter group, got 1": lambda: ReduceLROnPlateau(
        optimizer(), min_lr=[0.1]
    ),
    "StepLR: this is the state of a scheduler of another kind; missing or unexpected: step_size": other_state,
    "SequentialLR: schedulers must be LRSchedulers of its optimizer, got StepLR": lambda: sequence_of(
        StepLR(optimizer(), 1), milestones=[]
    ),
    "SequentialLR: schedulers must be LRSchedulers of its optimizer, got ReduceLROnPlateau": lambda: sequence_of(
        ReduceLROnPlateau(optimizer())
    ),
    r"SequentialLR: milestones must increase, one fewer than 0, got \[1\]": sequence_of,
    "SequentialLR: the number of saved schedulers must be 1, got 0": other_sequence,
}


@pytest.mark.parametrize("message", REFUSED)
def test_invalid_arguments_are_refused(message):
    with pytest.raises((UsageError, ValueTypeError), match=message):
        REFUSED[message]()


def test_milestones_may_be_any_iterable_of_integers():
    assert MultiStepLR(optimizer(), (m for m in (3, 1))).milestones == [1, 3]
