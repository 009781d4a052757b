"""Handwritten digits on several processes: the weights have the same bits for 1, 2 or 4 of them.

Start it by ``mpiexec -n 4 python -m mpi4py examples/digits_mpi.py``. A run that was interrupted continues at its last
checkpoint, with any number of processes.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from digits import LEARNING_RATE, parts, perceptron
from running import WEIGHTS, digest
from threadpoolctl import threadpool_limits  # comes with scikit-learn
from tqdm import tqdm

import dark
from dark import losses, optim
from dark.data import DataLoader, TensorDataset
from dark.distributed import MPI, Replicas
from dark.draw import Table
from dark.engine import Engine, Events
from dark.handlers import Checkpoint, DiskSaver
from dark.metrics import Accuracy, merge_states

BATCH_SIZE = 64
HEADING = ("processes", "steps", "test accuracy", "seconds", "digest of the weights")


def options_of(arguments):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=5, metavar="N", help="number of epochs (default 5)")
    parser.add_argument("--seed", type=int, default=0, help="of split, weights, order and dropout (default 0)")
    parser.add_argument("--shards", type=int, default=8, metavar="N", help="virtual shards of a batch (default 8)")
    parser.add_argument("--replicas", type=int, metavar="K", help="K virtual replicas in one process, without MPI")
    parser.add_argument("--timeout", type=float, default=8, help="seconds to wait for another process (default 8)")
    parser.add_argument("--every", type=int, default=20, metavar="N", help="steps between checkpoints (default 20)")
    parser.add_argument("--out", type=Path, default=Path("build/digits-mpi"), metavar="FOLDER",
                        help="folder of checkpoints and weights (default build/digits-mpi)")  # fmt: skip
    options = parser.parse_args(arguments)
    for name, smallest in (("epochs", 1), ("seed", 0), ("every", 1)):
        if getattr(options, name) < smallest:
            parser.error(f"--{name} is {getattr(options, name)}; it must be {smallest} or more")
    return options


class Training:
    """A network on the digits, trained step by step with a strategy, and its checkpoints."""

    def __init__(self, strategy, options):
        self.strategy, self.options = strategy, options
        train, self.test = parts(options.seed)
        self.network = perceptron(options.seed)
        self.optimizer = optim.AdamW(self.network.parameters(), lr=LEARNING_RATE)
        self.loader = DataLoader(
            TensorDataset(*train), BATCH_SIZE, shuffle=True, drop_last=True, seed=options.seed, strategy=strategy
        )
        self.trainer = Engine(self.step)
        self.objects = {"trainer": self.trainer, "network": self.network, "optimizer": self.optimizer}
        self.saver = DiskSaver(options.out, require_empty=False, rank=strategy.rank)
        checkpoint = Checkpoint(self.objects, self.saver, n_saved=2)
        self.trainer.add_event_handler(Events.ITERATION_COMPLETED(every=options.every), checkpoint)

    def step(self, engine, batch):
        """Train with one global batch; each process has its rows of it."""
        self.optimizer.zero_grad()
        loss = self.strategy.backward(self.loss_of, batch, self.network)
        self.optimizer.step()
        return loss

    def loss_of(self, rows):
        """Compute the mean loss of the rows of a shard."""
        x, labels = rows
        return losses.cross_entropy(self.network(x), labels)

    def resume(self):
        """Load the newest checkpoint, which the first process chooses."""
        is_first = self.strategy.rank == 0
        path = self.strategy.broadcast(self.saver.last_good("checkpoint_*") if is_first else None)
        if path is not None:
            Checkpoint.load_objects(self.objects, path)
        return path

    def run(self):
        """Train the epochs that are left."""
        steps, done = self.options.epochs * len(self.loader), self.trainer.state.iteration
        if done < steps:
            with tqdm(total=steps, initial=done, unit="step", disable=self.strategy.rank > 0) as bar:

                @self.trainer.on(Events.ITERATION_COMPLETED)
                def show(engine):
                    bar.set_postfix_str(f"loss {engine.state.output:.4f}", refresh=False)
                    bar.update()

                self.trainer.run(self.loader, max_epochs=self.options.epochs)

    def accuracy(self):
        """Measure the accuracy on the test set; each process evaluates its rows of it."""
        metric = Accuracy()
        self.network.eval()
        with dark.no_grad():
            for batch in DataLoader(TensorDataset(*self.test), 256, strategy=self.strategy):
                for shard in self.strategy.split(batch):
                    if shard.size:
                        x, labels = shard.batch
                        metric.update((self.network(x).value, labels))
        merge_states(metric, self.strategy.all_gather(metric.state_dict()))
        return metric.compute()


def main(arguments=None):
    """Train, or resume, and print one row; the exit code is 1 if the processes have different weights."""
    options = options_of(arguments)
    replicas = options.replicas
    strategy = Replicas(replicas, options.shards) if replicas else MPI(options.shards, timeout=options.timeout)
    pids = strategy.all_gather(os.getpid())
    started = time.perf_counter()
    with threadpool_limits(1):  # the processes share the cores
        training = Training(strategy, options)
        path = training.resume()
        if strategy.rank == 0:
            print(f"{strategy}, processes {' '.join(map(str, pids))}", file=sys.stderr)
            print(f"resumes after step {training.trainer.state.iteration}" if path else "starts", file=sys.stderr)
        training.run()
        accuracy = training.accuracy()
    weights = training.network.state_dict()
    digests = set(strategy.all_gather(digest(weights)))
    if strategy.rank == 0:
        dark.save(weights, options.out / WEIGHTS)
        seconds = f"{time.perf_counter() - started:.2f}"
        row = (len(pids), training.trainer.state.iteration, f"{accuracy:.4f}", seconds, " ".join(sorted(digests)))
        print(Table(HEADING, (tuple(map(str, row)),)))
    return int(len(digests) > 1)


if __name__ == "__main__":
    sys.exit(main())
