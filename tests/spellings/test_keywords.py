"""Keyword arguments of PyTorch: those that mean the same work, the others are refused with advice."""

import inspect
from functools import partial

import numpy as np
import pytest

import dark
from dark import data, nn, optim
from dark.errors import KeywordError, UsageError, ValueTypeError

ARRAY = np.array([[2.0, 1.0, 4.0], [0.5, 3.0, 1.5]])
REDUCTIONS = ("sum", "mean", "max", "min", "prod", "logsumexp")
ALONG = ("cumsum", "cumprod", "softmax", "log_softmax", "flip", "diff")


@pytest.fixture
def x():
    """Return a parameter of shape (2, 3)."""
    return dark.Parameter(ARRAY)


def equal(a, b):
    return np.array_equal(a.value, b.value)


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", [0, 1, -1, (0, 1)])
def test_dim_and_keepdim_mean_axis_and_keepdims(x, name, axis):
    function = getattr(dark, name)
    assert equal(function(x, dim=axis), function(x, axis=axis))
    assert equal(function(x, dim=axis, keepdim=True), function(x, axis=axis, keepdims=True))
    assert equal(function(x, axis, keepdim=True), function(x, axis, keepdims=True))
    if hasattr(x, name):
        method = getattr(x, name)
        assert equal(method(dim=axis, keepdim=True), method(axis=axis, keepdims=True))


@pytest.mark.parametrize("name", ALONG)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_dim_is_the_axis_of_other_functions(x, name, axis):
    function = getattr(dark, name)
    assert equal(function(x, dim=axis), function(x, axis=axis))


def test_dim_joins_squeezes_and_inserts(x):
    for axis in (0, 1, -1):
        assert equal(dark.cat([x, x], dim=axis), dark.concatenate([x, x], axis=axis))
        assert equal(dark.stack([x, x], dim=axis), dark.stack([x, x], axis=axis))
        assert dark.expand_dims(x, dim=axis).shape == dark.expand_dims(x, axis).shape
    assert x[None].squeeze(dim=0).shape == dark.squeeze(x[None], dim=0).shape == (2, 3)
    assert equal(dark.roll(x, 1, dims=1), dark.roll(x, 1, axis=1)) and equal(dark.flip(x, dims=(0,)), dark.flip(x, 0))
    assert equal(dark.glu(x[:, :2], dim=1), dark.glu(x[:, :2])) and equal(dark.norm(x, dim=1), dark.norm(x, axis=1))


@pytest.mark.parametrize("name", [*REDUCTIONS, *ALONG])
def test_both_names_of_one_argument_are_refused(x, name):
    default = inspect.signature(getattr(dark, name)).parameters["axis"].default
    for axis in {0, 1, 1 if default is None else int(default)}:  # also the default, if it is given
        with pytest.raises(
            KeywordError, match=f"(?s){name}: dim and axis must not both be given, got 1 .* and {axis} .*one of the two"
        ):
            getattr(dark, name)(x, axis=axis, dim=1)


def test_both_names_are_refused_in_joining_and_methods(x):
    for call in (
        lambda: dark.cat([x, x], axis=0, dim=0), lambda: dark.stack([x], 0, dim=0), lambda: x.sum(0, dim=0),
        lambda: x.sum(keepdims=True, keepdim=True), lambda: x.cumsum(axis=0, dim=0),
    ):  # fmt: skip
        with pytest.raises(
            KeywordError,
            match=r"(?s) and (axis|keepdims) must not both be given, got \w+ .*Expected: one of the two.*Try: ",
        ):
            call()


def test_gradients_flow_through_the_other_names(x):
    (x.view(-1).unsqueeze(0).permute(1, 0).sum(dim=0, keepdim=True) * 2).sum().backward()
    assert np.array_equal(x.grad, np.full((2, 3), 2.0))


