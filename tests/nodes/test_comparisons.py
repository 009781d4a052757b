"""Comparisons: of a node with numbers and arrays elementwise as NumPy's, of two nodes with ``==`` as objects."""

import operator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import DarkError, IndexingError, OperationError, ShapeError, ValueTypeError
from dark.nodes.comparisons import SameNode

SIGNS = {
    operator.eq: np.equal, operator.ne: np.not_equal, operator.lt: np.less, operator.le: np.less_equal,
    operator.gt: np.greater, operator.ge: np.greater_equal,
}  # fmt: skip
numbers = st.sampled_from([0.0, -0.0, 1.0, 0.1, 2.5, np.inf, -np.inf, np.nan])
dtypes = st.sampled_from([np.float64, np.float32, np.float16])


@st.composite
def operands(draw):
    """Draw two arrays whose shapes broadcast, each of a dtype of its own; one without axes is a NumPy scalar."""
    shapes = draw(st.sampled_from([((), ()), ((), (3,)), ((3,), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3))]))
    return [
        np.array(draw(st.lists(numbers, min_size=n, max_size=n))).reshape(shape).astype(draw(dtypes))[()]
        for shape in shapes
        for n in [int(np.prod(shape))]
    ]


def is_alike(found, right):
    """Return whether two results of a comparison have the same elements and the same shape."""
    return np.shape(found) == np.shape(right) and np.array_equal(found, right) and np.asarray(found).dtype == bool


@given(pair=operands(), sign=st.sampled_from(sorted(SIGNS, key=str)))
def test_a_comparison_gives_what_numpy_gives_for_the_values(pair, sign):
    a, b = pair
    right, x, y = SIGNS[sign](a, b), dark.Parameter(a), dark.Parameter(b)
    for found in (sign(x, b), sign(a, y), SIGNS[sign](x, b), SIGNS[sign](a, y), SIGNS[sign](x, y)):
        assert is_alike(found, right)
    if sign not in (operator.eq, operator.ne):
        assert is_alike(sign(x, y), right)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    "other",
    [1, 0, True, np.True_, np.array(True), np.int32(1), np.array(1), Fraction(1, 2), np.arange(2), np.ones(2, bool)],
)
def test_integers_bools_and_fractions_are_numbers_in_a_comparison(sign, other):
    for value in (1.0, np.float32(0.5), np.array([0.0, 1.0])):
        right = sign(value, float(other) if isinstance(other, Fraction) else other)
        assert is_alike(sign(dark.Parameter(value), other), right) and is_alike(
            sign(dark.Constant(value), other), right
        )


def test_a_comparison_of_numbers_gives_a_bool():
    x = dark.Parameter(1.0)
    assert (x == 1) is True and (x != 1) is False and (x == 0.5) is False and (x < dark.Constant(2)) is True
    assert x == True and np.float64(1) == x  # noqa: E712
    assert x < 10**400 and x != 10**400


def test_the_idioms_of_numpy_select_by_value():
    x = dark.Parameter(np.array([0.0, 1.0]))
    with np.errstate(invalid="ignore"):
        assert np.allclose(np.where(x == 0, 1.0, np.sin(x) / x).value, [1, np.sin(1)])
    assert x[x != 0].value.tolist() == [1] and (np.array([0, 2]) == x).tolist() == [True, False]
    assert np.where(np.equal(x, dark.Constant(0.0)), x + 1, x * 0).value.tolist() == [1, 0]
    assert not np.any(x == np.array([2.0])) and (x == 0).mean() == 0.5
    (x * (x == 1)).sum().backward()
    assert x.grad.tolist() == [0, 1]


def test_two_nodes_are_the_same_or_not():
    x, y = dark.Parameter(np.array([0.0, 1.0])), dark.Parameter(np.array([0.0, 1.0]))
    assert x == x and x != y
    assert [bool(x == y), bool(x != x), bool(x == x), bool(x != y)] == [False, False, True, True]
    assert x in [y, x] and [y, x].index(x) == 1 and [x, y, x].count(x) == 2 and dark.Constant(1) not in [x, y]
    assert len({x, y, x}) == 2 and {x: 1, y: 2}[y] == 2 and (x, 1) == (x, 1) and (x, 1) != (y, 1)
    assert hash(x) != hash(y) and {x} | {y} == {y, x} and (x == y) == False and (x == x) == (y == y)  # noqa: E712
    assert repr(x == y) == repr(x != x) == "False (two nodes are compared as objects)" and bool(x != y) is True
    assert len({x == x, x != y, True}) == 1


