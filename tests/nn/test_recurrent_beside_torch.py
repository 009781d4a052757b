"""Recurrent layers compared with PyTorch's: random settings; results, states, gradients, keys, repr."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark import nn

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle

from tests.nn.torch_pairs import LENGTHS, TYPES, close, compare, layer_pair  # noqa: E402 - it needs PyTorch

NAMES = st.sampled_from(["RNN", "GRU", "LSTM"])
SETTINGS = st.fixed_dictionaries(
    {"num_layers": st.integers(1, 3)} | {name: st.booleans() for name in ("bias", "batch_first", "bidirectional")}
)
BENDS = st.sampled_from(["tanh", "relu"])


def with_state(layer, x, _):
    """Call a layer with the input and no state, one, or a pair."""
    return layer(x[0], tuple(x[1:])) if len(x) == 3 else layer(*x)


@given(NAMES, SETTINGS, BENDS, TYPES, st.tuples(*[LENGTHS] * 4), st.tuples(st.booleans(), st.booleans()))
def test_a_recurrent_layer_is_pytorchs(name, settings, nonlinearity, kind, sizes, given_things):
    (t, b, i, n), (has_state, is_batch) = sizes, given_things
    settings |= {"nonlinearity": nonlinearity} if name == "RNN" else {}
    own, theirs = layer_pair(name, (i, n), settings, kind)
    shape = ((b, t, i) if settings["batch_first"] else (t, b, i)) if is_batch else (t, i)
    layers = settings["num_layers"] * (2 if settings["bidirectional"] else 1)
    states = [(layers, b, n) if is_batch else (layers, n)] * (has_state * (2 if name == "LSTM" else 1))
    rng = np.random.default_rng(0)
    compare(own, theirs, [rng.normal(size=s).astype(kind[0]) for s in [shape, *states]], kind[2], with_state)


@given(NAMES, st.booleans(), BENDS, TYPES, st.tuples(*[LENGTHS] * 3), st.tuples(st.booleans(), st.booleans()))
def test_a_cell_is_pytorchs(name, bias, nonlinearity, kind, sizes, given_things):
    (b, i, n), (has_state, is_batch) = sizes, given_things
    settings = {"bias": bias} | ({"nonlinearity": nonlinearity} if name == "RNN" else {})
    own, theirs = layer_pair(name + "Cell", (i, n), settings, kind)
    lead = (b,) if is_batch else ()
    states = [(*lead, n)] * (has_state * (2 if name == "LSTM" else 1))
    rng = np.random.default_rng(0)
    compare(own, theirs, [rng.normal(size=s).astype(kind[0]) for s in [(*lead, i), *states]], kind[2], with_state)


@pytest.mark.parametrize("name", ["RNN", "GRU", "LSTM"])
def test_keys_repr_and_the_width_of_the_initial_weights_are_pytorchs(name):
    many = {"num_layers": 2, "bidirectional": True, "bias": False, "dropout": 0.25, "batch_first": True}
    for kind, settings in [(name, many), (name, {}), (name + "Cell", {"bias": False}), (name + "Cell", {})]:
        own, theirs = getattr(nn, kind)(3, 40, **settings, seed=0), getattr(torch.nn, kind)(3, 40, **settings)
        assert repr(own) == repr(theirs)
        a, b = own.state_dict(), theirs.state_dict()
        assert list(a) == list(b) and [v.shape for v in a.values()] == [tuple(v.shape) for v in b.values()]
        for v in a.values():
            assert 0.9 / np.sqrt(40) < np.abs(v).max() <= 1 / np.sqrt(40)


def test_the_repr_of_a_cell_with_another_nonlinearity_is_pytorchs():
    settings = {"nonlinearity": "relu", "bias": False}
    assert repr(nn.RNNCell(3, 4, **settings)) == repr(torch.nn.RNNCell(3, 4, **settings))


def test_weights_are_loaded_into_pytorch():
    rng = np.random.default_rng(0)
    for name, arguments in (("LSTM", (3, 4, 2)), ("GRU", (3, 4)), ("MultiheadAttention", (4, 2))):
        own, theirs = getattr(nn, name)(*arguments, seed=0), getattr(torch.nn, name)(*arguments).double()
        theirs.load_state_dict({key: torch.from_numpy(array) for key, array in own.state_dict().items()})
        inputs = [rng.normal(size=(5, 2, arguments[0]))] * (3 if name == "MultiheadAttention" else 1)
        close(own(*inputs)[0].value, theirs(*map(torch.tensor, inputs))[0].detach().numpy(), 1e-12)
