"""A training of every kind of network that draws random numbers is resumed exactly, by every kind of trainer."""

import random
import tempfile

import numpy as np
import pytest

from dark import nn, optim
from dark.data import DataLoader, Dataset, TensorDataset
from dark.engine import Events, manual_seed
from dark.handlers import Checkpoint, EMAHandler
from dark.trainers import create_supervised_tbptt_trainer, create_supervised_trainer


class Attention(nn.Module):
    """Attention of a sequence to itself, with dropout of its weights."""

    def __init__(self):
        super().__init__()
        self.attention, self.head = nn.MultiheadAttention(4, 2, dropout=0.3, batch_first=True), nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.attention(x, x, x)[0].mean(1))


class Recurrent(nn.Module):
    """Two recurrent layers with dropout between them; with a hidden state if it is asked for."""

    def __init__(self, kind, with_hidden=False):
        super().__init__()
        self.layers, self.head = kind(4, 5, 2, dropout=0.3, batch_first=True), nn.Linear(5, 1)
        self.with_hidden = with_hidden

    def forward(self, x, hidden=None):
        y, hidden = self.layers(x, hidden)
        return (self.head(y), hidden) if self.with_hidden else self.head(y.mean(1))


def dense():
    return nn.Sequential(
        nn.Flatten(), nn.Linear(24, 8), nn.BatchNorm1d(8), nn.Dropout(0.4), nn.ReLU(), nn.Dropout(), nn.Linear(8, 1)
    )


NETWORKS = {
    "dense": dense,
    "attention": Attention,
    "lstm": lambda: Recurrent(nn.LSTM),
    "gru": lambda: Recurrent(nn.GRU),
    "encoder": lambda: nn.Sequential(
        nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), nn.Flatten(), nn.Linear(24, 1)
    ),
    "list": lambda: nn.Sequential(nn.Flatten(), *nn.ModuleList([nn.Dropout(0.2), nn.Linear(24, 1), nn.Dropout(0.1)])),
}
TRAINERS = {
    "plain": {},
    "deterministic": {"deterministic": True},
    "accumulating": {"gradient_accumulation_steps": 2},
}


def whole_arrays(arrays):
    """Return a loader of arrays, in an order that is drawn."""
    return DataLoader(TensorDataset(*arrays), batch_size=4, shuffle=True)


def training(make_network, kind, per_item, make_loader):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(20, 6, 4)), rng.normal(size=(20, 6, 1) if per_item else (20, 1))
    loader = make_loader((x, y))
    model = make_network()
    optimizer = optim.Adam(model.parameters(), lr=0.02)
    if kind == "tbptt":
        trainer = create_supervised_tbptt_trainer(model, optimizer, nn.MSELoss(), 3, dim=1)
    else:
        trainer = create_supervised_trainer(model, optimizer, nn.MSELoss(), **TRAINERS[kind])
    average = EMAHandler(model, 0.2)
    average.attach(trainer)
    objects = {"trainer": trainer, "model": model, "optimizer": optimizer, "average": average.ema_model}
    return trainer, loader, objects


def final(make_network, kind, folder, per_item=False, path=None, stop=None, make_loader=whole_arrays):
    """Train from a checkpoint, or from the start until `stop`; return all values, and the last checkpoint."""
    manual_seed(1 if path is None else 2)
    trainer, loader, objects = training(make_network, kind, per_item, make_loader)
    checkpoint = Checkpoint(objects, tempfile.mkdtemp(dir=folder))
    trainer.add_event_handler(Events.ITERATION_COMPLETED(every=4), checkpoint)
    if kind != "accumulating":  # gradients are not saved, only what follows a step is
        trainer.add_event_handler(Events.EPOCH_COMPLETED, checkpoint)
    if stop is not None:
        trainer.add_event_handler(Events.ITERATION_COMPLETED(once=stop), lambda engine: engine.terminate(True))
    if path is not None:
        Checkpoint.load_objects(objects, path)
    trainer.run(loader, max_epochs=3)
    values = [objects[name].state_dict() for name in ("model", "average")]
    return [{name: value.tobytes() for name, value in each.items()} for each in values], checkpoint.last_checkpoint


@pytest.mark.parametrize("kind", ["plain", *(pytest.param(kind, marks=pytest.mark.long) for kind in [*TRAINERS][1:])])
@pytest.mark.parametrize("network", NETWORKS)
def test_a_network_that_draws_is_resumed_exactly(network, kind, tmp_path):
    whole, _ = final(NETWORKS[network], kind, tmp_path)
    for stop in (6, 11):  # after checkpoints within an epoch, and at its end
        _, path = final(NETWORKS[network], kind, tmp_path, stop=stop)
        assert final(NETWORKS[network], kind, tmp_path, path=path)[0] == whole


def test_truncated_backpropagation_is_resumed_exactly(tmp_path):
    make = lambda: Recurrent(nn.LSTM, with_hidden=True)
    whole, _ = final(make, "tbptt", tmp_path, per_item=True)
    _, path = final(make, "tbptt", tmp_path, per_item=True, stop=6)
    assert final(make, "tbptt", tmp_path, per_item=True, path=path)[0] == whole


class Noisy(Dataset):
    """Items with noise from the global generators, in the main process or in workers."""

    def __init__(self, arrays):
        self.x, self.y = arrays

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index] + np.random.normal() + random.gauss(0, 1), self.y[index]


@pytest.mark.parametrize("kind", ["plain", "deterministic"])
@pytest.mark.parametrize("workers", [0, 2])
def test_noise_of_a_dataset_is_resumed_exactly_in_the_main_process_and_in_workers(workers, kind, tmp_path):
    make_loader = lambda arrays: DataLoader(Noisy(arrays), batch_size=4, shuffle=True, num_workers=workers)
    whole, _ = final(dense, kind, tmp_path, make_loader=make_loader)
    _, path = final(dense, kind, tmp_path, stop=11, make_loader=make_loader)
    assert final(dense, kind, tmp_path, path=path, make_loader=make_loader)[0] == whole
