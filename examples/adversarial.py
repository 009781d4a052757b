"""Shared by the adversarial examples: the command line, endless batches, a progress bar, and the end of a run."""

import argparse
import sys
from itertools import chain, pairwise
from pathlib import Path

from threadpoolctl import threadpool_limits  # comes with scikit-learn
from tqdm import tqdm

from dark import nn
from dark.engine import Events

INTERRUPTED = 130  # exit code after Ctrl-C


def program(description, folder, run, steps, arguments=None):
    """Parse the command line, run, save the pictures, and return the exit code.

    `run(seed, steps)` returns the lines to print, pictures by name, and whether the promise was kept. The exit code is
    0 if it was, otherwise 1; after Ctrl-C it is 130, and nothing is written.
    """
    options = options_of(description, folder, steps, arguments)
    try:
        with threadpool_limits(1):  # faster for small matrices, and reproducible on any number of cores
            lines, pictures, is_kept = run(options.seed, options.steps)
    except KeyboardInterrupt:
        print("\nStopped; nothing was written.", file=sys.stderr)
        return INTERRUPTED
    print(*lines, sep="\n")
    for name, picture in pictures.items():
        for kind in ("svg", "png"):
            picture.save(options.out / f"{name}.{kind}")
        print(f"\n{options.out / name}.svg and .png: {picture}")
    return int(not is_kept)


def options_of(description, folder, steps, arguments=None):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="seed of weights, batches and noise (default 0)")
    parser.add_argument("--steps", type=int, default=steps, metavar="N", help=f"training steps (default {steps})")
    parser.add_argument("--out", type=folder_at, default=folder, help=f"folder of the pictures (default {folder})")
    options = parser.parse_args(arguments)
    for name, smallest in (("seed", 0), ("steps", 1)):
        if getattr(options, name) < smallest:
            parser.error(f"--{name} is {getattr(options, name)}; it must be {smallest} or more")
    return options


def folder_at(path):
    """Return the path of a folder, which is created if it does not exist."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path} is not a folder and cannot be created: {error.strerror}") from None
    return Path(path)


def train(trainer, draw, steps, label):
    """Train for some steps with batches from `draw()`, and show a progress bar with the losses."""
    with tqdm(total=steps, desc=label, unit="step", leave=False, mininterval=0.5) as bar:

        @trainer.engine.on(Events.ITERATION_COMPLETED)
        def show(engine):
            if engine.state.iteration % 20 == 0:
                losses = {k: v for k, v in engine.state.output.items() if k.endswith("_loss")}
                bar.set_postfix({k.removesuffix("_loss"): f"{v:.2f}" for k, v in losses.items()}, refresh=False)
            bar.update()

        trainer.run(iter(draw, None), max_epochs=1, epoch_length=steps)


def perceptron(rng, *sizes):
    """Create linear layers with these numbers of units, and leaky ReLUs between them, in float32, which is faster."""
    layers = [(nn.Linear(a, b, seed=rng), nn.LeakyReLU(0.2)) for a, b in pairwise(sizes)]
    return nn.Sequential(*list(chain(*layers))[:-1]).float()
