"""Schedulers by functions, with warm restarts and in cycles; several schedulers of one optimizer."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import DarkError, UsageError, ValueTypeError
from dark.optim import SGD, lr_scheduler
from dark.optim.lr_scheduler import (
    ConstantLR,
    CosineAnnealingWarmRestarts,
    CyclicLR,
    LambdaLR,
    MultiplicativeLR,
    PolynomialLR,
    SequentialLR,
)
from tests.examples import examples
from tests.optim.schedules import SETTINGS, Decay, optimizer, options, theirs

pytestmark = pytest.mark.filterwarnings("ignore:Detected call of:UserWarning")  # PyTorch wants a step before
NEW = [
    "ConstantLR", "CosineAnnealingWarmRestarts", "CyclicLR", "LambdaLR", "MultiplicativeLR", "PolynomialLR",
]  # fmt: skip
any_of_them = st.sampled_from(NEW).flatmap(lambda name: st.tuples(st.just(name), SETTINGS[name]))


@pytest.mark.oracle
@examples(60)
@given(drawn=any_of_them, cut=st.integers(0, 30))
def test_pytorch_resumes_a_state_of_dark(drawn, cut):
    name, given_options = drawn
    module, right = theirs()
    own = optimizer()
    walking = getattr(lr_scheduler, name)(own, **given_options)
    for _ in range(cut):
        walking.step()
    scheduler = getattr(module, name)(right, **given_options)
    scheduler.load_state_dict(json.loads(json.dumps(walking.state_dict())))
    right.load_state_dict(own.state_dict())
    for _ in range(20):
        scheduler.step()
        walking.step()
        assert options(own) == pytest.approx(options(right), rel=1e-10, abs=1e-15)


@pytest.mark.oracle
@examples(60)
@given(drawn=st.lists(any_of_them, min_size=2, max_size=3))
def test_several_schedulers_that_take_turns_are_pytorchs(drawn):
    module, right = theirs()
    own = optimizer()
    pairs = [[getattr(m, name)(made, **o) for m, made in ((lr_scheduler, own), (module, right))] for name, o in drawn]
    for epoch in range(25):
        assert options(own) == pytest.approx(options(right), rel=1e-10, abs=1e-15), epoch
        for pair in pairs:
            for scheduler in pair:
                scheduler.step()


@pytest.mark.oracle
@given(
    first=st.integers(1, 6), factor=st.integers(1, 2), low=st.floats(0, 0.005),
    epochs=st.lists(st.none() | st.integers(0, 30) | st.integers(0, 3000).map(lambda n: n / 100), max_size=25),
)  # fmt: skip
def test_restarts_between_epochs_are_pytorchs(first, factor, low, epochs):
    module, right = theirs()
    own = optimizer()
    sides = (lr_scheduler, own), (module, right)
    pair = [m.CosineAnnealingWarmRestarts(made, first, factor, low) for m, made in sides]
    for epoch in epochs:
        for scheduler in pair:
            scheduler.step(epoch)
        assert options(own) == pytest.approx(options(right), rel=1e-8, abs=1e-12)
        assert pair[0].last_epoch == pair[1].last_epoch and pair[0].T_cur == pytest.approx(pair[1].T_cur, abs=1e-9)


@given(first=st.integers(1, 4), factor=st.integers(1, 3), last=st.integers(0, 40))
def test_restarts_continue_after_any_epoch(first, factor, last):
    through, resumed = optimizer(), optimizer()
    walking = CosineAnnealingWarmRestarts(through, first, factor)
    for _ in range(last + 1):
        walking.step()
    resumed.load_state_dict(through.state_dict())
    second = CosineAnnealingWarmRestarts(resumed, first, factor, last_epoch=last)
    for _ in range(20):
        assert options(through) == options(resumed)
        walking.step()
        second.step()


def test_a_restart_at_the_end_of_many_periods_is_exact():
    scheduler = CosineAnnealingWarmRestarts(SGD([dark.Parameter(1.0)], lr=1.0), 1, 3)
    scheduler.step(121)  # 1 + 3 + 9 + 27 + 81
    assert (scheduler.T_cur, scheduler.T_i, scheduler.get_last_lr()) == (0, 243, [1.0])


def test_objects_are_saved_with_their_attributes_and_functions_are_not():
    scheduler = LambdaLR(optimizer(), [Decay(0.5), lambda epoch: 1])
    saved = scheduler.state_dict()
    assert saved["lr_lambdas"] == [{"rate": 0.5}, None]
    resumed = LambdaLR(optimizer(), [Decay(0.9), lambda epoch: 1])
    resumed.load_state_dict(saved)
    resumed.step()
    assert resumed.get_last_lr() == [0.05, 0.01]
    saved["lr_lambdas"][0]["rate"] = 7
    assert resumed.lr_lambdas[0].rate == scheduler.lr_lambdas[0].rate == 0.5


def test_any_callable_is_a_factor():
    for function in (partial(pow, 0.5), Decay(0.5), Decay(0.5).__call__):
        scheduler = LambdaLR(optimizer(), function)
        scheduler.load_state_dict(scheduler.state_dict())
        scheduler.step()
        assert scheduler.get_last_lr() == [0.05, 0.005]


def test_cycles_move_the_first_beta_of_adam():
    made = optimizer("Adam")
    scheduler = CyclicLR(made, 0.01, 0.1, step_size_up=2, step_size_down=0)
    assert made.param_groups[0]["betas"] == (0.9, 0.999)
    scheduler.step()
    assert made.param_groups[1]["betas"] == (pytest.approx(0.85), 0.999)
    scheduler.step()
    assert made.param_groups[0]["lr"] == 0.01  # with nothing to go down, a cycle ends at its peak


def test_a_warm_up_is_followed_by_cycles():
    made = optimizer()
    parts = [ConstantLR(made, 0.5, 3), MultiplicativeLR(made, lambda epoch: 0.5)]
    scheduler = SequentialLR(made, parts, [2])
    rates = [made.param_groups[0]["lr"]]
    for _ in range(4):
        scheduler.step()
        rates.append(made.param_groups[0]["lr"])
    assert rates == [0.05, 0.05, 0.025, 0.0125, 0.00625]


def other_functions(saved, *functions):
    scheduler = LambdaLR(optimizer(), list(functions))
    scheduler.load_state_dict({**scheduler.state_dict(), "lr_lambdas": saved})


def state_of_a_custom_scale():
    saved = CyclicLR(optimizer(), 0.1, 0.2, scale_fn=Decay()).state_dict()
    CyclicLR(optimizer(), 0.1, 0.2).load_state_dict(saved)


def constant(epoch):
    return 1


REFUSED = {
    "ConstantLR: factor must be greater than 0 and 1 or less, got 0.": lambda: ConstantLR(optimizer(), 0),
    "ConstantLR: factor must be greater than 0 and 1 or less, got 1.5": lambda: ConstantLR(optimizer(), 1.5),
    "ConstantLR: total_iters must be 1 or more, got 0": lambda: ConstantLR(optimizer(), total_iters=0),
    "PolynomialLR: total_iters must be 1 or more, got 0": lambda: PolynomialLR(optimizer(), 0),
    "PolynomialLR: power must be 0 or more, got -1": lambda: PolynomialLR(optimizer(), power=-1),
    "CosineAnnealingWarmRestarts: T_0 must be 1 or more, got 0": lambda: CosineAnnealingWarmRestarts(optimizer(), 0),
    "CosineAnnealingWarmRestarts: T_mult must be 1 or more, got 0":
        lambda: CosineAnnealingWarmRestarts(optimizer(), 1, 0),
    "CosineAnnealingWarmRestarts: T_mult must be an integer, got 1.5":
        lambda: CosineAnnealingWarmRestarts(optimizer(), 1, 1.5),
    "CosineAnnealingWarmRestarts: epoch must be 0 or more, got -0.5":
        lambda: CosineAnnealingWarmRestarts(optimizer(), 1).step(-0.5),
    "CosineAnnealingWarmRestarts: epoch must be a number, got 'a'":
        lambda: CosineAnnealingWarmRestarts(optimizer(), 1).step("a"),
    r"LambdaLR: lr_lambda must be callable, got 0.5 \(float\)": lambda: LambdaLR(optimizer(), 0.5),
    "LambdaLR: lr_lambda must accept 1 positional": lambda: LambdaLR(optimizer(), lambda: 1),
    "LambdaLR: lr_lambda must have 2 values, one for each parameter group, got 1":
        lambda: LambdaLR(optimizer(), [constant]),
    r"LambdaLR: lr_lambda\(0\) must be a number, got None": lambda: LambdaLR(optimizer(), lambda epoch: None),
    r"LambdaLR: lr_lambda\(0\) must be a finite number, got nan":
        lambda: LambdaLR(optimizer(), lambda epoch: float("nan")),
    r"LambdaLR: the saved lr_lambdas must be the state of its functions, got \[None\]":
        lambda: other_functions([None], constant, constant),
    r"LambdaLR: the saved lr_lambdas must be the state of its functions, got 3 \(int\)":
        lambda: other_functions(3, constant, constant),
    r"LambdaLR: the saved lr_lambdas must be the state of its functions, got \[None, {'rate'": lambda: other_functions(
        [None, {"rate": 2}], Decay(), constant),
    "CyclicLR: the saved _scale_fn_custom must be the state of its functions, got {'rate'": state_of_a_custom_scale,
    "CyclicLR: base_lr must be 0 or more, got -1": lambda: CyclicLR(optimizer(), -1, 0.1),
    "CyclicLR: max_lr must have 2 values, one for each parameter group, got 3":
        lambda: CyclicLR(optimizer(), 0.1, [1, 2, 3]),
    "CyclicLR: step_size_up must be 1 or more, got 0": lambda: CyclicLR(optimizer(), 0.1, 0.2, 0),
    "CyclicLR: step_size_down must be 0 or more, got -1": lambda: CyclicLR(optimizer(), 0.1, 0.2, 1, -1),
    "CyclicLR: invalid mode 'sine'": lambda: CyclicLR(optimizer(), 0.1, 0.2, mode="sine"),
    "CyclicLR: invalid scale_mode 'x'": lambda: CyclicLR(optimizer(), 0.1, 0.2, scale_fn=constant, scale_mode="x"),
    r"CyclicLR: scale_fn\(1\) must be a number, got 'a'":
        lambda: CyclicLR(optimizer(), 0.1, 0.2, scale_fn=lambda cycle: "a"),
    r"CyclicLR: each parameter group must have momentum or betas, got .*lr_decay":
        lambda: CyclicLR(dark.optim.Adagrad([dark.Parameter(1)]), 0.1, 0.2),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_invalid_arguments_and_states_are_refused(message):
    with pytest.raises((UsageError, ValueTypeError), match=message):
        REFUSED[message]()


def test_a_refused_step_changes_nothing():
    made = optimizer()
    scheduler = LambdaLR(made, lambda epoch: 1 if epoch < 2 else None)
    scheduler.step()
    before = json.dumps([scheduler.state_dict(), made.state_dict()["param_groups"]])
    for _ in range(2):
        with pytest.raises(DarkError, match=r"lr_lambda\(2\) must be a number, got None"):
            scheduler.step()
        assert json.dumps([scheduler.state_dict(), made.state_dict()["param_groups"]]) == before


def test_a_refused_cycle_changes_no_rate():
    made = optimizer()
    with pytest.raises(DarkError, match="last_epoch must be an integer, got -1.0"):
        CyclicLR(made, 0.5, 0.6, last_epoch=-1.0)
    assert options(made) == options(optimizer())


def test_a_refused_state_of_a_sequence_changes_no_scheduler():
    made = optimizer()
    scheduler = SequentialLR(made, [ConstantLR(made, 0.5), PolynomialLR(made, 9)], [3])
    saved, before = scheduler.state_dict(), repr(scheduler.state_dict())
    saved["_schedulers"][0]["factor"] = 0.7
    for change in ({"last_epoch": 3, "more": 1}, {"_schedulers": [saved["_schedulers"][0], {}]}):
        with pytest.raises(UsageError, match="this is the state of a scheduler of another kind"):
            scheduler.load_state_dict({**saved, **change})
        assert repr(scheduler.state_dict()) == before


@pytest.mark.parametrize("phases", [3, [3], [{"end_step": 3}]])
def test_a_cycle_refuses_phases_of_another_form(phases):
    scheduler = lr_scheduler.OneCycleLR(optimizer(), 0.1, 10)
    saved = {name: v for name, v in scheduler.state_dict().items() if name != "phases"}
    with pytest.raises(UsageError, match="missing or unexpected: _schedule_phases, phases"):
        scheduler.load_state_dict({**saved, "_schedule_phases": phases})
