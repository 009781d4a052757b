"""Accumulated gradients: update ratios, norms and averages are those of the steps of the optimizer."""

import numpy as np
import pytest

import dark
from dark import losses, nn, optim
from dark.engine import Engine, Events
from dark.monitor import Monitor, Note
from dark.trainers import create_supervised_trainer

NAMES = ("0.weight", "0.bias", "2.weight", "2.bias")


def network(seed=0):
    return nn.Sequential(nn.Linear(3, 4, seed=seed), nn.Tanh(), nn.Linear(4, 2, seed=seed + 1))


def batches(count):
    rng = np.random.default_rng(0)
    return [(rng.normal(size=(5, 3)), rng.normal(size=(5, 2))) for _ in range(count)]


def shadow(group, data, lr):
    """Train by an independent loop; return the summed gradient and the update ratio of each optimizer step."""
    net, found = network(), {}
    sums = dict.fromkeys(NAMES, 0.0)
    for k, (x, y) in enumerate(data, 1):
        net.zero_grad()
        losses.mse(net(x), y).backward()
        sums = {name: sums[name] + p.grad / group for name, p in net.named_parameters()}
        if k % group == 0:
            before = {name: p.value.copy() for name, p in net.named_parameters()}
            for name, p in net.named_parameters():
                p.value = p.value - lr * sums[name]
            ratios = {
                name: np.linalg.norm(p.value - before[name]) / np.linalg.norm(before[name])
                for name, p in net.named_parameters()
            }
            found[k] = dict(sums), ratios
            sums = dict.fromkeys(NAMES, 0.0)
    return found


@pytest.mark.parametrize("averages", ["window", "exponential"])
@pytest.mark.parametrize(("group", "every"), [(4, 1), (4, 4), (4, 6), (3, 2), (1, 1), (1, 3)])
def test_gradients_and_update_ratios_are_those_of_the_steps_of_the_optimizer(tmp_path, group, every, averages):
    data = batches(60)
    truth = shadow(group, data, 0.1)
    net = network()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    trainer = create_supervised_trainer(net, optimizer, losses.mse, gradient_accumulation_steps=group)
    monitor, event = Monitor(net, averages=averages, stats_max_length=3), Events.ITERATION_COMPLETED(every=every)
    monitor.attach(trainer, event)
    with Note(tmp_path / "run") as note:
        note.attach(trainer, event, monitor)
        trainer.run(data)
    run = Note.load(tmp_path / "run")
    steps = [k for k in range(every, 61, every) if k % group == 0]
    first = steps[0]
    assert run.scalar_dict["loss"].steps.tolist() == run.tensor_dict["weights/0.bias"].steps.tolist()
    for name in NAMES:
        norms = {k: np.linalg.norm(sums[name]) for k, (sums, _) in truth.items()}
        ratios = {k: of_step[name] for k, (_, of_step) in truth.items()}
        for kind, expected in (("update_ratio", ratios), ("gradient_norm", norms)):
            series = run.scalar_dict[f"{kind}/{name}"]
            known = series.steps >= first  # before the first step of the optimizer, a monitor cannot know
            assert series.steps[known].tolist() == steps
            np.testing.assert_allclose(series.values[known], [expected[k] for k in steps], rtol=1e-6)
        for n, k in enumerate(steps):
            last = [truth[s][0][name] for s in steps[: n + 1]]
            shares = [1.0] * min(3, n + 1) if averages == "window" else [0.5**j for j in range(n + 1)][::-1]
            mean = np.average(last[-len(shares) :], axis=0, weights=shares)
            np.testing.assert_allclose(run.tensor_dict[f"gradients/{name}"].at(k), mean, rtol=1e-5, atol=1e-7)
    assert set(run.tensor_dict["gradients/0.bias"].steps[run.tensor_dict["gradients/0.bias"].steps >= first]) == {
        *steps
    }


def test_a_learning_rate_of_0_is_not_an_accumulation():
    net = network()
    trainer = create_supervised_trainer(net, optim.SGD(net.parameters(), lr=0.0), losses.mse)
    monitor = Monitor(net)
    monitor.attach(trainer, Events.ITERATION_COMPLETED)
    trainer.run(batches(6))
    found = monitor.scalars()
    assert [found[f"update_ratio/{name}"] for name in NAMES] == [0, 0, 0, 0]
    assert found["gradient_norm/0.weight"] > 0


