"""state_dict of optimizers: contents, loading, errors."""

import copy
import json

import numpy as np
import pytest

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.optim import SGD, Adam
from tests.optim.settings import parameters, walk


def walked(kind=Adam, **options):
    members = parameters(shapes=[(2, 3), (3,), ()])
    optimizer = kind(members, **options)
    walk([optimizer], (members,), steps=3, skip=0)
    return optimizer


def test_a_state_has_pytorchs_names_shapes_and_numbers_of_parameters():
    saved = walked().state_dict()
    assert saved.keys() == {"state", "param_groups"} and saved["state"].keys() == {0, 1, 2}
    assert saved["state"][0].keys() == {"step", "exp_avg", "exp_avg_sq"} and saved["state"][0]["step"] == 3
    assert [s["exp_avg"].shape for s in saved["state"].values()] == [(2, 3), (3,), ()]
    assert saved["param_groups"][0]["params"] == [0, 1, 2]
    assert walked(SGD, momentum=0.9).state_dict()["state"][1].keys() == {"momentum_buffer"}
    assert walked(SGD).state_dict()["state"] == {}


def test_names_are_saved_and_numbers_count_through_the_groups():
    a, b, c = parameters(shapes=[(), (), ()])
    optimizer = SGD([{"params": [("a", a), ("b", b)]}, {"params": [("c", c)]}])
    groups = optimizer.state_dict()["param_groups"]
    assert [(group["params"], group["param_names"]) for group in groups] == [([0, 1], ["a", "b"]), ([2], ["c"])]
    optimizer.load_state_dict({"state": {}, "param_groups": [{**group, "lr": 7} for group in groups]})
    assert [group["lr"] for group in optimizer.param_groups] == [7, 7]
    assert optimizer.param_groups[0]["param_names"] == ("a", "b")


def test_a_state_that_went_through_json_is_accepted():
    saved = json.loads(json.dumps(walked().state_dict(), default=np.ndarray.tolist))
    optimizer = Adam(parameters(shapes=[(2, 3), (3,), ()]), lr=7)
    optimizer.load_state_dict(saved)
    p = optimizer.param_groups[0]["params"][0]
    assert optimizer.state[p]["step"] == 3 and optimizer.param_groups[0]["lr"] == 1e-3


def test_the_state_is_shown_and_may_be_modified():
    optimizer = walked()
    p = optimizer.param_groups[0]["params"][1]
    optimizer.state[p]["exp_avg"][...] = 5
    assert optimizer.state_dict()["state"][1]["exp_avg"].tolist() == [5, 5, 5]


def test_options_added_by_schedulers_are_kept():
    optimizer = walked()
    optimizer.param_groups[0]["initial_lr"] = 0.5
    other = walked()
    other.load_state_dict(optimizer.state_dict())
    assert other.param_groups[0]["initial_lr"] == 0.5


def broken(change):
    saved = walked().state_dict()
    change(saved)
    return saved


def without(key):
    return lambda saved: saved["state"][0].pop(key)


def of_nadam(change):
    saved = walked(dark.optim.NAdam).state_dict()
    change(saved["state"][0])
    return saved


BROKEN_NADAM = {
    "the saved state of a parameter must match the optimizer, but has exp_avg, exp_avg_sq, step": of_nadam(
        lambda state: state.pop("mu_product")
    ),
    "NAdam: mu_product must be a number, got 'a'": of_nadam(lambda state: state.update(mu_product="a")),
    "NAdam: mu_product must be a finite number, got nan": of_nadam(lambda state: state.update(mu_product=float("nan"))),
}


@pytest.mark.parametrize("message", BROKEN_NADAM)
def test_a_number_of_a_parameter_that_is_not_one_is_refused(message):
    optimizer = walked(dark.optim.NAdam)
    before = repr(optimizer.state_dict())
    with pytest.raises((UsageError, ValueTypeError), match=message):
        optimizer.load_state_dict(BROKEN_NADAM[message])
    assert repr(optimizer.state_dict()) == before


BROKEN = {
    "must be the state_dict of an optimizer": broken(lambda saved: saved.pop("state")),
    "the argument of load_state_dict must be": broken(lambda saved: saved["param_groups"][0].pop("params")),
    'a list of groups with their "params"': broken(lambda saved: saved["state"].update({0: 3})),
    r"must be of equal sizes, but have \[3, 3\]": broken(
        lambda saved: saved["param_groups"].append(saved["param_groups"][0])
    ),
    r"of equal sizes, but have \[2\] and \[3\] parameters": broken(lambda s: s["param_groups"][0]["params"].pop()),
    "must have all options, but has no betas": broken(lambda saved: saved["param_groups"][0].pop("betas")),
    "lr must be 0 or more, got -1": broken(lambda saved: saved["param_groups"][0].update(lr=-1)),
    "has exp_avg, exp_avg_sq": broken(without("step")),
    "has exp_avg, step": broken(without("exp_avg_sq")),
    "has .*momentum_buffer": broken(lambda saved: saved["state"][0].update(momentum_buffer=np.ones((2, 3)))),
}


@pytest.mark.parametrize("message", BROKEN)
def test_a_state_that_does_not_match_is_refused_and_changes_nothing(message):
    optimizer = walked()
    before = repr(optimizer.state_dict())
    with pytest.raises(UsageError, match=message):
        optimizer.load_state_dict(BROKEN[message])
    assert repr(optimizer.state_dict()) == before


def test_a_state_of_other_shapes_is_refused():
    optimizer = Adam(parameters(shapes=[(3, 2), (3,), ()]))
    with pytest.raises(ShapeError, match=r"shape of its value, \(3, 2\), got \(2, 3\)"):
        optimizer.load_state_dict(walked().state_dict())


def test_adam_refuses_the_state_of_another_kind():
    with pytest.raises(UsageError, match="no betas, eps"):
        walked().load_state_dict(walked(SGD, momentum=0.9).state_dict())


def test_momentum_enabled_later_is_saved_with_its_initial_state():
    optimizer = walked(dark.optim.RMSprop)
    optimizer.param_groups[0]["momentum"] = 0.9
    saved = optimizer.state_dict()
    assert saved["state"][1]["momentum_buffer"].tolist() == [0, 0, 0]
    walked(dark.optim.RMSprop).load_state_dict(saved)


def test_a_parameter_without_state_starts_from_the_initial_state():
    (a, b), (c, d) = parameters(shapes=[(), ()]), parameters(shapes=[(), ()])
    first, second = (dark.optim.Adagrad(pair, lr=1.0, initial_accumulator_value=3.0) for pair in ((a, b), (c, d)))
    a.grad = 1.0
    first.step()
    second.load_state_dict(first.state_dict())
    for p in (a, b, c, d):
        p.grad = 1.0
    first.step()
    second.step()
    assert b.value == d.value == pytest.approx(parameters(shapes=[(), ()])[1].value - 0.5, abs=1e-8)


def test_loading_an_empty_state_clears_the_state():
    optimizer = walked()
    optimizer.load_state_dict({**optimizer.state_dict(), "state": {}})
    assert optimizer.state == {}


def test_a_shallow_copy_of_an_optimizer_has_its_own_state():
    optimizer = walked()
    copy.copy(optimizer).step()
    assert [state["step"] for state in optimizer.state.values()] == [3, 3, 3]