def test_size_is_an_int_that_can_be_called(x):
    assert x.size == 6 == x.numel() and isinstance(x.size, int) and repr(x.size) == "6" and x.size() == (2, 3)
    assert x.size(0) == 2 and x.size(-1) == 3 and x.size(dim=1) == 3 and dark.Parameter(1.0).size() == ()
    assert type(x.size + 1) is int and np.zeros(x.size).shape == (6,) and type(np.size(x)) is int
    with pytest.raises(dark.errors.ShapeError, match=r"size: dim 2 is out of bounds for shape \(2, 3\)"):
        x.size(2)
    with pytest.raises(ValueTypeError, match="size: dim must be an integer, got 1.5"):
        x.size(1.5)


def loader(**settings):
    return data.DataLoader(np.arange(8.0), batch_size=2, **settings)


def parameters():
    return [dark.Parameter([1.0, 2.0])]


@pytest.mark.parametrize(
    ("call", "name", "advice"),
    [
        (partial(loader, pin_memory=True), "pin_memory", "omit it"),
        (partial(loader, persistent_workers=True), "persistent_workers", "omit it"),
        (partial(loader, generator=None), "generator", "seed=0"),
        (partial(data.RandomSampler, [1, 2], generator=None), "generator", "seed=0"),
        (partial(nn.Linear, 2, 1, device="cpu"), "device", "omit it"),
        (partial(nn.Conv2d, 1, 1, 3, device="cuda"), "device", "omit it"),
        (partial(nn.Sequential, device="cpu"), "device", "omit it"),
        (partial(nn.Embedding, 3, 2, max_norm=1.0), "max_norm", "omit it"),
        (partial(nn.MSELoss, size_average=True), "size_average", "reduction"),
        (lambda: optim.SGD(parameters(), lr=0.1, foreach=True), "foreach", "omit it"),
        (lambda: optim.Adam(parameters(), fused=True), "fused", "omit it"),
        (lambda: optim.AdamW(parameters(), capturable=True), "capturable", "omit it"),
        (lambda: optim.lr_scheduler.StepLR(optim.SGD(parameters()), 2, verbose=True), "verbose", "get_last_lr"),
        (lambda: optim.lr_scheduler.ReduceLROnPlateau(optim.SGD(parameters()), verbose=True), "verbose", "get_last_lr"),
        (lambda: dark.Parameter(1.0).backward(retain_graph=True), "retain_graph", "omit it"),
        (lambda: dark.Parameter(1.0).backward(inputs=[]), "inputs", "requires_grad = False"),
        (lambda: dark.Parameter(1.0, dtype=float), "dtype", "astype"),
        (lambda: dark.Parameter(1.0, device="cpu"), "device", "omit it"),
        (lambda: dark.Constant(1.0, requires_grad=True), "requires_grad", "dark.Parameter"),
        (lambda: dark.sum(ARRAY, dtype=float), "dtype", "astype"),
        (lambda: dark.Parameter(ARRAY).mean(out=None), "out", "y = np.exp"),
        (lambda: dark.clip(ARRAY, min=0.0), "min", "np.clip"),
        (lambda: dark.leaky_relu(ARRAY, negative_slope=0.2), "negative_slope", "leaky_relu"),
        (lambda: nn.Linear(1, 1).state_dict(prefix="net."), "prefix", "named_parameters"),
        (lambda: nn.Linear(1, 1).named_parameters(prefix="net"), "prefix", "named_parameters"),
        (lambda: nn.Linear(1, 1).load_state_dict({}, assign=True), "assign", "omit it"),
        (lambda: dark.zeros_like(ARRAY, requires_grad=True), "requires_grad", "dark.Parameter"),
        (lambda: dark.roll(ARRAY, shifts=1, dims=0), "shifts", "np.roll"),
        (lambda: dark.tril(ARRAY, diagonal=-1), "diagonal", "np.tril"),
        (lambda: dark.interpolate(np.ones((1, 1, 2, 2)), 4, antialias=True), "antialias", "omit it"),
        (lambda: dark.gather(ARRAY, index=[[0]], dim=1), "index", "indices"),
        (lambda: nn.functional.softmax(ARRAY, dim=1, dtype=float), "dtype", "astype"),
        (lambda: nn.functional.mse_loss(ARRAY, ARRAY, size_average=True), "size_average", "reduction"),
        (lambda: nn.functional.interpolate(np.ones((1, 1, 2, 2)), 4, antialias=True), "antialias", "omit it"),
        (lambda: nn.utils.clip_grad_norm_(parameters(), 1.0, foreach=True), "foreach", "omit it"),
        (lambda: dark.load("file", map_location="cpu"), "map_location", "omit it"),
        (lambda: dark.load("file", weights_only=True), "weights_only", "omit it"),
        (lambda: dark.save({}, "file", pickle_module=None), "pickle_module", "omit it"),
        (lambda: nn.Linear(1, 1).to("cpu", memory_format=None), "memory_format", "omit it"),
    ],
)
def test_an_argument_of_pytorchs_is_refused_with_advice(call, name, advice):
    with pytest.raises(TypeError, match=f"(?s)unexpected keyword argument '{name}'.*Expected: .*Try: ") as caught:
        call()
    assert isinstance(caught.value, KeywordError) and advice in str(caught.value).partition("Try: ")[2]


