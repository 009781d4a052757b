"""The callback of Lightning, called by a stand-in of its trainer in Lightning's order."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from dark.engine import Events
from dark.errors import ValueTypeError
from dark.monitor import Monitor, Note, diagnose

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle

from tests.monitor.foreign.pairs import batches, pair  # noqa: E402 - it needs PyTorch

HOOKS = """
    setup teardown on_fit_start on_fit_end on_sanity_check_start on_sanity_check_end on_train_batch_start
    on_train_batch_end on_train_epoch_start on_train_epoch_end on_validation_epoch_start on_validation_epoch_end
    on_test_epoch_start on_test_epoch_end on_predict_epoch_start on_predict_epoch_end on_validation_batch_start
    on_validation_batch_end on_test_batch_start on_test_batch_end on_predict_batch_start on_predict_batch_end
    on_train_start on_train_end on_validation_start on_validation_end on_test_start on_test_end on_predict_start
    on_predict_end on_exception state_dict load_state_dict on_save_checkpoint on_load_checkpoint on_before_backward
    on_after_backward on_before_optimizer_step on_before_zero_grad
"""  # of lightning.pytorch.Callback, version 2.6


class Trainer:
    """Calls the methods of callbacks in the order of Lightning 2.6, with automatic optimization."""

    def __init__(self, callbacks, accumulate=1, start=0):
        self.callbacks, self.accumulate, self.global_step = callbacks, accumulate, start
        self.current_epoch, self.sanity_checking, self.callback_metrics = 0, False, {}

    def call(self, name, *args):
        for callback in self.callbacks:
            getattr(callback, name)(self, self.module, *args)

    def validate(self, data):
        self.call("on_validation_start"), self.call("on_validation_epoch_start")
        self.module.eval()
        with torch.no_grad():
            for k, (x, y) in enumerate(data):
                self.call("on_validation_batch_start", (x, y), k, 0)
                loss = torch.nn.functional.cross_entropy(self.module(torch.from_numpy(x)), torch.from_numpy(y))
                self.call("on_validation_batch_end", loss, (x, y), k, 0)
        self.module.train()
        self.call("on_validation_epoch_end")
        self.callback_metrics = self.callback_metrics | {"val_loss": loss, "val_acc": torch.tensor(0.25)}
        self.call("on_validation_end")

    def fit(self, module, data, validation, epochs=3):
        self.module, optimizer = module, torch.optim.SGD(module.parameters(), lr=0.1)
        self.call("setup", "fit"), self.call("on_fit_start")
        self.sanity_checking = True
        self.call("on_sanity_check_start"), self.validate(validation), self.call("on_sanity_check_end")
        self.sanity_checking, self.callback_metrics = False, {}
        self.call("on_train_start")
        for self.current_epoch in range(epochs):
            self.call("on_train_epoch_start")
            for k, (x, y) in enumerate(data):
                self.call("on_train_batch_start", (x, y), k)
                loss = torch.nn.functional.cross_entropy(module(torch.from_numpy(x)), torch.from_numpy(y))
                if k % self.accumulate == 0:
                    self.call("on_before_zero_grad", optimizer), optimizer.zero_grad()
                self.call("on_before_backward", loss), (loss / self.accumulate).backward()
                self.call("on_after_backward")
                if k % self.accumulate == self.accumulate - 1:
                    self.call("on_before_optimizer_step", optimizer), optimizer.step()
                    self.global_step += 1
                self.callback_metrics = self.callback_metrics | {"train_loss": loss.detach()}
                self.call("on_train_batch_end", {"loss": loss.detach()}, (x, y), k)
            self.validate(validation)
            self.call("on_train_epoch_end")
        self.call("on_train_end"), self.call("on_fit_end"), self.call("teardown", "fit")


def run(make=None, **settings):
    """Fit with a callback, or without."""
    network, callbacks = pair("perceptron")[1], []
    if make is not None:
        monitor = Monitor(network)
        callbacks = [make(monitor)]
    Trainer(callbacks, **settings).fit(network, batches(steps=8), batches(steps=1, seed=5))
    assert not any(m._forward_hooks for m in network.modules())
    return [p.detach().numpy().tobytes() for p in network.parameters()], None if make is None else monitor


@pytest.mark.parametrize("accumulate, start, steps", [(1, 0, 24), (2, 0, 12), (4, 0, 6), (1, 100, 24)])
def test_steps_of_the_optimizer_are_recorded_and_validations_noted(tmp_path, accumulate, start, steps):
    settings = {"accumulate": accumulate, "start": start}
    plain, _ = run(**settings)
    event = Events.ITERATION_COMPLETED(every=2)
    with Note(tmp_path) as note:
        observed, monitor = run(lambda monitor: monitor.callback(event, note=note), **settings)
    found = Note.load(tmp_path)
    assert observed == plain and monitor.records == steps // 2 and monitor.dropped == {}
    assert found.scalar_dict["loss"].steps.tolist() == list(range(start + 2, start + steps + 1, 2))
    ends = [start + steps // 3 * k for k in (1, 2, 3)]
    assert found.scalar_dict["val_loss"].steps.tolist() == found.scalar_dict["val_acc"].steps.tolist() == ends
    assert "train_loss" not in found.scalar_dict
    assert {
        "activations/1",
        "weights/0.weight",
    } <= found.tensor_dict.keys() and "activations/1#2" not in found.tensor_dict
    updates = found.scalar_dict["update_ratio/0.weight"].values
    assert len(updates) == steps // 2 and (updates > 0).all()
    assert "no validation was noted" not in str(diagnose(tmp_path))


def test_without_lightning_it_has_the_methods_of_a_callback_and_no_base():
    assert "lightning" not in sys.modules
    callback = Monitor(torch.nn.Linear(2, 1)).callback()
    assert all(callable(getattr(callback, name)) for name in HOOKS.split())
    assert callback.state_dict() == {} and callback.state_key == "MonitorCallback"
    assert callback.on_test_start(None, None) is None


@pytest.mark.parametrize("place", ["lightning.pytorch", "pytorch_lightning"])
def test_with_lightning_it_is_one_of_its_callbacks(monkeypatch, place):
    class Callback:
        state_key = "theirs"

    monkeypatch.setitem(sys.modules, place, ModuleType(place))
    monkeypatch.setattr(sys.modules[place], "Callback", Callback, raising=False)
    callback = Monitor(torch.nn.Linear(2, 1)).callback()
    assert isinstance(callback, Callback) and callback.state_key == "theirs"
    callback.on_exception(SimpleNamespace(), None, KeyError())


def test_an_exception_ends_the_observation():
    network = torch.nn.Linear(2, 1)
    callback = Monitor(network).callback(Events.ITERATION_COMPLETED)
    trainer = SimpleNamespace(global_step=0, current_epoch=0, callback_metrics={})
    callback.on_train_start(trainer, network), callback.on_train_batch_start(trainer, network, None, 0)
    assert len(network._forward_hooks) == 1
    callback.on_exception(trainer, network, KeyError())
    assert not network._forward_hooks


def test_a_folder_is_not_a_note():
    with pytest.raises(
        ValueTypeError, match=r"note must be a Note, got .runs. .*\n  Expected: a Note\.\n  Try: Note\('ru"
    ):
        Monitor(torch.nn.Linear(2, 1)).callback(note="runs")
