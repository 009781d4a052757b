"""Outputs with NaN or infinity, and without."""

import logging
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.engine import Engine, Events
from dark.errors import ValueTypeError
from dark.handlers import TerminateOnNan

NAN, INF = float("nan"), float("inf")
FINE = [
    1, 0.5, 1 + 2j, Fraction(1, 3), True, 10**400, None, "nan", b"inf", [], (), {}, np.zeros(0), np.arange(3),
    np.float32(1), np.array([True]), np.ones(2, np.float16), [None, {"a": (1, np.ones((2, 2)))}],
    np.array(1e308), np.uint8(3),
]  # fmt: skip
WRONG = [
    NAN, INF, -INF, complex(0, NAN), complex(INF, 0), np.float32("nan"), np.array([1, -INF]), np.array(NAN),
    [1, {"a": (2, np.array([[0, NAN]]))}], np.array([INF], np.float16), dark.Parameter(NAN),
    dark.Parameter(np.array([1.0, INF])),
]  # fmt: skip


def iterations(outputs, **settings):
    engine = Engine(lambda engine, batch: batch)
    engine.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan(**settings))
    return engine.run(outputs).iteration


def test_a_finite_output_does_not_end_the_run():
    assert iterations([*FINE, dark.Parameter(np.array([1.0, 2.0]))]) == len(FINE) + 1


@pytest.mark.parametrize("output", WRONG, ids=repr)
def test_an_output_that_is_not_finite_ends_the_run(output, caplog):
    with caplog.at_level(logging.WARNING):
        assert iterations([0.0, output, 0.0]) == 2
    assert "Iteration 2" in caplog.text and "NaN or infinity" in caplog.text


def test_a_process_function_may_return_nothing():
    assert iterations([None, None, None]) == 3


@given(st.recursive(st.floats(), lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner)))
def test_a_nested_output_is_finite_if_every_number_in_it_is(nest):
    def numbers(x):
        values = x.values() if isinstance(x, dict) else x
        return [x] if isinstance(x, float) else [n for value in values for n in numbers(value)]

    assert (iterations([nest, 0.0]) == 2) == bool(np.isfinite(numbers(nest)).all())


def test_an_output_that_is_not_a_number_is_an_error_that_names_its_type():
    with pytest.raises(ValueTypeError, match="the output contains a Engine, which is not a number"):
        iterations([{"engine": Engine(lambda engine, batch: None)}])


def test_a_transform_selects_what_is_checked():
    assert iterations([(NAN, 1.0), (NAN, 2.0)], output_transform=lambda output: output[1]) == 2