def test_a_class_of_a_user_keeps_its_own_arguments():
    class Net(nn.Module):
        def __init__(self, device, **others):
            super().__init__()
            self.given = device, others

    class Plain(nn.Module):
        def __init__(self, width, inplace=False):
            super().__init__()
            self.width = width

    assert Net("cuda", generator=1).given == ("cuda", {"generator": 1}) and Plain(3, inplace=True).width == 3
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        Plain(3, depth=2)


def test_inplace_is_accepted_where_it_changes_nothing():
    x = np.array([-1.0, 2.0])
    for name in ("ReLU", "LeakyReLU", "ELU", "SiLU", "Mish"):
        layer, plain = getattr(nn, name)(inplace=True), getattr(nn, name)()
        assert np.array_equal(layer(x).value, plain(x).value) and repr(layer) == repr(plain)
        with pytest.raises(ValueTypeError, match=f"{name}: inplace must be a bool, got 1"):
            getattr(nn, name)(inplace=1)
    assert nn.ReLU(True)(x).value.tolist() == [0.0, 2.0] and nn.Dropout(0.5, inplace=True).eval()(x) is x
    for name in ("relu", "leaky_relu", "elu", "silu", "mish"):
        function = getattr(nn.functional, name)
        assert np.array_equal(function(x, inplace=True).value, function(x).value)
    assert nn.functional.dropout(x, 0.5, False, inplace=True) is x and x.tolist() == [-1.0, 2.0]


def test_a_module_is_on_the_cpu_and_on_no_other_device():
    layer = nn.Linear(2, 1, seed=0)
    for moved in (layer.to("cpu"), layer.to(device="cpu"), layer.to("cpu:0"), layer.to("cpu", non_blocking=True)):
        assert moved is layer and layer.weight.dtype == float
    assert layer.to("cpu", dtype=np.float32).weight.dtype == np.float32
    assert layer.to(dtype="float64").weight.dtype == float and layer.to(np.float32).weight.dtype == np.float32
    for call in (lambda: layer.to("cuda"), lambda: layer.to("cuda:1"), lambda: layer.to(device="mps")):
        with pytest.raises(ValueTypeError, match=r"(?s)to: '.*' \(str\) is not a dtype, nor the CPU.*Try: "):
            call()
    with pytest.raises(UsageError, match="to: expected one dtype, got 0"):
        layer.to()
    with pytest.raises(ValueTypeError, match="to: 'foo' .* is not a dtype"):
        layer.to("foo")
