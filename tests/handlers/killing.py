"""A real small training of an engine that is killed at random lines, resumed each time, and compared to the byte.

``python -m tests.handlers.killing 50 SEED FOLDER`` kills 50 times and prints what happened, see `tests.killing`.
"""

import logging
import sys

import numpy as np

import dark
from dark.data import DataLoader, TensorDataset
from dark.engine import Engine, Events
from dark.handlers import Checkpoint, DiskSaver, EarlyStopping, EMAHandler, ExpStateScheduler, LambdaStateScheduler
from dark.storage import save_file
from tests.killing import compare, packages

EPOCHS, LENGTH, EVERY = 3, 6, 2  # a checkpoint every 2 iterations, so that some are lost


def noisy(item, generator):
    """Add noise to an item, as an augmentation does."""
    x, y = item
    return x + 0.1 * generator.normal(size=x.shape), y


def make(seed=3):
    """Make the training: an engine, its data, and everything that is saved."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(22, 3))
    data = TensorDataset(x, x @ np.array([[1.0], [-2.0], [0.5]]))
    loader = DataLoader(data, batch_size=4, shuffle=True, seed=seed, transform=noisy)
    model = dark.nn.Sequential(dark.nn.Linear(3, 8), dark.nn.Tanh(), dark.nn.Dropout(0.3, seed=1), dark.nn.Linear(8, 1))
    for parameter in model.parameters():
        parameter.value = rng.normal(size=parameter.shape)
    optimizer = dark.optim.Adam(model.parameters(), lr=0.05)

    def step(engine, batch):
        inputs, targets = batch
        optimizer.zero_grad()
        loss = dark.losses.mse(model(inputs), targets) * engine.state.weight
        loss.backward()
        optimizer.step()
        return loss.value

    trainer = Engine(step)
    weight = ExpStateScheduler(1.0, 0.99, "weight", create_new=True)
    weight.attach(trainer, Events.ITERATION_STARTED)
    slow = LambdaStateScheduler(lambda k: 1 / k, "slow", create_new=True)
    slow.attach(trainer, Events.EPOCH_COMPLETED)
    average = EMAHandler(model, 0.1, momentum_warmup=0.5, warmup_iters=9)
    average.attach(trainer)
    patience = EarlyStopping(100, lambda engine: engine.state.output, trainer, mode="min")
    patience.attach(trainer, Events.ITERATION_COMPLETED)
    objects = {
        "trainer": trainer, "model": model, "optimizer": optimizer, "weight": weight, "slow": slow,
        "average": average.ema_model, "momentum": average.momentum_scheduler, "patience": patience,
    }  # fmt: skip
    return trainer, loader, objects


def train(folder):
    """Train from the last good checkpoint, if there is one, to the end; write everything into the file "final"."""
    trainer, loader, objects = make()
    saver = DiskSaver(folder, require_empty=False)
    checkpoint = Checkpoint(objects, saver, n_saved=2, include_self=True)
    trainer.add_event_handler(Events.ITERATION_COMPLETED(every=EVERY), checkpoint)  # at the last of an epoch, too
    if (path := saver.last_good()) is not None:
        Checkpoint.load_objects({**objects, "checkpointer": checkpoint}, path)
    if trainer.state.epoch < EPOCHS:  # a finished run would start over
        trainer.run(loader, max_epochs=EPOCHS)
    final = {name: thing.state_dict() for name, thing in objects.items()}
    save_file({**final, "generators": dark.nn.random_state(objects["model"])}, folder / "final")


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # about unfinished saves
    print(compare(train, int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], packages("engine", "handlers", "storage")))
