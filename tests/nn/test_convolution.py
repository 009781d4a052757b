"""Convolution and pooling layers: initialization, training, errors."""

import math

import numpy as np
import pytest

import dark
from dark import nn
from dark.errors import ShapeError, UsageError, ValueTypeError


@pytest.mark.parametrize(("make", "fan"), [(nn.Conv2d, 4 // 2 * 6), (nn.ConvTranspose2d, 6 // 2 * 6)])
def test_filters_are_uniform_within_one_over_the_root_of_the_fan(make, fan):
    layer = make(4, 6, (3, 2), groups=2, seed=0)
    bound = 1 / math.sqrt(fan)
    numbers = np.concatenate([p.value.ravel() for p in layer.parameters()])
    assert np.abs(numbers).max() <= bound and np.abs(layer.weight.value).max() > 0.9 * bound
    assert layer.weight.dtype == float and make(4, 6, 3, dtype=np.float32, seed=0).bias.dtype == np.float32
    np.testing.assert_array_equal(layer.weight.value, make(4, 6, (3, 2), groups=2, seed=0).weight.value)
    assert make(4, 6, 3, bias=False).bias is None


@pytest.mark.parametrize("size", [1, 3, (2, 3)])
@pytest.mark.parametrize("stride", [1, 2])
def test_a_transposed_layer_restores_the_shape(size, stride):
    x = np.ones((2, 3, 7, 9))
    y = nn.Conv2d(3, 4, size, stride, padding=1, seed=0)(x)
    back = nn.ConvTranspose2d(4, 3, size, stride, padding=1, seed=0)
    least = back(y).shape
    more = tuple(n - m for n, m in zip(x.shape[2:], least[2:]))
    assert nn.ConvTranspose2d(4, 3, size, stride, 1, more, seed=0)(y).shape == x.shape


def test_a_small_network_learns_to_tell_rows_from_columns():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 64)
    x = rng.normal(size=(64, 1, 6, 6), scale=0.1)
    for image, label, k in zip(x, labels, rng.integers(0, 6, 64)):
        image[(0, k) if label else (0, slice(None), k)] += 1.0
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1, seed=rng), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 2, seed=rng)
    )  # fmt: skip
    step = dark.optim.SGD(net.parameters(), lr=0.5)
    losses = []
    for _ in range(40):
        loss = dark.losses.cross_entropy(net(x), labels)
        net.zero_grad()
        loss.backward()
        step.step()
        losses.append(loss.item())
    assert losses[0] > 0.6 and losses[-1] < 0.1


def test_a_network_in_float32_stays_there():
    net = nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.AvgPool2d(2), nn.Upsample(scale_factor=2), nn.ConvTranspose2d(2, 1, 3)
    ).float()
    y = net(np.ones((2, 1, 6, 6), np.float32))
    y.sum().backward()
    assert y.dtype == np.float32 and all(p.grad.dtype == np.float32 for p in net.parameters())


def test_invalid_settings_of_filters_are_refused():
    for make in (nn.Conv2d, nn.ConvTranspose2d):
        who = make.__name__
        with pytest.raises(UsageError, match=f"{who}: in_channels must be 1 or more, got 0"):
            make(0, 1, 3)
        with pytest.raises(UsageError, match=f"{who}: kernel_size must be .* got 0"):
            make(1, 1, 0)
        with pytest.raises(UsageError, match=f"{who}: groups=3 must divide in_channels=4 and out_channels=6"):
            make(4, 6, 1, groups=3)
        with pytest.raises(ValueTypeError, match=f"{who}: stride must be an integer"):
            make(1, 1, 3, stride=0.5)
        with pytest.raises(ShapeError, match="images must have the channels of the filters, 1 with .* got 2"):
            make(1, 1, 3)(np.ones((1, 2, 4, 4)))
    with pytest.raises(UsageError, match="conv2d: padding must .* got 'full'"):
        nn.Conv2d(1, 1, 3, padding="full")(np.ones((1, 1, 4, 4)))


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
@pytest.mark.parametrize("padding", [2, "same"])
def test_padding_modes_are_those_of_numpy_with_two_derivatives(mode, padding):
    size = (3, 5) if padding == "same" else (3, 1)
    layer = nn.Conv2d(1, 2, size, padding=padding, padding_mode=mode, seed=0).requires_grad_(False)
    x = np.random.default_rng(0).normal(size=(2, 1, 3, 4))
    widths = [(1, 1), (2, 2)] if padding == "same" else [(2, 2), (2, 2)]
    name = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode]
    whole = np.pad(x, [(0, 0), (0, 0), *widths], name)
    np.testing.assert_allclose(layer(x).value, dark.conv2d(whole, layer.weight, layer.bias).value, rtol=1e-12)
    assert dark.gradcheck(layer, x).ok
    assert dark.gradcheck(lambda v: dark.grad(lambda u: dark.sum(layer(u) ** 3))(v), x).ok


def test_invalid_padding_modes_are_refused():
    with pytest.raises(UsageError, match="Conv1d: invalid padding_mode 'mirror'(.|\n)*'reflect'"):
        nn.Conv1d(1, 1, 3, padding=1, padding_mode="mirror")
    with pytest.raises(
        ShapeError, match="Conv1d: padding 4 is too large for padding_mode='reflect' along an axis of length 4"
    ):
        nn.Conv1d(1, 1, 3, padding=4, padding_mode="reflect")(np.ones((1, 1, 4)))
    with pytest.raises(
        ShapeError, match="Conv2d: padding 5 is too large for padding_mode='circular'(.|\n)*at most the length"
    ):
        nn.Conv2d(1, 1, 3, padding=5, padding_mode="circular")(np.ones((1, 1, 5, 4)))
    with pytest.raises(
        ShapeError, match="Conv1d: padding 1 is too large for padding_mode='replicate' along an axis of length 0"
    ):
        nn.Conv1d(1, 1, 1, padding=1, padding_mode="replicate")(np.ones((1, 1, 0)))
    with pytest.raises(
        ShapeError,
        match=r"Conv1d: wrong number of axes, got an input of shape \(4,\)(.|\n)*\(channels, length\) without",
    ):
        nn.Conv1d(1, 1, 3, padding=1, padding_mode="circular")(np.ones(4))
    with pytest.raises(UsageError, match="Conv2d: padding must .* got 'full'"):
        nn.Conv2d(1, 1, 3, padding="full", padding_mode="circular")(np.ones((1, 1, 4, 4)))


def test_a_network_of_signals_learns_to_tell_rising_from_falling_waves_and_stays_in_float32():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 32)
    time = np.arange(40)[None] + rng.integers(0, 20, (32, 1))
    x = np.where(labels[:, None], time % 10, -time % 10)[:, None].astype(np.float32)
    net = nn.Sequential(
        nn.Conv1d(1, 4, 5, padding=2, seed=rng), nn.ReLU(), nn.MaxPool1d(2), nn.Flatten(), nn.Linear(80, 2, seed=rng)
    ).float()  # fmt: skip
    step = dark.optim.Adam(net.parameters(), lr=0.02)
    for _ in range(30):
        loss = dark.losses.cross_entropy(net(x), labels)
        net.zero_grad()
        loss.backward()
        step.step()
    assert loss.item() < 0.1 and loss.dtype == np.float32
