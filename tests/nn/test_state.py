"""state_dict and load_state_dict: copies of all values, loaded completely or not at all; copies of networks."""

import copy
import json
import pickle
import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

import dark
from dark import nn
from tests.nn.networks import Net, Scale, networks


def same(a, b):
    assert list(a) == list(b)
    for name in a:
        assert a[name].dtype == b[name].dtype
        np.testing.assert_array_equal(a[name], b[name])


def arrays(net):
    """Return the arrays of all parameters and buffers."""
    values = [p.value for p in net.parameters()] + list(net.buffers())
    return [v for v in values if isinstance(v, np.ndarray)]


def stirred(net, seed=0):
    """Change the values of all parameters, and set gradients."""
    rng = np.random.default_rng(seed)
    for p in net.parameters():
        p.value = p.value + rng.normal(size=p.shape).astype(p.dtype)[()]
        p.grad = p.value * 1
    return net


@given(networks)
def test_saving_and_loading_is_the_identity(net):
    state = net.state_dict()
    before = {name: array.copy() for name, array in state.items()}
    stirred(net)
    same(state, before)
    assert repr(net.load_state_dict(state)) == "<all keys match>"
    same(net.state_dict(), before)
    for array in state.values():
        array += 1
    same(net.state_dict(), before)


@given(networks)
def test_the_state_is_a_plain_dict_of_all_parameters_and_saved_buffers(net):
    state = net.state_dict()
    assert type(state) is dict and all(type(array) is np.ndarray for array in state.values())
    names = {n for n, _ in net.named_parameters(remove_duplicate=False)}
    names |= {n for n, _ in net.named_buffers(remove_duplicate=False) if not n.endswith("scratch")}
    assert set(state) == names
    assert not any(np.shares_memory(array, own) for array in state.values() for own in arrays(net))


@given(networks)
def test_copies_and_pickles_have_the_same_numbers_and_share_nothing(net):
    stirred(net).eval()
    for twin in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        same(twin.state_dict(), net.state_dict())
        assert repr(twin) == repr(net) and not twin.training
        assert len(list(twin.parameters())) == len(list(net.parameters()))  # what was shared is shared
        for p, q in zip(net.parameters(), twin.parameters()):
            assert p is not q and np.array_equal(p.grad, q.grad)
        assert not any(np.shares_memory(a, b) for a in arrays(net) for b in arrays(twin))
        stirred(twin, 1).train()
        assert not net.training


def test_loaded_values_are_converted_to_the_modules_dtype():
    layer = nn.Linear(2, 3, dtype=np.float32)
    layer.load_state_dict({"weight": np.ones((3, 2)), "bias": [1, 2, 3]})
    assert layer.weight.dtype == layer.bias.dtype == np.float32
    scale = Scale()
    scale.load_state_dict({"factor": np.float32(0.5), "calls": np.int32(3)})
    assert scale.factor.value == 0.5 and type(scale.factor.value) is float and scale.calls.dtype == int
    scale.float().load_state_dict({"factor": 0.25, "calls": 0})
    assert type(scale.factor.value) is np.float32


def test_nodes_are_accepted_as_arrays():
    a, b = nn.Linear(2, 3), nn.Linear(2, 3)
    a.load_state_dict(dict(b.named_parameters()))
    same(a.state_dict(), b.state_dict())
    b.weight.value *= 2
    assert not np.array_equal(a.weight.value, b.weight.value)


def test_loading_what_matches_reports_the_rest():
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    weight = np.ones((3, 2))
    report = net.load_state_dict({"0.weight": weight, "head": 1.0}, strict=False)
    assert report.missing_keys == ["0.bias", "1.weight", "1.bias"] and report.unexpected_keys == ["head"]
    assert repr(report).startswith("LoadReport(missing_keys=['0.bias'")
    np.testing.assert_array_equal(net[0].weight.value, weight)


def test_a_shared_parameter_is_saved_under_all_its_names_and_loaded_by_any():
    net = Net()
    state = net.state_dict()
    np.testing.assert_array_equal(state["second.weight"], state["again.weight"])
    state["second.weight"] += 1
    del state["again.weight"]
    net.load_state_dict(state, strict=False)
    np.testing.assert_array_equal(net.again.weight.value, state["second.weight"])


