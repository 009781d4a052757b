"""Strategies in one process: cutting batches, adding over shards, training to the same bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import losses, nn, optim
from dark.distributed import MPI, LocalBatch, OneProcess, Replicas, Shard
from dark.errors import GradientError, ShapeError, UsageError, ValueTypeError
from tests.distributed.networks import network, same_bits, trained


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("steps", [20, pytest.param(200, marks=pytest.mark.long)])
def test_steps_end_with_the_same_bits_for_any_number_of_replicas(steps, dtype):
    (one, losses_one), *others = [trained(Replicas(k), steps, dtype=dtype) for k in (1, 2, 4)]
    assert all(same_bits(one, other) and losses_one == found for other, found in others)


def test_one_process_is_within_rounding():
    (one, losses_one), (eight, losses_eight) = (trained(s, plain=True) for s in (OneProcess(), Replicas(2)))
    assert not same_bits(one, eight)
    np.testing.assert_allclose(losses_one, losses_eight, rtol=0, atol=1e-12)
    for name, array in one.items():
        np.testing.assert_allclose(array, eight[name], rtol=0, atol=1e-12)


def test_one_process_has_the_bits_of_a_step_written_out():
    net, (state, _) = network(), trained(OneProcess(), 20)
    optimizer = optim.Adam(net.parameters(), lr=0.01)
    rng = np.random.default_rng(3)
    for _ in range(20):
        x, labels = rng.normal(size=(20, 6)), rng.integers(3, size=20)
        optimizer.zero_grad()
        losses.cross_entropy(net(x), labels).backward()
        optimizer.step()
    assert same_bits(state, net.state_dict())


def test_the_number_of_shards_changes_rounding_only_without_dropout_and_batch_normalization():
    (four, _), (eight, _) = (trained(Replicas(shards=n), 20, plain=True) for n in (4, 8))
    assert not same_bits(four, eight)
    for name, array in four.items():
        np.testing.assert_allclose(array, eight[name], rtol=0, atol=1e-12)


@given(st.integers(1, 40), st.integers(1, 9), st.data())
def test_shards_are_the_batch_cut_in_order(rows, shards, data):
    k = data.draw(st.integers(1, shards))
    batch = {"x": np.arange(2.0 * rows).reshape(rows, 2), "n": (np.arange(rows), [str(i) for i in range(rows)])}
    parts = Replicas(k, shards=shards).split(batch)
    assert [part.index for part in parts] == list(range(shards))
    assert sum(part.size for part in parts) == rows and {part.total for part in parts} == {rows}
    full = [part.batch for part in parts if part.size]
    np.testing.assert_array_equal(np.concatenate([part["x"] for part in full]), batch["x"])
    assert [name for part in full for name in part["n"][1]] == batch["n"][1]
    assert all(part.batch is None for part in parts if not part.size)


@given(st.integers(1, 30), st.integers(1, 8), st.integers(0, 99))
def test_weighted_means_over_shards_are_the_mean(rows, shards, seed):
    x = np.random.default_rng(seed).normal(size=(rows, 3))
    mean, count = Replicas(shards=shards).sum_over_shards(lambda s: [s.batch.mean(0) * s.weight, s.size], x)
    np.testing.assert_allclose(mean, x.mean(axis=0), atol=1e-14)
    assert count == rows


def test_a_batch_smaller_than_the_number_of_shards_trains():
    one, _ = trained(OneProcess(), 5, plain=True, rows=3)
    for k in (1, 3, 8):
        state, _ = trained(Replicas(k), 5, plain=True, rows=3)
        for name, array in one.items():
            np.testing.assert_allclose(state[name], array, rtol=0, atol=1e-13)


def test_the_rows_of_a_local_batch_are_those_of_its_process():
    whole = Replicas(1).split(np.arange(20))
    local = Replicas(1).split(LocalBatch(np.arange(20), total=20))
    assert [s.batch.tolist() for s in whole] == [s.batch.tolist() for s in local]
    with pytest.raises(
        UsageError, match=r"a local batch must have 20 of 20 rows, got 3.\n  Expected: 20 rows, for the shards 0"
    ):
        Replicas(1).split(LocalBatch(np.arange(3), total=20))


def test_gradients_accumulate_and_unused_parameters_keep_theirs():
    net, strategy, x = nn.Linear(2, 1, seed=0), Replicas(2), np.ones((8, 2))
    net.unused, net.given = dark.Parameter(np.ones(3)), dark.Parameter(1.0)
    net.given.grad = 5.0
    net.frozen = dark.Parameter(np.ones(2), requires_grad=False)
    strategy.backward(lambda x: net(x).mean(), x, net)
    first = net.weight.grad.copy()
    strategy.backward(lambda x: net(x).mean(), x, net)
    np.testing.assert_array_equal(net.weight.grad, 2 * first)
    assert net.unused.grad is None and net.given.grad == 5.0 and net.frozen.grad is None


def test_a_step_that_fails_changes_nothing():
    net, strategy = network(), Replicas(2)
    net[0].weight.grad = np.ones((8, 6))
    before, states = net.state_dict(), nn.random_state(net)

    def fails(part):
        net(part)
        raise KeyError("a loss")

    with pytest.raises(KeyError):
        strategy.backward(fails, np.ones((16, 6)), net)
    assert same_bits(before, net.state_dict()) and (net[0].weight.grad == 1).all()
    assert nn.random_state(net) == states


@pytest.mark.parametrize("strategy", [OneProcess(), Replicas(3)])
def test_a_process_alone_gathers_its_own_value(strategy):
    assert strategy.all_gather({"a": 1}) == [{"a": 1}] and strategy.broadcast("x") == "x"
    assert strategy.barrier() is None and strategy.rank == 0 and strategy.rows(10) == slice(0, 10)


def test_what_a_strategy_prints():
    assert repr(OneProcess()) == "OneProcess()" and repr(Replicas(2)) == "Replicas(2, shards=8)"
    assert Shard(0, None, 1, 4).weight == 0.25


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Replicas(9),
            r"Replicas: 9 replicas need at least as many shards, got 8.\n  Expected: at least one shard.*\n"
            r"  Try: shards=9",
        ),
        (lambda: Replicas(0), "Replicas: k must be 1 or more, got 0"),
        (lambda: Replicas(1, shards=0), "Replicas: shards must be 1 or more, got 0"),
        (lambda: MPI(shards=0), "MPI: shards must be 1 or more, got 0"),
        (lambda: MPI(timeout=0), "MPI: timeout must be greater than 0, got 0"),
        (
            lambda: Replicas().split((np.ones(3), np.ones(4))),
            "the arrays of a batch must have the same number of rows, got 3, 4",
        ),
        (lambda: Replicas().split(np.ones((0, 2))), "has no rows"),
        (lambda: Replicas().split({"a": "b"}), "has no rows"),
        (lambda: Replicas().reduce([np.ones(2)]), r"Replicas.reduce: .* got 1, of <f8 \(2,\).\n  Expected: 8 arrays"),
        (lambda: OneProcess().reduce([np.ones((2, 2))]), "OneProcess.reduce: .* got 1"),
        (lambda: Replicas(shards=2).reduce([np.ones(2), np.ones(3)]), r"<f8 \(2,\), <f8 \(3,\)"),
    ],
)
def test_wrong_arguments_are_refused(make, message):
    with pytest.raises((UsageError, ShapeError), match=message):
        make()


def test_a_function_with_the_wrong_signature_or_result_is_refused():
    net = nn.Linear(2, 1, seed=0)
    with pytest.raises(ValueTypeError, match="loss_of must be callable, got 3"):
        Replicas().backward(3, np.ones((8, 2)), net)
    with pytest.raises(ValueTypeError, match="must accept 1 positional"):
        Replicas().sum_over_shards(lambda: [], np.ones(8))
    with pytest.raises(GradientError, match=r"the loss must require grad, got .*\n  Expected: a scalar node"):
        Replicas().backward(lambda x: net(x).value.mean(), np.ones((8, 2)), net)


@pytest.mark.parametrize("call", ["backward", "sum_over_shards", "gather_over_shards"])
@pytest.mark.parametrize("rows", [1, 7, 15])
def test_the_error_of_a_layer_that_needs_more_rows_names_the_shard(call, rows):
    layer, strategy = nn.BatchNorm1d(3), Replicas(2)
    functions = {
        "backward": lambda x: layer(x).sum(),
        "sum_over_shards": lambda shard: [layer(shard.batch).sum().item()],
        "gather_over_shards": lambda shard: layer(shard.batch).value,
    }
    place = rf"in shard \d of 8, with 1 of the {rows} rows of the batch\n  Try: .*batches of 16 rows or more"
    with pytest.raises(ShapeError, match=place):
        getattr(strategy, call)(functions[call], np.ones((rows, 3)), layer)


def test_any_error_of_the_function_of_a_shard_names_the_shard():
    with pytest.raises(KeyError) as caught:
        Replicas(3).sum_over_shards(lambda shard: {}[shard.index], np.ones(24))
    assert caught.value.__notes__ == ["in shard 0 of 8, with 3 of the 24 rows of the batch"]
