"""Transformer encoders compared with PyTorch's: settings, masks, two derivatives, keys, states in both directions."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from tests.examples import examples

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")]

from tests.nn.torch_pairs import TYPES, close, compare, layer_pair  # noqa: E402 - it needs PyTorch

SIZES = (4, 2, 6, 0.0)
SETTINGS = st.fixed_dictionaries({
    "activation": st.sampled_from(["relu", "gelu"]), "layer_norm_eps": st.sampled_from([1e-5, 0.1]),
    "batch_first": st.booleans(), "norm_first": st.booleans(), "bias": st.booleans(),
})  # fmt: skip
MASKS = st.sampled_from([None, "bools", "floats"])


def mask_of(kind, shape, dtype):
    """Draw a mask that hides some positions, but never the first one."""
    if kind is None:
        return None
    rng = np.random.default_rng(2)
    hidden = rng.random(shape) < 0.4
    hidden[..., 0] = False
    return hidden if kind == "bools" else np.where(hidden, -np.inf, rng.normal(size=shape)).astype(dtype)


def draw(settings, n, rows, dtype=float):
    """Draw an input; `n` is None for one without a batch."""
    lead = (rows,) if n is None else (n, rows) if settings["batch_first"] else (rows, n)
    return np.random.default_rng(0).normal(size=(*lead, 4)).astype(dtype)


def call(masks):
    """Return a function that calls a layer of either library with the masks."""

    def apply(layer, x, as_library):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Support for mismatched")
            return layer(*x, **{name: as_library(mask) for name, mask in masks.items() if mask is not None})

    return apply


@examples(40)
@given(SETTINGS, TYPES, st.sampled_from([None, 1, 3]), st.integers(1, 4), st.tuples(MASKS, MASKS, st.booleans()))
def test_the_layer_is_pytorchs(settings, kind, n, rows, masks):
    own, theirs = layer_pair("TransformerEncoderLayer", SIZES, settings, kind)
    shape = (n * 2, rows, rows) if n is not None and masks[2] else (rows, rows)
    given_masks = {
        "src_mask": mask_of(masks[0], shape, kind[0]),
        "src_key_padding_mask": mask_of(masks[1], (rows,) if n is None else (n, rows), kind[0]),
    }
    compare(own, theirs, [draw(settings, n, rows, kind[0])], kind[2], call(given_masks))


@pytest.mark.parametrize("norm_first", [True, False])
def test_two_derivatives_are_pytorchs(norm_first):
    settings = {"batch_first": True, "norm_first": norm_first, "activation": "gelu"}
    own, theirs = layer_pair("TransformerEncoderLayer", SIZES, settings, (np.float64, torch.float64, 1e-10))
    x, t = dark.Parameter(draw(settings, 2, 3)), torch.tensor(draw(settings, 2, 3), requires_grad=True)
    (own(x) ** 3).sum().backward(create_graph=True)
    first, own_leaves = x.grad, [x, *own.parameters()]
    for leaf in own_leaves:
        leaf.grad = None
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        (right,) = torch.autograd.grad((theirs(t) ** 3).sum(), t, create_graph=True)
    (first**2).sum().backward()
    leaves = [t, *theirs.parameters()]
    close(first.value, right.detach().numpy(), 1e-10)
    for a, b in zip(own_leaves, torch.autograd.grad((right**2).sum(), leaves, allow_unused=True), strict=True):
        close(np.zeros(a.shape) if a.grad is None else a.grad, np.zeros(a.shape) if b is None else b.numpy(), 1e-8)


PADDING = np.array([[False, False, True], [False, True, True], [False, False, False]])
LATER = np.triu(np.full((3, 3), -np.inf), 1)


def encoders(settings):
    """Build an encoder of three layers in both libraries, with different weights."""
    own = nn.TransformerEncoder(nn.TransformerEncoderLayer(*SIZES, **settings), 3, nn.LayerNorm(4))
    layer = torch.nn.TransformerEncoderLayer(*SIZES, **settings)
    return own, torch.nn.TransformerEncoder(layer, 3, torch.nn.LayerNorm(4)).double()


def compare_encoders(own, theirs):
    """Compare the results for several masks, in training and in evaluation."""
    x = np.random.default_rng(0).normal(size=(3, 3, 4))
    for library in (own, theirs):
        library.eval() if own.training else library.train()
    for masks in ({}, {"mask": LATER}, {"src_key_padding_mask": PADDING}):
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            right = theirs(torch.tensor(x), **{name: torch.tensor(mask) for name, mask in masks.items()}).numpy()
        seen = ~PADDING if "src_key_padding_mask" in masks else np.full((3, 3), True)
        if not theirs.layers[0].self_attn.batch_first:
            seen = seen.T
        close(own(x, **masks).value[seen], right[seen], 1e-10)  # PyTorch's evaluation leaves out what is padded
    np.testing.assert_array_equal(own(x, is_causal=True).value, own(x, ~np.tri(3, dtype=bool)).value)


@pytest.mark.parametrize("settings", [{}, {"batch_first": True, "norm_first": True}])
def test_states_are_exchanged_in_both_directions_and_give_the_same_numbers(settings):
    own, theirs = encoders(settings)
    assert list(own.state_dict()) == list(theirs.state_dict())
    own.load_state_dict(theirs.state_dict())
    compare_encoders(own, theirs)
    own, theirs = encoders(settings)
    theirs.load_state_dict({name: torch.tensor(array) for name, array in own.state_dict().items()})
    compare_encoders(own, theirs), compare_encoders(own, theirs)


def test_initial_weights_are_as_large_as_pytorchs_and_the_repr_has_the_same_modules():
    own, theirs = nn.TransformerEncoderLayer(64, 4, 128, seed=0), torch.nn.TransformerEncoderLayer(64, 4, 128)
    for name, right in theirs.state_dict().items():
        np.testing.assert_allclose(np.abs(own.state_dict()[name]).max(), right.abs().max(), rtol=0.1, err_msg=name)
    names = [re.findall(r"\((\w+)\): (\w+)", repr(layer)) for layer in (own, theirs)]
    assert [name for name, _ in names[0]] == [name for name, _ in names[1]]
