"""A graph, an engine, a context with a sum of executors, a monitor and a note: all of `dark` in one program.

The classifier of digits has a loss of two terms, the cross-entropy and the size of its weights. The trainer of its
context is an engine with events, which saves itself in the folder of the run and continues there when the program is
started again. A monitor records weights, gradients and activations, a note stores them, and the picture of the graph
shows one step of the backward pass.
"""

import argparse
from pathlib import Path

import dark
from dark import nn, optim
from dark.contexts import ClassifierContext
from dark.data import DataLoader, Standardize, TensorDataset, datasets, split
from dark.engine import Events
from dark.executors import ClassifierLoss, Executor
from dark.metrics import Accuracy
from dark.monitor import Monitor, Note
from dark.trainers import ClassifierTrainer

EPOCHS, EVERY = 4, 15


class WeightDecay(Executor):
    """The sum of the squares of all weights."""

    def call(self, context, **kwargs):
        """Return the sum, a node of the same graph."""
        return sum((p * p).sum() for name, p in context.classifier_model.module.named_parameters() if "weight" in name)


def data(seed=0):
    """Return loaders for training and validation."""
    train, test = split(datasets.digits(), (0.8, 0.2), seed=seed)
    standardize = Standardize().fit(train)
    loader = DataLoader(TensorDataset(*standardize(train[:])), batch_size=32, shuffle=True, seed=seed)
    return loader, DataLoader(TensorDataset(*standardize(test[:])), batch_size=360)


def trainer_of(folder, seed=0):
    """Return the trainer of a context: model, loss, metrics, and where it is saved."""
    model = nn.Sequential(nn.Linear(64, 32, seed=seed), nn.Tanh(), nn.Linear(32, 10, seed=seed + 1))
    context = ClassifierContext(
        classifier_model=model, loss=ClassifierLoss(nn.CrossEntropyLoss()) + 1e-4 * WeightDecay(),
        metrics={"accuracy": Accuracy()}, ckpt=Path(folder) / "checkpoints",
    )  # fmt: skip
    return ClassifierTrainer(context, optim.Adam(model.parameters(), lr=0.003))


def run(folder, epochs=EPOCHS):
    """Train, or go on where the last run in this folder ended; return the trainer and the note."""
    trainer, (loader, validation) = trainer_of(folder), data()
    context, often = trainer.context, Events.ITERATION_COMPLETED(every=EVERY)
    monitor = Monitor(context.classifier_model.module, monitor_activations=True)
    monitor.attach(trainer, often)
    with Note(Path(folder) / "run") as note:
        note.put_down_configs({"loss": str(context.loss), "lr": 0.003})
        note.attach(trainer, often, monitor)
        trainer.run(loader, validation, max_epochs=epochs)
        note.put_down_criterion("accuracy", trainer.validation["accuracy"], better="higher")
    return trainer, note


def picture(trainer):
    """Return the graph of the loss of two examples, as it is after its backward pass."""
    (x, labels) = data()[0].dataset[:2]
    loss = trainer.context.loss(trainer.context, features=x, labels=labels, training=False)
    loss.backward()
    return dark.draw(loss, model=trainer.context.classifier_model.module)


def main(arguments=None):
    """Train in a folder, print what was found, and draw the graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("build/all-together"), metavar="FOLDER")
    parser.add_argument("--epochs", type=int, default=EPOCHS, metavar="N", help="more than before: it continues")
    chosen = parser.parse_args(arguments)
    trainer, note = run(chosen.out, chosen.epochs)
    print(trainer.context.loss)
    print(f"epoch {trainer.engine.state.epoch}, step {trainer.context.global_step}", end=", ")
    print(f"accuracy {trainer.validation['accuracy']:.3f}, {len(note.scalar_dict)} series of scalars in {note.folder}")
    print(picture(trainer).save(chosen.out / "loss.svg"))


if __name__ == "__main__":
    main()
