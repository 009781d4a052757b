"""The steps of an optimizer of PyTorch: one line observes a training that knows nothing of monitors."""

import numpy as np
import pytest

from dark.engine import Events
from dark.errors import UsageError, ValueTypeError
from dark.monitor import Monitor, Note, diagnose

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle


def torch_training(attach, steps=120, lr=0.1):
    """Train a classifier in a loop that knows nothing of monitors."""
    torch.manual_seed(0)
    net, criterion = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2)), None
    optimizer, criterion = torch.optim.SGD(net.parameters(), lr=lr), torch.nn.CrossEntropyLoss()
    attached = attach(net, optimizer, criterion)
    for _ in range(steps):
        x = torch.randn(32, 8)
        loss = criterion(net(x), (x.sum(1) > 0).long())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        with torch.no_grad():
            criterion(net(x), torch.zeros(32, dtype=torch.long))
    return [p.detach().numpy().tobytes() for p in net.parameters()], attached


def test_one_line_observes_the_steps_of_an_optimizer(tmp_path):
    plain, _ = torch_training(lambda *unused: None)

    def attach(net, optimizer, criterion):
        monitor = Monitor(net)
        monitor.attach(optimizer, Events.ITERATION_COMPLETED(every=5), note=Note(tmp_path), loss=criterion)
        return monitor

    observed, monitor = torch_training(attach)
    run = Note.load(tmp_path)
    assert observed == plain and monitor.dropped == {} and monitor.records == 24
    assert run.scalar_dict["loss"].steps.tolist() == list(range(5, 121, 5))
    assert run.scalar_dict["loss"].values[0] == pytest.approx(0.7, abs=0.2)
    assert {"gradient_norm/0.weight", "update_ratio/2.bias", "dead/1"} <= run.scalar_dict.keys()
    assert run.tensor_dict["activations/1"].at(120).shape == (16,) and "activations/1#2" not in run.tensor_dict
    assert not diagnose(tmp_path).kinds


def test_the_steps_of_an_optimizer_are_those_of_a_block(tmp_path):
    def attach(net, optimizer, criterion):
        monitors = [Monitor(net, stats_max_length=3) for _ in range(2)]
        monitors[0].attach(optimizer, Events.ITERATION_COMPLETED(every=2), loss=criterion)
        step = optimizer.step

        def watched():
            with monitors[1].step():
                step()

        monitors[1].attach(event=Events.ITERATION_COMPLETED(every=2))
        optimizer.step = watched
        return monitors

    _, (first, second) = torch_training(attach, 6)
    np.testing.assert_equal(first.tensors(), second.tensors())
    assert {k: v for k, v in first.scalars().items() if k != "loss"} == second.scalars()


def test_the_doctor_finds_a_learning_rate_that_is_too_large(tmp_path):
    def attach(net, optimizer, criterion):
        return Monitor(net).attach(
            optimizer, Events.ITERATION_COMPLETED(every=5), note=Note(tmp_path), loss=criterion
        )  # fmt: skip

    torch_training(attach, lr=300.0)
    assert "learning rate too large" in diagnose(tmp_path).kinds


def test_what_cannot_drive_a_loop_is_refused_in_three_parts():
    net = torch.nn.Linear(2, 1)
    first, second = (torch.optim.SGD(net.parameters(), lr=0.1) for _ in range(2))
    monitor = Monitor(net)
    refused = pytest.raises(UsageError, match=r"count the steps, already SGD\.\n  Expected: one.*\n  Try: one of")
    with monitor.attach(first), refused:
        monitor.attach(second)
    with pytest.raises(
        ValueTypeError, match=r"loss must be a module or a function, got 3 \(int\)\.\n  Expected: the module"
    ):
        monitor.attach(second, loss=3)
    monitor.attach(second, loss=lambda: 0.5, event=Events.ITERATION_COMPLETED)
    net(torch.ones(1, 2)).sum().backward()
    second.step()
    assert monitor.scalars()["loss"] == 0.5
    with pytest.raises(ValueTypeError, match=r"'SGD' \(str\) is not a trainer\.\n  Expected: an engine, also"):
        monitor.attach("SGD")
