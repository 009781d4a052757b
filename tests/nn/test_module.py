"""Module: registration of parameters, buffers and submodules, their names and iterators."""

import warnings

import numpy as np
import pytest
from hypothesis import given

import dark
from dark import nn
from tests.nn.networks import Net, OwnLinear, Scale, networks


def names(pairs):
    return [name for name, _ in pairs]


@given(networks)
def test_every_member_is_found_once_by_its_dotted_name(net):
    for pairs, get in (
        (list(net.named_parameters()), net.get_parameter),
        (list(net.named_buffers()), net.get_buffer),
        (list(net.named_modules()), net.get_submodule),
    ):
        things = [thing for _, thing in pairs]
        assert len({id(thing) for thing in things}) == len(things) == len({name for name, _ in pairs})
        assert all(get(name) is thing for name, thing in pairs)
    assert [id(p) for p in net.parameters()] == [id(p) for _, p in net.named_parameters()]
    assert [id(b) for b in net.buffers()] == [id(b) for _, b in net.named_buffers()]
    assert [id(m) for m in net.modules()] == [id(m) for _, m in net.named_modules()]


@given(networks)
def test_the_tree_is_the_module_and_the_trees_of_its_children(net):
    below = [m for child in net.children() for m in child.modules()]
    assert next(iter(net.modules())) is net
    assert {id(m) for m in net.modules()} == {id(net), *map(id, below)}
    assert {id(p) for p in net.parameters()} == {
        id(p) for part in net.modules() for p in part.parameters(recurse=False)
    }


@given(networks)
def test_training_and_gradients_are_two_switches(net):
    net.requires_grad_(False).eval()
    assert not any(m.training for m in net.modules()) and not any(p.requires_grad for p in net.parameters())
    assert net.train() is net and all(m.training for m in net.modules())
    assert not any(p.requires_grad for p in net.parameters())
    net.requires_grad_()
    assert all(p.requires_grad for p in net.parameters()) and net.eval() is net
    assert all(p.requires_grad for p in net.parameters())


@given(networks)
def test_count_parameters_counts_elements_and_may_skip_frozen_ones(net):
    parameters = list(net.parameters())
    assert net.count_parameters() == net.count_parameters(trainable_only=True) == sum(p.size for p in parameters)
    for p in parameters[:1]:
        p.requires_grad = False
        assert net.count_parameters(trainable_only=True) == net.count_parameters() - p.size


@given(networks)
def test_apply_visits_every_module_once_children_first(net):
    met = []
    assert net.apply(met.append) is net
    assert sorted(map(id, met)) == sorted(map(id, net.modules())) and met[-1] is net
    places = {id(module): k for k, module in enumerate(met)}
    assert all(places[id(child)] < places[id(m)] for m in met for child in m.children())


def test_names_follow_the_attributes_and_a_shared_module_has_the_first():
    net = Net()
    assert names(net.named_children()) == ["first", "second", "norm", "scale"]
    assert names(net.named_parameters()) == [
        "first.weight", "first.bias", "second.weight", "norm.weight", "norm.bias", "scale.factor",
    ]  # fmt: skip
    assert names(net.named_parameters(recurse=False)) == []
    assert "again.weight" in names(net.named_parameters(remove_duplicate=False))
    assert names(net.scale.named_buffers()) == ["calls", "scratch"]


def test_a_module_shared_at_two_depths_has_the_first_name():
    shared = nn.Linear(2, 2)
    net = nn.Sequential(nn.Sequential(nn.ReLU(), shared), shared)
    assert names(net.named_modules()) == ["", "0", "0.0", "0.1"]
    assert names(net.named_parameters()) == ["0.1.weight", "0.1.bias"]
    assert list(net.state_dict()) == ["0.1.weight", "0.1.bias", "1.weight", "1.bias"]


def test_a_shared_parameter_counts_once():
    net = Net()
    net.first.weight = net.second.weight
    assert sum(p is net.second.weight for p in net.parameters()) == 1
    assert net.count_parameters() == 3 + 9 + 6 + 1


def test_what_is_deleted_or_set_to_none_is_gone():
    net = Net()
    net.first.bias = None
    del net.norm, net.again
    net.second = None
    assert names(net.named_parameters()) == ["first.weight", "scale.factor"]
    assert names(net.named_modules()) == ["", "first", "scale"]
    net.first.bias = dark.Parameter(np.zeros(3))
    assert names(net.first.named_parameters()) == ["weight", "bias"]
    del net.scale.calls
    assert names(net.named_buffers()) == ["scale.scratch"]
    net.scale.scratch = None
    assert not names(net.named_buffers())


