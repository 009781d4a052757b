"""Einsum with all kinds of subscripts, and tensordot."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError, ValueTypeError
from tests.examples import examples
from tests.operations.torch_comparison import compare

SUMS = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ji", (2, 3)), ("ij->", (2, 3)), ("ij->j", (2, 3)),
    ("ii", (3, 3)), ("ii->i", (3, 3)), ("iij->j", (3, 3, 2)), ("ijij->", (2, 3, 2, 3)), ("bii,i->b", (2, 3, 3), (3,)),
    ("i,j->ij", (2,), (3,)), ("ij,j,i->i", (2, 3), (3,), (2,)), ("ij,k->i", (2, 3), (4,)),
    ("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)), ("...ij,...jk->...ik", (5, 2, 3), (3, 4)),
    ("...j,jk", (5, 2, 3), (3, 4)), ("i...->...", (3, 2, 2)), ("ij,ij->ij", (2, 1), (1, 3)), ("...,...", (2, 3), (3,)),
]  # fmt: skip


def gradients(y, *leaves):
    y.backward(np.ones(y.shape) if y.ndim else 1.0)
    return [leaf.grad for leaf in leaves]


@pytest.mark.parametrize(("subscripts", "shapes"), [(s, shapes) for s, *shapes in SUMS])
def test_einsum_has_numpys_value(subscripts, shapes):
    x = [np.random.default_rng(0).normal(size=shape) for shape in shapes]
    y = np.einsum(subscripts, *map(dark.Parameter, x))
    np.testing.assert_allclose(y.value, np.einsum(subscripts, *x), rtol=1e-13)
    assert y.op is dark.EinSum


@pytest.mark.oracle
@pytest.mark.parametrize(("subscripts", "shapes"), [(s, shapes) for s, *shapes in SUMS])
def test_two_derivatives_of_einsum_are_pytorchs(subscripts, shapes):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    compare(lambda *x: dark.einsum(subscripts, *x), lambda *x: torch.einsum(subscripts, *x), *shapes)


@st.composite
def sums(draw):
    """Draw subscripts, with repeats inside a term, and arrays that match them."""
    letters = st.sampled_from("abcd")
    terms = draw(st.lists(st.text(letters, max_size=3), min_size=1, max_size=3))
    there = sorted(set("".join(terms)))
    result = "".join(draw(st.permutations(there))[: draw(st.integers(0, len(there)))])
    length = {c: draw(st.integers(1, 3)) for c in there}
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    x = [rng.normal(size=[length[c] for c in term]) for term in terms]
    return f"{','.join(terms)}->{result}", [v if v.ndim else float(v) for v in x]


@examples(150)
@given(sums())
def test_the_gradient_of_any_einsum_is_right(case):
    """Being linear in each operand, the sum equals the operand times its gradient."""
    subscripts, x = case
    leaves = [dark.Parameter(v) for v in x]
    y = dark.einsum(subscripts, *leaves)
    weights = np.random.default_rng(0).normal(size=y.shape)
    total = np.sum(y.value * weights)
    y.backward(weights if y.ndim else float(weights))
    for leaf in leaves:
        assert np.shape(leaf.grad) == leaf.shape
        assert np.isclose(np.sum(leaf.grad * leaf.value), total)
    if any(len(set(term)) < len(term) for term in subscripts.split("->")[0].split(",")):
        leaf = leaves[0]
        moved = np.random.default_rng(1).normal(size=leaf.shape)
        change = dark.einsum(subscripts, moved, *x[1:]).value
        assert np.isclose(np.sum(leaf.grad * moved), np.sum(change * weights))


def test_a_large_einsum_is_the_same_in_optimized_order():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 40, 30)), rng.normal(size=(4, 30, 20))
    a, b, c, d = map(dark.Parameter, (*x, *x))
    y, z = dark.einsum("bij,bjk->bik", a, b), c @ d
    np.testing.assert_allclose(y.value, z.value)
    for actual, right in zip(gradients(y, a, b), gradients(z, c, d)):
        np.testing.assert_allclose(actual, right)


def test_mismatches_of_einsum_are_errors():
    a = dark.Parameter(np.ones((2, 3)))
    with pytest.raises(ShapeError, match=r"einsum: 'ij,jk' and shapes \(2, 3\) and \(2, 3\) do not match: .*broadcast"):
        dark.einsum("ij,jk", a, a)
    with pytest.raises(ShapeError, match=r"einsum: 'ij->k' and shapes \(2, 3\) do not match: .*never appeared"):
        dark.einsum("ij->k", a)
    with pytest.raises(ShapeError, match=r"einsum: 'i,j' and shapes \(2, 3\) do not match"):
        np.einsum("i,j", a)
    with pytest.raises(ShapeError, match="einsum: no operand for 'ij'"):
        dark.einsum("ij")
    with pytest.raises(ValueTypeError, match="einsum: subscripts must be a string, got .*Parameter"):
        np.einsum(a, [0, 1])


def test_mismatches_of_tensordot_are_errors():
    a, b = dark.Parameter(np.ones((2, 3))), np.ones((4, 3))
    with pytest.raises(ShapeError, match=r"tensordot: shapes \(2, 3\) and \(4, 3\) do not match"):
        dark.tensordot(a, b, 1)
    with pytest.raises(ShapeError, match=r"tensordot: axis 2 is out of bounds for shape \(2, 3\)"):
        dark.tensordot(a, b, ([2], [1]))
    with pytest.raises(ShapeError, match=r"tensordot: axes must pair axes of a and b, got 2 and 1"):
        dark.tensordot(a, b, ([0, 1], [1]))
    with pytest.raises(ValueTypeError, match=r"tensordot: invalid axes 3 \(int\) for shapes \(2, 3\) and \(4, 3\)"):
        dark.tensordot(a, b, 3)
