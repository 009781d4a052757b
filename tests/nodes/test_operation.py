"""User-defined operations beside the built-in ones, and errors when they break their contract."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

import dark
from dark.errors import OperationError, ValueTypeError


class Cube(dark.Operation):
    """The third power, as a student writes it."""

    @staticmethod
    def _f(x):
        return x**3

    @staticmethod
    def _df(dldy, y, x):
        return [dldy * 3 * x**2]


class Scale(dark.Operation):
    """A factor that is a setting, not an input."""

    @staticmethod
    def _f(x, k=1):
        return k * x

    @staticmethod
    def _df(dldy, y, x, k=1):
        return (k * dldy,)


def operation(df, f=lambda *x: x[0]):
    return type("Own", (dark.Operation,), {"_f": staticmethod(f), "_df": staticmethod(df)})


def test_a_user_defined_operation_works_beside_built_in_ones():
    x = dark.Parameter(2)
    y = dark.add(dark.mul(2, Cube.apply(x)), x)
    y.backward()
    assert y.value == 18 and x.grad == 25


def test_a_user_defined_operation_can_be_differentiated_twice():
    x = dark.Parameter(2)
    Cube.apply(x).backward(create_graph=True)
    first, x.grad = x.grad, None
    first.backward()
    assert first.value == 12 and x.grad == 12


def test_settings_reach_the_rule_and_its_derivative():
    x = dark.Parameter(3)
    y = Scale.apply(x, k=5)
    y.backward()
    assert y.value == 15 and x.grad == 5


def test_a_rule_written_with_numpy_gives_floats():
    Sine = operation(lambda dldy, y, x: (dldy * np.cos(x),), np.sin)
    x = dark.Parameter(0.0)
    y = Sine.apply(x)
    y.backward()
    assert type(y.value) is float and type(x.grad) is float and x.grad == 1


def test_differentiate_uses_the_grad_of_the_node_by_default():
    a, b = dark.Parameter(3), dark.Parameter(4)
    y = dark.mul(a, b)
    y.backward()
    assert list(dark.Mul.differentiate(y)) == [4, 3]
    assert list(dark.Mul.differentiate(y, 2.0)) == [8, 6]
    assert dark.Mul._df(2.0, 12.0, 3.0, 4.0) == (8, 6)


@pytest.mark.parametrize(
    ("df", "text"),
    [
        (lambda d, y, a, b: (d,), r"Own\._df must return one gradient for each input, got \(1\.0,\) \(tuple\)"),
        (lambda d, y, a, b: (d, d, d), r"one for each input"),
        (lambda d, y, a, b: d, r"Own\._df must return one gradient for each input, got 1\.0 \(float\)"),
        (lambda d, y, a, b: (d, None), r"Own\._df must return a number or an array, got None"),
        (lambda d, y, a, b: (d, "x"), r"Own\._df must return a number or an array, got 'x' \(str\)"),
    ],
)
def test_a_df_that_breaks_its_contract_gets_one_clear_message(df, text):
    x = dark.Parameter(1)
    y = operation(df).apply(x, x)
    with pytest.raises(OperationError, match=text):
        y.backward()
    assert x.grad is None


@pytest.mark.parametrize("result", [None, "x", [1.0]])
def test_an_f_that_does_not_return_a_number_gets_a_clear_message(result):
    with pytest.raises(
        OperationError, match=r"Own\._f must return a number or an array, got .*\n  Expected: one real number"
    ):
        operation(None, lambda x: result).apply(dark.Parameter(1))


def test_a_missing_rule_is_named():
    class Empty(dark.Operation):
        """Nothing yet."""

    class Half(dark.Operation):
        @staticmethod
        def _f(x):
            return x / 2

    with pytest.raises(OperationError, match="Empty must define _f"):
        Empty.apply(dark.Parameter(1))
    with pytest.raises(OperationError, match="Half must define _df"):
        Half.apply(dark.Parameter(1)).backward()


def test_a_wrong_number_of_inputs_is_named():
    with pytest.raises(OperationError, match=r"add: cannot be applied to 1 input, .*\n  Expected: Add\.apply\(a, b\)"):
        dark.Add.apply(1)
    with pytest.raises(OperationError, match="cube: cannot be applied to 2 inputs"):
        Cube.apply(1, 2)


def test_an_error_inside_a_rule_says_where_it_was():
    with pytest.raises(TypeError) as caught:
        operation(None, lambda x: x + "a").apply(dark.Parameter(1))
    assert "in Own._f, with inputs 1.0" in caught.value.__notes__[0]


def test_a_complex_result_is_nan_as_in_numpy():
    Root = operation(lambda d, y, x: (d * (1 / 3) * x ** (-2 / 3),), lambda x: x ** (1 / 3))
    x = dark.Parameter(-8)
    y = Root.apply(x)
    y.backward()
    assert np.isnan(y.value) and np.isnan(x.grad)


def test_user_defined_operations_are_not_listed_as_built_in():
    from dark.operations import all_operations

    assert Cube not in all_operations() and dark.Add in all_operations()


def test_a_bad_input_is_refused_by_the_name_of_the_operation():
    with pytest.raises(ValueTypeError, match="cube: cannot use 'a'"):
        Cube.apply("a")


class Sine(dark.Operation):
    """A derivative that cannot be differentiated: it makes its node a number."""

    @staticmethod
    def _f(x):
        return math.sin(x)

    @staticmethod
    def _df(dldy, y, x):
        return (dldy * math.cos(x),)


def test_a_derivative_that_cuts_the_graph_is_an_error_when_it_is_differentiated():
    x = dark.Parameter(1.0)
    y = Sine.apply(x) * x
    y.backward()
    assert x.grad == pytest.approx(math.cos(1) + math.sin(1))
    with pytest.raises(OperationError, match="convert a node to a Python number.*\n.*\n.*np.cos") as caught:
        y.backward(create_graph=True)
    assert "in the derivative of Sine" in caught.value.__notes__[0]
    assert float(x) == 1


def test_a_derivative_written_with_functions_of_dark_gives_numbers():
    x = dark.Parameter(3.0)
    operation(lambda dldy, y, x: (dark.mul(dldy, 2.0),), lambda x: 2 * x).apply(x).backward()
    assert x.grad == 2 and type(x.grad) is float


def test_a_derivative_of_a_subclass_replaces_an_inherited_one():
    class Other(dark.Mul):
        @staticmethod
        def _df(dldy, y, a, b):
            return 100 * dldy, 200 * dldy

    a, b = dark.Parameter(2), dark.Parameter(3)
    Other.apply(a, b).backward()
    assert (a.grad, b.grad) == (100, 200)


def test_a_sign_that_is_taken_is_refused():
    with pytest.raises(OperationError, match="the sign '-' belongs to another operation"):

        class Minus(dark.Operation, sign="-"):
            """Not this one."""

    assert (dark.Parameter(3) - 1).value == 2


def test_a_derivative_that_raises_says_where_it_was():
    x = dark.Parameter(3)
    y = operation(lambda dldy, y, x: {}["a"], lambda x: x).apply(x)
    with pytest.raises(KeyError) as caught:
        y.backward()
    assert caught.value.__notes__ == ["in the derivative of Own, with inputs 3.0"]


def test_a_complex_derivative_is_named():
    x = dark.Parameter(3)
    with pytest.raises(ArithmeticError, match=r"Own\._df returned the complex number 1j"):
        operation(lambda dldy, y, x: (1j,), lambda x: x).apply(x).backward()


def test_a_frozen_input_gets_no_gradient_even_if_frozen_after_the_forward_pass():
    for f in (dark.exp, lambda x: x * 2):
        x, w = dark.Parameter(3), dark.Parameter(1)
        y = f(x) + w
        x.requires_grad = False
        y.backward()
        assert x.grad is None and w.grad == 1


class Softplus(dark.Operation, saves=True):
    """An operation that saves a part of its value for the derivative."""

    @staticmethod
    def _f(x, beta=1.0):
        e = np.exp(beta * x)
        return np.log1p(e) / beta, e

    @staticmethod
    def _df(dldy, y, x, beta=1.0, *, saved):
        return (dldy * saved / (1 + saved),)


def test_what_an_operation_saves_is_passed_to_its_derivative():
    class Tuple(dark.Operation, saves=True):
        _f = Softplus._f
        _df = (lambda dldy, y, x, beta=1.0, *, saved: dldy * saved / (1 + saved),)

    for op in (Softplus, Tuple):
        x = dark.Parameter(np.array([0.0, 1.0]))
        y = op.apply(x, beta=2.0)
        y.backward(np.ones(2))
        np.testing.assert_allclose(y.saved, np.exp([0.0, 2.0]))
        np.testing.assert_allclose(x.grad, 1 / (1 + np.exp([-0.0, -2.0])))
        assert y.settings == {"beta": 2.0}
        with dark.no_grad():
            assert op.apply(x).saved is None


@pytest.mark.parametrize("trusted", [False, True])
def test_an_operation_that_saves_must_return_a_pair(trusted):
    class Single(dark.Operation, saves=True, trusted=trusted):
        _f = staticmethod(lambda x: x)
        _df = (lambda dldy, y, x, saved: dldy,)

    with pytest.raises(
        OperationError, match=r"Single\._f must return a pair, got 1\.0 \(float\)\.\n  Expected: a pair \(y, saved\)"
    ):
        Single.apply(dark.Parameter(1))


def test_trust_is_not_inherited_and_a_subclass_computes_its_own_value():
    class Double(dark.Mul):
        _f = staticmethod(lambda a, b: 2 * a * b)
        _df = (lambda dldy, y, a, b: 2 * dldy * b, lambda dldy, y, a, b: 2 * dldy * a)

    assert dark.Mul.trusted and not Double.trusted
    a, b = dark.Parameter(3), dark.Parameter(4)
    y = Double.apply(a, b)
    y.backward()
    assert (y.op, y.value, a.grad, b.grad) == (Double, 24, 8, 6)


def test_a_derivative_that_raises_after_the_first_input_adds_nothing_twice():
    def second(dldy, y, a, b, c):
        if type(a) is float:
            raise ZeroDivisionError  # of Python's floats; NumPy's come next
        return dldy * 2

    class Partial(dark.Operation, trusted=True):
        _f = staticmethod(lambda a, b, c: a + 2 * b + c)
        _df = (lambda dldy, y, a, b, c: dldy, second, lambda dldy, y, a, b, c: dldy)

    x = [dark.Parameter(1.0) for _ in range(3)]
    Partial.apply(*x).backward()
    assert [n.grad for n in x] == [1, 2, 1]


def test_the_plain_pass_computes_the_same_gradients():
    code = """
