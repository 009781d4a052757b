"""One rule for integers and one for numbers, in all of the public API."""

import numpy as np
import pytest

import dark
from dark.errors import DarkError, ValueTypeError
from dark.nodes import Node, value_of
from tests.arguments.array_calls import LAYER_CALLS, OPERATION_CALLS, OPTIMIZER_CALLS
from tests.arguments.exceptions import EXCEPTIONS, NAN_IS_ALLOWED
from tests.arguments.monitor_calls import MONITOR_CALLS
from tests.arguments.parameters import checked_parameters
from tests.arguments.training_calls import TRAINING_CALLS

CALLS = OPERATION_CALLS | LAYER_CALLS | OPTIMIZER_CALLS | TRAINING_CALLS | MONITOR_CALLS
PARAMETERS = checked_parameters()
DEFAULTS = {"integer": 2, "number": 0.5}
INTEGERS, NUMBERS = (np.int64, np.uint8), (np.float64, np.float32)
WRONG_INTEGERS = (True, np.True_, 2.0, np.float64(2))
WRONG_NUMBERS = (True, np.True_, "0.5", 0.5j)
NANS = (np.nan, np.float32(np.nan))
RULED = [
    (name, parameter)
    for name, kinds in PARAMETERS.items()
    for parameter in kinds
    if name in CALLS and f"{name}: {parameter}" not in EXCEPTIONS
]


def replaced(value, kind, change):
    """Return a value once for each integer (or float) in it, with that one changed."""
    if isinstance(value, (list, tuple)):
        return [
            type(value)((*value[:k], new, *value[k + 1 :]))
            for k, item in enumerate(value)
            for new in replaced(item, kind, change)
        ]
    return [change(value)] if type(value) is kind else []


def call(name, parameter, value):
    """Call a public function with another value of a parameter."""
    function, settings = CALLS[name]
    return function(**{**settings, parameter: value})


def given(name, parameter):
    """Return a valid value of a parameter."""
    return CALLS[name][1].get(parameter, DEFAULTS[PARAMETERS[name][parameter]])


@pytest.mark.parametrize(("name", "parameter"), RULED)
def test_numpy_integers_and_numbers_are_accepted(name, parameter):
    value = given(name, parameter)
    expected = call(name, parameter, value)
    casts = [cast for cast in INTEGERS if value != -1 or cast is np.int64]
    others = [new for cast in casts for new in replaced(value, int, cast)]
    others += [new for cast in NUMBERS for new in replaced(value, float, cast)]
    assert others
    for other in others:
        found = call(name, parameter, other)
        if isinstance(expected, Node):
            np.testing.assert_allclose(value_of(found), value_of(expected), rtol=1e-5)


@pytest.mark.parametrize(("name", "parameter"), RULED)
def test_bools_and_integral_floats_are_not_integers_and_bools_strings_and_nan_not_numbers(name, parameter):
    value = given(name, parameter)
    wrong = [new for bad in WRONG_INTEGERS for new in replaced(value, int, lambda _, bad=bad: bad)]
    wrong += [new for bad in WRONG_NUMBERS for new in replaced(value, float, lambda _, bad=bad: bad)]
    if f"{name}: {parameter}" not in NAN_IS_ALLOWED:
        wrong += [new for bad in NANS for new in replaced(value, float, lambda _, bad=bad: bad)]
    for other in wrong:
        with pytest.raises(DarkError):
            call(name, parameter, other)


def test_each_public_integer_and_number_is_tested_or_an_exception():
    parameters = {f"{name}: {parameter}" for name, kinds in PARAMETERS.items() for parameter in kinds}
    assert set(PARAMETERS) == CALLS.keys() | {name for name in EXCEPTIONS if ": " not in name}
    assert {name for name in [*EXCEPTIONS, *NAN_IS_ALLOWED] if ": " in name} <= parameters


def test_the_error_of_a_wrong_type_is_a_type_error():
    with pytest.raises(ValueTypeError, match="in_features must be an integer, got True"):
        call("nn.Linear", "in_features", True)
    with pytest.raises(ValueTypeError, match="lr must be a number, got '0.5'"):
        call("optim.SGD", "lr", "0.5")


@pytest.mark.parametrize(
    "function",
    [
        lambda value: dark.nn.Linear(2, 2, seed=value),
        lambda value: dark.data.DataLoader([1.0, 2.0], shuffle=True, seed=value),
        lambda value: dark.gradcheck(dark.exp, 1.0, rng=value),
        lambda value: dark.tensordot(np.ones((2, 2)), np.ones((2, 2)), axes=value),
    ],
    ids=["layer", "loader", "gradcheck", "tensordot"],
)
@pytest.mark.parametrize("value", [True, 1.0, -1])
def test_seeds_and_counts_of_axes_follow_the_rule(function, value):
    function(1), function(np.int64(1))
    with pytest.raises(DarkError, match=r"Expected: .*(integer|number of axes)"):
        function(value)
