"""Attention compared with PyTorch's: random shapes, settings and masks; results, weights, gradients, keys."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle

from tests.nn.torch_pairs import LENGTHS, TYPES, close, compare, layer_pair  # noqa: E402 - it needs PyTorch

DOUBLE = (np.float64, torch.float64, 1e-10)
MASKS = st.sampled_from([None, "truth", "floats"])
SETTINGS = st.fixed_dictionaries({"bias": st.booleans(), "batch_first": st.booleans()})
CALLS = st.fixed_dictionaries({"need_weights": st.booleans(), "average_attn_weights": st.booleans()})


def mask_of(kind, shape, dtype):
    """Draw a mask that hides some keys, but never the first one."""
    if kind is None:
        return None
    rng = np.random.default_rng(2)
    hidden = rng.random(shape) < 0.4
    hidden[..., 0] = False
    return hidden if kind == "truth" else np.where(hidden, -np.inf, rng.normal(size=shape)).astype(dtype)


def shapes_of(settings, is_batch, n, places, widths):
    """Return the shapes of query, key and value."""
    lead = [(n, p) if settings["batch_first"] else (p, n) for p in places] if is_batch else [(p,) for p in places]
    return [(*axes, width) for axes, width in zip(lead, widths)]


@given(
    SETTINGS, CALLS, TYPES, st.tuples(LENGTHS, LENGTHS, LENGTHS, st.sampled_from([1, 2])),
    st.tuples(MASKS, MASKS, st.booleans()), st.tuples(st.sampled_from(["one", "three", "wide"]), st.booleans()),
)  # fmt: skip
def test_the_layer_is_pytorchs(settings, call, kind, sizes, masks, inputs):
    (n, rows, keys, heads), (padding, places, each_head), (of, is_batch) = sizes, masks, inputs
    n, keys = n if is_batch else 1, rows if of == "one" else keys
    extra = {"kdim": 3, "vdim": 5} if of == "wide" else {}
    own, theirs = layer_pair("MultiheadAttention", (4, heads), settings | extra, kind)
    given_masks = {
        "key_padding_mask": mask_of(padding, (n, keys) if is_batch else (keys,), kind[0]),
        "attn_mask": mask_of(places, (n * heads, rows, keys) if each_head else (rows, keys), kind[0]),
    }

    def attend(layer, x, as_library):
        x = x * 3 if of == "one" else x
        masks = {name: as_library(m) for name, m in given_masks.items() if m is not None}
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Support for mismatched")
            return layer(*x, **masks, **call)

    widths = (4, extra.get("kdim", 4), extra.get("vdim", 4))
    shapes = shapes_of(settings, is_batch, n, (rows, keys, keys), widths)[: 1 if of == "one" else 3]
    rng = np.random.default_rng(0)
    compare(own, theirs, [rng.normal(size=s).astype(kind[0]) for s in shapes], kind[2], attend)


@pytest.mark.parametrize("settings", [{}, {"bias": False}, {"kdim": 3}, {"kdim": 3, "vdim": 2, "bias": False}])
def test_keys_and_the_width_of_the_initial_weights_are_pytorchs(settings):
    own, theirs = nn.MultiheadAttention(40, 4, **settings, seed=0), torch.nn.MultiheadAttention(40, 4, **settings)
    a, b = own.state_dict(), theirs.state_dict()
    assert list(a) == list(b)
    for key, v in a.items():
        assert v.shape == tuple(b[key].shape)
        np.testing.assert_allclose(np.abs(v).max(), np.abs(b[key].numpy()).max(), rtol=0.1)


def test_causal_attention_is_pytorchs_with_the_mask_that_it_asks_for():
    own, theirs = layer_pair("MultiheadAttention", (4, 2), {}, DOUBLE)
    x = np.random.default_rng(0).normal(size=(5, 2, 4))
    mask = torch.nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64)
    right = theirs(*[torch.tensor(x)] * 3, attn_mask=mask, is_causal=True, need_weights=False)[0]
    for settings in ({}, {"attn_mask": mask.numpy()}, {"need_weights": False}):
        close(own(x, x, x, is_causal=True, **settings)[0].value, right.detach().numpy(), 1e-12)


@pytest.mark.parametrize("need_weights", [True, False])
def test_a_fully_masked_query_gets_zeros_where_pytorch_may_return_nan(need_weights):
    own, theirs = layer_pair("MultiheadAttention", (4, 2), {"batch_first": True}, DOUBLE)
    x, hidden = np.random.default_rng(0).normal(size=(2, 3, 4)), np.array([[True] * 3, [False] * 3])
    y = own(x, x, x, key_padding_mask=hidden, need_weights=need_weights)[0].value
    z = theirs(*[torch.tensor(x)] * 3, key_padding_mask=torch.tensor(hidden), need_weights=need_weights)[0]
    assert not y[0].any() and np.isnan(z[0].detach().numpy()).all() == need_weights
    close(y[1], z[1].detach().numpy(), 1e-12)


@given(st.lists(LENGTHS, max_size=2), st.tuples(*[LENGTHS] * 4), TYPES, MASKS, st.booleans())
def test_the_function_is_scaled_dot_product_attention(lead, sizes, kind, mask, is_causal):
    (rows, keys, wide, out), (dtype, _, tolerance) = sizes, kind
    rng, mask = np.random.default_rng(0), mask_of(mask, (rows, keys), dtype)
    if mask is not None and mask.dtype == bool:
        mask = ~mask
    x = [rng.normal(size=(*lead, *s)).astype(dtype) for s in ((rows, wide), (keys, wide), (keys, out))]
    leaves, tensors, both = [dark.Parameter(v) for v in x], [torch.tensor(v, requires_grad=True) for v in x], mask
    if is_causal and mask is not None:  # PyTorch takes one of the two
        earlier = np.tri(rows, keys, dtype=bool)
        both = mask & earlier if mask.dtype == bool else np.where(earlier, mask, -np.inf).astype(dtype)
    y = dark.attention(*leaves, mask, is_causal)
    z = torch.nn.functional.scaled_dot_product_attention(
        *tensors, None if both is None else torch.tensor(both), is_causal=is_causal and mask is None
    )
    weights = rng.normal(size=y.shape).astype(dtype)
    close(y.value, z.detach().numpy(), tolerance)
    y.backward(weights), z.backward(torch.tensor(weights))
    for a, b in zip(leaves, tensors):
        close(a.grad, b.grad.numpy(), tolerance)
