"""Handwritten digits classified by a multilayer perceptron: at least 95 % test accuracy in half a second."""

import sys

import numpy as np
from running import Training, main

import dark
from dark import losses, nn, optim
from dark.data import DataLoader, Standardize, TensorDataset, datasets, split

EPOCHS, BATCH_SIZE, LEARNING_RATE = 25, 32, 3e-3


def perceptron(seed):
    """Create a network with 64 inputs, 128 hidden units and 10 outputs, in float32, which is faster."""
    rng = np.random.default_rng(seed)
    layers = [nn.Linear(64, 128, seed=rng), nn.ReLU(), nn.Dropout(0.2, seed=rng), nn.Linear(128, 10, seed=rng)]
    return nn.Sequential(*layers).float()


def parts(seed, shape=(64,)):
    """Split the digits into a training set and a test set (a fifth), standardized by the training set."""
    train, test = split(datasets.digits(), (0.8, 0.2), seed=seed)  # stratified by class
    standardize = Standardize().fit(train)
    return [(standardize(x).astype(np.float32).reshape(-1, *shape), labels) for x, labels in (train[:], test[:])]


def epochs_of(network, train, test, seed, epochs, learning_rate):
    """Train a network; after each epoch yield loss and accuracy on both sets."""
    loader = DataLoader(TensorDataset(*train), BATCH_SIZE, shuffle=True, seed=seed)
    optimizer = optim.AdamW(network.parameters(), lr=learning_rate)
    schedule = optim.lr_scheduler.OneCycleLR(optimizer, learning_rate, total_steps=epochs * len(loader))
    for epoch in range(1, epochs + 1):
        network.train()
        for x, labels in loader:
            optimizer.zero_grad()
            losses.cross_entropy(network(x), labels).backward()
            optimizer.step()
            schedule.step()
        yield {"epoch": epoch, **measured(network, "train", *train), **measured(network, "test", *test)}


def measured(network, part, x, labels):
    """Compute loss and accuracy in evaluation mode, without recording a graph."""
    network.eval()
    with dark.no_grad():
        scores = network(x)
        loss = losses.cross_entropy(scores, labels)
    return {
        f"{part}_loss": float(loss.value),
        f"{part}_accuracy": float(np.mean(scores.value.argmax(axis=1) == labels)),
    }


def training_of(seed, epochs=None):
    """Prepare everything that depends on the seed: split, weights, and order of the batches."""
    epochs = epochs or EPOCHS
    train, test = parts(seed)
    network = perceptron(seed)
    return Training(network, test, epochs, epochs_of(network, train, test, seed, epochs, LEARNING_RATE))


if __name__ == "__main__":
    sys.exit(main(__doc__, training_of, "build/digits"))
