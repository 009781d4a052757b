"""Schedulers: PyTorch's learning rates at every epoch, and states loaded from PyTorch."""

import copy
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.optim import SGD, Adam, lr_scheduler
from dark.optim.lr_scheduler import (
    ExponentialLR,
    LinearLR,
    MultiStepLR,
    OneCycleLR,
    ReduceLROnPlateau,
    SequentialLR,
    StepLR,
)
from tests.examples import examples
from tests.optim.schedules import SETTINGS, Decay, every, optimizer, options, theirs

pytestmark = pytest.mark.filterwarnings("ignore:Detected call of:UserWarning")  # PyTorch wants a step before
FORMULAS = sorted(SETTINGS.keys() - {"OneCycleLR"})
RESUMED = {
    "ExponentialLR": [0.5], "LinearLR": [0.5, 1.0, 9], "MultiStepLR": [[3, 6]], "ConstantLR": [0.5, 6],
    "PolynomialLR": [9, 2.0], "CyclicLR": [0.01, 0.1, 3], "LambdaLR": [Decay()], "MultiplicativeLR": [Decay()],
}  # fmt: skip


@pytest.mark.oracle
@examples(150)
@given(drawn=every, kind=st.sampled_from(["SGD", "Adam"]), by_hand=st.booleans())
def test_rates_are_pytorchs_at_every_epoch(drawn, kind, by_hand):
    name, given_options = drawn
    module, right = theirs(kind)
    own = optimizer(kind)
    pair = [getattr(lr_scheduler, name)(own, **given_options), getattr(module, name)(right, **given_options)]
    for epoch in range(55):
        assert options(own) == pytest.approx(options(right), rel=1e-10, abs=1e-15), epoch
        assert pair[0].get_last_lr() == pytest.approx(pair[1].get_last_lr(), rel=1e-10, abs=1e-15)
        if by_hand and epoch == 20:
            for made in (own, right):
                made.param_groups[1]["lr"] *= 0.5
        for scheduler in pair:
            scheduler.step()


@given(drawn=every, cut=st.integers(0, 30))
def test_a_stop_and_a_saved_state_change_no_rate(drawn, cut):
    name, given_options = drawn
    through = optimizer()
    scheduler = getattr(lr_scheduler, name)(through, **given_options)
    for _ in range(cut):
        scheduler.step()
    saved = json.loads(json.dumps([scheduler.state_dict(), through.state_dict()]))
    resumed = optimizer("SGD")
    second = getattr(lr_scheduler, name)(resumed, **given_options)
    second.load_state_dict(saved[0])
    resumed.load_state_dict(saved[1])
    for _ in range(25):
        scheduler.step()
        second.step()
        assert options(through) == options(resumed)


@pytest.mark.oracle
@given(name=st.sampled_from(sorted(SETTINGS)), data=st.data(), cut=st.integers(0, 20))
def test_a_state_from_pytorch_is_resumed(name, data, cut):
    given_options = data.draw(SETTINGS[name])
    module, right = theirs()
    walking = getattr(module, name)(right, **given_options)
    for _ in range(cut):
        walking.step()
    own = optimizer()
    scheduler = getattr(lr_scheduler, name)(own, **given_options)
    scheduler.load_state_dict(walking.state_dict())
    own.load_state_dict({**right.state_dict(), "state": {}})
    for _ in range(20):
        scheduler.step()
        walking.step()
        assert options(own) == pytest.approx(options(right), rel=1e-10, abs=1e-15)


inner = st.lists(
    st.sampled_from(FORMULAS).flatmap(lambda name: st.tuples(st.just(name), SETTINGS[name])),
    min_size=1,
    max_size=3,
)


def sequence(module, made, drawn, milestones):
    return module.SequentialLR(made, [getattr(module, name)(made, **o) for name, o in drawn], milestones)


@pytest.mark.oracle
@given(drawn=inner, milestones=st.lists(st.integers(1, 25), min_size=2, max_size=2, unique=True).map(sorted))
def test_schedules_in_sequence_are_pytorchs(drawn, milestones):
    module, right = theirs()
    own = optimizer()
    milestones = milestones[: len(drawn) - 1]
    pair = [sequence(lr_scheduler, own, drawn, milestones), sequence(module, right, drawn, milestones)]
    for epoch in range(35):
        assert options(own) == pytest.approx(options(right), rel=1e-10, abs=1e-15), epoch
        for scheduler in pair:
            scheduler.step()


@pytest.mark.oracle
@given(drawn=inner, cut=st.integers(0, 20))
def test_a_sequence_of_pytorch_is_resumed(drawn, cut):
    milestones = [6, 11][: len(drawn) - 1]
    module, right = theirs()
    own = optimizer()
    walking, scheduler = sequence(module, right, drawn, milestones), sequence(lr_scheduler, own, drawn, milestones)
    for _ in range(cut):
        walking.step()
    scheduler.load_state_dict(walking.state_dict())
    own.load_state_dict({**right.state_dict(), "state": {}})
    for _ in range(15):
        assert options(own) == pytest.approx(options(right), rel=1e-10, abs=1e-15)
        for made in (scheduler, walking):
            made.step()


@given(drawn=inner, cut=st.integers(0, 20))
def test_a_sequence_resumes_from_its_state(drawn, cut):
    milestones = [6, 11][: len(drawn) - 1]
    through, resumed = optimizer(), optimizer()
    first, second = (sequence(lr_scheduler, made, drawn, milestones) for made in (through, resumed))
    for _ in range(cut):
        first.step()
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    resumed.load_state_dict(through.state_dict())
    for _ in range(15):
        first.step()
        second.step()
        assert options(through) == options(resumed)


