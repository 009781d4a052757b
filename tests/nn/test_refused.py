"""Errors of modules, layers and initializers."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.errors import IndexingError, OperationError, ShapeError, UsageError, ValueTypeError
from tests.nn.networks import Net, Scale


class Forgetful(nn.Module):
    """A module that does not call super().__init__()."""

    def __init__(self, kind):
        if kind == "parameter":
            self.w = dark.Parameter(1.0)
        elif kind == "module":
            self.part = Scale()
        else:
            self.register_buffer("mean", np.zeros(2))


def assign(module, name, value):
    setattr(module, name, value)


def of_itself():
    net = Net()
    net.scale.parent = net


ATTRIBUTES = [
    (lambda: Forgetful("parameter"), UsageError, r"Forgetful: Module.__init__ must run before w is assigned"),
    (lambda: Forgetful("module"), UsageError, r"super\(\).__init__\(\) as the first line of __init__"),
    (lambda: Forgetful("buffer"), UsageError, r"Forgetful: Module.__init__ must run before mean"),
    (of_itself, UsageError, r"Scale.parent: a module must not contain itself, as this Net would"),
    (lambda: assign(Scale(), "factor", dark.Parameter(1.0) * 2), ValueTypeError,
     r"Scale.factor is a Parameter and cannot be replaced by Node\(value=2.0, operation=mul\).*"
     r"\n.*\n.*self.factor.value = "),
    (lambda: assign(Scale(), "factor", 3.0), ValueTypeError, r"cannot be replaced by 3.0 \(float\)"),
    (lambda: assign(Net(), "first", dark.relu), ValueTypeError, r"Net.first is a Module"),
    (lambda: assign(Scale(), "calls", "one"), ValueTypeError, r"Scale.calls: 'one' \(str\) cannot be a buffer"),
    (lambda: assign(Scale(), "calls", dark.Constant(1.0)), ValueTypeError,
     r"Scale.calls: Constant.*cannot be a buffer"),
    (lambda: Scale().register_buffer("factor", 1.0), UsageError, r"Scale: attribute 'factor' already exists"),
    (lambda: Scale().register_buffer("a.b", 1.0), UsageError, r"Scale: invalid submodule name 'a.b'"),
    (lambda: Scale().register_parameter("", None), UsageError, r"invalid submodule name ''"),
    (lambda: Scale().add_module(3, None), UsageError, r"invalid submodule name 3"),
    (lambda: Scale().register_parameter("w", 1.0), ValueTypeError, r"Scale.w: 1.0 \(float\) is not a Parameter"),
    (lambda: Scale().add_module("relu", dark.relu), ValueTypeError, r"is not a Module"),
    (lambda: Scale().add_module("forward", Scale()), UsageError, r"attribute 'forward' already exists"),
    (lambda: nn.Module()(1.0), OperationError, r"Module must define forward"),
    (lambda: Net().get_parameter("first.wieght"), UsageError,
     r"Net has no parameter 'first.wieght'.*\n.*one of its 7 parameters.*\n.*first.weight"),
    (lambda: nn.ReLU().get_parameter("w"), UsageError, r"a module that has a parameter"),
    (lambda: Net().get_submodule("third"), UsageError, r"Net has no module 'third'"),
    (lambda: Net().get_buffer("mean"), UsageError, r"Net has no buffer 'mean'"),
    (lambda: Net().to("cuda"), ValueTypeError, r"to: 'cuda' \(str\) is not a dtype"),
    (lambda: Net().to(int), ValueTypeError, r"to: int64 is not a floating-point dtype"),
]  # fmt: skip

STATES = [
    ([1], ValueTypeError, r"Linear.load_state_dict: \[1\] \(list\) is not a state_dict"),
    ({"weight": np.ones((2, 3)), "bias": np.ones(3)}, ShapeError,
     r"1 of 2 shapes do not match.\n    weight: got \(2, 3\), expected \(3, 2\)"),
    ({"weight": np.ones((3, 2))}, UsageError, r"the names do not match.\n    missing: bias"),
    ({"weight": np.ones((3, 2)), "bias": np.ones(3), "weigth": 1.0}, UsageError,
     r"unexpected: weigth\n.*\n.*weigth may mean weight"),
    ({"weight": "a", "bias": np.ones(3)}, ValueTypeError,
     r"weight: cannot convert 'a' \(str\) to an array: its dtype is <U1"),
    ({"weight": [[1, 2], [3]], "bias": np.ones(3)}, ValueTypeError,
     r"weight: cannot convert \[\[1, 2\], \[3\]\] \(list\)"),
    ({"weight": np.ones((3, 2), complex), "bias": np.ones(3)}, ValueTypeError, r"its dtype is complex128"),
]  # fmt: skip

LAYERS = [
    (lambda: nn.Linear(10**400, 1), UsageError,
     "Linear: in_features must have at most 64 bits, got an integer of 1329 bits"),
    (lambda: nn.Linear(1, 2**70), UsageError,
     "Linear: out_features must have at most 64 bits, got 1180591620717411303424"),
    (lambda: nn.Embedding(2**44, 3), UsageError, r"cannot create a parameter of shape \(17592186044416, 3\)"),
    (lambda: nn.LayerNorm(2**48), UsageError, "cannot create a parameter of shape"),
    (lambda: nn.RMSNorm(2**48), UsageError, "cannot create a parameter of shape"),
    (lambda: nn.BatchNorm1d(2**48), UsageError, "cannot create a parameter of shape"),
    (lambda: nn.GroupNorm(1, 2**48), UsageError, "cannot create a parameter of shape"),
    (lambda: nn.InstanceNorm1d(2**48, affine=True), UsageError, "cannot create a parameter of shape"),
    (lambda: nn.PReLU(2**48), UsageError, "cannot create a parameter of shape"),
    (lambda: nn.Linear(2**40, 2**40), UsageError, r"cannot create a parameter of shape \(1099511627776, 1099511627776"),
    (lambda: nn.Embedding(2**70, 1), UsageError, "Embedding: num_embeddings must have at most 64 bits, got 118"),
    (lambda: nn.LayerNorm(2**70), UsageError, "LayerNorm: normalized_shape must have at most 64 bits, got 118"),
    (lambda: nn.Linear(2.0, 3), ValueTypeError, r"Linear: in_features must be an integer, got 2.0 \(float\)"),
    (lambda: nn.Linear(2, -1), UsageError, r"Linear: out_features must be 0 or more, got -1"),
    (lambda: nn.Linear(2, True), ValueTypeError, r"out_features must be an integer, got True"),
    (lambda: nn.Linear(2, 3, dtype=int), ValueTypeError, r"Linear: .*int.* is not a floating-point dtype"),
    (lambda: nn.Linear(2, 3, dtype="float33"), ValueTypeError, r"'float33' \(str\) is not a floating-point dtype"),
    (lambda: nn.Linear(2, 3, seed="x"), ValueTypeError, r"seed: 'x' \(str\)"),
    (lambda: nn.Linear(2, 3, seed=-1), ValueTypeError, r"seed: -1"),
    (lambda: nn.Linear(2, 3)(np.ones((5, 3))), ShapeError, r"linear: shapes \(5, 3\), \(3, 2\) and \(3,\)"),
    (lambda: nn.Linear(2, 3, bias=False)(np.ones((5, 3))), ShapeError, r"linear: shapes \(5, 3\) and \(3, 2\)"),
    (lambda: nn.Embedding(5, 2)([[1, 2], [3]]), ValueTypeError, r"Embedding: cannot convert indices"),
    (lambda: nn.Embedding(5, 2)([0.5]), ValueTypeError, r"Embedding: indices must be integers, got "),
    (lambda: nn.Embedding(5, 2)([0, 5]), IndexingError, r"Embedding: indices from 0 to 5 are out of range for 5 v"),
    (lambda: nn.Embedding(5, 2)([-1]), IndexingError, r"indices from -1 to -1"),
    (lambda: nn.Embedding(5, 2, padding_idx=5), IndexingError, r"padding_idx 5 is out of range for 5 vectors"),
    (lambda: nn.Embedding.from_pretrained(np.ones(3)), ShapeError, r"form a matrix, got shape \(3,\)"),
    (lambda: nn.Dropout(1.5), UsageError, r"Dropout: p must be from 0 to 1, got 1.5"),
    (lambda: nn.Dropout("half"), ValueTypeError, r"Dropout: p must be a number, got 'half'"),
    (lambda: nn.LayerNorm(0), UsageError, r"LayerNorm: normalized_shape must be 1 or more, got 0"),
    (lambda: nn.LayerNorm(3, eps=-1), UsageError, r"LayerNorm: eps must be 0 or more, got -1"),
    (lambda: nn.LayerNorm(3)(np.ones((2, 4))), ShapeError,
     r"layer_norm: shapes \(2, 4\), \(3,\) and \(3,\) do not match"),
    (lambda: nn.BatchNorm1d(3, momentum=2), UsageError, r"BatchNorm1d: momentum must be from 0 to 1, got 2"),
    (lambda: nn.BatchNorm1d(3)(np.ones((2, 4))), ShapeError,
     r"BatchNorm1d: .*\(2, 4\).*\n.*\(n, 3\) or \(n, 3, length\)"),
    (lambda: nn.BatchNorm2d(3)(np.ones((2, 3))), ShapeError, r"BatchNorm2d: the input .*, got shape \(2, 3\)"),
    (lambda: nn.BatchNorm1d(3)(np.ones((1, 3))), ShapeError, r"expected more than one value per channel"),
    (lambda: dark.batch_norm(np.ones(3), np.ones(3), np.ones(3)), ShapeError, r"batch_norm: shapes"),
    (lambda: nn.Flatten(2)(np.ones((2, 3))), ShapeError, r"Flatten: axis 2 is out of bounds"),
    (lambda: nn.Flatten(1, 0)(np.ones((2, 3))), ShapeError, r"end_dim=0 must not be before start_dim=1"),
    (lambda: nn.LeakyReLU("a"), ValueTypeError, r"LeakyReLU: negative_slope must be a number, got 'a'"),
    (lambda: nn.ELU(np.nan), UsageError, r"ELU: alpha must be a finite number, got nan"),
    (lambda: nn.Softplus(0), UsageError, r"Softplus: beta must not be 0"),
    (lambda: nn.GELU("none of them"), UsageError, r"invalid approximate 'none of them'"),
    (lambda: nn.Softmax(2)(np.ones((2, 3))), ShapeError, r"softmax: axis 2 is out of bounds"),
]  # fmt: skip

CONTAINERS = [
    (lambda: nn.Sequential(nn.ReLU), ValueTypeError, r"must be an instance, not a class, got .*Re.*\n.*\n.*ReLU\(\)"),
    (lambda: nn.Sequential(3), ValueTypeError, r"Function: function must be callable, got 3 \(int\)"),
    (lambda: nn.Sequential({"a.b": nn.ReLU()}), UsageError, r"invalid submodule name 'a.b'"),
    (lambda: nn.Sequential({"forward": nn.ReLU()}), UsageError, r"attribute 'forward' already exists"),
    (lambda: nn.Sequential(nn.ReLU())[1], IndexingError, r"Sequential has no module 1; its length is 1"),
    (lambda: nn.Sequential()["a"], IndexingError, r"Sequential has no module 'a'; its length is 0"),
    (lambda: nn.ModuleList([dark.relu]), ValueTypeError, r"ModuleList.0: .* is not a Module"),
    (lambda: nn.ModuleList(nn.ReLU()), ValueTypeError, r"ModuleList: ReLU\(\) .* is not a list"),
    (lambda: nn.ModuleList().extend(3), ValueTypeError, r"ModuleList: 3 \(int\) is not a list"),
    (lambda: nn.ModuleList().pop(), IndexingError, r"ModuleList has no module -1; its length is 0"),
    (lambda: nn.ModuleList()[0.5], IndexingError, r"ModuleList has no module 0.5"),
    (lambda: nn.ModuleDict({"a": nn.ReLU()})["b"], UsageError, r"ModuleDict has no module 'b'"),
    (lambda: nn.ModuleDict([nn.ReLU()]), ValueTypeError, r"ModuleDict: modules need names, got "),
    (lambda: nn.ModuleDict({"keys": nn.ReLU()}), UsageError, r"attribute 'keys' already exists"),
]  # fmt: skip

INIT = [
    (lambda: nn.init.xavier_uniform_(dark.Parameter(np.ones(3))), ShapeError,
     r"init: cannot compute the fans of a parameter of shape \(3,\)"),
    (lambda: nn.init.orthogonal_(dark.Parameter(np.ones(3))), ShapeError, r"two axes or more"),
    (lambda: nn.init.uniform_(dark.Parameter(np.ones(3)), 2, 1), UsageError, r"uniform_: a must not exceed b, .*b=1"),
    (lambda: nn.init.uniform_(dark.Parameter(np.ones(3)), "a"), ValueTypeError,
     r"uniform_: a must be a number, got 'a'"),
    (lambda: nn.init.normal_(dark.Parameter(np.ones(3)), 0, -1), UsageError, r"normal_: std must be 0 or more, got -1"),
    (lambda: nn.init.constant_(dark.Parameter(np.ones(3)), "a"), ValueTypeError,
     r"constant_: value must be a number, got 'a'"),
    (lambda: nn.init.zeros_(np.ones(3)), ValueTypeError, r"init: .* is not a Parameter"),
    (lambda: nn.init.calculate_gain("relo"), UsageError, r"unknown nonlinearity 'relo'.*\n.*\n.*relu"),
    (lambda: nn.init.kaiming_normal_(dark.Parameter(np.ones((2, 2))), mode="fan"), UsageError,
     r"invalid mode 'fan'"),
]  # fmt: skip

RANDOM = [
    (
        lambda: nn.load_random_state(nn.Dropout(), {}),
        UsageError,
        r"saved generators \[\] must match the network's generators \['generator'\]",
    ),
    (lambda: nn.load_random_state(nn.Dropout(), {"generator": {}}), ValueTypeError, r"random_state: generator: "),
]


@pytest.mark.parametrize(("wrong", "kind", "text"), [*ATTRIBUTES, *LAYERS, *CONTAINERS, *INIT, *RANDOM])
def test_a_wrong_call_raises_with_the_right_message(wrong, kind, text):
    with pytest.raises(kind, match=text):
        wrong()


@pytest.mark.parametrize(("state", "kind", "text"), STATES)
@pytest.mark.parametrize("strict", [True, False])
def test_a_wrong_state_is_refused_and_nothing_is_changed(state, kind, text, strict):
    layer = nn.Linear(2, 3)
    before = layer.state_dict()
    if strict or kind is not UsageError:
        with pytest.raises(kind, match=text):
            layer.load_state_dict(state, strict=strict)
        for name, array in layer.state_dict().items():
            np.testing.assert_array_equal(array, before[name])


def test_floats_are_not_loaded_into_integer_buffers():
    layer = nn.BatchNorm1d(2)
    state = layer.state_dict() | {"num_batches_tracked": np.array(0.5)}
    with pytest.raises(ValueTypeError, match=r"num_batches_tracked: cannot cast float64 to int64"):
        layer.load_state_dict(state)


def test_two_values_for_one_parameter_are_refused():
    net = Net()
    state = net.state_dict()
    state["again.weight"] = state["again.weight"] + 1
    with pytest.raises(UsageError, match=r"second.weight and again.weight are the same parameter"):
        net.load_state_dict(state)