def test_a_node_or_an_array_in_an_attribute_is_neither_parameter_nor_buffer():
    layer = OwnLinear(2, 3)
    layer.result, layer.constant, layer.array = layer(np.ones(2)), dark.Constant(2.0), np.ones(3)
    assert names(layer.named_parameters()) == ["w"] == list(layer.state_dict())
    assert not names(layer.named_buffers())


def test_a_parameter_gets_the_name_of_its_attribute_unless_it_has_one():
    layer = Scale()
    assert layer.factor.name == "factor"
    layer.factor = dark.Parameter(1.0, name="gain")
    assert layer.factor.name == "gain"


def test_a_parameter_may_replace_a_buffer():
    layer = Scale()
    layer.calls = dark.Parameter(1.0)
    assert names(layer.named_parameters()) == ["factor", "calls"]
    assert names(layer.named_buffers()) == ["scratch"]


def test_a_buffer_is_a_copy_and_stays_an_array():
    layer, start = Scale(), np.zeros(3)
    layer.register_buffer("mean", start)
    start += 1
    assert not layer.mean.any()
    layer(1.0)
    assert isinstance(layer.calls, np.ndarray) and layer.calls.dtype == int and layer.calls == 1


def test_registering_checks_the_name_and_accepts_none():
    net = nn.Module()
    net.register_parameter("w", dark.Parameter(1.0))
    net.register_parameter("b", None)
    net.add_module("part", Scale())
    net.register_buffer("mean", None)
    assert net.b is None and net.mean is None and names(net.named_buffers(recurse=False)) == []
    net.register_parameter("w", dark.Parameter(2.0))
    net.mean = np.zeros(2)
    assert net.get_parameter("w").value == 2.0 and names(net.named_buffers(recurse=False)) == ["mean"]


def test_gradients_are_reset():
    net = Net(0)
    net(np.random.default_rng(0).normal(size=(5, 2))).sum().backward()
    assert all(p.grad is not None for p in net.parameters())
    net.zero_grad(set_to_none=False)
    assert all(np.shape(p.grad) == p.shape and not np.any(p.grad) for p in net.parameters())
    net.zero_grad()
    assert all(p.grad is None for p in net.parameters())


def test_a_frozen_submodule_has_no_gradient():
    net = Net(0)
    net.first.requires_grad_(False)
    net(np.ones((2, 2)) * [[1], [2]]).sum().backward()
    assert net.first.weight.grad is None and net.second.weight.grad is not None


def test_the_dtype_of_all_floats_can_be_changed():
    net = Net(0)
    net.first.requires_grad_(False)
    assert net.float() is net
    assert {p.dtype for p in net.parameters()} == {np.dtype("f")} == {b.dtype for b in (net.norm.running_mean,)}
    assert net.norm.num_batches_tracked.dtype == int and not net.first.weight.requires_grad
    assert net(np.ones((3, 2), "f")).dtype == np.float32
    assert {p.dtype for p in net.double().parameters()} == {np.dtype(float)}
    assert net.scale.factor.value == 2.0


def test_changing_the_dtype_reaches_shared_parameters():
    net = nn.ModuleList([Scale(), Scale()])
    net[1].factor = dark.Parameter(net[0].factor.value)  # one float object in two parameters
    assert [p.dtype for p in net.float().parameters()] == [np.float32, np.float32]


def test_the_repr_shows_the_nesting():
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU()), {"a": 1}.get)
            self.empty = nn.ModuleList()

        def extra_repr(self):
            return "one\ntwo"

    assert repr(Block()) == "\n".join(
        [
            "Block(",
            "  one",
            "  two",
            "  (net): Sequential(",
            "    (0): Linear(in_features=2, out_features=3, bias=True)",
            "    (1): Sequential(",
            "      (0): ReLU()",
            "    )",
            "    (2): Function(get)",
            "  )",
            "  (empty): ModuleList()",
            ")",
        ]
    )


def test_modules_in_a_plain_list_are_warned_of_and_those_that_are_found_are_not():
    net = nn.Module()
    net.layers = [nn.Linear(2, 3)]
    with pytest.warns(UserWarning, match=r"Module: layers is a list; its modules and parameters are not registered"):
        assert not list(net.parameters())
    net.layers, net.weights = (), {"w": dark.Parameter(1.0)}
    with pytest.warns(UserWarning, match=r"a ModuleList, ModuleDict or Sequential that holds them"):
        nn.Sequential(net).state_dict() or list(nn.Sequential(net).parameters())
    net.w, net.numbers = net.weights["w"], [1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(net.parameters())) == 1


def test_a_module_without_super_init_has_what_it_assigned():
    class Forgetful(nn.Module):
        def __init__(self):
            self.k = 3

        def forward(self, x):
            return self.k * x

    net = Forgetful()
    assert net(2) == 6 and net.state_dict() == {} and list(net.buffers()) == []
    assert not net.eval().training
