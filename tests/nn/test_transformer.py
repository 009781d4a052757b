"""Transformer encoders: PyTorch's numbers, two derivatives, states of both libraries, dropout, errors."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.errors import ShapeError, UsageError, ValueTypeError

SIZES = {"d_model": 4, "nhead": 2, "dim_feedforward": 6}


def encoder(**settings):
    return nn.TransformerEncoderLayer(**SIZES, **settings)


def test_the_layer_is_its_formula_with_two_derivatives():
    layer, x = encoder(dropout=0.0, seed=0).requires_grad_(False), np.random.default_rng(0).normal(size=(3, 2, 4))

    def formula(x):
        x = layer.norm1(x + layer.self_attn(x, x, x)[0])
        return layer.norm2(x + layer.linear2(dark.relu(layer.linear1(x))))

    np.testing.assert_allclose(layer(x).value, formula(x).value, rtol=1e-12)
    found, right = [dark.grad(lambda v, f=f: dark.sum(f(v) ** 3))(x) for f in (layer, formula)]
    np.testing.assert_allclose(found, right, rtol=1e-10, atol=1e-10)
    assert dark.gradcheck(layer, x[:2]).ok
    assert dark.gradcheck(lambda v: dark.grad(lambda u: dark.sum(layer(u) ** 2))(v), x[:2]).ok


def test_a_causal_layer_does_not_look_ahead():
    layer, x = encoder(dropout=0.0, batch_first=True, norm_first=True, seed=0), np.ones((1, 5, 4)).cumsum(1)
    later = x.copy()
    later[:, 3:] = 7.0
    for masks in ({"is_causal": True}, {"src_mask": ~np.tri(5, dtype=bool)}):
        y, z = layer(x, **masks).value, layer(later, **masks).value
        np.testing.assert_allclose(y[:, :3], z[:, :3], rtol=1e-12)
        assert not np.allclose(y[:, 3:], z[:, 3:])


@pytest.mark.parametrize("shape", [(0, 3, 4), (2, 0, 4)])
def test_an_empty_batch_gives_an_empty_batch_and_zero_gradients(shape):
    net, x = nn.TransformerEncoder(encoder(batch_first=True), 2), dark.Parameter(np.ones(shape))
    y = net(x)
    y.sum().backward()
    assert y.shape == x.grad.shape == shape and not any(p.grad.any() for p in net.layers[0].linear1.parameters())


def test_each_layer_draws_its_own_masks_and_a_seed_repeats_them():
    net, again = [nn.TransformerEncoder(encoder(dropout=0.5, seed=0), 2) for _ in range(2)]
    first, second = net.layers
    np.testing.assert_array_equal(first.linear1.weight.value, second.linear1.weight.value)
    assert first.linear1.weight is not second.linear1.weight
    assert first.dropout.generator is first.dropout1.generator is first.self_attn.generator
    x = np.ones((5, 40))
    assert not np.array_equal(first.dropout(x).value, second.dropout(x).value)
    again.layers[0].dropout(x), again.layers[1].dropout(x)
    y = np.random.default_rng(0).normal(size=(3, 2, 4))
    np.testing.assert_array_equal(net(y).value, again(y).value)
    assert not np.array_equal(net(y).value, net(y).value)
    np.testing.assert_array_equal(net.eval()(y).value, net(y).value)


def test_an_activation_may_be_a_module_that_learns_and_is_copied():
    net = nn.TransformerEncoder(encoder(activation=nn.PReLU()), 2, norm=nn.LayerNorm(4))
    net(np.random.default_rng(0).normal(size=(3, 2, 4))).sum().backward()
    names = [name for name in net.state_dict() if "activation" in name or name.startswith("norm")]
    assert names == ["layers.0.activation.weight", "layers.1.activation.weight", "norm.weight", "norm.bias"]
    assert net.layers[1].activation.weight.grad.shape == (1,)


def test_float32_stays():
    net = nn.TransformerEncoder(encoder(dtype=np.float32), 1).float()
    y = net(np.ones((3, 2, 4), np.float32))
    y.sum().backward()
    assert y.dtype == np.float32 and {p.grad.dtype for p in net.parameters()} == {np.dtype(np.float32)}


SEQUENCE = np.ones((3, 2, 4))


@pytest.mark.parametrize(
    ("kind", "text", "make"),
    [
        (UsageError, "d_model must be divisible by nhead, got 4 and 3", lambda: nn.TransformerEncoderLayer(4, 3)),
        (UsageError, "Layer: invalid activation 'tanh'(.|\n)*'gelu'", lambda: encoder(activation="tanh")),
        (ValueTypeError, "TransformerEncoderLayer: activation must be callable, got 3", lambda: encoder(activation=3)),
        (UsageError, "TransformerEncoderLayer: dropout must be from 0 to 1, got 2", lambda: encoder(dropout=2)),
        (UsageError, "TransformerEncoderLayer: layer_norm_eps must be 0 or more, got -1",
         lambda: encoder(layer_norm_eps=-1)),
        (ShapeError, r"shape \(3, 2, 3\)(.|\n)*\(l, n, 4\), or \(l, 4\) without", lambda: encoder()(SEQUENCE[..., 1:])),
        (ShapeError, r"shape \(4,\)(.|\n)*\(n, l, 4\)", lambda: encoder(batch_first=True)(SEQUENCE[0, 0])),
        (ShapeError, r"attn_mask must have the .*got \(3, 2\)", lambda: encoder()(SEQUENCE, np.ones((3, 2), bool))),
        (ValueTypeError, "encoder_layer must be a module, got <", lambda: nn.TransformerEncoder(dark.relu, 2)),
        (ValueTypeError, r"forward of Linear cannot be called with the masks(.|\n)*forward\(src, src_mask",
         lambda: nn.TransformerEncoder(nn.Linear(4, 4), 2)),
        (ValueTypeError, "norm must be a module, got 'layer'", lambda: nn.TransformerEncoder(encoder(), 2, "layer")),
        (UsageError, "TransformerEncoder: num_layers must be 0 or more, got -1",
         lambda: nn.TransformerEncoder(encoder(), -1)),
    ],
)  # fmt: skip
def test_invalid_arguments_are_refused(kind, text, make):
    with pytest.raises(kind, match=text):
        make()