def test_gradients_that_have_become_0_are_recorded():
    net = nn.Sequential(nn.Linear(3, 2, seed=0, bias=False), nn.ReLU())
    optimizer = optim.SGD(net.parameters(), lr=0.1)

    def step(engine, batch):
        optimizer.zero_grad()
        x = np.ones((2, 3)) if engine.state.iteration < 3 else np.zeros((2, 3))
        dark.sum(net[0](x)).backward()
        optimizer.step()

    engine, monitor = Engine(step), Monitor(net)
    monitor.attach(engine, Events.ITERATION_COMPLETED)
    engine.run(range(5))
    found = monitor.scalars()
    assert found["gradient_norm/0.weight"] == found["update_ratio/0.weight"] == 0


def test_networks_with_optimizers_of_their_own_rest_each_by_itself(tmp_path):
    nets = {"slow": nn.Linear(3, 2, seed=0), "fast": nn.Linear(3, 2, seed=1)}
    optimizers = {name: optim.SGD(net.parameters(), lr=0.1) for name, net in nets.items()}

    def step(engine, batch):
        name = "slow" if engine.state.iteration % 3 == 0 else "fast"
        optimizers[name].zero_grad()
        loss = losses.mse(nets[name](batch[0]), batch[1])
        loss.backward()
        optimizers[name].step()
        return loss.item()

    engine, monitor = Engine(step), Monitor(nets)
    monitor.attach(engine, Events.ITERATION_COMPLETED)
    with Note(tmp_path / "run") as note:
        note.attach(engine, Events.ITERATION_COMPLETED, monitor)
        engine.run(batches(12))
    scalars = Note.load(tmp_path / "run").scalar_dict
    slow, fast = (scalars[f"update_ratio/{name}.weight"] for name in ("slow", "fast"))
    assert slow.steps[slow.values > 0].tolist() == [3, 6, 9, 12] and slow.steps[slow.steps > 2].tolist() == [
        3,
        6,
        9,
        12,
    ]
    assert fast.steps.tolist() == [1, 2, 4, 5, 7, 8, 10, 11] and (fast.values > 0).all()
    assert scalars["gradient_norm/slow.bias"].steps.tolist() == [3, 6, 9, 12]


def test_gradients_recorded_before_zero_grad_are_those_of_the_record():
    data, net = batches(24), network()
    truth = shadow(4, data, 0.1)
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    monitor = Monitor(net, stats_max_length=2)

    def step(engine, batch):
        (losses.mse(net(batch[0]), batch[1]) / 4).backward()
        if engine.state.iteration % 4 == 0:
            monitor.record_grads()
            optimizer.step()
            optimizer.zero_grad()

    engine, steps = Engine(step), []
    monitor.attach(engine, Events.ITERATION_COMPLETED)

    @engine.on(Events.ITERATION_COMPLETED)
    def look(engine):
        found, k = {**monitor.scalars(), **monitor.tensors()}, engine.state.iteration
        if k >= 4:
            assert ("gradients/0.weight" in found) == ("update_ratio/0.weight" in found) == (k % 4 == 0)
        if k % 4 == 0:
            steps.append(k)
            for name in NAMES:
                last = [truth[s][0][name] for s in steps[-2:]]
                np.testing.assert_allclose(found[f"gradients/{name}"], np.mean(last, axis=0), atol=1e-12)
                assert found[f"gradient_norm/{name}"] == pytest.approx(np.linalg.norm(last[-1]))
                assert found[f"update_ratio/{name}"] == pytest.approx(truth[k][1][name])

    engine.run(data)
    assert monitor.dropped == {} and steps == [4, 8, 12, 16, 20, 24]


def test_zero_grad_right_after_the_step_leaves_no_gradient_and_that_is_said():
    net = network()
    optimizer = optim.SGD(net.parameters(), lr=0.1)

    def step(engine, batch):
        losses.mse(net(batch[0]), batch[1]).backward()
        if engine.state.iteration % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()

    engine, monitor = Engine(step), Monitor(net)
    monitor.attach(engine, Events.ITERATION_COMPLETED)
    with pytest.warns(UserWarning, match="no weight has a gradient at the event; attach to one before zero_grad"):
        engine.run(batches(12))
    found = monitor.scalars()
    assert found["update_ratio/0.weight"] > 0 and "gradient_norm/0.weight" not in found