USES = [
    lambda c, x, a: np.where(c, x, 0.0),
    lambda c, x, a: np.where(c, a, 0.0),
    lambda c, x, a: dark.where(c, x, 0.0),
    lambda c, x, a: x * c,
    lambda c, x, a: c * x,
    lambda c, x, a: a + c,
    lambda c, x, a: c - 1.0,
    lambda c, x, a: 1 + c,
    lambda c, x, a: c & True,
    lambda c, x, a: (a > 0) & c,
    lambda c, x, a: ~c,
    lambda c, x, a: -c,
    lambda c, x, a: c < 1,
    lambda c, x, a: x < c,
    lambda c, x, a: np.asarray(c),
    lambda c, x, a: np.array([c, c]),
    lambda c, x, a: np.any(c),
    lambda c, x, a: np.logical_not(c),
    lambda c, x, a: c.all(),
    lambda c, x, a: c.sum(),
    lambda c, x, a: c.astype(float),
    lambda c, x, a: sum([c, c]),
    lambda c, x, a: float(c),
    lambda c, x, a: int(c),
    lambda c, x, a: [1, 2][c],
    lambda c, x, a: c[0],
    lambda c, x, a: dark.Constant(c),
    lambda c, x, a: dark.sum(c),
    lambda c, x, a: np.mean(c),
]


@pytest.mark.parametrize("k", range(len(USES)))
def test_the_identity_of_two_nodes_is_refused_as_numbers(k):
    x, y = dark.Parameter(np.array([0.0, 1.0])), dark.Parameter(np.array([0.0, 1.0]))
    for comparison in (x == y, x != y, x == x):
        with pytest.raises(DarkError, match="(?s)two nodes are compared as obj.*Expected: .*Try: np.equal") as caught:
            USES[k](comparison, x, x.value)
        assert isinstance(caught.value, OperationError | ValueTypeError)


def test_the_identity_of_two_nodes_is_refused_as_an_index():
    x, y = dark.Parameter(np.array([0.0, 1.0])), dark.Parameter(np.array([0.0, 2.0]))
    for use in (lambda: x[x == y], lambda: x[x == y, 0], lambda: np.take(x, x == y), lambda: dark.gather(x, x != y)):
        with pytest.raises(IndexingError, match=r"(?s)False \(two nodes|True \(two nodes.*Try: np.equal"):
            use()
    with pytest.raises((DarkError, IndexError)):
        x.value[x == y]
    with pytest.raises(OperationError, match="x != y: two nodes are compared as objects; the result, True"):
        x.value.take(x != y)


def test_a_node_differs_from_what_is_no_number():
    x = dark.Parameter(np.array([0.0, 1.0]))
    for other in (None, "a", b"a", {}, {1}, object(), ..., len, np, dark.Parameter):
        assert (x == other) is False and (x != other) is True and (other == x) is False
        for sign in (operator.lt, operator.ge):
            with pytest.raises(
                ValueTypeError, match="(?s): cannot use .* as a value.*Expected: one real number.*Try: "
            ):
                sign(x, other)
    assert None not in [x] and x not in (None, "a")


@pytest.mark.parametrize(
    "other",
    [[0.0, 1.0], (0.0, 1.0), [], 1j, Decimal(1), np.array(["a", "b"]), np.array([None, 1]), np.array([1j, 2]),
     np.ma.array([0.0, 1.0]), np.array(["2020-01-01", "2020-01-02"], "M8[D]"), np.str_("a")],
)  # fmt: skip
def test_lists_and_arrays_of_other_things_are_refused_in_a_comparison(other):
    x = dark.Parameter(np.array([0.0, 1.0]))
    for sign in SIGNS:
        with pytest.raises(ValueTypeError, match="(?s): cannot use .* as a value.*\n  Expected: .*\n  Try: "):
            sign(x, other)


@pytest.mark.parametrize("sign", SIGNS)
def test_shapes_that_do_not_broadcast_are_refused(sign):
    x = dark.Parameter(np.ones(2))
    for other in (np.ones(3), np.ones((2, 3))):
        with pytest.raises(ShapeError, match=r"(?s)shapes \(2,\) and .*3.* do not match.*Expected: .*Try: print"):
            sign(x, other)
        with pytest.raises(ShapeError, match=r"shapes .*3.* and \(2,\) do not match"):
            sign(other, x)
    if sign not in (operator.eq, operator.ne):
        with pytest.raises(ShapeError, match=r"shapes \(2,\) and \(3,\) do not match"):
            sign(x, dark.Parameter(np.ones(3)))


def test_numpys_comparisons_take_their_settings_and_refuse_a_node_as_output():
    x, out = dark.Parameter(np.array([0.0, 1.0])), np.zeros(2, bool)
    assert np.greater(x, 0.5, out=out) is out and out.tolist() == [False, True]
    for ufunc, inputs in ((np.less, (x.value, 1.0)), (np.isnan, (x.value,)), (np.positive, (x.value,))):
        with pytest.raises(OperationError, match="on nodes it takes no argument 'out'"):
            ufunc(*inputs, out=x)
    with pytest.raises(OperationError, match="less.outer does not support nodes"):
        np.less.outer(x, x)
    with pytest.raises(OperationError, match="'out'"):
        np.positive(x, out=np.zeros(2))