def test_an_optimizer_continues_with_loaded_values():
    layer = nn.Linear(1, 1, bias=False)
    optimizer = dark.optim.SGD(layer.parameters(), lr=0.5)
    layer.load_state_dict({"weight": np.array([[4.0]])})
    layer(np.ones((1, 1))).sum().backward()
    optimizer.step()
    assert layer.weight.value == 3.5


def test_a_graph_built_before_loading_is_refused():
    layer = nn.Linear(2, 3)
    y = layer(np.ones(2)).sum()
    layer.load_state_dict(layer.state_dict())
    with pytest.raises(dark.errors.GradientError, match="was changed after"):
        y.backward()


def test_random_states_go_through_json_and_back():
    net = nn.Sequential(nn.Dropout(0.5, seed=1), nn.Linear(2, 2), nn.Dropout(0.5, seed=2))
    saved = json.loads(json.dumps(nn.random_state(net)))
    assert sorted(saved) == ["0.generator", "2.generator"]
    x = np.ones((20, 2))
    first = net(x).value
    assert not np.array_equal(first, net(x).value)
    nn.load_random_state(net, saved)
    np.testing.assert_array_equal(first, net(x).value)


def test_a_random_state_that_is_refused_changes_nothing():
    net = nn.Sequential(nn.Dropout(seed=1), nn.Dropout(seed=2))
    before = nn.random_state(net)
    other = nn.random_state(nn.Sequential(nn.Dropout(seed=3), nn.Dropout(seed=4)))
    with pytest.raises(dark.errors.ValueTypeError, match="1.generator"):
        nn.load_random_state(net, other | {"1.generator": None})
    assert nn.random_state(net) == before


def test_generators_are_found_in_attributes_and_containers_of_them():
    net = nn.Sequential(nn.Linear(1, 1), nn.Dropout(seed=1))
    net[0].streams, net[0].by_name = [np.random.default_rng(0), 3, random.Random(1)], {"old": np.random.RandomState(2)}
    net[0].system, net[0].library = random.SystemRandom(), random  # have no state of their own
    net[0].helper = SimpleNamespace(rng=np.random.default_rng(3), nested=[[np.random.default_rng(4)]])
    net[0].cyclic = [net[0].streams]
    net[0].cyclic.append(net[0].cyclic)
    before = nn.random_state(net)
    names = ["0.by_name.old", "0.helper.nested.0.0", "0.helper.rng", "0.streams.0", "0.streams.2", "1.generator"]
    assert [name for name in sorted(before) if "cyclic" not in name] == names
    assert "0.cyclic.0.2" in before
    first = net[0].streams[0].random(), net[0].streams[2].random(), net[0].by_name["old"].normal()
    nn.load_random_state(net, json.loads(json.dumps(before)))
    assert (net[0].streams[0].random(), net[0].streams[2].random(), net[0].by_name["old"].normal()) == first


@pytest.mark.parametrize("bits", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_every_kind_of_bits_goes_through_json_with_its_seed_sequence(bits):
    one, other = (nn.Dropout(seed=np.random.Generator(getattr(np.random, bits)(seed))) for seed in (1, 2))
    one.generator.spawn(3), one.generator.random(5, dtype=np.float32)
    nn.load_random_state(other, json.loads(json.dumps(nn.random_state(one))))
    for draw in (lambda g: g.random(700), lambda g: g.random(3, dtype=np.float32), lambda g: g.spawn(2)[1].random(2)):
        np.testing.assert_array_equal(draw(one.generator), draw(other.generator))


def test_a_shared_generator_cannot_get_two_states():
    rng = np.random.default_rng(0)
    net = nn.Sequential(nn.Dropout(seed=rng), nn.Dropout(seed=rng))
    other = nn.random_state(nn.Sequential(nn.Dropout(seed=1), nn.Dropout(seed=2)))
    before = nn.random_state(net)
    with pytest.raises(dark.errors.UsageError, match="0.generator and 1.generator are the same generator"):
        nn.load_random_state(net, other)
    assert nn.random_state(net) == before
    with pytest.raises(dark.errors.ValueTypeError, match="is not a state of generators"):
        nn.load_random_state(net, [1])
