"""`Recipe`: everything that one small training needs, and the loop that trains it under a monitor and a note."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import dark
from dark import losses, optim
from dark.engine import Engine, Events
from dark.monitor import Monitor, Note

RECORDS = 40  # the number of times that a run is noted


@dataclass
class Recipe:
    """A training: its data, network, loss, optimizer, and the faults that a case puts in."""

    train: tuple[np.ndarray, np.ndarray]
    validation: tuple[np.ndarray, np.ndarray] | None
    network: dark.nn.Module
    loss: Callable[[Any, Any], Any] = losses.cross_entropy
    optimizer: Callable[..., Any] = optim.Adam
    lr: float = 3e-3
    epochs: int = 12
    batch_size: int = 32
    settings: dict[str, Any] = field(default_factory=dict)  # of the optimizer
    trained: Callable[[str], bool] = lambda name: True  # which parameters the optimizer gets
    zero_grad: bool = True
    maximize: bool = False
    metrics: bool = True  # whether accuracy and validation loss are noted
    noted_every: int | None = None

    def changed(self, **fields):
        """Return a copy with other fields."""
        return replace(self, **fields)


def run(recipe, folder, seed=0):
    """Train a recipe; return the folder of its note."""
    network, (x, y) = recipe.network, recipe.train
    parameters = [(n, p) for n, p in network.named_parameters() if recipe.trained(n) and p.requires_grad]
    optimizer = recipe.optimizer(parameters, lr=recipe.lr, **recipe.settings) if parameters else None
    rng = np.random.default_rng(seed)

    def step(engine, rows):
        network.train()
        if recipe.zero_grad:
            network.zero_grad()
        loss = recipe.loss(network(x[rows]), y[rows])
        (-loss if recipe.maximize else loss).backward()
        if optimizer is not None:
            optimizer.step()
        return float(loss.value)

    engine, per_epoch = Engine(step), -(-len(x) // recipe.batch_size)
    every = recipe.noted_every or max(1, per_epoch * recipe.epochs // RECORDS)
    event: Any = Events.ITERATION_COMPLETED(every=every)
    if recipe.noted_every is None:
        event = Events.ITERATION_COMPLETED(once=1) | event
    with Note(folder) as note:
        monitor = Monitor(network)
        monitor.attach(engine, event)
        note.attach(engine, event, monitor)

        @engine.on(Events.EPOCH_COMPLETED)
        def measure():
            if recipe.metrics and recipe.validation is not None:
                note.take_down_scalars_and_tensors(engine.state.iteration, measured(recipe))

        for _ in range(recipe.epochs):
            order = rng.permutation(len(x))
            epoch = engine.state.epoch + 1
            engine.run(list(np.array_split(order, per_epoch)), max_epochs=epoch)
    return folder


def measured(recipe):
    """Measure loss and accuracy on both parts of the data, without recording a graph."""
    found = {}
    recipe.network.eval()
    for part, (x, y) in (("train", recipe.train), ("validation", recipe.validation)):
        with dark.no_grad():
            output = recipe.network(x)
            loss = float(recipe.loss(output, y).value)
        if part == "validation":
            found["loss/validation"] = loss
        if np.issubdtype(y.dtype, np.integer) and output.ndim == 2:
            found[f"accuracy/{part}"] = float(np.mean(output.value.argmax(axis=1) == y))
    return found
