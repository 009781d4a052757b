"""Sequential, ModuleList and ModuleDict: lists and dicts of submodules, custom layers included."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from dark.errors import OperationError, ShapeError
from tests.nn.networks import OwnBase, OwnLinear, PlainLinear, Scale

places = st.integers(-6, 6)
slices = st.builds(slice, st.none() | places, st.none() | places, st.none() | places.filter(bool))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("append")), st.tuples(st.just("insert"), places), st.tuples(st.just("del"), places | slices),
        st.tuples(st.just("set"), places), st.tuples(st.just("pop"), places), st.tuples(st.just("+=")),
    ), max_size=8,
)  # fmt: skip


@given(steps, slices, st.sampled_from([nn.Sequential, nn.ModuleList]))
def test_an_ordered_container_behaves_like_a_list(steps, part, kind):
    row, plain = kind(), []
    for step in steps:
        new = nn.ReLU()
        if step[0] == "append":
            assert row.append(new) is row
            plain.append(new)
        elif step[0] == "insert":
            row.insert(step[1], new)
            plain.insert(step[1], new)
        elif step[0] == "del" and (isinstance(step[1], slice) or -len(plain) <= step[1] < len(plain)):
            del row[step[1]], plain[step[1]]
        elif step[0] == "set" and -len(plain) <= step[1] < len(plain):
            row[step[1]] = plain[step[1]] = new
        elif step[0] == "pop" and -len(plain) <= step[1] < len(plain):
            assert row.pop(step[1]) is plain.pop(step[1])
        elif step[0] == "+=":
            row += [new]
            plain += [new]
    assert list(row) == plain and len(row) == len(plain) and [row[k] for k in range(len(row))] == plain
    assert [name for name, _ in row.named_children()] == [str(k) for k in range(len(plain))]
    assert type(row[part]) is kind and list(row[part]) == plain[part]
    assert type(row + row) is kind and list(row + row) == plain + plain and len(row) == len(plain)
    assert all(m in row for m in plain) and nn.ReLU() not in row


@given(st.lists(st.sampled_from("abcd"), unique=True))
def test_a_module_dict_behaves_like_a_dict(names):
    plain = {name: nn.ReLU() for name in names}
    container = nn.ModuleDict(plain)
    assert list(container) == list(container.keys()) == names and len(container) == len(names)
    assert dict(container.items()) == plain and list(container.values()) == list(plain.values())
    assert [name for name, _ in container.named_children()] == names and "z" not in container
    for name in names[:1]:
        assert container.pop(name) is plain[name] and name not in container
    for name in names[1:2]:
        del container[name]
        assert name not in container
    container["z"] = net = nn.ReLU()
    assert container["z"] is net
    assert list(nn.ModuleDict(plain.items()).items()) == list(plain.items())
    container.update(nn.ModuleDict({"y": net}))
    assert container["y"] is net
    container.clear()
    assert len(container) == 0 and list(container.named_children()) == []


def test_a_sequence_is_the_composition_of_its_parts():
    x = np.random.default_rng(0).normal(size=(4, 2))
    net = nn.Sequential(nn.Linear(2, 3, seed=0), nn.ReLU(), nn.Linear(3, 1, seed=1))
    np.testing.assert_array_equal(net(x).value, net[2](dark.relu(net[0](x))).value)
    np.testing.assert_array_equal(net(x).value, net[1:](net[:1](x)).value)
    assert nn.Sequential()(3) == 3
    assert net.eval()[:2].training is False


def test_names_may_be_given_and_lead_to_the_modules():
    net = nn.Sequential({"up": nn.Linear(2, 3), "act": nn.ReLU()})
    assert net["up"] is net[0] is net.up
    net.append(nn.Linear(3, 1))
    assert list(net.state_dict()) == ["up.weight", "up.bias", "2.weight", "2.bias"]
    net.insert(0, nn.Identity())
    assert [name for name, _ in net.named_children()] == ["0", "up", "act", "3"]
    assert list(net.extend([nn.ReLU()]))[-1] is net[4]


def test_one_module_may_be_in_a_container_twice():
    layer = nn.Linear(2, 2, bias=False)
    net = nn.Sequential(layer, nn.ReLU(), layer)
    assert len(net) == 3 and len(list(net.parameters())) == 1
    assert list(net.state_dict()) == ["0.weight", "2.weight"]


def test_custom_layers_work_in_containers_and_are_trained():
    own, told, x = PlainLinear(3, 4), OwnBase(), np.random.default_rng(0).normal(size=(5, 2))
    net = nn.Sequential(OwnLinear(2, 3), own, dark.tanh, told, nn.Linear(4, 1, seed=0), np.abs)
    assert list(net.state_dict()) == ["0.w", "1.w", "3.0", "4.weight", "4.bias"]
    net(x).sum().backward()
    assert all(p.grad is not None for p in net.parameters())
    before = net(x).value
    optimizer = dark.optim.SGD(net.parameters(), lr=0.1)
    optimizer.step()
    assert net(x).sum().value < before.sum() and own.w.grad is not None
    net.load_state_dict({name: array * 0 for name, array in net.state_dict().items()})
    assert not own.w.value.any()
    net.eval()
    assert told.mode == "eval" and net.train() and told.mode == "train"
    twin = copy.deepcopy(net)
    assert twin[1].function.w is not own.w and len(list(twin.parameters())) == 5


def test_an_object_with_named_parameters_keeps_their_names():
    class Foreign:
        def named_parameters(self):
            return [("deep.w", dark.Parameter(2.0))]

        def __call__(self, x):
            return x

        def __repr__(self):
            return "Foreign!"

    net = nn.Sequential(Foreign())
    assert list(net.state_dict()) == ["0.deep.w"] and repr(net[0]) == "Function(Foreign!)"


def test_an_error_names_the_module_that_raised_it():
    net = nn.Sequential(nn.Linear(2, 3), nn.Sequential({"act": nn.ReLU(), "head": nn.Linear(4, 1)}))
    with pytest.raises(ShapeError) as caught:
        net(np.ones((5, 2)))
    assert caught.value.__notes__[-5:] == [
        "in Linear(in_features=4, out_features=1, bias=True)",
        "in submodule 'head' of Sequential",
        "in Sequential",
        "in submodule '1' of Sequential",
        "in Sequential",
    ]


def test_a_broken_repr_hides_no_error():
    class Broken(nn.Module):
        def extra_repr(self):
            return self.nothing

    with pytest.raises(OperationError, match="Broken must define forward") as caught:
        Broken()(1)
    assert caught.value.__notes__ == ["in Broken"]


def test_calls_may_have_names_and_several_inputs():
    class Two(nn.Module):
        def forward(self, x, y, factor=1):
            return factor * (x + y)

    assert Two()(1, y=2, factor=3) == 9
    assert nn.Identity()(Scale) is Scale
