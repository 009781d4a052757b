"""Recurrent layers and attention in one node: each equals its composition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError
from tests.operations.cases import cases_of
from tests.operations.numerics import assert_close, weights

LAYERS = [(dark.Rnn, 1), (dark.Gru, 3), (dark.Lstm, 4)]
FUSED = [dark.Rnn, dark.Gru, dark.Lstm, dark.Attention]
lengths = st.integers(1, 4)


def normal(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def layer(op, gates, t, b, i, n):
    """Draw the inputs of a recurrent layer."""
    states = [normal(b, n, seed=k) for k in range(2 if op is dark.Lstm else 1)]
    return [normal(t, b, i), *states, normal(i, gates * n), normal(gates * n), normal(n, gates * n), normal(gates * n)]


def derivatives(f, x):
    """Return value, gradients, and gradients of the squares of the gradients."""
    leaves = [dark.Parameter(v) for v in x]
    y = f(*leaves)
    y.backward(weights(y.shape), create_graph=True)
    first, total = [leaf.grad for leaf in leaves], dark.Constant(0.0)
    for leaf, g in zip(leaves, first):
        total, leaf.grad = total + dark.sum(g * g), None
    total.backward()
    return [y.value, *[g.value for g in first], *[leaf.grad for leaf in leaves]]


def compare(op, x, settings):
    """Compare the fused node with its composition, and the backward pass on arrays with that on nodes."""
    fused = lambda *x: op.apply(*x, **settings)
    plain = lambda *x: op._plain(*x, **settings)
    actual, right = derivatives(fused, x), derivatives(plain, x)
    for a, b in zip(actual, right, strict=True):
        assert_close(a, b, 1e-10)
    leaves = [dark.Parameter(v) for v in x]
    y = fused(*leaves)
    y.backward(weights(y.shape))
    for leaf, b in zip(leaves, right[1:]):
        assert_close(leaf.grad, b, 1e-11)


@given(st.sampled_from(LAYERS), st.tuples(*[lengths] * 4), st.booleans(), st.booleans())
def test_a_recurrent_layer_equals_its_composition_to_second_order(kind, sizes, each, reverse):
    op, gates = kind
    compare(op, layer(op, gates, *sizes), {"each": each, "reverse": reverse})


@given(st.tuples(*[lengths] * 4), st.sampled_from([None, "truth", "floats"]), st.booleans())
def test_attention_equals_its_composition_to_second_order(sizes, mask, has_factors):
    rows, keys, wide, out = sizes
    shows = normal(rows, keys, seed=1) > -0.5
    settings = {"mask": {None: None, "truth": shows, "floats": np.where(shows, 0.5, -np.inf)}[mask]}
    settings |= {"factors": np.abs(normal(2, rows, keys, seed=2))} if has_factors else {}
    compare(dark.Attention, [normal(2, rows, wide), normal(2, keys, wide, seed=3), normal(2, keys, out)], settings)


@pytest.mark.parametrize("op", FUSED, ids=lambda op: op.__name__)
def test_a_second_backward_adds_the_same_gradient_and_keeps_what_is_saved(op):
    for case in cases_of(op):
        leaves = [dark.Parameter(v) for v in case.draw()]
        y = op.apply(*leaves, **case.settings)
        y.backward(weights(y.shape))
        once = [leaf.grad.copy() for leaf in leaves]
        y.backward(weights(y.shape))
        for leaf, g in zip(leaves, once):
            np.testing.assert_array_equal(leaf.grad, 2 * g)


@pytest.mark.parametrize("op", FUSED, ids=lambda op: op.__name__)
def test_an_input_computed_from_another_gets_second_derivatives_too(op):
    x = cases_of(op)[0].draw()
    ways = []
    for f in (lambda *x: op.apply(*x), op._plain):
        leaf = dark.Parameter(x[0])
        y = f(leaf, *[v + 0.1 * dark.sum(leaf * leaf) for v in x[1:]])
        dark.sum(y).backward(create_graph=True)
        g, leaf.grad = leaf.grad, None
        dark.sum(g * g).backward()
        ways.append((g.value, leaf.grad))
    assert_close(ways[0][0], ways[1][0], 1e-11)
    assert_close(ways[0][1], ways[1][1], 1e-10)


def test_an_unused_input_gets_a_zero_gradient():
    q, k, v = normal(1, 2), normal(1, 2, seed=1), normal(1, 3)
    leaf = dark.Parameter(q)
    y = dark.attention(leaf, k, v, np.array([[False]]))
    y.backward(weights(y.shape), create_graph=True)
    assert not np.any(leaf.grad.value if isinstance(leaf.grad, dark.Node) else leaf.grad) and not y.value.any()


def test_gradients_as_nodes_inside_no_grad_are_values():
    x = layer(dark.Gru, 3, 2, 1, 2, 2)
    leaf = dark.Parameter(x[0])
    y = dark.Gru.apply(leaf, *x[1:])
    y.backward(weights(y.shape))
    right, leaf.grad = leaf.grad, None
    with dark.no_grad():
        y.backward(weights(y.shape), create_graph=True)
    assert_close(leaf.grad.value, right, 1e-12)


def test_the_default_initial_state_has_the_dtype_of_the_weights():
    x = [v.astype(np.float32) for v in layer(dark.Rnn, 1, 3, 2, 4, 5)]
    h = np.zeros((2, 5), np.float32)
    y = dark.rnn(x[0], *x[2:])
    np.testing.assert_array_equal(y.value, dark.rnn(x[0], *x[2:], h=h).value)
    assert y.dtype == np.float32
    for f, gates in ((dark.gru, 3), (dark.lstm, 4)):
        x = [v.astype(np.float32) for v in layer(dark.Gru, gates, 3, 2, 4, 5)]
        y, right = f(x[0], *x[2:]), f(x[0], *x[2:], h)
        for a, b in zip(*((y, right) if f is dark.lstm else ([y], [right]))):
            np.testing.assert_array_equal(a.value, b.value)
            assert a.dtype == np.float32


def test_the_last_state_is_the_last_of_each():
    for op, gates in LAYERS:
        x = layer(op, gates, 3, 2, 4, 2)
        every, last = [op.apply(*x, each=each).value for each in (True, False)]
        np.testing.assert_array_equal(every[2], last[0] if op is dark.Lstm else last)
        if op is dark.Lstm:
            np.testing.assert_array_equal(every[3], last[1])


def test_shapes_that_do_not_match_are_errors():
    for f, gates in ((dark.rnn, 1), (dark.gru, 3), (dark.lstm, 4)):
        x, h, wi, bi, wh, bh = layer(dark.Gru, gates, 3, 2, 4, 5)
        wrong = [(x[:0], wi, bi, wh, bh), (x[0], wi, bi, wh, bh), (x, wi[1:], bi, wh, bh), (x, wi, bi[1:], wh, bh),
                 (x, wi, bi, wh[1:], bh), (x, wi, bi, wh, bh[1:]), (x, wi, bi, wh, bh, h[1:]),
                 (x, wi, bi, wh, bh, h[0]), (1.0, wi, bi, wh, bh)]  # fmt: skip
        for arguments in wrong:
            with pytest.raises(ShapeError, match=rf"^{f.__name__}: .* do not match.\n.*x \(t, b, i\), .*\n.*Try"):
                f(*arguments)


def test_an_unknown_nonlinearity_is_an_error():
    with pytest.raises(UsageError, match=r"rnn: invalid nonlinearity 'sin'"):
        dark.rnn(*layer(dark.Rnn, 1, 1, 1, 1, 1)[:1], *layer(dark.Rnn, 1, 1, 1, 1, 1)[2:], nonlinearity="sin")


@given(st.floats(1, 1e4), st.sampled_from([None, "truth", "floats"]))
def test_large_scores_give_the_weights_of_softmax(scale, mask):
    q, k, v = scale * normal(3, 4), normal(5, 4, seed=1), normal(5, 2)
    shows = np.array([[True, False, True, True, True]] * 3)
    mask = {None: None, "truth": shows, "floats": np.where(shows, 0.0, -np.inf)}[mask]
    scores = q @ k.T / 2 + (0 if mask is None else np.where(shows, 0.0, -np.inf))
    right = dark.softmax(scores).value @ v
    assert_close(dark.attention(q, k, v, mask).value, right, 1e-12)
    assert_close(dark.attention(*[a.astype(np.float32) for a in (q, k, v)], mask).value, right, 1e-2)


@given(lengths, lengths)
def test_attention_is_a_mean_and_invariant_to_the_order_of_keys(rows, keys):
    q, k, v, order = normal(rows, 3), normal(keys, 3, seed=1), normal(keys, 2), np.arange(keys)[::-1]
    assert_close(dark.attention(q, k, np.ones((keys, 2))).value, np.ones((rows, 2)), 1e-14)
    assert_close(dark.attention(q, k[order], v[order]).value, dark.attention(q, k, v).value, 1e-13)


@pytest.mark.parametrize("mask", [None, np.ones((4, 4), bool), np.zeros((4, 4))])
def test_causal_attention_ignores_later_keys(mask):
    k, v = dark.Parameter(normal(4, 3)), dark.Parameter(normal(4, 2))
    y = dark.attention(normal(4, 3, seed=1), k, v, mask, causal=True)
    y[1].sum().backward()
    assert not k.grad[2:].any() and not v.grad[2:].any() and k.grad[:2].any() and v.grad[:2].any()


def test_invalid_masks_are_errors():
    q, k, v = normal(2, 3), normal(4, 3), normal(4, 2)
    with pytest.raises(ShapeError, match=r"attention: the mask .* scores of shape \(2, 4\), got shape \(3, 4\)"):
        dark.attention(q, k, v, np.ones((3, 4), bool))
    with pytest.raises(ShapeError, match=r"attention: the mask must .* got shape \(5, 2, 4\)"):
        dark.attention(q, k, v, np.ones((5, 2, 4), bool))
    for mask in (np.ones((2, 4), int), [[True] * 4] * 2, dark.Parameter(np.ones((2, 4)))):
        with pytest.raises(
            ValueTypeError,
            match=r"attention: mask must be an array of bools or floats, got .*\n.*bools.*\n.*is not differentiable",
        ):
            dark.attention(q, k, v, mask)
    for wrong in ((q, k[:, :2], v), (q, k, v[1:]), (q[0], k, v), (1.0, k, v)):
        with pytest.raises(ShapeError, match=r"attention: shapes .* do not match"):
            dark.attention(*wrong)
        with pytest.raises(ShapeError, match=r"attention: shapes .* do not match"):
            dark.attention(*wrong, causal=True)
