"""Schedules of optimizers: their values, resuming at any event, and simulations without side effects."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.engine import Engine, Events
from dark.handlers import (
    Checkpoint,
    ConcatScheduler,
    CosineAnnealingScheduler,
    CyclicalScheduler,
    LinearCyclicalScheduler,
    LRScheduler,
    ParamGroupScheduler,
    PiecewiseLinear,
    create_lr_scheduler_with_warmup,
)  # fmt: skip
from dark.optim import lr_scheduler
from tests.examples import examples

rates = st.floats(0, 2)
milestones = st.lists(st.tuples(st.integers(0, 30), rates), min_size=1, max_size=4).map(sorted)
cycle = {
    "start_value": rates, "end_value": rates, "cycle_size": st.integers(2, 9),
    "cycle_mult": st.sampled_from([0.5, 1, 2]),
    "start_value_mult": st.sampled_from([1, 0.5]), "end_value_mult": st.sampled_from([1, 3]),
}  # fmt: skip
late = {**cycle, "warmup_duration": st.integers(0, 4)}
RULES = {
    PiecewiseLinear: st.fixed_dictionaries({"milestones_values": milestones}),
    CosineAnnealingScheduler: st.fixed_dictionaries(late),
    LinearCyclicalScheduler: st.fixed_dictionaries(cycle) | st.fixed_dictionaries({**late, "monotonic": st.just(True)}),
}
SCHEDULES = {
    "StepLR": {"step_size": 3}, "MultiStepLR": {"milestones": [2, 5]}, "ExponentialLR": {"gamma": 0.5},
    "LinearLR": {}, "CosineAnnealingLR": {"T_max": 4}, "OneCycleLR": {"max_lr": [1.0, 2.0], "total_steps": 80},
}  # fmt: skip


def optimizer(groups=2):
    """Make an optimizer with the rates 0.1, 0.2."""
    made = [{"params": [dark.Parameter(1.0)], "lr": 0.1 * (1 + k)} for k in range(groups)]
    return dark.optim.SGD(made, lr=0.1, momentum=0.9)


@st.composite
def rule(draw, index=None):
    """Draw a function that makes a schedule by a rule, of an optimizer."""
    kind = draw(st.sampled_from(list(RULES)))
    drawn = draw(RULES[kind])
    return lambda made: kind(made, "lr", param_group_index=index, **drawn)


@st.composite
def wrapped(draw):
    """Draw a function that makes a schedule of `dark.optim` a handler."""
    name, legacy = draw(st.sampled_from([*SCHEDULES, "SequentialLR"])), draw(st.booleans())

    def make(made):
        if name == "SequentialLR":
            parts = [lr_scheduler.LinearLR(made), lr_scheduler.ExponentialLR(made, 0.9)]
            return LRScheduler(lr_scheduler.SequentialLR(made, parts, [4]), use_legacy=legacy)
        return LRScheduler(getattr(lr_scheduler, name)(made, **SCHEDULES[name]), use_legacy=legacy)

    return make


@st.composite
def pair(draw):
    """Draw a function that makes a schedule for each of two groups."""
    first, second = draw(rule(index=0)), draw(rule(index=1))
    return lambda made: ParamGroupScheduler([first(made), second(made)], names=["a", "b"])


@st.composite
def sequence(draw, parts):
    """Draw a function that makes a sequence of schedules, or one with a warm-up."""
    makers, start = draw(st.lists(parts, min_size=2, max_size=3)), draw(st.none() | rates)
    durations = draw(st.lists(st.integers(0, 5), min_size=len(makers) - 1, max_size=len(makers) - 1))

    def make(made):
        whole = ConcatScheduler([maker(made) for maker in makers], durations)
        return whole if start is None else create_lr_scheduler_with_warmup(whole, start, 3)

    return make


single = rule() | wrapped() | pair()
schedules = single | sequence(single | sequence(single))


def values(scheduler, made, count):
    """Fire events, and list the options of the groups after each."""
    found = []
    for _ in range(count):
        scheduler(None)
        found.append([(group["lr"], group["momentum"]) for group in made.param_groups])
    return found


def learning_rates(scheduler, made, count):
    """Fire events, and list the rates of the groups after each."""
    return [[lr for lr, _ in groups] for groups in values(scheduler, made, count)]


@given(schedules, st.integers(0, 25), st.integers(1, 15))
def test_a_schedule_saved_at_any_event_continues_with_the_same_values(make, before, after):
    old = optimizer()
    first = make(old)
    values(first, old, before)
    state = deepcopy(first.state_dict())
    expected = learning_rates(first, old, after)
    new = optimizer()
    second = make(new)
    second.load_state_dict(state)
    assert learning_rates(second, new, after) == expected
    first.load_state_dict(state)
    assert learning_rates(first, old, after) == expected


@examples(25)
@given(schedules, st.integers(0, 20))
def test_a_checkpoint_of_a_schedule_and_its_optimizer_continues_with_the_same_values(tmp_path_factory, make, before):
    old, new, folder = optimizer(), optimizer(), tmp_path_factory.mktemp("checkpoint")
    first, second, trainer = make(old), make(new), Engine(lambda engine, batch: None)
    checkpoint = Checkpoint({"schedule": first, "optimizer": old}, folder)
    trainer.add_event_handler(Events.ITERATION_STARTED, first)
    trainer.add_event_handler(Events.COMPLETED, checkpoint)
    trainer.run(range(before + 1))
    Checkpoint.load_objects({"schedule": second, "optimizer": new}, checkpoint.last_checkpoint)
    assert values(second, new, 8) == values(first, old, 8)


@given(schedules, st.integers(0, 20))
def test_the_next_event_sets_what_get_param_returns(make, before):
    made = optimizer()
    scheduler = make(made)
    values(scheduler, made, before)
    said, told = [scheduler.get_param() for _ in range(2)]
    assert said == told
    scheduler(None)
    flat = said if isinstance(said, list) else [said] * 2
    assert flat == [group["lr"] for group in made.param_groups]


@given(schedules, st.integers(0, 20))
def test_simulated_values_are_the_next_ones_and_nothing_changes(make, before):
    made = optimizer()
    scheduler = make(made)
    values(scheduler, made, before)
    members = scheduler.schedulers if isinstance(scheduler, ParamGroupScheduler) else [scheduler]
    state, groups = deepcopy(scheduler.state_dict()), [dict(group) for group in made.param_groups]
    rows = ParamGroupScheduler.simulate_values(9, members)
    assert [dict(group) for group in made.param_groups] == groups and scheduler.state_dict() == state
    assert [row[1:] for row in rows] == learning_rates(scheduler, made, 9)


@given(wrapped().filter(lambda make: make(optimizer()).event_index == 0), st.integers(1, 30))
def test_a_wrapped_schedule_sets_the_rates_of_the_plain_loop(make, count):
    made, plain = optimizer(), optimizer()
    scheduler, bare = make(made), make(plain).lr_scheduler
    for _ in range(count):
        scheduler(None)
        assert [(g["lr"], g["momentum"]) for g in made.param_groups] == [
            (g["lr"], g["momentum"]) for g in plain.param_groups
        ]
        bare.step()


def test_with_use_legacy_the_first_rate_is_that_of_the_optimizer():
    made, seen = optimizer(1), []
    trainer = Engine(lambda engine, batch: seen.append(made.param_groups[0]["lr"]))
    LRScheduler(lr_scheduler.ExponentialLR(made, 0.5), use_legacy=True).attach(trainer, Events.ITERATION_COMPLETED)
    trainer.run(range(3))
    assert seen == [0.1, 0.05, 0.025]


@given(st.sampled_from([CosineAnnealingScheduler, LinearCyclicalScheduler]), st.data())
def test_simulating_a_rule_needs_no_optimizer(kind, data):
    drawn, made = data.draw(RULES[kind]), optimizer(1)
    expected = [[k, lr] for k, [(lr, _)] in enumerate(values(kind(made, "lr", **drawn), made, 12))]
    assert kind.simulate_values(12, param_name="lr", **drawn) == expected
    assert kind.simulate_values(12, param_name="lr", param_group_index=1, save_history=True, **drawn) == expected
    assert kind.simulate_values(12, param_name="lr", optimizer=optimizer(1), **drawn) == expected
    assert kind.simulate_values(12, optimizer(1), "lr", **drawn) == expected


@given(st.integers(2, 9), st.integers(0, 4))
def test_a_cycle_starts_at_its_start_value_and_reaches_its_end_value(size, warmup):
    drawn = {"start_value": 1.0, "end_value": 0.0, "cycle_size": size, "warmup_duration": warmup, "param_name": "lr"}
    rows = LinearCyclicalScheduler.simulate_values(size + warmup + 1, monotonic=True, **drawn)
    found = [value for _, value in rows]
    assert found[0] == found[-1] == 1.0
    assert found[:size] == sorted(found[:size], reverse=True)
    assert found[size:] == sorted(found[size:]) and found[size] == (0.0 if warmup else 1.0)


def test_a_shrinking_cycle_does_not_vanish():
    rows = CosineAnnealingScheduler.simulate_values(
        9, param_name="lr", start_value=1, end_value=0, cycle_size=2, cycle_mult=0.1
    )
    assert [value for _, value in rows][2:] == [1] * 7


def test_a_tuple_is_one_value_for_all_groups():
    class Betas(CyclicalScheduler):
        def value_at(self, progress):
            return (progress, 0.999)

    made = dark.optim.Adam([dark.Parameter(1.0)])
    scheduler = Betas(made, "betas", 0, 1, 2)
    for _ in range(2):
        scheduler(None)
    assert made.param_groups[0]["betas"] == (0.5, 0.999)


@pytest.mark.oracle
def test_optimizers_and_schedules_of_pytorch_can_be_scheduled():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    lines = [(0, 1.0), (4, 0.0)]

    def make():
        made = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
        inner = LRScheduler(torch.optim.lr_scheduler.ExponentialLR(made, 0.5))
        return made, ConcatScheduler([PiecewiseLinear(made, "lr", lines), inner], [2])

    (old, first), (new, second) = make(), make()
    expected = [[k, lr] for k, lr in enumerate([1.0, 0.75, 0.1, 0.05, 0.025])]
    assert ConcatScheduler.simulate_values(5, first.schedulers, [2]) == expected
    found = []
    for k in range(5):
        if k == 4:
            second.load_state_dict(first.state_dict())
            first, old = second, new
        first(None)
        found.append([k, old.param_groups[0]["lr"]])
        old.step()
    assert found == expected
