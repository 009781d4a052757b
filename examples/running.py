"""Shared by the training examples: the command line, a progress bar, and the output files."""

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from threadpoolctl import threadpool_limits  # comes with scikit-learn
from tqdm import tqdm

import dark
from dark.draw import Table

INTERRUPTED = 130  # exit code after Ctrl-C
HEADING = ("seed", "epochs", "test accuracy", "seconds", "digest of the weights")
WEIGHTS = "weights.safetensors"


@dataclass
class Training:
    """A network, and a generator that trains it: each item is the metrics of an epoch."""

    network: dark.nn.Module
    test: tuple
    epochs: int
    records: Iterator


def main(description, training_of, folder, arguments=None):
    """Train once per seed; print a table, and return the exit code.

    `training_of(seed, epochs)` returns a `Training`; files are written to `folder`, or to the folder given by `--out`.
    """
    options = options_of(description, folder, arguments)
    print("reading the digits …", file=sys.stderr, flush=True)
    with threadpool_limits(1):  # faster for small matrices, and reproducible on any number of cores
        rows, stopped = train(training_of, options)
    show(rows)
    print(f"weights and pictures: {options.out}/seed-*")
    return INTERRUPTED if stopped else 0


def train(training_of, options):
    """Run all seeds, or until Ctrl-C; return the rows of the table, and whether it was stopped."""
    rows, stopped = [], False
    try:
        for seed in range(options.seed, options.seed + options.seeds):
            row, stopped = run(training_of(seed, options.epochs), seed, options.out / f"seed-{seed}")
            rows.append(row)
            if stopped:
                break
    except KeyboardInterrupt:  # between two runs or during drawing: the weights are already saved
        print("\nStopped.")
        return rows, True
    return rows, stopped


def options_of(description, folder, arguments):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seed", type=int, default=0, help="first seed, of split, weights and order (default 0)")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="number of seeds (default 1)")
    parser.add_argument("--epochs", type=int, metavar="N", help="number of epochs")
    parser.add_argument("--out", type=Path, default=folder, metavar="FOLDER", help=f"output folder (default {folder})")
    options = parser.parse_args(arguments)
    for name, smallest in (("seed", 0), ("seeds", 1), ("epochs", 1)):
        value = getattr(options, name)
        if value is not None and value < smallest:
            parser.error(f"--{name} is {value}; it must be {smallest} or more")
    return options


def run(training, seed, folder):
    """Train to the end, or until Ctrl-C; save the weights after the last complete epoch, and pictures.

    Returns
    -------
    tuple of tuple and bool
        The row of the table, and whether it was interrupted.
    """
    network, stopped = training.network, False
    started, done = time.perf_counter(), ([], network.state_dict())
    with tqdm(total=training.epochs, desc=f"seed {seed}", unit="epoch", leave=False) as bar:
        try:
            for record in training.records:
                done = ([*done[0], record], network.state_dict())  # assigned together, in case of Ctrl-C
                bar.set_postfix_str(f"test accuracy {record['test_accuracy']:.4f}", refresh=False)
                bar.update()
        except KeyboardInterrupt:
            stopped = True
        records, weights = done
        elapsed_seconds = time.perf_counter() - started
        network.load_state_dict(weights)
        folder.mkdir(parents=True, exist_ok=True)
        dark.save(weights, folder / WEIGHTS)
        if stopped:
            bar.write(
                f"Stopped. The weights after epoch {len(records)} of {training.epochs} are in {folder / WEIGHTS}."
            )
        for name, picture in pictures_of(training, records):
            bar.set_postfix_str(f"writing {name}")
            picture.save(folder / name)
    accuracy = f"{records[-1]['test_accuracy']:.4f}" if records else "–"
    return (seed, len(records), accuracy, f"{elapsed_seconds:.2f}", digest(weights)), stopped


def pictures_of(training, records):
    """Yield the file names and pictures of a training."""
    x, labels = training.test
    with dark.no_grad():
        answers = training.network.eval()(x).value.argmax(axis=1)
    pictures = {"confusion": dark.draw.confusion(labels, answers)}
    if records:
        pictures["curves"] = dark.draw.curves(records)
    for name, picture in pictures.items():
        yield f"{name}.svg", picture
        yield f"{name}.png", picture


def digest(weights):
    """Return the first 16 digits of a SHA-256 over all weights, to compare two runs bit for bit."""
    total = hashlib.sha256()
    for name, array in weights.items():
        total.update(f"{name} {array.dtype} {array.shape}".encode())
        total.update(array.tobytes())
    return total.hexdigest()[:16]


def show(rows):
    """Print the table, and the worst of several seeds."""
    print(Table(HEADING, tuple(tuple(map(str, row)) for row in rows)))
    measured = [row for row in rows if row[1]]
    if len(measured) > 1:
        worst = min(measured, key=lambda row: float(row[2]))
        print(f"worst: seed {worst[0]} with test accuracy {worst[2]}")