plateaus = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(["min", "max"]), "factor": st.floats(0.1, 0.9), "patience": st.integers(0, 3),
        "threshold": st.sampled_from([1e-4, 0.1]), "threshold_mode": st.sampled_from(["rel", "abs"]),
        "cooldown": st.integers(0, 3), "min_lr": st.sampled_from([0, 0.005, [0.02, 0.001]]),
        "eps": st.sampled_from([1e-8, 1e-3]),
    },
)  # fmt: skip


@pytest.mark.oracle
@given(drawn=plateaus, losses=st.lists(st.sampled_from([-1.0, 0.0, 0.5, 0.95, 1.0, 1.05, math.nan]), max_size=40))
def test_plateaus_are_pytorchs(drawn, losses):
    module, right = theirs()
    own = optimizer()
    pair = [ReduceLROnPlateau(own, **drawn), module.ReduceLROnPlateau(right, **drawn)]
    for loss in losses:
        for scheduler in pair:
            scheduler.step(loss)
        assert options(own) == pytest.approx(options(right), rel=1e-12)
        assert pair[0].get_last_lr() == pair[1].get_last_lr() and pair[0].in_cooldown == pair[1].in_cooldown
    resumed = ReduceLROnPlateau(optimizer())
    resumed.load_state_dict(pair[1].state_dict())
    assert resumed.state_dict() == pair[0].state_dict()


def test_a_plateau_watches_a_node_and_groups_added_later():
    made = optimizer()
    scheduler = ReduceLROnPlateau(made, patience=0, factor=0.5)
    made.add_param_group({"params": [dark.Parameter(3)], "lr": 1.0})
    scheduler.step(dark.Constant(1.0))
    scheduler.step(dark.Constant(1.0))
    assert scheduler.get_last_lr() == [0.05, 0.005, 0.5]
    assert repr(scheduler) == "ReduceLROnPlateau(epoch 2, lr 0.05, 0.005, 0.5, best 1)"


def test_any_object_with_groups_can_be_scheduled():
    class Mine:
        param_groups = [{"params": [], "lr": 1.0}]

    scheduler = StepLR(Mine(), 1, gamma=0.5)
    scheduler.step()
    assert Mine.param_groups[0]["lr"] == 0.5


def test_a_schedule_is_copied_with_its_optimizer():
    scheduler = StepLR(optimizer(), 1, gamma=0.5)
    twin = copy.deepcopy(scheduler)
    twin.step()
    assert scheduler.optimizer.param_groups[0]["lr"] == 0.1 and twin.optimizer.param_groups[0]["lr"] == 0.05


def test_last_epoch_resumes_a_schedule():
    made = optimizer()
    StepLR(made, 2, gamma=0.5)
    scheduler = StepLR(made, 2, gamma=0.5, last_epoch=0)
    scheduler.step()
    assert scheduler.last_epoch == 2 and scheduler.get_last_lr() == [0.05, 0.005]


def test_repr_shows_epoch_and_rates():
    made = optimizer()
    warm_up = LinearLR(made, 0.5, total_iters=2)
    assert repr(warm_up) == "LinearLR(epoch 0, lr 0.05, 0.005)"
    assert "SequentialLR(epoch 0, milestones [2]: LinearLR(" in repr(
        SequentialLR(made, [warm_up, ExponentialLR(made, 0.9)], [2])
    )


def test_a_cycle_may_be_counted_in_epochs_and_have_no_warm_up():
    made = Adam([dark.Parameter(1.0)])
    scheduler = OneCycleLR(made, 0.1, epochs=2, steps_per_epoch=5, pct_start=0.1, cycle_momentum=False)
    assert scheduler.total_steps == 10 and made.param_groups[0]["betas"] == (0.9, 0.999)
    assert scheduler.get_last_lr() == [0.1]


def test_repeated_milestones_count_twice():
    scheduler = MultiStepLR(SGD([dark.Parameter(1)], lr=1.0), [1, 1], gamma=0.5)
    scheduler.step()
    assert scheduler.get_last_lr() == [0.25]


@pytest.mark.oracle
def test_a_cycle_may_follow_a_warm_up():
    module, right = theirs()
    own = optimizer()
    pair = [
        m.SequentialLR(made, [m.LinearLR(made, 0.5), m.OneCycleLR(made, 0.3, 20)], [5])
        for m, made in ((lr_scheduler, own), (module, right))
    ]
    for _ in range(24):
        assert options(own) == pytest.approx(options(right), rel=1e-10)
        for scheduler in pair:
            scheduler.step()


@pytest.mark.oracle
@pytest.mark.parametrize("name", FORMULAS)
def test_resuming_after_an_epoch_is_pytorchs(name):
    given_options = RESUMED.get(name, [4])
    module, right = theirs()
    own = optimizer()
    for m, made in ((lr_scheduler, own), (module, right)):
        getattr(m, name)(made, *given_options)
    pair = [getattr(m, name)(made, *given_options, last_epoch=4) for m, made in ((lr_scheduler, own), (module, right))]
    for _ in range(6):
        assert options(own) == pytest.approx(options(right), rel=1e-10)
        for scheduler in pair:
            scheduler.step()


def test_a_saved_state_shares_no_list_with_the_schedule():
    scheduler = LinearLR(optimizer(), 0.5)
    scheduler.state_dict()["base_lrs"][0] = 9
    assert scheduler.base_lrs == [0.1, 0.01]
