"""Multi-head attention: laws without PyTorch, and errors."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.operations.layers import attention


def normal(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def close(a, b):
    np.testing.assert_allclose(getattr(a, "value", a), getattr(b, "value", b), rtol=1e-12, atol=1e-13)


def attend(layer, x, **settings):
    return layer(x, x, x, **settings)


@pytest.mark.parametrize("settings", [{}, {"is_causal": True}, {"attn_mask": np.tri(5, k=-1, dtype=bool).T}])
def test_with_and_without_weights_the_result_and_its_gradients_are_the_same(settings):
    ways = []
    for need_weights in (True, False):
        layer, x = nn.MultiheadAttention(4, 2, seed=0), dark.Parameter(normal(5, 3, 4))
        y, weights = attend(layer, x, need_weights=need_weights, **settings)
        (y**2).sum().backward()
        assert (weights is None) != need_weights
        ways.append([y.value, x.grad, *[p.grad for p in layer.parameters()]])
    for a, b in zip(*ways):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


def test_the_same_array_three_times_is_the_same_array():
    layer, x = nn.MultiheadAttention(4, 2, seed=0), normal(5, 3, 4)
    close(attend(layer, x)[0], layer(x, x.copy(), x.copy())[0])


def test_weights_add_up_to_one_and_their_mean_is_over_the_heads():
    layer, x = nn.MultiheadAttention(4, 2, batch_first=True, seed=0), normal(3, 5, 4)
    y, weights = attend(layer, x)
    z, each = attend(layer, x, average_attn_weights=False)
    assert weights.shape == (3, 5, 5) and each.shape == (3, 2, 5, 5)
    close(weights, each.value.mean(1)), close(each.value.sum(-1), 1.0), close(y, z)


def test_one_example_is_a_batch_of_one():
    layer, x = nn.MultiheadAttention(4, 2, seed=0), normal(5, 4)
    padding = np.array([False, True, False, False, True])
    (y, w), (z, v) = (
        attend(layer, x, key_padding_mask=padding),
        attend(layer, x[:, None], key_padding_mask=padding[None]),
    )
    close(y, z.value[:, 0]), close(w, v.value[0])


def test_what_is_padding_does_not_matter():
    layer, x = nn.MultiheadAttention(4, 2, batch_first=True, seed=0), normal(2, 5, 4)
    hidden = np.array([[False, False, True, True, True], [False] * 5])
    short = attend(layer, x[:1, :2])[0].value
    for mask in (hidden, np.where(hidden, -np.inf, 0.0)):
        close(attend(layer, x, key_padding_mask=mask)[0].value[:1, :2], short)
        both = attend(layer, x, key_padding_mask=mask, attn_mask=np.zeros((5, 5), bool), need_weights=False)[0]
        close(both.value[:1, :2], short)


def test_a_mask_for_each_head_hides_from_that_head_alone():
    layer, x = nn.MultiheadAttention(4, 2, seed=0), normal(3, 2, 4)
    mask = np.zeros((4, 3, 3), bool)
    mask[2, :, 1] = True  # the second example's first head
    weights = attend(layer, x, attn_mask=mask, average_attn_weights=False)[1].value
    np.testing.assert_array_equal(weights == 0, mask.reshape(2, 2, 3, 3))


@pytest.mark.parametrize("need_weights", [True, False])
def test_dropout_zeros_attention_weights_in_training_only(need_weights):
    x = normal(5, 3, 4)
    layer, plain = nn.MultiheadAttention(4, 2, dropout=0.5, seed=0), nn.MultiheadAttention(4, 2, seed=0)
    before = nn.random_state(layer)
    y, weights = attend(layer, x, need_weights=need_weights, average_attn_weights=False)
    assert not np.array_equal(y.value, attend(layer, x)[0].value)
    if need_weights:
        right = attend(plain, x, average_attn_weights=False)[1].value
        np.testing.assert_allclose(weights.value, np.where(weights.value == 0, 0, 2 * right))
        assert 0.2 < (weights.value == 0).mean() < 0.8
    nn.load_random_state(layer, before)
    close(attend(layer, x, need_weights=not need_weights)[0], y)
    close(attend(layer.eval(), x)[0], attend(plain, x)[0])


def test_shapes_and_masks_that_do_not_match_are_refused():
    layer, x = nn.MultiheadAttention(4, 2), normal(5, 3, 4)
    for wrong in ((x, x[:, :2], x[:, :2]), (x, x, x[1:]), (x[..., :2], x, x), (x[0], x, x), (x[0, 0],) * 3):
        with pytest.raises(ShapeError, match=r"query, key and value .*\n.*\(l, n, 4\), \(s, n, 4\), .*; or each"):
            layer(*wrong)
    with pytest.raises(ShapeError, match=r"\n.*\(n, l, 4\), \(n, s, 3\), .*\n.*batch_first=True"):
        nn.MultiheadAttention(4, 2, kdim=3, batch_first=True)(x, x, x)
    for name, mask in (("attn_mask", np.zeros((5, 4), bool)), ("key_padding_mask", np.zeros((5, 3), bool))):
        with pytest.raises(ShapeError, match=rf"MultiheadAttention: {name} must have the shape"):
            attend(layer, x, **{name: mask})
    with pytest.raises(
        ValueTypeError,
        match=r"attn_mask must be a bool or float array, got an array of int64.*\n.*True where a key is hidden",
    ):
        attend(layer, x, attn_mask=np.zeros((5, 5), int))


def test_invalid_settings_are_refused():
    with pytest.raises(UsageError, match="embed_dim must be divisible by num_heads, got 5 and 2"):
        nn.MultiheadAttention(5, 2)
    with pytest.raises(UsageError, match="num_heads must be 1 or more, got 0"):
        nn.MultiheadAttention(4, 0)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("factors", [None, (5, 3, 6, 7), (3, 6, 7)])
@pytest.mark.parametrize(
    "shapes", [[(5, 3, 6, 4), (5, 3, 7, 4), (5, 3, 7, 2)], [(5, 3, 6, 4), (1, 3, 7, 4), (3, 7, 2)]]
)
def test_gradients_of_some_batches_at_a_time_have_the_bits_of_the_whole(dtype, factors, shapes, monkeypatch):
    rng = np.random.default_rng(0)
    values = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    settings = {} if factors is None else {"factors": rng.integers(0, 2, factors) * 2.0}
    seen = []
    for size in (1 << 30, 2 * 3 * 6 * 7 * 8, 1):
        monkeypatch.setattr(attention, "PART_BYTES", size)
        parameters = [dark.Parameter(v) for v in values]
        y = attention.Attention.apply(*parameters, **settings)
        (y * y).sum().backward()
        seen.append([p.grad.tobytes() for p in parameters])
    assert seen[0] == seen[1] == seen[2]