import numpy as np, dark
x, w = dark.Parameter(np.linspace(0.1, 1, 6).reshape(2, 3)), dark.Parameter(np.ones((3, 2)))
y = dark.sum(dark.tanh(x @ w) * 3.0 - 1.0 / dark.exp(x[:, :2]))
y.backward()
print(dark.nodes.fast.ENABLED, x.grad.tolist(), w.grad.tolist())
"""
    found = []
    for switch in ("0", "1"):
        env = os.environ | {"DARK_FAST": switch}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        found.append(done.stdout.split(maxsplit=1))
    assert [switch for switch, _ in found] == ["False", "True"] and found[0][1] == found[1][1]


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("settings", [{}, {"scale": 2.0}], ids=str)
def test_a_result_that_is_an_array_of_no_dimension_becomes_a_number(trusted, settings):
    class Total(dark.Operation, trusted=trusted, elementwise=False):
        @staticmethod
        def _f(x, scale=1.0):
            return np.asarray(np.sum(x) * scale)

        _df = (lambda dldy, y, x, scale=1.0: dldy * scale * np.ones_like(x),)

    class Pair(dark.Operation, trusted=trusted, elementwise=False):
        @staticmethod
        def _f(x, y, scale=1.0):
            return np.asarray(np.sum(x * y) * scale)

        _df = (lambda dldz, z, x, y, scale=1.0: dldz * scale * y, lambda dldz, z, x, y, scale=1.0: dldz * scale * x)

    x, y = dark.Parameter(np.ones(3)), dark.Parameter(np.ones(3))
    for result in (Total.apply(x, **settings), Pair.apply(x, y, **settings)):
        assert type(result.value) is float and result.value == 3 * settings.get("scale", 1.0)
        result.backward()
