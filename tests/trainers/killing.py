"""Trainings of all trainers that are killed at random lines, resumed each time, and compared to the byte.

``python -m tests.trainers.killing KIND 50 SEED FOLDER`` kills 50 times and prints what happened, see `tests.killing`.
With "KIND ckpt", the checkpoints belong to the context, which the trainer saves and restores by itself.
Each has dropout, batch normalization, noise from NumPy's global generator, a schedule, a metric of the training, a
callback with a state, and a validation set on which the best models are selected.
"""

import functools
import logging
import sys

import numpy as np

from dark import nn, optim
from dark.engine import Events, manual_seed
from dark.handlers import Checkpoint, DiskSaver
from dark.handlers.checkpoints.loading import states_of
from dark.metrics import RunningAverage
from dark.storage import save_file
from dark.trainers import CounterCallback, Event
from tests.killing import compare, packages
from tests.trainers.shared import MAKERS, loader

EPOCHS, EVERY = 3, 2  # a checkpoint every second of 9 steps, so that some are lost
PACKAGES = packages("trainers", "contexts", "executors", "engine", "handlers", "storage")


def noisy(module, inputs):
    """Add noise to the inputs of a model in training, as a hook."""
    return tuple(x + 0.05 * np.random.normal(size=x.shape) for x in inputs) if module.training else None


def train(kind, folder):
    """Train from the newest checkpoint, if there is one, to the end; write everything into the file "final"."""
    kind, _, ckpt = kind.partition(" ")
    count = CounterCallback(Event.ON_BATCH_END, lambda context: None, "count", 3)
    handler = Checkpoint({}, DiskSaver(folder / "run", require_empty=False), n_saved=2) if ckpt else None
    trainer = MAKERS[kind](True, [count], handler)
    for player in trainer.players.values():
        player.module.register_forward_pre_hook(noisy)
    loss = [*trainer.players.values()][-1].label
    schedules = {
        f"{name} schedule": optim.lr_scheduler.ExponentialLR(player.optimizer, 0.8)
        for name, player in trainer.players.items()
    }
    for schedule in schedules.values():
        trainer.engine.add_event_handler(Events.EPOCH_COMPLETED, schedule.step)
    average = RunningAverage(output_transform=lambda output: output[loss])
    average.attach(trainer.engine, "average")
    best = trainer.save_best(folder / "best", loss, "min")
    also = {**schedules, "average": average}
    manual_seed(5)  # before what is restored
    if ckpt:
        handler.to_save = also
    else:
        trainer.save(folder / "run", Events.ITERATION_COMPLETED(every=EVERY) | Events.EPOCH_COMPLETED, 2, also)
        trainer.restore(folder / "run")
    if ckpt or trainer.engine.state.epoch < EPOCHS:  # a finished run would start over
        trainer.run(loader(kind, 16), loader(kind, 22, shuffle=False), max_epochs=EPOCHS)
    generators = {name: nn.random_state(player.module) for name, player in trainer.players.items()}
    end = {"generators": generators, "best": best.last_checkpoint.name}
    save_file({**states_of(trainer.objects()), **end}, folder / "final")


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # about unfinished saves
    kind, kills, seed, parent = sys.argv[1:]
    print(compare(functools.partial(train, kind), int(kills), int(seed), parent, PACKAGES))
