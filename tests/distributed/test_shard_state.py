"""Dropout and batch normalization in shards are decided once, and independent of the process."""

import random

import numpy as np
import pytest

from dark import nn
from dark.distributed import OneProcess, Replicas
from dark.distributed.shard_state import ShardState
from dark.generators import set_state, state_of
from tests.distributed.networks import network, same_bits

X = np.random.default_rng(0).normal(size=(32, 6))


class Noise(nn.Module):
    """Holds generators of each kind."""

    def __init__(self):
        super().__init__()
        self.generator = np.random.default_rng(0)
        self.twister = np.random.Generator(np.random.MT19937(0))
        self.old, self.python = np.random.RandomState(0), random.Random(0)
        self.shared = self.generator

    def forward(self, x):
        """Draw from each."""
        return [self.generator.random(), self.twister.random(), self.old.random_sample(), self.python.random()]


def drawn(strategy, module, steps=1):
    """Return what a module draws in each shard, in the last of some steps."""
    for _ in range(steps):
        seen = {}

        def draw(shard, seen=seen):
            seen[shard.index] = module(shard.batch)
            return [0.0]

        strategy.sum_over_shards(draw, X, module)
    return seen


def test_numbers_depend_on_step_and_shard_and_not_on_the_replica():
    first, second = drawn(Replicas(1), Noise()), drawn(Replicas(1), Noise(), steps=2)
    assert first == drawn(Replicas(4), Noise()) and second == drawn(Replicas(3), Noise(), steps=2)
    everything = [number for seen in (first, second) for numbers in seen.values() for number in numbers]
    assert len(set(everything)) == 2 * 8 * 4


def test_a_shard_draws_the_same_whoever_ran_before_it():
    module = Noise()
    state = ShardState([module])
    state.enter(5)
    alone = module(X)
    state.enter(1), module(X)
    state.enter(5)
    assert module(X) == alone


def test_a_training_resumes_from_the_states_of_the_generators_after_a_step():
    names, module, again = ("generator", "twister", "old", "python"), Noise(), Noise()
    drawn(Replicas(2), module, steps=3)
    for name in names:
        set_state(getattr(again, name), state_of(getattr(module, name)))
    assert drawn(Replicas(8), again) == drawn(Replicas(1), module)


def test_batch_normalization_looks_at_its_shard_and_averages_running_statistics():
    layer, outputs = nn.BatchNorm1d(6), []
    Replicas(2).sum_over_shards(lambda s: [outputs.append(layer(s.batch).value) or 0.0], X, layer)
    shards = np.split(X, 8)
    for shard, output in zip(shards, outputs, strict=True):
        np.testing.assert_allclose(output, nn.BatchNorm1d(6)(shard).value, atol=1e-12)
    np.testing.assert_allclose(layer.running_mean, 0.1 * X.mean(axis=0), atol=1e-12)
    variance = np.mean([shard.var(axis=0, ddof=1) for shard in shards], axis=0)
    np.testing.assert_allclose(layer.running_var, 0.9 + 0.1 * variance, atol=1e-7)
    assert layer.num_batches_tracked == 1 and layer.num_batches_tracked.dtype == np.int64


def test_shards_of_different_sizes_count_by_their_rows():
    layer = nn.BatchNorm1d(6)
    Replicas(shards=3).sum_over_shards(lambda s: [layer(s.batch).value.mean()], X, layer)
    np.testing.assert_allclose(layer.running_mean, 0.1 * X.mean(axis=0), atol=1e-8)


def test_one_process_looks_at_the_whole_batch():
    layer, plain = nn.BatchNorm1d(6), nn.BatchNorm1d(6)
    OneProcess().sum_over_shards(lambda s: [layer(s.batch).value.mean()], X, layer)
    plain(X)
    assert same_bits(layer.state_dict(), plain.state_dict())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_buffers_that_do_not_change_keep_their_bits(dtype):
    layer = nn.BatchNorm1d(6, dtype=dtype)
    layer.running_mean = np.full(6, 1 / 3, dtype)
    layer.register_buffer("table", np.full((2, 2), 0.1, np.float32))
    layer.register_buffer("count", np.array(2**40 + 1))
    before = layer.state_dict()
    layer.eval()
    Replicas(3, shards=7).sum_over_shards(lambda s: [layer(s.batch).value.mean()], X.astype(dtype), layer)
    assert same_bits(before, layer.state_dict())


def test_a_failing_shard_leaves_the_buffers_as_they_were():
    net = network()
    before = net.state_dict()
    with pytest.raises(ZeroDivisionError):
        Replicas(2).sum_over_shards(lambda s: [net(s.batch), 1 / 0], X, net)
    assert same_bits(before, net.state_dict())