def test_an_array_contains_its_elements():
    x = dark.Parameter(np.array([[0.0, 1.0], [2.0, 3.0]]))
    assert 2 in x and 5.0 not in x and dark.Constant(3) in x and np.array([0, 1]) in x and 2.0 in dark.Constant(2.0)
    with pytest.raises(ValueTypeError, match="in: cannot use 'a'"):
        "a" in x  # noqa: B015


@pytest.mark.parametrize("size", [0, 2])
def test_an_array_of_several_elements_is_neither_true_nor_false(size):
    x = dark.Parameter(np.ones(size))
    for use in (bool, operator.not_, lambda x: x and 1, lambda x: 1 if x else 2):
        with pytest.raises(ShapeError, match="(?s)bool: .* must have one element.*which is true or false.*np.any"):
            use(x)
    assert bool(dark.Parameter(np.ones((1, 1)))) and not dark.Parameter(np.zeros(1))


class Stranger:
    """An object with the attributes of a node, and none of its meaning."""

    _value = value = 2.0
    shape, requires_grad = (), True


class ForeignArray:
    """An array of another library."""

    def __init__(self):
        self._value = np.array([1.0, 2.0])

    def __array__(self, dtype=None, copy=None):
        return self._value


def test_only_a_node_is_taken_for_a_node():
    x = dark.Parameter(np.array([1.0, 2.0]))
    for use in (
        lambda: x < Stranger(), lambda: x >= Stranger(), lambda: np.less(x, Stranger()),
        lambda: np.equal(x, Stranger()),
        lambda: np.where(Stranger(), x, 0.0), lambda: x[Stranger()], lambda: setattr(x, "grad", Stranger()),
        lambda: (x * 2).backward(Stranger()), lambda: dark.scatter_add(x, Stranger(), (3,)),
        lambda: x[ForeignArray()], lambda: dark.scatter_add(x, ForeignArray(), (3,)),
    ):  # fmt: skip
        with pytest.raises(DarkError, match="(?s)Expected: .*Try: "):
            use()
    assert dark.nodes.value_of(ForeignArray()) is not ForeignArray()._value
    assert x.grad is None and (x == Stranger()) is False


def compared(a, b, value, other):
    """Compare with all signs, and with the same signs of NumPy."""
    for sign in SIGNS:
        found = sign(a, b)
        assert type(found) is np.ndarray and np.array_equal(found, sign(value, other))


def test_arrays_of_other_libraries_are_compared_by_their_values():
    x = dark.Parameter(np.array([1.0, 3.0]))
    compared(x, ForeignArray(), x.value, np.array([1.0, 2.0]))
    assert np.less(x, ForeignArray()).tolist() == [False, False]
    assert np.where(ForeignArray() > x, 1.0, x).value.tolist() == [1.0, 3.0]
    x.grad = ForeignArray()
    (x * 2).backward(ForeignArray())
    assert x.grad.tolist() == [3.0, 6.0]


@pytest.mark.oracle
def test_tensors_of_pytorch_are_compared_by_their_values_unless_they_require_grad():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    x, t = dark.Parameter(np.array([1.0, 2.0])), torch.tensor([1.0, 3.0])
    compared(x, t, x.value, t.numpy())
    compared(t, x, t.numpy(), x.value)
    for sign in SIGNS:
        with pytest.raises(ValueTypeError, match="(?s)must not require grad, got a Tensor of another library.*detach"):
            sign(x, torch.ones(2, requires_grad=True))


def test_pandas_leaves_its_operators_to_nodes():
    pandas = pytest.importorskip("pandas")
    x, frame = dark.Parameter(np.array([1.0, 3.0])), pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    for other in (frame, frame["a"], frame.index, pandas.array([1.0, 2.0])):
        for n in (x, dark.Parameter(1.5)):
            compared(n, other, np.asarray(n.value), np.asarray(other))
            compared(other, n, np.asarray(other), np.asarray(n.value))
            for sign in (operator.add, operator.mul, operator.pow, operator.truediv):
                found = sign(other, n)
                assert isinstance(found, dark.Node)
                assert np.allclose(found.value, sign(np.asarray(other, float), n.value))
    for other in (pandas.NaT, pandas.Timestamp("2020-01-01"), pandas.Timedelta(1)):
        assert (x == other) is False
        with pytest.raises(ValueTypeError, match="<: cannot use"):
            x < other  # noqa: B015
    with pytest.raises(ValueTypeError, match="mul: cannot use .*Categorical"):
        np.multiply(x, pandas.Categorical(["a", "b"]))


def test_arrays_of_jax_are_compared_by_their_values():
    jax = pytest.importorskip("jax")
    x, j = dark.Parameter(np.array([1.0, 2.0])), jax.numpy.array([1.0, 3.0])
    compared(x, j, x.value, np.asarray(j))
    compared(j, x, np.asarray(j), x.value)


def test_the_result_for_two_nodes_is_documented_where_it_is():
    assert type(dark.Parameter(1) == dark.Parameter(1)) is SameNode and "same object" in dark.Node.__doc__
