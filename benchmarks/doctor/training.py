"""`Training`: a small training in `dark` or PyTorch, and the loop that notes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dark.engine import Engine, Events
from dark.monitor import Monitor, Note

RECORDS = 40  # the number of times that a run is noted


@dataclass
class Training:
    """What a training needs; a fault changes some of it.

    The loss gets (network, *batch), and returns a number to minimize, or that and a dict of parts to note; `score`
    gets the same and returns an accuracy.
    """

    kit: Any
    network: Any
    data: tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...] | None]
    loss: Callable[..., Any]
    score: Callable[..., float] | None = None
    optimizer: str = "Adam"
    lr: float = 3e-3
    settings: dict[str, Any] = field(default_factory=dict)
    epochs: int = 15
    batch_size: int = 32
    trained: Callable[[str], bool] = lambda name: True  # which parameters the optimizer gets
    zero: str = "network"  # who sets the gradients to zero: the network, the optimizer, or ""
    sign: int = 1
    steps_of: int = 1  # an update every so many batches
    rate: Callable[[float], float] | None = None  # a factor of the learning rate, of the share of the run
    before: Callable[[Training, int], None] | None = None  # called before each update
    loss_name: str = "loss"
    percent: bool = False
    in_training_mode: bool = False  # whether the training accuracy is measured so
    has_closure: bool = False
    records: int = RECORDS
    alter: Callable[[int, Any], Any] | None = None  # changes the targets of a batch, of the step

    def changed(self, **fields):
        """Return a copy with other fields."""
        return replace(self, **fields)

    def weights(self):
        """Return the parameters with their names."""
        return list(self.network.named_parameters())


def run(training, folder, seed=0):
    """Train; return the folder of the note."""
    rng, count = np.random.default_rng(seed), len(training.data[0][0])
    per_epoch = -(-count // training.batch_size)
    total = per_epoch * training.epochs
    step, every = stepper(training, total), max(1, total // training.records)
    with np.errstate(all="ignore"), Note(folder) as note:
        epochs = (list(np.array_split(rng.permutation(count), per_epoch)) for _ in range(training.epochs))
        loop = in_dark if training.kit.name == "dark" else in_torch
        for k in loop(training, note, step, epochs, every):
            if training.data[1] is not None:
                note.take_down_scalars_and_tensors(k, measured(training))
    return folder


def in_dark(training, note, step, epochs, every):
    """Train under a monitor of an engine; yield the step after each epoch."""
    engine = Engine(lambda engine, rows: step(engine.state.iteration, rows))
    event = Events.ITERATION_COMPLETED(once=1) | Events.ITERATION_COMPLETED(every=every)
    monitor = Monitor(training.network)
    monitor.attach(engine, event)
    note.attach(engine, event, monitor)
    for epoch, batches in enumerate(epochs, 1):
        engine.run(batches, max_epochs=epoch)
        yield engine.state.iteration


def in_torch(training, note, step, epochs, every):
    """Train under a watch of the network; yield the step after each epoch."""
    from benchmarks.doctor.watch import TorchWatch

    watch, k = TorchWatch(training.network), 0
    for batches in epochs:
        for rows in batches:
            k += 1
            is_noted = k == 1 or k % every == 0
            if is_noted:
                watch.begin()
            found = step(k, rows)
            if is_noted:
                scalars, tensors = watch.read()
                note.take_down_scalars_and_tensors(k, {**found, **scalars}, tensors)
        yield k


def stepper(training, total):
    """Return the function of (step, rows) that does a step and returns what it notes."""
    kit, network = training.kit, training.network
    parameters = [p for name, p in training.weights() if training.trained(name) and p.requires_grad]
    optimizer = kit.optimizer(training.optimizer, parameters, lr=training.lr, **training.settings)

    def computed(batch):
        found = training.loss(network, *batch)
        return found if isinstance(found, tuple) else (found, {})

    def step(k, rows):
        network.train()
        batch = [kit.array(a[rows]) for a in training.data[0]]
        if training.alter is not None:
            batch[-1] = training.alter(k, batch[-1])
        if training.rate is not None:
            for group in optimizer.param_groups:
                group["lr"] = training.lr * training.rate(k / total)
        if training.zero and (k - 1) % training.steps_of == 0:
            (network if training.zero == "network" else optimizer).zero_grad()
        if training.has_closure:

            def closure():
                optimizer.zero_grad()
                again = computed(batch)[0]
                again.backward()
                return again

            optimizer.step(closure)
        loss, parts = computed(batch)
        if not training.has_closure:
            (loss * training.sign).backward()
            if training.before is not None:
                training.before(training, k)
            if k % training.steps_of == 0:
                optimizer.step()
        return {training.loss_name: float(kit.value(loss)), **parts}

    return step


def measured(training):
    """Return the losses and accuracies of both parts of the data, in evaluation mode."""
    kit, found, factor = training.kit, {}, 100 if training.percent else 1
    train, validation = ([kit.array(a) for a in part] for part in training.data)
    training.network.eval()
    with kit.no_grad():
        loss = training.loss(training.network, *validation)
        name = training.loss_name.replace("train_", "").replace("/train", "")
        found[f"{name}/validation"] = float(kit.value(loss[0] if isinstance(loss, tuple) else loss))
        if training.score is not None:
            found["accuracy/validation"] = factor * training.score(training.network, *validation)
            if training.in_training_mode:
                training.network.train()
            found["accuracy/train"] = factor * training.score(training.network, *train)
    return found
