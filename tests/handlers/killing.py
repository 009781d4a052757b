"""A real small training that is killed (kill -9) at random lines, resumed each time, and compared to the byte.

``python -m tests.handlers.killing 50`` kills 50 times and prints what happened. Each attempt is a process of its own,
forked from this one; the line at which it kills itself is drawn from all lines of the engine, the handlers and the
storage that the whole training runs through, and every other time from those that replace a file.
"""

import logging
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np

import dark
from dark.data import DataLoader, TensorDataset
from dark.engine import Engine, Events
from dark.handlers import Checkpoint, DiskSaver, EarlyStopping, EMAHandler, ExpStateScheduler, LambdaStateScheduler
from dark.storage import save_file

ROOT = Path(dark.__file__).parent
SAVING = (str(ROOT / "atomic_write.py"), str(ROOT / "handlers" / "checkpoints" / "disk_saver.py"))
ANYWHERE = (*(str(ROOT / part) + os.sep for part in ("engine", "handlers", "storage")), str(ROOT / "atomic_write.py"))
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


class KillAt:
    """A trace function that counts the lines of some files, and kills the process at one of them."""

    def __init__(self, where, line):
        self.where, self.line, self.count = where, line, 0

    def __call__(self, frame, event, argument):
        if not frame.f_code.co_filename.startswith(self.where):
            return None
        if event == "line":
            self.count += 1
            if self.count == self.line:
                os.kill(os.getpid(), signal.SIGKILL)
        return self


def attempt(folder, where=ANYWHERE, line=None):
    """Train in a process of its own, killed at a line if one is given; return whether it was."""
    child = os.fork()
    if child == 0:
        try:
            tracer = KillAt(where, line)
            sys.settrace(tracer)
            train(folder)
            sys.settrace(None)
            (folder / "lines").write_text(str(tracer.count))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return True
    assert os.waitstatus_to_exitcode(status) == 0, "a training failed"
    return False


def uninterrupted(parent, where):
    """Return what an uninterrupted training writes, and the number of lines it runs through."""
    folder = Path(tempfile.mkdtemp(dir=parent))
    assert not attempt(folder, where)
    return (folder / "final").read_bytes(), int((folder / "lines").read_text())


def main(kills, seed, parent):
    """Kill, resume and compare; print the number of kills, and of those inside a save."""
    rng, done, inside, trainings = random.Random(seed), 0, 0, 0
    expected = {where: uninterrupted(parent, where) for where in (ANYWHERE, SAVING)}
    while done < kills:
        where = (ANYWHERE, SAVING)[trainings % 2]
        final, lines = expected[where]
        folder = Path(tempfile.mkdtemp(dir=parent))
        while done < kills and attempt(folder, where, rng.randrange(1, lines)):
            done += 1
        attempt(folder)  # to its end, if it was not
        trainings += 1
        inside += len(list(folder.glob(".*.part")))
        assert (folder / "final").read_bytes() == final, f"training {trainings} of seed {seed} differs"
        shutil.rmtree(folder)
    print(f"{done} kills, {inside} of them inside a save, in {trainings} trainings: all equal")


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # about unfinished saves
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
