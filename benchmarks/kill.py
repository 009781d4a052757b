"""Resuming after a crash: training runs that are killed and resumed end with the same bytes as an uninterrupted run.

The training combines dropout, batch normalization, Adam with a schedule, a shuffled loader that adds noise, noise from
NumPy's global generator in the forward pass, a metric, and an evaluator that uses the same loader within and after
each epoch; with ``--training gan`` it is the adversarial one of `benchmarks.kill_gan`. Each process resumes from the
last checkpoint and kills itself (kill -9) at a random event of a random iteration; the final states, also of the
generators, are compared byte by byte. Run ``python -m benchmarks.kill --times 50``.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks import kill_gan
from dark import nn, optim
from dark.data import DataLoader, TensorDataset
from dark.engine import Events, manual_seed
from dark.handlers import Checkpoint, DiskSaver
from dark.handlers.checkpoints.loading import states_of
from dark.metrics import Accuracy, Average
from dark.storage import save_file
from dark.trainers import create_supervised_evaluator, create_supervised_trainer

ROOT = Path(__file__).resolve().parents[1]
EPOCHS, LENGTH, EVERY = 3, 7, 2  # a checkpoint every second iteration; work after the last one is repeated
MOMENTS = ("GET_BATCH_COMPLETED", "ITERATION_STARTED", "ITERATION_COMPLETED", "EPOCH_COMPLETED")


class Curve(list):
    """The accuracies of the evaluator and the mean loss of each epoch, in order."""

    def state_dict(self):
        """Return a copy of the values."""
        return {"values": [*self]}

    def load_state_dict(self, state):
        """Restore the values."""
        self[:] = state["values"]


def noisy(item, generator):
    """Add noise to an item, as an augmentation does."""
    x, y = item
    return x + 0.1 * generator.normal(size=x.shape), y


def blurred(model, x):
    """Apply a model to an input with noise from the global generator; only training draws."""
    return model(x + 0.01 * np.random.normal(size=x.shape)) if model.training else model(x)


def make():
    """Return the trainer, its loader, and all objects that are saved."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 4))
    data = TensorDataset(x, (x[:, 0] * x[:, 1] > 0).astype(int))
    loader = DataLoader(data, batch_size=8, shuffle=True, seed=1, transform=noisy)
    model = nn.Sequential(
        nn.Linear(4, 8, seed=2), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2, seed=3), nn.Linear(8, 2, seed=4)
    )
    optimizer, curve = optim.Adam(model.parameters(), lr=0.02), Curve()
    schedule = optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss(), deterministic=True, model_fn=blurred)
    evaluator = create_supervised_evaluator(model, {"accuracy": Accuracy()}, model_fn=blurred)

    loss = Average()
    loss.attach(trainer, "loss")

    def evaluate():
        curve.append(evaluator.run(loader).metrics["accuracy"])

    @trainer.on(Events.EPOCH_COMPLETED)
    def end_epoch():
        curve.append(trainer.state.metrics["loss"])
        schedule.step()

    trainer.add_event_handler(Events.ITERATION_COMPLETED(every=5) | Events.EPOCH_COMPLETED, evaluate)
    objects = {
        "trainer": trainer, "model": model, "optimizer": optimizer, "schedule": schedule, "loss": loss, "curve": curve,
    }  # fmt: skip
    return trainer, loader, objects


TRAININGS = {"classifier": make, "gan": kill_gan.make}


def train(folder, moment=None, iterations=0, training="classifier"):
    """Train from the last valid checkpoint to the end, and save all states to the file "final".

    Parameters
    ----------
    folder : Path
    moment : str, optional
        Event at which the process kills itself.
    iterations : int
        Number of iterations in this process before it does, from 1.
    training : {"classifier", "gan"}
    """
    trainer, loader, objects = TRAININGS[training]()
    saver = DiskSaver(folder, require_empty=False)
    checkpoint = Checkpoint(objects, saver, n_saved=2, include_self=True)
    trainer.add_event_handler(Events.ITERATION_COMPLETED(every=EVERY), checkpoint)
    manual_seed(5)  # before what is restored
    if (path := saver.last_good()) is not None:
        Checkpoint.load_objects({**objects, "checkpointer": checkpoint}, path)
    begun = trainer.state.iteration

    def die():
        if trainer.state.iteration - begun >= iterations:
            os.kill(os.getpid(), signal.SIGKILL)

    if moment is not None:
        trainer.add_event_handler(Events[moment], die)
    if trainer.state.epoch < EPOCHS:  # a finished run would start over
        trainer.run(loader, max_epochs=EPOCHS)
    models = {name: thing for name, thing in objects.items() if isinstance(thing, nn.Module)}
    generators = {name: nn.random_state(model) for name, model in models.items()}
    save_file({**states_of(objects), "generators": generators}, folder / "final")


def attempt(folder, moment=None, iterations=0, training="classifier"):
    """Train in a separate process; return whether it was killed."""
    arguments = ["--folder", str(folder), "--iterations", str(iterations), "--training", training]
    arguments += ["--moment", moment] if moment else []
    command = [sys.executable, "-m", "benchmarks.kill", *arguments]
    process = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    if process.returncode not in (0, -signal.SIGKILL):
        sys.exit(f"benchmarks.kill: a training failed.\n{process.stderr}")
    return process.returncode != 0


def compare(times, seed, parent, **kind):
    """Kill training runs `times` times; return the number of runs, and how many differ from an uninterrupted one."""
    rng, killed, runs, differing = random.Random(seed), 0, 0, 0
    whole = Path(tempfile.mkdtemp(dir=parent))
    attempt(whole, **kind)
    expected = (whole / "final").read_bytes()
    while killed < times:
        folder = Path(tempfile.mkdtemp(dir=parent))
        while killed < times and attempt(folder, rng.choice(MOMENTS), rng.randint(1, LENGTH), **kind):
            killed += 1
        attempt(folder, **kind)  # to completion
        runs += 1
        differing += (folder / "final").read_bytes() != expected
    return runs, differing


def main():
    parser = argparse.ArgumentParser(
        "python -m benchmarks.kill", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=50, help="number of kills (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the moments at which they happen (default 0)")
    parser.add_argument("--training", choices=TRAININGS, default="classifier", help="which one (default classifier)")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)  # these three are for child processes
    parser.add_argument("--moment", choices=MOMENTS, help=argparse.SUPPRESS)
    parser.add_argument("--iterations", type=int, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.folder is not None:
        return train(arguments.folder, arguments.moment, arguments.iterations, arguments.training)
    with tempfile.TemporaryDirectory() as parent:
        runs, differing = compare(arguments.times, arguments.seed, parent, training=arguments.training)
    print(f"{arguments.times} kills in {runs} training runs of {EPOCHS * LENGTH} iterations: {differing} differ")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
