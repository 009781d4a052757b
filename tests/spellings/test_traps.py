"""Calls that mean one thing in PyTorch and another in NumPy: refused, warned of, or what NumPy means."""

import numpy as np
import pytest

import dark
from dark.errors import KeywordError, ShapeError

X = np.arange(6.0).reshape(2, 3)


@pytest.fixture
def x():
    """Return a parameter of shape (2, 3)."""
    return dark.Parameter(X)


def test_two_axes_of_a_matrix_in_their_order_are_refused(x):
    for call in (
        lambda: x.transpose(0, 1), lambda: x.transpose(-2, -1), lambda: x.transpose(0, -1),
        lambda: dark.transpose(x, 0, 1),
    ):  # fmt: skip
        with pytest.raises(ShapeError, match=r"(?s)transpose: .* in this order.*PyTorch swaps them.*Try: x.T"):
            call()
    assert np.array_equal(x.transpose((0, 1)).value, X) and np.array_equal(np.transpose(x, (0, 1)).value, X)


def test_two_axes_of_other_shapes_change_places(x):
    assert np.array_equal(x.transpose(1, 0).value, X.T) and np.array_equal(x.transpose(dim0=0, dim1=1).value, X.T)
    z = np.arange(24.0).reshape(2, 3, 4)
    for a, b in ((0, 1), (1, 2), (-1, -2), (2, 0)):
        assert np.array_equal(dark.Parameter(z).transpose(a, b).value, z.swapaxes(a, b))
        assert np.array_equal(dark.transpose(z, a, b).value, z.swapaxes(a, b))
    node = dark.Parameter(z)
    (node.transpose(1, 2) * np.arange(24.0).reshape(2, 4, 3)).sum().backward()
    assert np.array_equal(node.grad, np.arange(24.0).reshape(2, 4, 3).swapaxes(1, 2))
    with pytest.raises(ShapeError, match="transpose: duplicate axes"):
        dark.Parameter(z).transpose(1, 1)
    with pytest.raises(KeywordError, match="transpose: unexpected keyword argument 'dim0'"):
        x.transpose(dim0=0)


def test_a_warning_says_that_two_rows_are_not_values_and_indices(x):
    for code in (
        "_, i = x.max(1)", "v, i = dark.min(x, 1)", "_, i = dark.max(y, axis=1)", "_, i = y.max(1)",
        "v, i = dark.sort(x)",
    ):  # fmt: skip
        said = "(?s)(max|min|sort): the two rows .*Expected: .*Try: np.arg"
        with pytest.warns(UserWarning, match=said) as caught:
            exec(code, {"x": x, "y": x.detach(), "dark": dark})
        assert len(caught) == 1 and caught[0].filename == "<string>"


def test_a_pair_is_refused_where_dim_is_given(x):
    for code in ("x.max(dim=1)[1]", "x.min(dim=0)[0]", "v, i = dark.max(x, dim=0)", "f(x.max(dim=1)[1])"):
        with pytest.raises(KeywordError, match="(?s)with dim, PyTorch returns a pair.*Expected: one array.*Try: x.m"):
            exec(code, {"x": x, "dark": dark, "f": float})
    assert np.array_equal(x.max(dim=1).value, X.max(1)) and (x.max(dim=1) * 2)[1].value == 10.0
    biggest = x.max(1)
    assert biggest[1].value == 5.0 and [row.value for row in biggest] == [2.0, 5.0]


def test_rows_are_unpacked_if_there_are_as_many(x):
    first, second = x
    assert first.value.tolist() == [0.0, 1.0, 2.0] and second.shape == (3,)
    with pytest.raises(ShapeError, match="(?s)a node of 2 rows is unpacked into 3 names.*Try: np.argmax"):
        a, b, c = x
    with pytest.raises(ShapeError, match="(?s)a node of 3 rows is unpacked into 2 names.*Expected: 3 names"):
        _, predicted = x.max(0)


@pytest.mark.parametrize("name", ["std", "var"])
def test_a_divisor_that_differs_is_refused(x, name):
    for call in (lambda: getattr(x, name)(dim=0), lambda: getattr(dark, name)(x, dim=1, keepdim=True)):
        with pytest.raises(KeywordError, match=f"(?s){name}: dim.* as in PyTorch.*n - 1.*Try: x.{name}.*ddof=1"):
            call()
    numpys = getattr(np, name)
    for settings, ddof in (
        ({"unbiased": True}, 1), ({"unbiased": False}, 0), ({"correction": 1}, 1), ({"correction": 0}, 0),
        ({"ddof": 1}, 1),
    ):  # fmt: skip
        assert np.allclose(getattr(x, name)(dim=0, **settings).value, numpys(X, axis=0, ddof=ddof))
        assert np.allclose(getattr(dark, name)(x, axis=1, **settings).value, numpys(X, axis=1, ddof=ddof))
    with pytest.raises(KeywordError, match="unexpected keyword argument 'unbiased'"):
        getattr(x, name)(ddof=0, unbiased=True)


def test_sizes_of_parts_and_sorted_pairs_are_refused(x):
    with pytest.raises(KeywordError, match="(?s)split: dim as in PyTorch.*number of parts.*Try: dark.split"):
        dark.split(x, 1, dim=1)
    for settings in ({"dim": 0}, {"descending": True}, {"dim": -1, "descending": True}):
        with pytest.raises(KeywordError, match=r"(?s)sort: .* as in PyTorch.*pair of values and indices.*np.argsort"):
            dark.sort(x, **settings)


def test_numbers_for_each_axis_are_no_repetitions_along_one(x):
    for counts in ((2, 1, 1), (1, 2), (3, 1, 2)):
        with pytest.raises(ShapeError, match=r"(?s)repeat: \(.* for shape \(2, 3\).*Try: np.tile"):
            x.repeat(*counts)
    assert x.repeat(2, 1).shape == (2, 6) and x.repeat([1, 2], 0).shape == (3, 3) and x.repeat(2).shape == (12,)
