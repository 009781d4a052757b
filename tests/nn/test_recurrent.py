"""Recurrent layers: laws without PyTorch, and errors."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from dark.errors import ShapeError, UsageError, ValueTypeError

KINDS = [nn.RNN, nn.GRU, nn.LSTM]
CELLS = {nn.RNN: nn.RNNCell, nn.GRU: nn.GRUCell, nn.LSTM: nn.LSTMCell}
each_kind = pytest.mark.parametrize("kind", KINDS)
lengths = st.integers(1, 4)


def normal(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def close(a, b):
    np.testing.assert_allclose(getattr(a, "value", a), getattr(b, "value", b), rtol=1e-12, atol=1e-13)


def states(kind, state):
    """Return the state of a layer as a list: the hidden state, and the cell state of an LSTM."""
    return list(state) if kind is nn.LSTM else [state]


@given(st.sampled_from(KINDS), st.tuples(*[lengths] * 4), st.booleans())
def test_a_layer_is_a_loop_over_its_cell(kind, sizes, bias):
    t, b, i, n = sizes
    layer, cell = kind(i, n, bias=bias, seed=0), CELLS[kind](i, n, bias, seed=1)
    cell.load_state_dict({name.removesuffix("_l0"): array for name, array in layer.state_dict().items()})
    x, state = normal(t, b, i), None
    y, last = layer(x)
    for k in range(t):
        state = cell(x[k], state)
        close(y[k], states(kind, state)[0])
    for a, b in zip(states(kind, last), states(kind, state)):
        close(a[0], b)


@given(st.sampled_from(KINDS), st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_a_sequence_in_two_halves_equals_the_whole(kind, layers, cut, batch_first):
    layer, x = kind(2, 3, layers, batch_first=batch_first, seed=0), normal(4, 4, 2)
    along = (lambda part: (slice(None), part)) if batch_first else (lambda part: part)
    whole, last = layer(x)
    first, state = layer(x[along(slice(None, cut))])
    second, state = layer(x[along(slice(cut, None))], state)
    close(np.concatenate([first.value, second.value], 1 if batch_first else 0), whole)
    for a, b in zip(states(kind, state), states(kind, last)):
        close(a, b)


@each_kind
def test_both_directions_are_one_layer_on_the_sequence_and_one_on_its_reverse(kind):
    layer, x = kind(2, 3, bidirectional=True, seed=0), normal(4, 2, 2)
    state = layer.state_dict()
    y, last = layer(x)
    for way, suffix in enumerate(("", "_reverse")):
        one = kind(2, 3)
        one.load_state_dict({name: state[name + suffix] for name in one.state_dict()})
        z, final = one(x[:: -1 if way else 1])
        close(y.value[..., 3 * way : 3 * way + 3], z.value[:: -1 if way else 1])
        for a, b in zip(states(kind, last), states(kind, final)):
            close(a[way], b[0])


@each_kind
def test_unbatched_and_batch_first_inputs_give_the_same_result(kind):
    x = normal(4, 3, 2)
    y, last = kind(2, 3, 2, seed=0)(x)
    z, final = kind(2, 3, 2, batch_first=True, seed=0)(x.swapaxes(0, 1))
    close(y.value, z.value.swapaxes(0, 1))
    for a, b in zip(states(kind, last), states(kind, final)):
        close(a, b)
    one, state = kind(2, 3, 2, seed=0)(x[:, 1])
    close(one, y.value[:, 1])
    for a, b in zip(states(kind, state), states(kind, last)):
        close(a, b.value[:, 1])


@each_kind
def test_a_stacked_layer_receives_the_output_of_the_one_below(kind):
    layer, x = kind(2, 3, 2, seed=0), normal(4, 3, 2)
    below, above = kind(2, 3), kind(3, 3)
    for one, k in ((below, "0"), (above, "1")):
        one.load_state_dict({name: layer.state_dict()[name[:-1] + k] for name in one.state_dict()})
    close(layer(x)[0], above(below(x)[0])[0])


@each_kind
def test_dropout_applies_between_the_layers_in_training_only(kind):
    x = normal(4, 3, 2)
    layer, plain = kind(2, 50, 2, dropout=0.5, seed=0), kind(2, 50, 2, seed=0)
    first, second = layer(x)[0].value, layer(x)[0].value
    assert not np.array_equal(first, second) and not np.isclose(first, 0).any()
    close(layer.eval()(x)[0], plain(x)[0])
    layer.train()
    before = nn.random_state(layer)
    third = layer(x)[0].value
    nn.load_random_state(layer, before)
    np.testing.assert_array_equal(layer(x)[0].value, third)
    assert "generator" in before and not nn.random_state(plain)
    np.testing.assert_array_equal(copy.deepcopy(layer)(x)[0].value, layer(x)[0].value)


def test_dropout_with_probability_1_zeros_everything():
    layer, x = nn.RNN(2, 3, 2, dropout=1.0, bias=False, seed=0), normal(4, 1, 2)
    assert not layer(x)[0].value.any()


SMALL = [lambda kind=kind, **settings: kind(3, 4, **settings) for kind in [*KINDS, *CELLS.values()]]


@pytest.mark.parametrize("make", [*SMALL, lambda **settings: nn.MultiheadAttention(4, 2, **settings)])
def test_one_seed_makes_one_layer_in_every_type(make):
    double, single, other = make(seed=3), make(seed=3, dtype=np.float32), make(seed=4)
    for (name, p), q, r in zip(double.named_parameters(), single.parameters(), other.parameters()):
        assert p.dtype == float and q.dtype == np.float32
        np.testing.assert_array_equal(p.value.astype(np.float32), q.value)
        assert not np.array_equal(p.value, r.value) or (not p.value.any() and "bias" in name)
    assert {p.dtype for p in double.float().parameters()} == {np.dtype(np.float32)}


def test_a_network_learns_to_remember_the_first_number():
    rng = np.random.default_rng(0)
    x = rng.choice([-1.0, 1.0], (6, 40, 1))
    for kind in KINDS:
        layer, head = kind(1, 8, seed=1), nn.Linear(8, 1, seed=2)
        optimizer = dark.optim.Adam([*layer.parameters(), *head.parameters()], lr=0.02)
        losses = []
        for _ in range(60):
            optimizer.zero_grad()
            loss = dark.losses.mse(head(layer(x)[0][-1]), x[0])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        assert losses[-1] < 0.2 * losses[0]


@each_kind
def test_sequences_and_states_of_other_shapes_are_refused(kind):
    layer, x = kind(2, 3, 2), normal(4, 5, 2)
    pack = lambda h: (h, h) if kind is nn.LSTM else h
    for wrong in (normal(4, 5, 3), normal(2), normal(1, 4, 5, 2)):
        with pytest.raises(
            ShapeError,
            match=r"the input must be a sequence of 2 features, got shape .*\n.*\(steps, batch, 2\) or \(steps, 2\)",
        ):
            layer(wrong)
    with pytest.raises(ShapeError, match=r"\n.*\(batch, steps, 2\)"):
        kind(2, 3, batch_first=True)(normal(4, 5, 3))
    for wrong in (normal(1, 5, 3), normal(5, 3), normal(2, 4, 3)):
        with pytest.raises(ShapeError, match=r"an initial state of shape .*\n.*\(2, 5, 3\): one for each layer"):
            layer(x, pack(wrong))
    with pytest.raises(ShapeError, match=r"do not match.\n.*t at least 1"):
        layer(x[:0])


@each_kind
def test_steps_and_states_of_other_shapes_are_refused(kind):
    cell = CELLS[kind](2, 3)
    pack = lambda h: (h, h) if kind is nn.LSTM else h
    with pytest.raises(
        ShapeError, match=r"the input must have 2 features, got shape \(4, 5, 2\).\n.*\(batch, 2\) or \(2,\)"
    ):
        cell(normal(4, 5, 2))
    with pytest.raises(
        ShapeError, match=r"a state of shape \(3,\) does not match an input of shape \(5, 2\).\n.*\(5, 3\)"
    ):
        cell(normal(5, 2), pack(normal(3)))


@pytest.mark.parametrize("layer", [nn.LSTM(2, 3), nn.LSTMCell(2, 3)])
def test_a_state_without_a_cell_state_is_refused(layer):
    x = normal(4, 2) if isinstance(layer, nn.LSTM) else normal(2)
    with pytest.raises(
        ValueTypeError, match=r"the state must be a pair, got .*\n.*a pair: hidden state and cell state.\n.*\(h, c\)"
    ):
        layer(x, normal(1, 3))


def test_invalid_settings_are_refused():
    for make in (nn.RNN, nn.RNNCell):
        with pytest.raises(UsageError, match=r"invalid nonlinearity 'sin'.\n.*tanh.*relu"):
            make(2, 3, nonlinearity="sin")
    with pytest.raises(UsageError, match="num_layers must be 1 or more, got 0"):
        nn.GRU(2, 3, 0)
    with pytest.raises(UsageError, match="dropout must be from 0 to 1, got 2"):
        nn.GRU(2, 3, 2, dropout=2)
    with pytest.warns(UserWarning, match=r"GRU: dropout=0.5 has no effect with num_layers=1.*\n.*Expected.*\n.*Try"):
        nn.GRU(2, 3, dropout=0.5)
