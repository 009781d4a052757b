"""minimize: the path of the first tutorial, and errors."""

import pytest

import dark
from dark.errors import UsageError, ValueTypeError


def parabola(x):
    return dark.add(dark.mul(2, dark.pow(x, 2)), 5)


def test_the_path_of_the_tutorial():
    path = dark.minimize(parabola, 10)
    assert path[:7] == pytest.approx([10, 6, 3.6, 2.16, 1.296, 0.7776, 0.46656], rel=1e-12)
    assert len(path) == 101 and path[-1] == pytest.approx(6.533186e-22, rel=1e-6)
    assert path == pytest.approx([10 * 0.6**k for k in range(101)], rel=1e-9)


def test_a_parameter_is_moved_in_place():
    x = dark.Parameter(10)
    dark.minimize(parabola, x, learning_rate=0.1, steps=1)
    assert x.value == 6


def test_no_step_is_the_start_alone():
    assert dark.minimize(parabola, 3, steps=0) == [3.0]


def test_minimize_checks_its_arguments():
    with pytest.raises(UsageError, match="steps must be 0 or more, got -1"):
        dark.minimize(parabola, 1, steps=-1)
    with pytest.raises(UsageError, match=r"must return a node, got 5 \(int\)"):
        dark.minimize(lambda x: 5, 1)


def test_what_is_not_callable_is_refused():
    with pytest.raises(ValueTypeError, match=r"minimize: f must be callable, got 3.0 \(float\)(.|\n)*f\(x\)"):
        dark.minimize(3.0, 1.0)
