"""The cost of a monitor: the digits network is trained with and without it, in alternating pairs of epochs.

With `--torch`, networks of PyTorch are trained without, with a monitor, and with one that writes a note.
"""

import argparse
import sys
import tempfile
from statistics import median
from time import process_time

import numpy as np

from dark import nn, optim
from dark.data import DataLoader, TensorDataset, datasets
from dark.engine import Events
from dark.monitor import Monitor, Note
from dark.trainers import create_supervised_trainer

BATCH_SIZE, EVERY = 32, 50  # the cadence that `Monitor.attach` has by default


def training(seed=0):
    """Return the network of `examples/digits.py`, its trainer, and a loader of the digits."""
    rng, digits = np.random.default_rng(seed), datasets.digits()
    x = ((digits.inputs - digits.inputs.mean(axis=0)) / (digits.inputs.std(axis=0) + 1e-3)).astype(np.float32)
    layers = [nn.Linear(64, 128, seed=rng), nn.ReLU(), nn.Dropout(0.2, seed=rng), nn.Linear(128, 10, seed=rng)]
    network = nn.Sequential(*layers).float()
    trainer = create_supervised_trainer(network, optim.AdamW(network.parameters(), lr=3e-3), nn.CrossEntropyLoss())
    return network, trainer, DataLoader(TensorDataset(x, digits.targets), BATCH_SIZE, shuffle=True, seed=seed)


def epoch_seconds(trainer, loader):
    """Train for one epoch more; return the processor time of a step."""
    epoch, start = trainer.state.epoch, process_time()
    trainer.run(loader, max_epochs=epoch + 1)
    return (process_time() - start) / len(loader)


def measure(rounds, every=EVERY, reads=False):
    """Train with and without a monitor, epoch by epoch in turn.

    Returns
    -------
    tuple of float, float and bool
        The median seconds of a step without, the median ratio of the pairs, and whether the weights are equal.
    """
    (plain, first, loader), (observed, second, same) = training(), training()
    monitor, event = Monitor(observed), Events.ITERATION_COMPLETED(every=every)
    monitor.attach(second, event)
    if reads:
        second.add_event_handler(event, lambda engine: (monitor.scalars(), monitor.tensors()))
    pairs = []
    for k in range(rounds + 1):
        order = ((first, loader), (second, same)) if k % 2 else ((second, same), (first, loader))
        found = {id(trainer): epoch_seconds(trainer, data) for trainer, data in order}
        pairs.append((found[id(first)], found[id(second)]))
    is_equal = all(np.array_equal(p.value, q.value) for p, q in zip(plain.parameters(), observed.parameters()))
    pairs = pairs[1:]  # the first round loads and allocates
    return median(a for a, _ in pairs), median(b / a for a, b in pairs), is_equal


def torch_step_seconds(name, observes, folder=None):
    """Train a network of PyTorch for some steps; return the processor time of a step."""
    import torch
    from torch import nn as torch_nn

    torch.manual_seed(0)
    if name == "perceptron":
        sizes, inputs, steps = (64, 128, 128, 10), torch.randn(64, 64), 1000
        layers = [part for k in range(3) for part in (torch_nn.Linear(*sizes[k : k + 2]), torch_nn.ReLU())][:-1]
    else:
        inputs, steps = torch.randn(32, 3, 32, 32), 200
        blocks = [
            (torch_nn.Conv2d(a, b, 3, padding=1), torch_nn.ReLU(), torch_nn.MaxPool2d(2))
            for a, b in ((3, 16), (16, 32))
        ]
        layers = [part for block in blocks for part in block] + [torch_nn.Flatten(), torch_nn.Linear(2048, 10)]
    network, labels = torch_nn.Sequential(*layers), torch.randint(10, (len(inputs),))
    optimizer, criterion = torch.optim.Adam(network.parameters()), torch_nn.CrossEntropyLoss()
    if observes:
        Monitor(network).attach(optimizer, note=None if folder is None else Note(folder), loss=criterion)
    start = process_time()
    for _ in range(steps):
        optimizer.zero_grad()
        criterion(network(inputs), labels).backward()
        optimizer.step()
    return (process_time() - start) / steps


def measure_torch(rounds):
    """Print the times of networks of PyTorch, and the medians of the ratios of neighboring trainings."""
    import torch

    torch.set_num_threads(1)
    for name in ("perceptron", "convolutions"):
        found = []
        for _ in range(rounds + 1):
            with tempfile.TemporaryDirectory() as folder:
                plain, observed = torch_step_seconds(name, False), torch_step_seconds(name, True)
                found.append((plain, observed / plain, torch_step_seconds(name, True, folder) / plain))
        plain, observed, noted = (median(values) for values in zip(*found[1:]))
        ratios = f"monitor {observed:.3f}, with a note {noted:.3f} times as long"
        print(f"{name}: {1e3 * plain:.2f} ms per step without; {ratios}")


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser("python -m benchmarks.monitor", description=__doc__)
    parser.add_argument("--torch", action="store_true", help="networks of PyTorch, 7 rounds unless --rounds says more")
    parser.add_argument("--rounds", type=int, default=60, help="pairs of epochs (default 60)")
    options = parser.parse_args()
    if options.torch:
        measure_torch(7 if options.rounds == parser.get_default("rounds") else options.rounds)
        return
    rounds = options.rounds
    cases = [("monitor", EVERY, False), ("monitor", 20, False), ("monitor", 1, False), ("monitor, read", EVERY, True)]
    for name, every, reads in cases:
        seconds, ratio, is_equal = measure(rounds, every, reads)
        equal = "equal weights" if is_equal else "DIFFERENT WEIGHTS"
        print(f"{name}, every {every}: {1e6 * seconds:.0f} us per step without, {100 * (ratio - 1):+.1f} %, {equal}")


if __name__ == "__main__":
    sys.exit(main())
