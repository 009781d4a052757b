"""Parameter groups and their options: accepted forms, repr, errors."""

import numpy as np
import pytest

import dark
from dark.errors import UsageError, ValueTypeError
from dark.optim import SGD, Adagrad, Adam, AdamW, NAdam, RAdam, RMSprop


def pair():
    return dark.Parameter(np.ones((2, 3)), name="weight"), dark.Parameter(np.ones(3))


class Module:
    def parameters(self):
        return pair()


def test_parameters_may_be_a_generator_and_pairs_keep_their_names():
    a, b = pair()
    assert Adam(p for p in (a, b)).param_groups[0]["params"] == (a, b)
    group = Adam((name, p) for name, p in (("a", a), ("b", b))).param_groups[0]
    assert group["params"] == (a, b) and group["param_names"] == ("a", "b")


def test_a_group_may_hold_one_parameter_and_leaves_the_users_dictionary_alone():
    a, b = pair()
    mine = {"params": a, "lr": 0.5}
    optimizer = SGD([mine, {"params": [b]}], lr=0.1)
    assert mine == {"params": a, "lr": 0.5}
    assert [group["lr"] for group in optimizer.param_groups] == [0.5, 0.1]


def test_repr_shows_groups_numbers_and_options():
    a, b = pair()
    assert repr(SGD([{"params": [a, b]}, {"params": [dark.Parameter(1)], "lr": 1}], lr=0.1)).splitlines() == [
        "SGD(",
        "  group 0: 2 parameters, 9 numbers; "
        "lr=0.1, momentum=0, dampening=0, weight_decay=0, nesterov=False, maximize=False",
        "  group 1: 1 parameter, 1 numbers; "
        "lr=1, momentum=0, dampening=0, weight_decay=0, nesterov=False, maximize=False",
        ")",
    ]


def test_groups_changed_by_the_user_are_respected():
    a, b = pair()
    optimizer = SGD([a], lr=1.0, momentum=0.5)
    a.grad, b.grad = np.ones((2, 3)), np.ones(3)
    optimizer.step()
    optimizer.param_groups[0]["params"] += (b,)
    optimizer.step()
    assert a.value[0, 0] == 1 - 1 - 1.5 and b.value[0] == 0


a, b = pair()
REFUSED = {
    "the list of parameters is empty": lambda: Adam([]),
    "every group is empty": lambda: Adam([{"params": []}]),
    "all 1 are frozen": lambda: Adam([dark.Parameter(1, requires_grad=False)]),
    r"got a single node.*\n.*\n  Try: Adam\(\[x\]\)": lambda: Adam(a),
    "parameters must be given, got the Module itself": lambda: Adam(Module()),
    "got a set": lambda: Adam({a, b}),
    "got 'weight'": lambda: Adam("weight"),
    r"got 3 \(int\)": lambda: Adam(3),
    "got {'weight'": lambda: Adam({"weight": a}),
    r"cannot optimize Constant\(value=1.0\)": lambda: Adam([dark.Constant(1)]),
    r"cannot optimize array": lambda: Adam([np.ones(3)]),
    r"Adam: parameters must be an iterable, got array\(1.\)": lambda: Adam(np.array(1.0)),
    r"SGD: parameters must be an iterable, got array\(1.\)": lambda: SGD([{"params": np.array(1.0)}]),
    "SGD: lr must be a finite number, got an integer of 16610 bits": lambda: SGD([a], lr=10**5000),
    "NAdam: momentum_decay must be 0 or more, got -1": lambda: NAdam([a], momentum_decay=-1),
    r"NAdam: betas\[0\] must be 0 or more and less than 1, got 1": lambda: NAdam([a], betas=(1, 0.9)),
    "RAdam: eps must be 0 or more, got -1": lambda: RAdam([a], eps=-1),
    r"RAdam: betas must be a pair, got 0.9 \(float\)": lambda: RAdam([a], betas=0.9),
    "all parameters or none must have a name, but 1 of 2 have one": lambda: Adam([("a", a), b]),
    "^(SGD|Adam): a parameter must be in one group only once": lambda: Adam([a, b, a]),
    "once, but .*weight.* is a duplicate": lambda: Adam([{"params": [a]}, {"params": [b, a]}]),
    "is not a parameter group": lambda: Adam([{"params": [a]}, b]),
    "{'lr': 1} .* is not a parameter group": lambda: Adam([{"lr": 1}]),
    "all groups or none must have names": lambda: Adam([{"params": [("a", a)]}, {"params": [b]}]),
    "SGD: lr must be 0 or more, got -0.1": lambda: SGD([a], lr=-0.1),
    "SGD: lr must be a finite number, got nan": lambda: SGD([a], lr=float("nan")),
    "Adam: lr must be a finite number, got inf": lambda: Adam([a], float("inf")),
    r"Adam: lr must be a number, got '1' \(str\)": lambda: Adam([{"params": [a], "lr": "1"}]),
    "Adam: eps must be 0 or more, got -1": lambda: Adam([a], eps=-1),
    r"Adam: betas must be a pair, got 0.9 \(float\)": lambda: Adam([a], betas=0.9),
    r"AdamW: betas\[1\] must be 0 or more and less than 1, got 1.0": lambda: AdamW([a], betas=(0.9, 1.0)),
    "AdamW: weight_decay must be 0 or more, got -1": lambda: AdamW([a], weight_decay=-1),
    "SGD: momentum must be 0 or more, got -1": lambda: SGD([a], momentum=-1),
    "SGD: nesterov must have momentum and no dampening, got 0 and 0": lambda: SGD([a], nesterov=True),
    "SGD: nesterov must have momentum and no dampening, got 0.9 and 0.1": lambda: SGD([a], 1, 0.9, 0.1, nesterov=True),
    "RMSprop: alpha must be 0 or more, got -1": lambda: RMSprop([a], alpha=-1),
    "Adagrad: lr_decay must be 0 or more, got -1": lambda: Adagrad([a], lr_decay=-1),
}


@pytest.mark.parametrize("message", REFUSED)
def test_invalid_arguments_are_refused(message):
    with pytest.raises((UsageError, ValueTypeError), match=message):
        REFUSED[message]()


def test_rates_of_0_and_above_1_are_accepted():
    assert SGD([a], lr=0).param_groups[0]["lr"] == 0 and SGD([a], lr=2).param_groups[0]["lr"] == 2


def test_a_refused_group_leaves_the_optimizer_as_it_was():
    optimizer = Adam([a])
    with pytest.raises(UsageError, match="is a duplicate"):
        optimizer.add_param_group({"params": [b, a]})
    with pytest.raises(UsageError, match="lr must be 0 or more, got -1"):
        optimizer.add_param_group({"params": [b], "lr": -1})
    assert len(optimizer.param_groups) == 1


def test_the_base_class_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        dark.optim.Optimizer([a], {})
